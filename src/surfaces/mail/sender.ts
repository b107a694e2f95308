import type { MailConfig } from '../../config/config.js';
import { ANONYMOUS, type Customer, type Identity } from '../../core/domain/customer.js';
import type { MailSupport } from '../../core/mail.js';
import type { SentMail } from '../../core/ports/mail-store.js';
import type { ReceivedMail } from '../../core/ports/mailbox.js';
import { isVerified } from './authenticity.js';
import { isGenuine, type Purpose, readToken, tokenIn } from './reply-address.js';

/** Who wrote a mail, and to which mail of the hub it is a reply. */
export interface Sender {
  readonly identity: Identity;
  /** Null where it begins a conversation. */
  readonly repliesTo: SentMail | null;
  /** True where it is proven: by the mail server, or by an address that only the recipient of a mail knows. */
  readonly proven: boolean;
}

const STOP = 'stop-';

/**
 * Who wrote a mail. A customer is one whom the own mail server has verified, or who replies to an address that was signed
 * for them; everybody else is a visitor, whatever the mail says.
 */
export async function senderOf(
  mail: MailSupport,
  config: MailConfig,
  received: ReceivedMail,
): Promise<Sender> {
  const { from, headers } = received;
  const trust = { server: config.authServer, hops: config.authHops };
  const verified = from !== null && isVerified(headers, from, trust) ? await mail.customerBy(from) : null;
  const signed = await signedFor(mail, config, received, 'reply');
  if (signed && (verified === null || verified.customerId === signed.customerId)) {
    if (signed.customerId === null) return { identity: ANONYMOUS, repliesTo: signed, proven: true };
    const customer = await mail.customer(signed.customerId);
    if (customer) return { identity: identityOf(customer), repliesTo: signed, proven: true };
  }
  const answered = await firstSent(mail, received.references);
  if (verified) {
    const own = answered?.customerId === verified.customerId ? answered : null;
    return { identity: identityOf(verified), repliesTo: own, proven: true };
  }
  // Who knows the id of a mail to a visitor has got it; a customer's conversation needs more than that.
  const isOwn = answered !== null && answered.customerId === null && answered.visitor === from;
  return { identity: ANONYMOUS, repliesTo: isOwn ? answered : null, proven: false };
}

/** The mail whose signed address this one was sent to; null where there is none, or the signature is not good. */
export async function signedFor(
  mail: MailSupport,
  { address }: Pick<MailConfig, 'address'>,
  { recipients }: Pick<ReceivedMail, 'recipients'>,
  purpose: Purpose,
): Promise<SentMail | null> {
  for (const recipient of recipients) {
    const text = tokenIn(recipient, address);
    const isStop = text?.startsWith(STOP) ?? false;
    if (text === null || isStop !== (purpose === 'unsubscribe')) continue;
    const claimed = readToken(isStop ? text.slice(STOP.length) : text);
    const sent = claimed && (await mail.store.findSent({ seq: claimed.seq }));
    if (!claimed || !sent) continue;
    const who = sent.customerId ?? sent.visitor ?? '';
    const signed = { seq: sent.seq, threadId: sent.threadId, who };
    if (isGenuine(await mail.store.key(), purpose, claimed, signed, mail.clock.now())) return sent;
  }
  return null;
}

/** The nearest of these mails that is one of the hub's. */
export async function firstSent(mail: MailSupport, messageIds: readonly string[]): Promise<SentMail | null> {
  for (const messageId of messageIds) {
    const sent = await mail.store.findSent({ messageId });
    if (sent) return sent;
  }
  return null;
}

function identityOf({ customerId, email }: Customer): Identity {
  return { kind: 'customer', customerId, email };
}
