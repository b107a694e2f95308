import type { Config } from '../config/config.js';
import type { Conversations } from '../core/conversations.js';
import type { DeskEvents } from '../core/desk-reads.js';
import { carryOut, createDeskEvents, type DeskDeps, recover } from '../desk/desk.js';
import { ConversationService } from '../turns/conversation-service.js';
import type { GraphRunner } from '../turns/graph-run.js';
import { type BatchOptions, batchesOf } from '../turns/inbox-batches.js';
import { InboxPump } from '../turns/inbox-pump.js';
import { InboxRecovery, recoverLeft } from '../turns/inbox-recovery.js';
import { InboxTurns } from '../turns/inbox-turns.js';
import { reconcilePromises } from '../turns/reconcile-promises.js';
import { startRetention } from '../turns/retention.js';
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
  { stores, customers, graph, bus, openTurns: open, log }: Parts,
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
    salvage: (threadId, left) => recovery.salvage(threadId, left),
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
  await reconcilePromises(desk, stores.disagreements);
  // What was decided is finished before anything new is taken; what must be answered anew takes its time.
  const { answered } = await recoverLeft(left);
  answered.catch((error: unknown) => log.error({ agent: 'hub', action: 'recovery_failed' }, error));
  const { clock } = graph.tools;
  const stop = startRetention({
    ...{ events, inbox, idempotency, a2aTasks, webhookOutbox, mails, files, clock, log },
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
