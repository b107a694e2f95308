import type { Customer } from './domain/customer.js';
import type { Language } from './domain/taxonomy.js';
import type { Clock } from './ports/clock.js';
import type { Mailbox, Mailer, MailSource, MailStore, ReceivedMail } from './ports/mail.js';

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
  /** Aborted when the App closes: nothing is begun any more. */
  readonly closing: AbortSignal;
  /** Work that a closing App waits for. Gives the same promise back. */
  track<T>(work: Promise<T>): Promise<T>;
}
