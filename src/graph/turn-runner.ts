import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { GraphRecursionError } from '@langchain/langgraph';
import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import { textsFor } from '../core/i18n/index.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { escalateFault, escalateWhilePaused } from './escalation.js';
import { finishAlone } from './finish-alone.js';
import { isSpoken } from './spoken.js';
import type { ThreadSnapshot } from './thread-snapshot.js';
import { waitFor } from './ticket-status.js';
import { STORAGE_ERRORS, type Turn, type TurnDeps, type TurnMeter, type WatchedInput } from './turn.js';
import { cannedReply, graphReply, pausedText, pendingView } from './turn-reply.js';

const SEED_MESSAGES = 24;

/** Takes one turn through the graph, or past it, and makes its reply. The caller holds the thread. */
export class TurnRunner {
  constructor(private readonly deps: TurnDeps) {}

  /**
   * Lets a graph go on whose question was decided: by the customer's answer, an operator, or before a crash.
   * @returns null where the checkpointer does not hold the paused graph (another process, a restart with memory)
   */
  async resume(
    pending: PendingAction,
    options: Pick<WatchedInput, 'live' | 'signal'> = {},
  ): Promise<TurnReply | null> {
    const started = performance.now();
    const snapshot = await this.deps.runner.snapshot(pending.graphThreadId);
    const waiting = snapshot.interrupts.find(
      (interrupt) => interrupt.value?.pending_id === pending.pendingId,
    );
    if (!waiting?.id) return null;
    const meter = this.deps.newMeter();
    const answer = {
      pending_id: pending.pendingId,
      approved: pending.status === 'approved',
      by: pending.decidedBy ?? 'hub',
    };
    const run = this.#runOptions(meter, options);
    const after = await this.deps.runner.resume(pending.graphThreadId, waiting.id, answer, run);
    const reply = await this.#finish(after, meter, started, true);
    // Used up, whatever came of it; only now, so that a crash before the customer was told is made good.
    await this.deps.pending.release(pending.pendingId);
    return reply;
  }

  /** A message that answers no open question. */
  async start(turn: Turn): Promise<TurnReply> {
    const { thread, identity, channel, text } = turn;
    const turnId = this.deps.graph.ids.next('trn');
    const { graphThreadId, seed, notice } = await this.#idleGraphThread(thread);
    if (notice !== null) turn.live?.say(notice);
    const incoming = { turnId, threadId: thread.threadId, graphThreadId, identity, channel };
    const meter = this.deps.newMeter();
    const message = new HumanMessage({ id: `message_${turnId}`, content: text });
    const messages = [...(seed.messages ?? []), message];
    const input = { ...seed.values, ...(turn.focus ? { focus: turn.focus } : {}), messages, incoming };
    try {
      const after = await this.deps.runner.start(graphThreadId, input, this.#runOptions(meter, turn));
      const reply = await this.#finish(after, meter, turn.started, false);
      return notice === null ? reply : { ...reply, reply: `${notice}\n\n${reply.reply}` };
    } catch (error) {
      return this.#fault(turn, graphThreadId, error, meter);
    }
  }

  /** Says something without the graph, and keeps it with the ticket. */
  async say(
    turn: Turn,
    words: (texts: ReturnType<typeof textsFor>) => string,
    open: PendingAction | null,
  ): Promise<TurnReply> {
    const { tickets } = this.deps.graph;
    const language = await this.languageOf(turn);
    const { threadId, customerId } = turn.thread;
    const ticket =
      (await tickets.findOpenByThread(threadId)) ??
      (await tickets.create({ customerId, threadId, channel: turn.channel }));
    const text = words(textsFor(language));
    const stored = turn.text.slice(0, this.deps.limits.messageChars);
    if (stored !== '') await tickets.addMessage(ticket.ticketId, 'customer', stored);
    await tickets.addMessage(ticket.ticketId, 'hub', text);
    return cannedReply({
      threadId,
      ticketId: ticket.ticketId,
      text,
      language,
      pending: open ? pendingView(open) : null,
      totalMs: performance.now() - turn.started,
    });
  }

  /** The language of the conversation so far, or of the text where there is none. */
  async languageOf(turn: Turn): Promise<Language> {
    const { values } = await this.deps.runner.snapshot(turn.thread.graphThreadId);
    const known = values.session?.language;
    if (known || turn.text === '') return known ?? this.deps.locale;
    return this.deps.graph.language.detectLanguage(turn.text.slice(0, 2000), this.deps.locale).language;
  }

  /**
   * A paused graph is left alone: a new message on it would re-run the step that waits. The conversation goes on
   * on another LangGraph thread that begins with what was said so far.
   */
  async #idleGraphThread(thread: ThreadRecord): Promise<{
    readonly graphThreadId: string;
    readonly seed: { readonly values: Record<string, unknown>; readonly messages?: readonly BaseMessage[] };
    readonly notice: string | null;
  }> {
    const snapshot = await this.deps.runner.snapshot(thread.graphThreadId);
    if (snapshot.idle) return { graphThreadId: thread.graphThreadId, seed: { values: {} }, notice: null };
    const graphThreadId = `${thread.threadId}~${this.deps.graph.ids.next('seg')}`;
    await this.deps.threads.put({ ...thread, graphThreadId });
    const { messages, focus } = snapshot.values;
    const said = snapshot.interrupts.map((interrupt) => new AIMessage(interrupt.value?.question ?? ''));
    const history = [...(messages ?? []).filter(isSpoken), ...said].slice(-SEED_MESSAGES);
    return {
      graphThreadId,
      seed: { values: { focus }, messages: history },
      notice: await this.#notice(snapshot),
    };
  }

  /** What became of the question the graph still waits on, where nobody has told the customer yet. */
  async #notice(snapshot: ThreadSnapshot): Promise<string | null> {
    const id = snapshot.interrupts[0]?.value?.pending_id;
    const row = id === undefined ? null : await this.deps.pending.get(id);
    if (row?.status === 'expired') {
      const language = snapshot.values.session?.language ?? this.deps.locale;
      return textsFor(language).questionExpired();
    }
    if (!row?.decidedAt) return null;
    // Decided, but the process stopped before it was carried out.
    const unreleased = await this.deps.pending.listUnreleased(row.threadId);
    if (!unreleased.some(({ pendingId }) => pendingId === row.pendingId)) return null;
    return (await this.resume(row))?.reply ?? finishAlone(this.deps.graph, row);
  }

  async #finish(
    snapshot: ThreadSnapshot,
    meter: TurnMeter,
    started: number,
    resumed: boolean,
  ): Promise<TurnReply> {
    const { session, reply } = snapshot.values;
    if (!session) throw new HubError('internal', 'The turn ended without a session.');
    const id = snapshot.interrupts[0]?.value?.pending_id;
    const row = id === undefined ? null : await this.deps.pending.get(id);
    const text = row ? pausedText(snapshot, row, session.language) : (reply?.text ?? '');
    if (text === '') throw new HubError('internal', 'The turn ended without an answer.');
    if (row) {
      await this.deps.graph.tickets.addMessage(session.ticketId, 'hub', text);
      await escalateWhilePaused(this.deps.graph, snapshot.values);
      const waiting = row.kind === 'approval' ? 'waiting_operator' : 'waiting_customer';
      await waitFor(this.deps.graph.tickets, session.ticketId, waiting);
    }
    const result = graphReply({
      snapshot,
      text,
      pending: row ? pendingView(row) : null,
      resumed,
      usage: meter.usage(),
      totalMs: performance.now() - started,
      threshold: this.deps.graph.tools.policy.retrieval.confidence_threshold,
    });
    await this.#saveTurn(session.turnId, result, resumed);
    return result;
  }

  async #saveTurn(turnId: string, reply: TurnReply, resumed: boolean): Promise<void> {
    await this.deps.graph.tickets.saveTurn({
      turnId: resumed ? this.deps.graph.ids.next('trn') : turnId,
      ticketId: reply.ticketId,
      provider: reply.provider,
      route: reply.route,
      toolCalls: reply.toolCalls,
      usage: reply.usage,
      totalMs: reply.timingsMs.total ?? 0,
      createdAt: this.deps.graph.tools.clock.now().toISOString(),
    });
    this.deps.graph.tools.log.info({
      agent: 'hub',
      action: 'turn_finished',
      ticketId: reply.ticketId,
      details: {
        provider: reply.provider,
        agents: reply.agents,
        escalated: reply.escalated,
        pending: reply.pending?.id ?? null,
        usage: reply.usage,
        totalMs: reply.timingsMs.total,
      },
    });
  }

  /** The graph broke off. Whatever is stored is whole; the customer is told and a person takes over. */
  async #fault(turn: Turn, graphThreadId: string, error: unknown, meter: TurnMeter): Promise<TurnReply> {
    const { graph } = this.deps;
    const known = toHubError(error);
    graph.tools.log.error(
      { agent: 'hub', action: 'turn_failed', details: { graphThreadId, code: known.code } },
      error,
    );
    if (STORAGE_ERRORS.has(known.code)) throw known;
    const { values } = await this.deps.runner.snapshot(graphThreadId);
    if (!values.session) throw known;
    const { text, escalation } = await escalateFault(graph, values, error instanceof GraphRecursionError);
    const canned = cannedReply({
      threadId: turn.thread.threadId,
      ticketId: values.session.ticketId,
      text,
      language: values.session.language,
      pending: null,
      totalMs: performance.now() - turn.started,
    });
    const { classification, route } = values;
    return {
      ...canned,
      classification,
      route: route ?? [],
      escalated: true,
      escalation,
      usage: meter.usage(),
    };
  }

  #runOptions(meter: TurnMeter, turn: Pick<WatchedInput, 'live' | 'signal'>) {
    const timeout = AbortSignal.timeout(this.deps.limits.turnMs);
    const signal = turn.signal ? AbortSignal.any([turn.signal, timeout]) : timeout;
    // Rules cost nothing to count, and a run without callbacks is a good deal faster.
    const callbacks = this.deps.graph.models.provider === 'offline' ? undefined : [meter.handler];
    return { callbacks, signal, live: turn.live };
  }
}
