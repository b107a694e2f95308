import { createHash } from 'node:crypto';
import type { App } from '../../app/app.js';
import type { Config, MailConfig } from '../../config/config.js';
import { deskNotes } from '../../core/desk-notes.js';
import { ANONYMOUS, type Identity } from '../../core/domain/customer.js';
import { toHubError } from '../../core/errors.js';
import { shownName } from '../../core/file-types.js';
import type {
  MailAttachment,
  MailSource,
  MailSupport,
  ReceivedMail,
  SentMail,
} from '../../core/ports/mail.js';
import { firstSent, identityOf, type Sender, senderOf, signedFor, tokenIn } from './sender.js';

/** Why a file of a mail is left out, and the mail taken all the same. */
const LEFT_OUT: ReadonlySet<string> = new Set(['file_too_large', 'file_type_refused', 'files_full']);
/** Names that a note lists. */
const MOST_NAMES = 10;

/** What became of the attachments of a mail. */
interface KeptAttachments {
  /** Their ids. */
  readonly kept: readonly string[];
  /** Names of those that were too large, too many, or of a kind that is not kept. */
  readonly left: readonly string[];
}

const MACHINES =
  /^(?:mailer-daemon|postmaster|(?:do-?|n[aã]o-?)?no-?(?:reply|responda)|nao-?responda|bounces?)(?:[+.-]|@)/;
const BULK = /^(?:bulk|junk|list|auto_reply)\b/i;

/**
 * Why a mail is not one that a person wrote to the hub, so that it is never answered: two machines that answer each other do
 * not stop. Null where a person did, as far as headers tell (RFC 3834).
 * @param own the hub's address
 */
function automatic({ headers, from }: ReceivedMail, own: string): string | null {
  const values = (name: string): readonly string[] =>
    headers.filter((header) => header.name === name).map(({ value }) => value.trim());
  const submitted = values('auto-submitted').some((value) => !/^no\b/i.test(value));
  if (submitted || values('x-autoreply').length > 0 || values('x-autorespond').length > 0) return 'automatic';
  if (values('precedence').some((value) => BULK.test(value))) return 'bulk';
  if (values('list-id').length > 0 || values('list-unsubscribe').length > 0) return 'list';
  if (values('x-loop').some((value) => value.toLowerCase().includes(own))) return 'loop';
  if (values('return-path').some((value) => /^<\s*>$/.test(value))) return 'automatic';
  if (from === own || (from !== null && tokenIn(from, own) !== null)) return 'loop';
  return from !== null && MACHINES.test(from) ? 'automatic' : null;
}

interface IncomingDeps {
  readonly app: Pick<App, 'conversations' | 'files' | 'log'>;
  readonly mail: MailSupport;
  readonly config: Pick<Config, 'locale' | 'turn'> & { readonly mail: MailConfig };
}

/** Mails of one sender that are answered in an hour. */
const MOST_AN_HOUR = 10;
const HOUR_MS = 3_600_000;
/** A shorter body leans on its subject: "Cancel my booking" over "thanks!". */
const LEANS_ON_SUBJECT = 30;
const COMMENT_CHARS = 2_000;
/** A conversation that cannot take this message will not take it later. */
const FINAL: ReadonlySet<string> = new Set([
  'input_invalid',
  'input_too_large',
  'customer_erased',
  'not_found',
]);

/** Takes mails in: each has its effect once, and only for whom it was proven to come from. */
export class IncomingMails {
  constructor(private readonly deps: IncomingDeps) {}

  /** Resolves when the mail was answered, or needs no answer. @throws HubError where it should come again later */
  async take(source: MailSource): Promise<void> {
    const { mail, config } = this.deps;
    const received = await mail.read(source);
    const sender = await senderOf(mail, config.mail, received);
    const noted = await mail.store.receive({
      messageId: received.messageId,
      address: received.from,
      proven: sender.proven,
    });
    if (noted === null) return this.#log('mail_again', received, null);
    const ignored = await this.#whyIgnored(received, sender);
    if (ignored !== null) {
      await mail.store.settled(noted.mailId, 'ignored', ignored);
      return this.#log('mail_ignored', received, ignored);
    }
    try {
      await this.#join(noted, received, sender);
      await mail.store.settled(noted.mailId, 'received', null);
      this.#log('mail_received', received, null);
    } catch (error) {
      const { code } = toHubError(error);
      if (!FINAL.has(code)) throw error;
      await mail.store.settled(noted.mailId, 'ignored', code);
      this.#log('mail_ignored', received, code);
    }
  }

  /** What is no message to the hub; what it says otherwise is done here. */
  async #whyIgnored(received: ReceivedMail, { proven }: Sender): Promise<string | null> {
    const { mail, config } = this.deps;
    if (received.bounce) return this.#bounced(received, received.bounce);
    const why = automatic(received, config.mail.address);
    if (why !== null) return why;
    if ((await firstSent(mail, [received.messageId])) !== null) return 'loop';
    const stop = await signedFor(mail, config.mail, received, 'unsubscribe');
    if (stop?.customerId) {
      await mail.unsubscribe(stop.customerId);
      return 'unsubscribed';
    }
    for (const verdict of ['good', 'bad'] as const) {
      const rated = await signedFor(mail, config.mail, received, verdict);
      if (rated) return this.#rated(received, rated, verdict === 'good');
    }
    if (received.from === null) return 'no_sender';
    if (received.text === '' && received.attachments.length === 0 && received.subject === null)
      return 'empty';
    const since = new Date(mail.clock.now().getTime() - HOUR_MS);
    const count = await mail.store.countFrom(received.from, proven, since);
    return count > MOST_AN_HOUR ? 'too_many' : null;
  }

  /** Who got the mail says what they think of what an operator did; nobody else knows the address. */
  async #rated({ text }: ReceivedMail, sent: SentMail, helpful: boolean): Promise<string> {
    const { app, mail } = this.deps;
    const { threadId, ticketId, customerId } = sent;
    const customer = customerId === null ? null : await mail.customer(customerId);
    const identity = customer ? identityOf(customer) : ANONYMOUS;
    try {
      const comment = text.slice(0, COMMENT_CHARS);
      await app.conversations.rate(identity, threadId, { helpful, comment, ticketId });
      return 'rated';
    } catch (error) {
      const { code } = toHubError(error);
      if (!FINAL.has(code)) throw error;
      return code;
    }
  }

  /** A mail came back: only who got it knows its id or its signed address, so nobody else can say so. */
  async #bounced(received: ReceivedMail, bounce: NonNullable<ReceivedMail['bounce']>): Promise<string> {
    const { mail, config } = this.deps;
    const signed = await signedFor(mail, config.mail, received, 'reply');
    const sent = signed ?? (bounce.messageId ? await firstSent(mail, [bounce.messageId]) : null);
    if (sent && (await mail.store.bounced(sent.mailId, `bounced ${bounce.why}`))) {
      await mail.note(sent.threadId, deskNotes.said('mail_bounced', bounce.why));
    }
    return 'bounce';
  }

  async #join(
    { mailId, threadId: known }: { readonly mailId: string; readonly threadId: string | null },
    received: ReceivedMail,
    sender: Sender,
  ): Promise<void> {
    const { app, mail, config } = this.deps;
    const { identity, repliesTo } = sender;
    const threadId = known ?? repliesTo?.threadId ?? (await app.conversations.create(identity)).threadId;
    const address = identity.kind === 'anonymous' ? received.from : null;
    await mail.store.joins(mailId, { threadId, address, subject: received.subject });
    const { kept, left } = await this.#keepAttachments(identity, { threadId, mailId }, received.attachments);
    const words = this.#textOf(received, repliesTo === null);
    const said = words === '' && kept.length === 0 ? left.join(', ') : words;
    await app.conversations.send({
      identity,
      threadId,
      channel: 'email',
      clientMessageId: `mail-${mailId}`,
      text: said.slice(0, config.turn.maxMessageChars),
      files: kept,
      ...(repliesTo ? { readUpTo: repliesTo.upTo } : {}),
    });
    const notes = [
      ...(sender.proven ? [] : [deskNotes.said('mail_not_proven', received.from ?? '')]),
      ...(left.length > 0 ? [deskNotes.said('mail_left', left.join(', '))] : []),
      ...(received.whole ? [] : [deskNotes.said('mail_cut', '')]),
    ];
    for (const note of notes) await mail.note(threadId, note);
  }

  /** The same mail again keeps the same files. */
  async #keepAttachments(
    identity: Identity,
    { threadId, mailId }: { readonly threadId: string; readonly mailId: string },
    attachments: readonly MailAttachment[],
  ): Promise<KeptAttachments> {
    const { conversations, files } = this.deps.app;
    const kept: string[] = [];
    const left: string[] = [];
    for (const [index, { name, content }] of attachments.entries()) {
      const hash = createHash('sha256').update(`${mailId} ${index}`).digest('hex').slice(0, 32);
      const keeping =
        kept.length < files.perMessage
          ? conversations.attach(identity, threadId, { name, content, fileId: `file_${hash}` })
          : null;
      const file = await keeping?.catch((error: unknown) => {
        if (LEFT_OUT.has(toHubError(error).code)) return null;
        throw error;
      });
      if (file) kept.push(file.fileId);
      else left.push(shownName(name));
    }
    return { kept, left: left.slice(0, MOST_NAMES) };
  }

  /** What the customer says, with the subject where nothing else says what it is about. */
  #textOf({ text, subject }: ReceivedMail, isNew: boolean): string {
    const leans = isNew && subject !== null && text.length < LEANS_ON_SUBJECT;
    return leans ? `${subject}\n\n${text}`.trim() : text || (subject ?? '');
  }

  #log(action: string, { messageId, from }: ReceivedMail, why: string | null): void {
    const details = { messageId, from, ...(why === null ? {} : { why }) };
    this.deps.app.log.info({ agent: 'mail', action, details });
  }
}
