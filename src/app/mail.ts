import { createImapMailbox } from '../adapters/mail/imap-mailbox.js';
import { createSmtpMailer } from '../adapters/mail/mailers.js';
import type { Config } from '../config/config.js';
import { toHubError } from '../core/errors.js';
import { NOTICES_PREFERENCE } from '../core/ports/index.js';
import type { MailSupport } from '../core/ports/mail.js';
import type { RunningWork } from '../core/running-work.js';
import type { Parts } from './parts.js';

/** Held by the process that reads the mailbox; the others wait for it to end. */
const MAILBOX_LOCK = 'mail:mailbox';
/** A process that closes while it waits is held up for as long at most. */
const LOCK_WAIT_MS = 1_000;

/** What the door of e-mail needs; null where no mail server is named. */
export function openMail(
  { server: { mail }, locale }: Config,
  { stores, graph, customers, log }: Pick<Parts, 'stores' | 'graph' | 'customers' | 'log'>,
  { closing, track }: RunningWork,
): MailSupport | null {
  if (mail === undefined) return null;
  const { memory, tickets } = stores;
  const unlessErased = async (customer: Awaited<ReturnType<typeof customers.get>>) =>
    customer === null || (await stores.isErased(customer.customerId)) ? null : customer;
  return {
    store: stores.mails,
    mailer: createSmtpMailer({ url: mail.smtpUrl, from: mail.from }),
    mailbox: mail.imapUrl === undefined ? null : createImapMailbox({ url: mail.imapUrl, log }),
    clock: graph.tools.clock,
    // What reads mail is loaded with the first one.
    read: async (source) => (await import('../adapters/mail/read-mail.js')).readMail(source),
    async note(threadId, text) {
      const ticket = await tickets.findLatestByThread(threadId);
      if (ticket) await tickets.addMessage(ticket.ticketId, 'system', text);
    },
    async alone(work) {
      while (!closing.aborted)
        await stores.locks.withThread(MAILBOX_LOCK, LOCK_WAIT_MS, work).catch((error: unknown) => {
          if (toHubError(error).code !== 'thread_busy') throw error;
        });
    },
    customer: async (customerId) => unlessErased(await customers.get(customerId)),
    customerBy: async (email) => unlessErased(await customers.findByEmail(email)),
    async language(customerId, ticketId) {
      const preferred = customerId === null ? null : (await memory.recall(customerId, 0)).preferredLanguage;
      const language = preferred ?? (await tickets.getClassification(ticketId))?.language ?? locale;
      return graph.tools.texts.languages.includes(language) ? language : locale;
    },
    unsubscribe: async (customerId) =>
      void (await memory.setPreference(customerId, NOTICES_PREFERENCE, 'off')),
    closing,
    track,
  };
}
