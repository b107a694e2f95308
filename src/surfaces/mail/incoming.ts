import type { App } from '../../app/app.js';
import type { Config, MailConfig } from '../../config/config.js';
import { toHubError } from '../../core/errors.js';
import type { MailSupport } from '../../core/mail.js';
import type { MailSource, ReceivedMail } from '../../core/ports/mailbox.js';
import { keepAttachments } from './attachments.js';
import { automatic } from './automatic.js';
import { firstSent, type Sender, senderOf, signedFor } from './sender.js';

export interface IncomingDeps {
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
