import type { MailSupport } from '../../core/mail.js';
import { isGenuine, readToken } from './reply-address.js';

/**
 * Ends the notices of the customer to whom the token was sent.
 * @returns false where the token proves nothing, or is too old
 */
export async function unsubscribe(mail: MailSupport, token: string): Promise<boolean> {
  const claimed = readToken(token);
  const sent = claimed && (await mail.store.findSent({ seq: claimed.seq }));
  if (!claimed || !sent?.customerId) return false;
  const signed = { seq: sent.seq, threadId: sent.threadId, who: sent.customerId };
  if (!isGenuine(await mail.store.key(), 'unsubscribe', claimed, signed, mail.clock.now())) return false;
  await mail.unsubscribe(sent.customerId);
  return true;
}
