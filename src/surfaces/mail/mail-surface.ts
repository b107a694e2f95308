import { createHash } from 'node:crypto';
import type { App } from '../../app/app.js';
import type { Config, MailConfig } from '../../config/config.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { toHubError } from '../../core/errors.js';
import type { Repeated } from '../../core/ports/background.js';
import type { DueMail, Mail, MailAttachment, MailSource } from '../../core/ports/index.js';
import type { MailSupport } from '../../core/ports/mail.js';
import { IncomingMails } from './incoming.js';
import { type Purpose, type Signed, signedAddress, signedToken } from './sender.js';

/** What a mail is written with. */
interface Composing {
  readonly app: Pick<App, 'texts' | 'company'>;
  readonly config: Pick<MailConfig, 'address' | 'imapUrl'> & { readonly publicUrl: string | undefined };
  readonly key: string;
  readonly now: Date;
}

/** Whom it goes to, in which language. */
interface Recipient {
  readonly address: string;
  readonly language: Language;
  /** The customer's; null of a visitor. */
  readonly name: string | null;
}

const QUOTED_LINES = 20;
const SUBJECT_CHARS = 150;
/** A third more in a mail; what is larger than 25 MB many servers send back. */
const MOST_BYTES = 18 * 1_048_576;

interface DeliveryDeps {
  readonly app: Pick<App, 'texts' | 'company' | 'log'>;
  readonly mail: MailSupport;
  readonly config: Pick<Config, 'server'> & { readonly server: { readonly mail: MailConfig } };
}

/** Longer than a try takes: what is not settled by then was left by a process that is gone. */
const LEASE_MS = 120_000;
const AT_ONCE = 8;
/** How soon what was said is seen. */
const POLL_MS = 1_000;
/** Pauses between tries grow threefold up to six hours; after three days it is given up. */
const FIRST_PAUSE_MS = 30_000;
const GROWTH = 3;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
const TRIED_MS = 3 * 24 * 3_600_000;
const JITTER = 0.25;

/** Sends what is in the outbox of e-mail: each mail until it was taken, under one Message-ID. */
class MailDelivery {
  #repeated: Repeated | null = null;

  constructor(private readonly deps: DeliveryDeps) {}

  /** Takes up what an earlier process has left, and looks for what is due from then on. Ends when the App closes. */
  async begin(): Promise<void> {
    const { background, store } = this.deps.mail;
    await store.begin();
    await store.reclaim();
    this.#repeated = background.every({ name: 'mail', everyMs: POLL_MS, work: () => this.#look() });
  }

  /** Something is due. Does not throw. */
  async look(): Promise<void> {
    await this.#repeated?.soon();
  }

  /** Sends what is due. */
  #look(): Promise<void> {
    return this.deps.mail.track(
      this.#send().catch((error: unknown) => {
        if (!this.deps.mail.closing.aborted)
          this.deps.app.log.error({ agent: 'mail', action: 'mail_outbox_failed' }, error);
      }),
    );
  }

  async #send(): Promise<void> {
    const { store, closing } = this.deps.mail;
    const { address, unreadMs } = this.deps.config.server.mail;
    await store.collect(address.slice(address.lastIndexOf('@') + 1), unreadMs);
    while (!closing.aborted) {
      const due = await store.take(AT_ONCE, LEASE_MS);
      if (due.length === 0) return;
      await Promise.all(due.map((one) => this.#deliver(one)));
    }
  }

  async #deliver(due: DueMail): Promise<void> {
    const { mail, config, app } = this.deps;
    const { store, mailer, closing, clock } = mail;
    if (closing.aborted) return store.release(due.mailId);
    const to = await this.#recipient(due);
    if (to === null) return store.cancelled(due.mailId, 'nobody');
    const { mail: own, publicUrl } = config.server;
    const composing = { app, config: { ...own, publicUrl }, key: await store.key(), now: clock.now() };
    try {
      await mailer.send(composeMail(composing, due, to));
      await store.sent(due.mailId, to.address);
      this.#log('mail_sent', due, null);
    } catch (error) {
      const fault = toHubError(error);
      if (fault.code !== 'mail_failed') throw fault;
      const nextAt = fault.fields.permanent === true ? null : this.#nextTry(due);
      const why = `status ${String(fault.fields.status ?? 0)}`;
      await store.failed(due.mailId, why, nextAt);
      this.#log(nextAt === null ? 'mail_given_up' : 'mail_not_sent', due, why);
    }
  }

  /** Customers are written to where the company knows them; null where there is nobody any more. */
  async #recipient({ customerId, visitor, ticketId }: DueMail): Promise<Recipient | null> {
    const { mail } = this.deps;
    const language = await mail.language(customerId, ticketId);
    if (customerId === null) return visitor === null ? null : { address: visitor, language, name: null };
    const customer = await mail.customer(customerId);
    return customer && { address: customer.email, language, name: customer.name };
  }

  #nextTry({ mailId, attempts, createdAt }: DueMail): Date | null {
    const now = this.deps.mail.clock.now().getTime();
    if (now >= Date.parse(createdAt) + TRIED_MS) return null;
    const pause = Math.min(FIRST_PAUSE_MS * GROWTH ** attempts, LONGEST_PAUSE_MS);
    const spread = createHash('sha256').update(`${mailId} ${attempts}`).digest().readUInt32BE() / 2 ** 32;
    return new Date(now + pause * (1 - JITTER + 2 * JITTER * spread));
  }

  #log(action: string, { mailId, threadId, ticketId, reason, attempts }: DueMail, why: string | null): void {
    const details = { mailId, threadId, reason, attempts: attempts + 1, ...(why === null ? {} : { why }) };
    const entry = { agent: 'mail', action, ticketId, details };
    if (why === null) this.deps.app.log.info(entry);
    else this.deps.app.log.warn(entry);
  }
}

/** E-mail as a way in and out; it ends when the App closes. */
export interface MailSurface {
  /** Sends what is due now. */
  deliver(): Promise<void>;
  /** Takes a mail in, as the mailbox does. @throws HubError where it should come again later */
  take(source: MailSource): Promise<void>;
}

/** Opens the door of e-mail; null where no mail server is named. */
export async function openMailSurface(app: App, config: Config): Promise<MailSurface | null> {
  const own = config.server.mail;
  const { mail } = app;
  if (mail === null || own === undefined) return null;
  const delivery = new MailDelivery({ app, mail, config: { server: { ...config.server, mail: own } } });
  const incoming = new IncomingMails({ app, mail, config: { ...config, mail: own } });
  const take = async (source: MailSource): Promise<void> => {
    await incoming.take(source);
    await delivery.look();
  };
  await delivery.begin();
  const { mailbox, closing } = mail;
  // Where others do such work, one of them reads it.
  if (mailbox !== null && config.background) {
    const following = mail.alone(() => mailbox.follow(take, closing));
    void mail
      .track(following)
      .catch((error) => app.log.error({ agent: 'mail', action: 'mailbox_left' }, error));
  }
  return { deliver: () => delivery.look(), take };
}

/** Writes a mail of a conversation: what was said, how to continue, and what it answers. */
function composeMail({ app, config, key, now }: Composing, due: DueMail, to: Recipient): Mail {
  const texts = app.texts.for(to.language);
  const company = app.company.name;
  const signed = { seq: due.seq, threadId: due.threadId, who: due.customerId ?? to.address };
  const said = due.messages.map(({ role, author, content }) =>
    role === 'operator' ? `${texts.say('mail_answer.by', { name: author })}\n\n${content}` : content,
  );
  const addressOf = (purpose: Purpose): string => signedAddress(config.address, key, purpose, signed, now);
  /** Where no mail comes in, the page asks. */
  const askedToRate = (name: string): string | null => {
    if (config.imapUrl !== undefined)
      return texts.say('mail_answer.rate', { name, good: addressOf('good'), bad: addressOf('bad') });
    return config.publicUrl === undefined ? null : texts.say('mail_answer.rate_page', { name });
  };
  const { attachments, left } = attachedTo(due);
  const footer = [
    left.length > 0 ? texts.say('mail_answer.files_left', { files: texts.list(left) }) : null,
    config.imapUrl !== undefined ? texts.say('mail_answer.reply') : null,
    config.publicUrl === undefined ? null : texts.say('mail_answer.page', { url: config.publicUrl }),
    due.resolvedBy === null ? null : askedToRate(due.resolvedBy),
    due.reason === 'reply' ? null : texts.say('mail_answer.notice', { reason: due.reason }),
  ];
  const parts = [
    to.name === null ? null : texts.say('mail_answer.greeting', { name: firstName(to.name) }),
    ...said,
    footer.filter((line) => line !== null).join(' '),
    `-- \n${company}`,
    quoted(due, texts.say('mail_answer.wrote')),
  ];
  const notice = due.reason === 'reply' ? null : noticeOf({ config, key, now }, signed, company);
  return {
    to: to.address,
    subject: subjectOf(due.subject, texts.say('mail_answer.subject', { company })),
    text: `${parts.filter((part) => part !== null && part !== '').join('\n\n')}\n`,
    attachments,
    thread: {
      messageId: due.messageId,
      references: due.references,
      replyTo: addressOf('reply'),
      headers: { ...headersOf(config.address, due), ...notice?.headers },
      ...(notice ? { list: notice.list } : {}),
    },
  };
}

/** The files of the messages, as many as mail servers let through, and the names of the others. */
function attachedTo({ messages }: DueMail) {
  const attachments: MailAttachment[] = [];
  const left: string[] = [];
  let bytes = 0;
  for (const file of messages.flatMap((message) => message.attachments)) {
    const fits = bytes + file.content.byteLength <= MOST_BYTES;
    if (fits) attachments.push(file);
    else left.push(file.name);
    bytes += fits ? file.content.byteLength : 0;
  }
  return { attachments, left };
}

/** What other machines go by, so that none answers. */
function headersOf(address: string, due: DueMail): Record<string, string> {
  const byPerson = due.messages.some(({ role }) => role === 'operator');
  return {
    'Auto-Submitted': byPerson ? 'no' : due.reason === 'reply' ? 'auto-replied' : 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    'X-Loop': address,
  };
}

/** How a notice is distinguished from other mail, and ended: by mail, and with one click (RFC 8058). */
function noticeOf({ config, key, now }: Omit<Composing, 'app'>, signed: Signed, company: string) {
  const { address, publicUrl, imapUrl } = config;
  const token = signedToken(key, 'unsubscribe', signed, now);
  const byPage = publicUrl === undefined ? [] : [`${publicUrl}/api/mail/unsubscribe?token=${token}`];
  const byMail =
    imapUrl !== undefined ? [`mailto:${signedAddress(address, key, 'unsubscribe', signed, now)}`] : [];
  const id = `support.${address.slice(address.lastIndexOf('@') + 1)}`;
  const headers: Record<string, string> =
    byPage.length > 0 ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {};
  return { list: { id, name: company, unsubscribe: [...byPage, ...byMail] }, headers };
}

/** The customer's own subject, so that the conversation stays one in their mail program. */
function subjectOf(own: string | null, standard: string): string {
  if (own === null || own.trim() === '') return standard;
  const plain = own
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:(?:re|res|fw|fwd|enc|rv)\s*:\s*)+/i, '')
    .slice(0, SUBJECT_CHARS);
  return `Re: ${plain}`;
}

/**
 * What a visitor had said is not repeated: who they are is not proven, and anybody could have it sent to an address of their
 * choice.
 */
function quoted({ asked, customerId }: DueMail, header: string): string | null {
  if (asked === null || customerId === null) return null;
  const lines = asked.content.split('\n');
  const shown = lines.slice(0, QUOTED_LINES).map((line) => `> ${line}`.trimEnd());
  return [header, ...shown, ...(lines.length > QUOTED_LINES ? ['> …'] : [])].join('\n');
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}
