import type { App } from '../../app/app.js';
import type { Config, MailConfig } from '../../config/config.js';
import { toHubError } from '../../core/errors.js';
import type { MailSupport } from '../../core/mail.js';
import type { MailAttachment, MailSource, ReceivedMail } from '../../core/ports/mail.js';
import { tokenIn } from './reply-address.js';
import { firstSent, type Sender, senderOf, signedFor } from './sender.js';

/** What may be kept, by the ending of its name; nothing that a program would run or a browser would draw a page of. */
const KEPT = /\.(?:pdf|png|jpe?g|gif|webp|heic|txt|csv|docx|xlsx|odt|ods)$/i;
const MOST_FILES = 10;
const MOST_BYTES = 10 * 1024 * 1024;
const NAME_CHARS = 80;

/** What became of the attachments of a mail. */
interface KeptAttachments {
  /** Where each is, from the data directory on. */
  readonly kept: readonly string[];
  /** Names of those that were too large, too many, or of a kind that is not kept. */
  readonly left: readonly string[];
}

/** Keeps the attachments of a mail as files; the same mail again writes the same files. */
async function keepAttachments(
  { files }: Pick<MailSupport, 'files'>,
  { threadId, mailId }: { readonly threadId: string; readonly mailId: string },
  attachments: readonly MailAttachment[],
): Promise<KeptAttachments> {
  const kept: string[] = [];
  const left: string[] = [];
  let bytes = 0;
  for (const [index, { name, content }] of attachments.entries()) {
    const shown = shownName(name);
    const fits = kept.length < MOST_FILES && bytes + content.byteLength <= MOST_BYTES;
    if (!fits || !KEPT.test(shown)) {
      left.push(shown);
      continue;
    }
    bytes += content.byteLength;
    kept.push(await files.keep(threadId, `${mailId.slice(-8)}-${index + 1}-${shown}`, content));
  }
  return { kept, left: left.slice(0, MOST_FILES) };
}

/** A sender's name for a file, as operators may read it: without folders, control characters and tricks of direction. */
function shownName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const plain = base.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return plain === '' ? 'file' : plain.slice(-NAME_CHARS);
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
  readonly app: Pick<App, 'conversations' | 'texts' | 'log'>;
  readonly mail: MailSupport;
  readonly config: Pick<Config, 'locale' | 'turn'> & { readonly mail: MailConfig };
}

/** Mails of one sender that are answered in an hour. */
const MOST_AN_HOUR = 10;
const HOUR_MS = 3_600_000;
/** A shorter body leans on its subject: "Cancel my booking" over "thanks!". */
const LEANS_ON_SUBJECT = 30;
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
    if (received.from === null) return 'no_sender';
    if (received.text === '' && received.attachments.length === 0 && received.subject === null)
      return 'empty';
    const since = new Date(mail.clock.now().getTime() - HOUR_MS);
    const count = await mail.store.countFrom(received.from, proven, since);
    return count > MOST_AN_HOUR ? 'too_many' : null;
  }

  /** A mail came back: only who got it knows its id or its signed address, so nobody else can say so. */
  async #bounced(received: ReceivedMail, bounce: NonNullable<ReceivedMail['bounce']>): Promise<string> {
    const { app, mail, config } = this.deps;
    const signed = await signedFor(mail, config.mail, received, 'reply');
    const sent = signed ?? (bounce.messageId ? await firstSent(mail, [bounce.messageId]) : null);
    if (sent && (await mail.store.bounced(sent.mailId, `bounced ${bounce.why}`))) {
      const texts = app.texts.for(config.locale);
      await mail.note(sent.threadId, texts.say('mail_note.bounced', { why: bounce.why }));
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
    const attachments = await keepAttachments(mail, { threadId, mailId }, received.attachments);
    const said = this.#wordsOf(received, repliesTo === null);
    await app.conversations.send({
      identity,
      threadId,
      channel: 'email',
      clientMessageId: `mail-${mailId}`,
      text: said.slice(0, config.turn.maxMessageChars),
      ...(repliesTo ? { readUpTo: repliesTo.upTo } : {}),
    });
    const texts = app.texts.for(config.locale);
    const { kept, left } = attachments;
    const notes = [
      ...(sender.proven ? [] : [texts.say('mail_note.not_proven', { address: received.from })]),
      ...(kept.length > 0 ? [texts.say('mail_note.kept', { files: texts.list(kept) })] : []),
      ...(left.length > 0 ? [texts.say('mail_note.left', { files: texts.list(left) })] : []),
      ...(received.whole ? [] : [texts.say('mail_note.cut')]),
    ];
    for (const note of notes) await mail.note(threadId, note);
  }

  /** What the customer says, with the subject where nothing else says what it is about. */
  #wordsOf({ text, subject, attachments }: ReceivedMail, isNew: boolean): string {
    const leans = isNew && subject !== null && text.length < LEANS_ON_SUBJECT;
    const words = leans ? `${subject}\n\n${text}`.trim() : text;
    if (words !== '') return words;
    return subject ?? attachments.map(({ name }) => name).join(', ') ?? '';
  }

  #log(action: string, { messageId, from }: ReceivedMail, why: string | null): void {
    const details = { messageId, from, ...(why === null ? {} : { why }) };
    this.deps.app.log.info({ agent: 'mail', action, details });
  }
}
