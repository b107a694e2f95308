import type { Customer } from '../domain/customer.js';
import type { Language } from '../domain/taxonomy.js';
import type { TicketMessage } from '../domain/ticket.js';
import type { BackgroundWork } from './background.js';
import type { Clock } from './system.js';

/** A mail as it came, read. */
export interface ReceivedMail {
  /** Without its angle brackets; made of the content where the sender gave none. */
  readonly messageId: string;
  /** The address in the one From header, in lower case; null where there is not exactly one. */
  readonly from: string | null;
  /** Whom it was sent to, by any header. */
  readonly recipients: readonly string[];
  readonly subject: string | null;
  /** Message-IDs of the mails that it answers, the nearest first. */
  readonly references: readonly string[];
  /** What was written anew: without quotations and signature. */
  readonly text: string;
  /** In their order; names in lower case, values unfolded. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly MailAttachment[];
  /** What a mail server says of a mail that it could not deliver; null of any other mail. */
  readonly bounce: { readonly messageId: string | null; readonly why: string } | null;
  /** False where it was too large to be read whole. */
  readonly whole: boolean;
}

export interface MailAttachment {
  /** Of a mail that came as the sender says: it may hold anything. */
  readonly name: string;
  /** In lower case; of a mail that came as the sender says. */
  readonly type: string;
  readonly content: Uint8Array;
}

/** A mail that is in a mailbox. */
export interface MailSource {
  readonly bytes: Uint8Array;
  /** False where it is larger than what is read of one. */
  readonly whole: boolean;
}

/** Where mail comes in. */
export interface Mailbox {
  /**
   * Gives each mail that is new, until the signal is aborted, and waits for more; a connection that breaks is opened again.
   * A mail is marked as seen once `onMail` has resolved; where it rejects, it is given again later.
   */
  follow(onMail: (source: MailSource) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** A message to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  readonly attachments?: readonly MailAttachment[];
  /** What a mail of a conversation carries besides. */
  readonly thread?: MailThread;
}

/** How mail programs and servers know where a mail belongs. Ids are without their angle brackets. */
interface MailThread {
  readonly messageId: string;
  /** Mails of the conversation before it, oldest first. */
  readonly references: readonly string[];
  /** Where replies and bounces go. */
  readonly replyTo: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a notice: what mail programs sort it by, and where it is ended. */
  readonly list?: { readonly id: string; readonly name: string; readonly unsubscribe: readonly string[] };
}

/**
 * Sends mail. Throws HubError `mail_failed`; `fields.permanent` is true where the server will never take this mail for this
 * address.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/**
 * Why there is a mail: it answers one, the customer prefers e-mail, no page has shown the message in time; or it came from
 * outside.
 */
export const MAIL_REASONS = ['reply', 'preference', 'unread', 'incoming'] as const;
export type MailReason = (typeof MAIL_REASONS)[number];

/**
 * Out: `waiting`, `sent`, `joined` (another mail brings it too), `cancelled` (it was seen), `failed`, `bounced`. In:
 * `receiving` until it had its effect, then `received`, or `ignored`.
 */
export const MAIL_STATUSES = [
  'waiting',
  'sent',
  'joined',
  'cancelled',
  'failed',
  'bounced',
  'receiving',
  'received',
  'ignored',
] as const;

/** The preference that holds whether a customer is sent notices. */
export const NOTICES_PREFERENCE = 'mail_notices';

/** What was said, with what it came with. */
interface MailedMessage extends Pick<TicketMessage, 'role' | 'content' | 'author' | 'createdAt'> {
  readonly attachments: readonly MailAttachment[];
}

/** A mail that is to be sent now. */
export interface DueMail {
  /** The same at every try. */
  readonly mailId: string;
  readonly seq: number;
  readonly messageId: string;
  readonly reason: MailReason;
  readonly threadId: string;
  readonly ticketId: string;
  readonly customerId: string | null;
  /** Where a visitor is written to; null for a customer. */
  readonly visitor: string | null;
  /** See the table `mail_threads`. */
  readonly subject: string | null;
  /** The operator who has resolved the ticket, where the customer is asked how that was. */
  readonly resolvedBy: string | null;
  /** What it brings, oldest first. */
  readonly messages: readonly MailedMessage[];
  /** What the customer had said last before it; null where there is nothing. */
  readonly asked: Pick<TicketMessage, 'content' | 'createdAt'> | null;
  /** Message-IDs of the conversation's mails so far, oldest first. */
  readonly references: readonly string[];
  /** Tries that have failed. */
  readonly attempts: number;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

/** A mail that was sent, as a reply to it is told by. */
export interface SentMail
  extends Pick<DueMail, 'mailId' | 'seq' | 'threadId' | 'ticketId' | 'customerId' | 'visitor'> {
  /** See the table `mail_messages`. */
  readonly upTo: string;
}

/** A mail that came in. */
interface NewIncomingMail {
  readonly messageId: string;
  readonly address: string | null;
  /** Whether it is proven that the sender is who they say. */
  readonly proven: boolean;
}

/** Mails of conversations. Throws HubError `database_failed` or `disk_full` on a fault. */
export interface MailStore {
  /** Secret bytes, made once, that sign the addresses that customers reply to. */
  key(): Promise<string>;
  /** Messages that are there already are not mailed. Does nothing where that was said before. */
  begin(): Promise<void>;
  /**
   * Puts what was said to customers since the last call into the outbox, where mail should bring it.
   * @param domain of the Message-IDs
   * @param unreadMs how long a page may take to show a message
   */
  collect(domain: string, unreadMs: number): Promise<void>;
  /** Gives out what is due, at most one mail of a conversation. What is not settled before the lease ends is given out again. */
  take(limit: number, leaseMs: number): Promise<readonly DueMail[]>;
  sent(mailId: string, address: string): Promise<void>;
  /** @param nextAt null where it is given up */
  failed(mailId: string, why: string, nextAt: Date | null): Promise<void>;
  /** It need not be sent any more. */
  cancelled(mailId: string, why: string): Promise<void>;
  /** The try does not count: it is due at once. */
  release(mailId: string): Promise<void>;
  /** Gives back what processes have taken that are gone. */
  reclaim(): Promise<void>;
  /** A page of the customer's has shown the conversation. */
  seen(threadId: string): Promise<void>;
  findSent(by: { readonly seq: number } | { readonly messageId: string }): Promise<SentMail | null>;
  /** @returns false where the mail is not one that was sent */
  bounced(mailId: string, why: string): Promise<boolean>;
  /** Notes that it has come. @returns null where it had its effect before; else its conversation, where it has one already */
  receive(
    mail: NewIncomingMail,
  ): Promise<{ readonly mailId: string; readonly threadId: string | null } | null>;
  /** It belongs to this conversation, whose answers go by mail from now on. */
  joins(
    mailId: string,
    thread: { readonly threadId: string; readonly address: string | null; readonly subject: string | null },
  ): Promise<void>;
  settled(mailId: string, status: 'received' | 'ignored', why: string | null): Promise<void>;
  /** How many mails came from this address since then; those that only say so are counted apart. */
  countFrom(address: string, proven: boolean, since: Date): Promise<number>;
  /** Forgets mails that opened no conversation, and are older. @returns how many */
  prune(before: Date): Promise<number>;
}

/** What the door of e-mail needs besides the conversations. */
export interface MailSupport {
  readonly store: MailStore;
  readonly mailer: Mailer;
  /** Null where none is read. */
  readonly mailbox: Mailbox | null;
  readonly clock: Clock;
  /** Reads a mail; never throws for what a sender wrote. */
  read(source: MailSource): Promise<ReceivedMail>;
  /** For the operators, as `deskNotes` writes it, on the newest ticket of a conversation; nothing where it has none. */
  note(threadId: string, text: string): Promise<void>;
  /** Runs the work in one process at a time, of all on this data directory. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Null where there is none any more. */
  customer(customerId: string): Promise<Customer | null>;
  /** The customer of an address, unless their data was removed. */
  customerBy(email: string): Promise<Customer | null>;
  /** The language of a conversation's mails. */
  language(customerId: string | null, ticketId: string): Promise<Language>;
  /** No notices from now on. */
  unsubscribe(customerId: string): Promise<void>;
  readonly background: Pick<BackgroundWork, 'every'>;
  /** Aborted when the App closes: nothing is begun any more. */
  readonly closing: AbortSignal;
  /** Work that a closing App waits for. Gives the same promise back. */
  track<T>(work: Promise<T>): Promise<T>;
}
