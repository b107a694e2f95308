import type { ApprovalOutcome } from '../core/app.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TicketMessage } from '../core/domain/ticket.js';
import type { TurnReply } from '../core/domain/turn.js';
import { toHubError } from '../core/errors.js';
import type {
  EventLog,
  Ids,
  Inbox,
  InboxItem,
  Log,
  NewStoredEvent,
  PendingStore,
  ThreadLock,
  TicketStore,
} from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { waitFor } from '../runtime/plan-action.js';
import type { EventBus } from './event-bus.js';
import type { GraphRunner } from './graph-run.js';
import type { InboxPump } from './inbox-pump.js';
import type { InboxTurns } from './inbox-turns.js';
import {
  customerEvent,
  eventsOfTurn,
  formatEventId,
  type OpenTurn,
  type OpenTurns,
} from './thread-streams.js';
import { cannedReply, pausedText, pendingView } from './turn-reply.js';
import { type Outcome, shownTextOf } from './waiting-senders.js';

interface RecoveryDeps {
  readonly inbox: Inbox;
  readonly tickets: TicketStore;
  readonly pending: PendingStore;
  readonly events: EventLog;
  readonly bus: EventBus;
  readonly open: OpenTurns;
  readonly turns: Pick<InboxTurns, 'noteTried'>;
  readonly runner: Pick<GraphRunner, 'snapshot'>;
  /** What an answer is checked against before it is published again. */
  readonly graph: GraphDeps;
  readonly ids: Ids;
  readonly log: Log;
  readonly locale: Language;
  /** Finishes a decided question; see desk-service. */
  readonly carryOut: (decided: PendingAction) => Promise<ApprovalOutcome>;
}

const RECENT = 300;

/**
 * Completes the turns of a process that died while it answered: what was decided is carried out once, a stored reply or
 * question is the answer, and only a message without either is answered anew.
 */
export class InboxRecovery {
  constructor(private readonly deps: RecoveryDeps) {}

  /** The caller holds the conversation; `left` are its messages that a dead process was answering. */
  async recover(threadId: string, left: readonly InboxItem[]): Promise<void> {
    const { deps } = this;
    const turn = deps.open.open(threadId);
    try {
      await deps.bus.publish(await this.#unpublished(threadId, left));
      for (const row of await deps.pending.listUnreleased(threadId)) await this.#finish(row, left);
      const answered = await this.#answeredGroups(threadId, left);
      for (const { items, messages } of answered) await this.#complete(turn, items, messages);
      const done = new Set(answered.flatMap(({ items }) => items.map(({ itemId }) => itemId)));
      const again = left.filter(({ itemId }) => !done.has(itemId));
      for (const item of again) deps.turns.noteTried(item);
      await deps.inbox.putBack(again.map(({ itemId }) => itemId));
      deps.log.warn({
        agent: 'hub',
        action: 'messages_recovered',
        details: { threadId, completed: done.size, again: again.length },
      });
    } finally {
      deps.open.close(turn);
    }
  }

  /** A question was decided, and perhaps carried out, but the customer may not have been answered. */
  async #finish(row: PendingAction, left: readonly InboxItem[]): Promise<void> {
    const { tickets, pending, runner } = this.deps;
    const messages = await tickets.listThreadMessages(row.threadId, RECENT);
    const yes = left.find((item) => decidedBy(item, row, messages));
    const stored = yes && messages.findLastIndex((message) => isOf(message, yes));
    if (yes && stored === -1) {
      const extras = { clientMessageId: yes.clientMessageId };
      await tickets.addMessage(row.ticketId, 'customer', shownTextOf(yes), extras);
    } else if (stored !== undefined && messages.slice(stored + 1).some(isAnswer)) {
      // The graph has come to its end, and what it says at its end is stored.
      const { interrupts, idle, exists } = await runner.snapshot(row.graphThreadId);
      const waits = interrupts.some(({ value }) => value?.pending_id === row.pendingId);
      if (exists && idle && !waits) {
        await pending.release(row.pendingId);
        return;
      }
    }
    await this.deps.carryOut(row);
  }

  /** The messages that have an answer on the conversation, in groups that were answered together. */
  async #answeredGroups(threadId: string, left: readonly InboxItem[]) {
    const groups: { items: InboxItem[]; messages: readonly TicketMessage[] }[] = [];
    for (const item of left) {
      const stored = await this.deps.tickets.listThreadMessages(threadId, RECENT);
      const at = stored.findLastIndex((message) => isOf(message, item));
      const own = stored[at];
      if (!own) continue;
      const messages = answersTo(stored.slice(at + 1), left);
      const answer = messages.length > 0 ? messages : await this.#answerFromOpen(own, item);
      if (answer.length === 0) continue;
      const same = groups.find((group) => group.messages[0]?.messageId === answer[0]?.messageId);
      if (same) same.items.push(item);
      else groups.push({ items: [item], messages: answer });
    }
    return groups;
  }

  /** The turn has asked, or escalated, and the process died before the reply was stored. */
  async #answerFromOpen(own: TicketMessage, item: InboxItem): Promise<readonly TicketMessage[]> {
    const { tickets, pending } = this.deps;
    const { ticketId } = own;
    const since = item.startedAt ?? item.receivedAt;
    const language = await this.#languageOf(ticketId);
    const rows = [
      await pending.findOpenConfirmation(item.threadId),
      ...(await pending.listOpenApprovals(item.threadId)),
    ];
    const asked = rows.find((row) => row?.ticketId === ticketId && row.createdAt >= since);
    if (asked) {
      const snapshot = await this.deps.runner.snapshot(asked.graphThreadId);
      const whole = snapshot.interrupts.some(({ value }) => value?.pending_id === asked.pendingId);
      const alone =
        asked.kind === 'confirmation'
          ? asked.question
          : this.deps.graph.tools.texts.for(language).say('waiting_for_approval');
      const text = whole ? await pausedText(this.deps.graph, snapshot, asked, language) : alone;
      await waitFor(
        { tickets, tools: { pending } },
        ticketId,
        asked.kind === 'approval' ? 'waiting_operator' : 'waiting_customer',
      );
      return [await tickets.addMessage(ticketId, 'hub', text)];
    }
    const escalations = await tickets.listEscalations(ticketId);
    const handed = escalations.find(({ status, createdAt }) => status === 'open' && createdAt >= since);
    if (!handed) return [];
    const text = this.deps.graph.tools.texts.for(language).sayOf('escalated', handed.reason);
    return [await tickets.addMessage(ticketId, 'hub', text)];
  }

  async #complete(
    turn: OpenTurn,
    items: readonly InboxItem[],
    messages: readonly TicketMessage[],
  ): Promise<void> {
    const { deps } = this;
    const since = formatEventId({ stored: await deps.events.latest(), live: 0 });
    const reply = await this.#replyFrom(turn.threadId, messages);
    const turnId = deps.ids.next('trn');
    turn.messages.splice(0, turn.messages.length, ...messages);
    const outcome: Outcome = { reply, turnId, since };
    const events = eventsOfTurn(turn, reply, turnId, null);
    const stored = await deps.inbox.answer(
      items.map(({ itemId }) => itemId),
      outcome,
      events,
    );
    await deps.bus.deliver(stored);
    turn.settled.clear();
    turn.touched.clear();
  }

  /** The customer's own messages, where the process died before they were published. */
  async #unpublished(threadId: string, items: readonly InboxItem[]): Promise<readonly NewStoredEvent[]> {
    const published = new Set<unknown>();
    for (const { type, data } of await this.deps.events.after(0, Number.MAX_SAFE_INTEGER, threadId)) {
      if (type === 'message') published.add((data.message as TicketMessage | null)?.messageId);
    }
    const messages = await this.deps.tickets.listThreadMessages(threadId, RECENT);
    return messages
      .filter((message) => items.some((item) => isOf(message, item)) && !published.has(message.messageId))
      .map((message) => customerEvent(threadId, message.ticketId, { type: 'message', message, reply: null }));
  }

  /** What is known of a reply from what is stored of it. */
  async #replyFrom(threadId: string, messages: readonly TicketMessage[]): Promise<TurnReply> {
    const { tickets, pending } = this.deps;
    const last = messages.at(-1) as TicketMessage;
    const open =
      (await pending.findOpenConfirmation(threadId)) ?? (await pending.listOpenApprovals(threadId))[0];
    const escalations = await tickets.listEscalations(last.ticketId);
    const escalation = escalations.find(
      ({ status, createdAt }) => status === 'open' && createdAt <= last.createdAt,
    );
    const since = messages[0]?.createdAt ?? last.createdAt;
    const turns = await tickets.listTurns(last.ticketId);
    const record = turns.findLast(({ createdAt }) => createdAt >= since);
    const reply = cannedReply({
      threadId,
      ticketId: last.ticketId,
      messageId: last.messageId,
      text: messages.map(({ content }) => content).join('\n\n'),
      language: await this.#languageOf(last.ticketId),
      pending: open ? pendingView(open) : null,
      totalMs: 0,
    });
    return {
      ...reply,
      classification: await tickets.getClassification(last.ticketId),
      citations: messages.flatMap(({ citations }) => citations),
      escalated: escalation !== undefined,
      escalation: escalation ?? null,
      ...(record ? { route: record.route, toolCalls: record.toolCalls, usage: record.usage } : {}),
    };
  }

  async #languageOf(ticketId: string): Promise<Language> {
    return (await this.deps.tickets.getClassification(ticketId))?.language ?? this.deps.locale;
  }
}

function isOf(message: TicketMessage, { clientMessageId }: InboxItem): boolean {
  return message.role === 'customer' && message.clientMessageId === clientMessageId;
}

function isAnswer({ role, audience }: TicketMessage): boolean {
  return role === 'hub' && audience === 'customer';
}

/** What the hub said after a message, up to the next message of the customer that was not left behind with it. */
function answersTo(later: readonly TicketMessage[], left: readonly InboxItem[]): readonly TicketMessage[] {
  const end = later.findIndex(
    (message) => message.role === 'customer' && !left.some((item) => isOf(message, item)),
  );
  const answers = (end === -1 ? later : later.slice(0, end)).filter(isAnswer);
  return answers;
}

/** True where the message is the one that took the decision. */
function decidedBy(item: InboxItem, row: PendingAction, messages: readonly TicketMessage[]): boolean {
  if (!row.decidedBy?.startsWith('customer:')) return false;
  if ((row.decidedAt ?? '') < (item.startedAt ?? item.receivedAt)) return false;
  if (item.content.kind === 'answer') return item.content.pendingId === row.pendingId;
  // Kept right after the decision: the newest of the customer's messages, or not kept yet.
  const stored = messages.findLastIndex((message) => isOf(message, item));
  return stored === -1 || !messages.slice(stored + 1).some(({ role }) => role === 'customer');
}

interface LeftDeps {
  readonly inbox: Inbox;
  readonly locks: ThreadLock;
  readonly log: Log;
  readonly pump: InboxPump;
  readonly recovery: InboxRecovery;
  /** Finishes questions that were decided on conversations without a message in the inbox. */
  readonly recoverDecided: () => Promise<unknown>;
}

/** Conversations that are answered at the same time. */
const AT_ONCE = 4;

/**
 * Looks for messages that a crash left unanswered. Resolves when what they had led to is finished and published; those that
 * had come to nothing are answered while `answered` is waited for, which says how many were left.
 */
export async function recoverLeft(deps: LeftDeps): Promise<{ readonly answered: Promise<number> }> {
  const { inbox, locks, log, pump, recovery } = deps;
  await pump.tidy();
  pump.pumpLate();
  const left = await inbox.left();
  const threads = [...new Set(left.map(({ threadId }) => threadId))];
  for (const threadId of threads) {
    try {
      await locks.withThread(threadId, 0, async () => {
        const crashed = (await inbox.left(threadId)).filter(({ status }) => status === 'running');
        if (crashed.length > 0) await recovery.recover(threadId, crashed);
      });
    } catch (error) {
      // The holder of the lease answers it.
      if (toHubError(error).code === 'thread_busy') continue;
      log.error({ agent: 'hub', action: 'recovery_failed', details: { threadId } }, error);
    }
  }
  await deps.recoverDecided();
  const answered = pumpAll(pump, threads).then(() => left.length);
  return { answered };
}

async function pumpAll(pump: InboxPump, threads: readonly string[]): Promise<void> {
  const waiting = [...threads];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await pump.pump(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
