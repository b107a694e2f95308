import { createImapMailbox } from '../adapters/mail/imap-mailbox.js';
import { createSmtpMailer } from '../adapters/mail/mailers.js';
import type { Config } from '../config/config.js';
import type { Conversations } from '../core/conversations.js';
import type { DeskEvents } from '../core/desk-reads.js';
import { toHubError } from '../core/errors.js';
import { NOTICES_PREFERENCE } from '../core/ports/index.js';
import type { MailSupport } from '../core/ports/mail.js';
import type { RunningWork } from '../core/signals.js';
import { carryOut, createDeskEvents, type DeskDeps, recover } from '../desk/desk.js';
import { ConversationService } from '../turns/conversation-service.js';
import type { GraphRunner } from '../turns/graph-run.js';
import { InboxPump } from '../turns/inbox-pump.js';
import { InboxRecovery, recoverLeft } from '../turns/inbox-recovery.js';
import { InboxTurns } from '../turns/inbox-turns.js';
import { reconcileEffects } from '../turns/reconcile-effects.js';
import { startRetention } from '../turns/retention.js';
import { type BatchOptions, batchesOf } from '../turns/waiting-senders.js';
import type { Parts } from './parts.js';

/** Conversations that are kept, and what keeps them. */
interface OpenedConversations {
  readonly conversations: Conversations;
  readonly deskEvents: DeskEvents;
  /** Waits for the turns that run. */
  close(): Promise<void>;
}

/** Opens the customers' side over durable state, and makes good what an earlier process has left unfinished. */
export async function openConversations(
  config: Config,
  { stores, customers, graph, bus, openTurns: open, background, log }: Parts,
  desk: DeskDeps,
  runner: GraphRunner,
): Promise<OpenedConversations> {
  const {
    inbox,
    tickets,
    threads,
    pending,
    events,
    idempotency,
    ratings,
    locks,
    a2aTasks,
    webhookOutbox,
    mails,
    files,
  } = stores;
  const { ids } = graph;
  const { locale } = config;
  const limit = config.turn.maxMessageChars;
  const turns = new InboxTurns({
    turns: desk.turns,
    inbox,
    bus,
    open,
    tickets,
    threads,
    customers,
    ids,
    log,
  });
  const recovery = new InboxRecovery({
    ...{ inbox, tickets, pending, events, bus, open, turns, runner, graph, ids, log, locale },
    carryOut: (row) => carryOut(desk, row),
  });
  const readAnswer = async (threadId: string): Promise<BatchOptions['readAnswer']> => {
    const question = await pending.findOpenConfirmation(threadId);
    if (!question) return null;
    const language = (await tickets.getClassification(question.ticketId))?.language ?? locale;
    return (text) => {
      const { kind, rest } = graph.language.readYesNo(text, language);
      return (kind === 'yes' || kind === 'no') && rest === '' ? kind : null;
    };
  };
  const pump = new InboxPump({
    ...{ inbox, locks, log, waitMs: desk.waitMs },
    recover: (threadId, left) => recovery.recover(threadId, left),
    batches: async (threadId, items) =>
      batchesOf(items, { limit, readAnswer: items.length > 1 ? await readAnswer(threadId) : null }),
    turns,
  });
  const left = { inbox, locks, log, pump, recovery, recoverDecided: () => recover(desk) };
  const conversations = new ConversationService({
    ...{ inbox, threads, tickets, pending, ratings, files, bus, pump, turns, ids, locks },
    attaching: desk.attaching,
    waitMs: desk.waitMs,
    ownership: desk.ownership,
    messageChars: limit,
    recover: async () => (await recoverLeft(left)).answered,
  });
  await reconcileEffects(desk, stores.disagreements);
  // What was decided is finished before anything new is taken; what must be answered anew takes its time.
  const { answered } = await recoverLeft(left);
  answered.catch((error: unknown) => log.error({ agent: 'hub', action: 'recovery_failed' }, error));
  const { clock } = graph.tools;
  const stop = startRetention({
    ...{ events, inbox, idempotency, a2aTasks, webhookOutbox, mails, files, clock, log },
    ...{ peers: stores.peers, background },
    recover: () => conversations.recover(),
  });
  return {
    conversations,
    deskEvents: createDeskEvents(bus),
    async close() {
      await stop();
      await pump.close();
      await bus.close();
    },
  };
}

/** Held by the process that reads the mailbox; the others wait for it to end. */
const MAILBOX_LOCK = 'mail:mailbox';
/** A process that closes while it waits is held up for as long at most. */
const LOCK_WAIT_MS = 1_000;

/** What the door of e-mail needs; null where no mail server is named. */
export function openMail(
  { server: { mail }, locale }: Config,
  {
    stores,
    graph,
    customers,
    background,
    log,
  }: Pick<Parts, 'stores' | 'graph' | 'customers' | 'background' | 'log'>,
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
    background,
    closing,
    track,
  };
}
