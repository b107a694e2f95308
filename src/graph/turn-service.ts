import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { GraphRecursionError } from '@langchain/langgraph';
import type { TurnInput } from '../core/app.js';
import { cleanText } from '../core/clean-text.js';
import type { Identity } from '../core/domain/customer.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Focus } from '../core/domain/session.js';
import type { Language, ProviderName } from '../core/domain/taxonomy.js';
import type { TurnReply, Usage } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import { textsFor } from '../core/i18n/index.js';
import type { PendingStore, ThreadLock, ThreadRecord, ThreadStore } from '../core/ports/index.js';
import { escalateFault } from './escalation.js';
import { finishAlone } from './finish-alone.js';
import type { GraphDeps } from './graph-deps.js';
import { GraphRunner, type ThreadSnapshot } from './graph-run.js';
import { isSpoken, namesSomethingElse } from './spoken.js';
import { LiveTurn } from './turn-events.js';
import { cannedReply, graphReply, pausedText, pendingView } from './turn-reply.js';
import { reopen, reopenUnfinished } from './unfinished.js';

/** Counts what one turn costs; attached to the run as callbacks. */
export interface TurnMeter {
  readonly handler: BaseCallbackHandler;
  usage(): Usage;
  provider(): ProviderName;
}

export interface TurnServiceDeps {
  readonly graph: GraphDeps;
  readonly runner: GraphRunner;
  readonly threads: ThreadStore;
  readonly pending: PendingStore;
  readonly locks: ThreadLock;
  readonly newMeter: () => TurnMeter;
  readonly limits: { readonly turnMs: number; readonly messageChars: number; readonly waitMs: number };
  /** Spoken where nothing is known of the customer's language. */
  readonly locale: Language;
}

const SEED_MESSAGES = 24;
const REQUEST_WORDS = 4;

/** Errors after which nothing can be stored, so that no polite answer may pretend otherwise. */
const STORAGE_ERRORS = new Set([
  'disk_full',
  'database_failed',
  'data_dir_unusable',
  'thread_busy',
  'not_owner',
]);

/** Takes a customer's messages through the graph, one at a time a thread. */
export class TurnService {
  constructor(private readonly deps: TurnServiceDeps) {}

  /** See `App.handle`. */
  async handle(input: TurnInput): Promise<TurnReply> {
    const live = input.onEvent && new LiveTurn(input.onEvent, this.deps.graph.models.provider === 'openai');
    const reply = await this.#handle({ ...input, live });
    live?.finish(reply);
    return reply;
  }

  async #handle(input: WatchedInput): Promise<TurnReply> {
    const started = performance.now();
    const threadId = input.threadId ?? this.deps.graph.ids.next('thr');
    return this.deps.locks.withThread(threadId, this.deps.limits.waitMs, async () => {
      const thread = await this.#thread(threadId, input.identity);
      const text = cleanText(input.text);
      const turn = { ...input, text, thread, started };
      const { messageChars } = this.deps.limits;
      if (text === '') return this.#say(turn, (texts) => texts.emptyMessage(), null);
      if (text.length > messageChars)
        return this.#say(turn, (texts) => texts.refusal('input_too_large'), null);
      await reopenUnfinished(this.deps.graph, this.deps.pending, threadId);
      const confirmation = await this.deps.pending.findOpenConfirmation(threadId);
      return confirmation ? this.#whileAsked(turn, confirmation) : this.#freshTurn(turn);
    });
  }

  /**
   * Lets a graph go on whose question was decided: by the customer's answer, an operator, or before a crash.
   * The caller holds the thread.
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

  async #thread(threadId: string, identity: Identity): Promise<ThreadRecord> {
    const customerId = identity.kind === 'customer' ? identity.customerId : null;
    const known = await this.deps.threads.get(threadId);
    if (known && known.customerId !== customerId) {
      throw new HubError('not_owner', 'There is no such conversation.', { threadId });
    }
    if (known) return known;
    // Such names are given to side threads of the graph, which may be somebody else's.
    if (threadId.includes('~'))
      throw new HubError('not_owner', 'There is no such conversation.', { threadId });
    const record = { threadId, customerId, graphThreadId: threadId };
    await this.deps.threads.put(record);
    return record;
  }

  /** A question is open: the text may answer it, or be about something else. */
  async #whileAsked(turn: Turn, confirmation: PendingAction): Promise<TurnReply> {
    const language = await this.#languageOf(turn);
    const answer = this.deps.graph.language.readYesNo(turn.text, language);
    const asksElse =
      answer.kind === 'other' ||
      (answer.kind === 'unclear' && this.#isRequest(turn.text, confirmation.question, language));
    if (asksElse) {
      const focus = { agent: 'action', intent: confirmation.tool, choices: [], attempts: 0 };
      return this.#remind(await this.#freshTurn({ ...turn, focus }), confirmation);
    }
    const otherThing = answer.kind === 'yes' && namesSomethingElse(answer.rest, confirmation.question);
    if (answer.kind === 'unclear' || otherThing) {
      return this.#say(turn, (texts) => texts.answerYesOrNo({ question: confirmation.question }), confirmation);
    }
    const by = `customer:${confirmation.customerId}`;
    const decided = await this.deps.pending.decide(confirmation.pendingId, {
      approved: answer.kind === 'yes',
      by,
    });
    await this.deps.graph.tickets.addMessage(confirmation.ticketId, 'customer', turn.text);
    const reply = await this.#carryOut(turn, decided);
    // Of several changes the next is asked about: that the last one is done must not go unsaid.
    if (answer.kind === 'yes' && reply.pending?.kind === 'confirmation') {
      return { ...reply, reply: `${textsFor(reply.language).done()} ${reply.reply}` };
    }
    const words = answer.rest.split(/\s+/).filter(Boolean).length;
    const asks = words >= 2 && this.deps.graph.language.requests(answer.rest, language).length > 0;
    if (answer.kind === 'yes' || !asks) return reply;
    // "No, the Friday one" is about the same wish.
    const focus = { agent: 'action', intent: confirmation.tool, choices: [], attempts: 0 };
    const next = await this.#freshTurn({ ...turn, text: answer.rest, focus });
    return { ...next, reply: `${reply.reply}\n\n${next.reply}` };
  }

  /** "Cancel it" may be a yes in other words; "cancel the one on Friday" is a request of its own. */
  #isRequest(text: string, question: string, language: Language): boolean {
    if (text.split(/\s+/).length < REQUEST_WORDS) return false;
    const requests = this.deps.graph.language.requests(text, language);
    return requests.length > 1 || (requests.length === 1 && namesSomethingElse(text, question));
  }

  /** Where the graph breaks off (a model that hangs), the stored row is enough too. */
  async #carryOut(turn: Turn, decided: PendingAction): Promise<TurnReply> {
    const { log } = this.deps.graph.tools;
    const details = { pendingId: decided.pendingId, tool: decided.tool };
    try {
      return (await this.resume(decided, turn)) ?? (await this.#finishAlone(turn, decided));
    } catch (error) {
      const known = toHubError(error);
      log.error({ agent: 'hub', action: 'resume_failed', ticketId: decided.ticketId, details }, error);
      if (!STORAGE_ERRORS.has(known.code)) return this.#finishAlone(turn, decided);
      await reopen(this.deps.graph, decided).catch((failure: unknown) => {
        log.error({ agent: 'hub', action: 'reopen_failed', ticketId: decided.ticketId, details }, failure);
      });
      throw known;
    }
  }

  /** The graph that asked is gone (memory checkpointer, restarted): the stored row is enough. */
  async #finishAlone(turn: Turn, decided: PendingAction): Promise<TurnReply> {
    const text = await finishAlone(this.deps.graph, decided);
    const approvals = await this.deps.pending.listOpenApprovals(decided.threadId);
    const approval = approvals.find(({ argsHash }) => argsHash === decided.argsHash);
    return cannedReply({
      threadId: decided.threadId,
      ticketId: decided.ticketId,
      text,
      language: await this.#languageOf(turn),
      pending: approval ? pendingView(approval) : null,
      totalMs: performance.now() - turn.started,
    });
  }

  async #remind(reply: TurnReply, confirmation: PendingAction): Promise<TurnReply> {
    const still = await this.deps.pending.get(confirmation.pendingId);
    if (reply.pending || still?.status !== 'pending') return reply;
    // Somebody who asked for a person, or is upset, is not pressed for an answer.
    if (reply.escalation && reply.escalation.reason !== 'low_confidence') {
      await this.deps.pending.supersede(confirmation.pendingId);
      return reply;
    }
    const reminder = textsFor(reply.language).reminder({ question: still.question });
    return { ...reply, reply: `${reply.reply}\n\n${reminder}`, pending: pendingView(still) };
  }

  async #freshTurn(turn: Turn): Promise<TurnReply> {
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

  /** What became of the question the graph still waits on, where somebody decided it elsewhere meanwhile. */
  async #notice(snapshot: ThreadSnapshot): Promise<string | null> {
    const id = snapshot.interrupts[0]?.value?.pending_id;
    const row = id === undefined ? null : await this.deps.pending.get(id);
    if (row?.status === 'expired') {
      const language = snapshot.values.session?.language ?? this.deps.locale;
      return textsFor(language).questionExpired();
    }
    if (!row?.decidedAt) return null;
    // Decided, but the process stopped before it was carried out.
    const unreleased = await this.deps.pending.listUnreleased();
    if (unreleased.some(({ pendingId }) => pendingId === row.pendingId))
      return (await this.resume(row))?.reply ?? finishAlone(this.deps.graph, row);
    if (row.kind !== 'approval') return null;
    const messages = await this.deps.graph.tickets.listMessages(row.ticketId, 10);
    const since = row.decidedAt;
    const told = messages.findLast((message) => message.role === 'hub' && message.createdAt >= since);
    return told?.content ?? null;
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
      const waiting = row.kind === 'approval' ? 'waiting_operator' : 'waiting_customer';
      await this.deps.graph.tickets.setStatus(session.ticketId, waiting, 'hub');
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

  /** Says something without the graph, and keeps it with the ticket. */
  async #say(
    turn: Turn,
    words: (texts: ReturnType<typeof textsFor>) => string,
    open: PendingAction | null,
  ): Promise<TurnReply> {
    const { tickets } = this.deps.graph;
    const language = await this.#languageOf(turn);
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

  async #languageOf(turn: Turn): Promise<Language> {
    const { values } = await this.deps.runner.snapshot(turn.thread.graphThreadId);
    const known = values.session?.language;
    if (known || turn.text === '') return known ?? this.deps.locale;
    return this.deps.graph.language.detectLanguage(turn.text.slice(0, 2000), this.deps.locale).language;
  }

  #runOptions(meter: TurnMeter, turn: Pick<WatchedInput, 'live' | 'signal'>) {
    const timeout = AbortSignal.timeout(this.deps.limits.turnMs);
    const signal = turn.signal ? AbortSignal.any([turn.signal, timeout]) : timeout;
    // Rules cost nothing to count, and a run without callbacks is a good deal faster.
    const callbacks = this.deps.graph.models.provider === 'offline' ? undefined : [meter.handler];
    return { callbacks, signal, live: turn.live };
  }
}

/** A message, and what watches its turn. */
interface WatchedInput extends TurnInput {
  readonly live?: LiveTurn | undefined;
}

interface Turn extends WatchedInput {
  readonly thread: ThreadRecord;
  readonly started: number;
  /** What the text goes on about, where that is known. */
  readonly focus?: Focus;
}
