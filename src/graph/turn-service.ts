import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { GraphRecursionError } from '@langchain/langgraph';
import type { TurnInput } from '../core/app.js';
import { cleanText } from '../core/clean-text.js';
import type { Identity } from '../core/domain/customer.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { EscalationReason, Language, ProviderName } from '../core/domain/taxonomy.js';
import type { TurnReply, Usage } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import { textsFor } from '../core/i18n/index.js';
import type { PendingStore, ThreadLock, ThreadRecord, ThreadStore } from '../core/ports/index.js';
import { describe } from './escalation.js';
import type { GraphDeps } from './graph-deps.js';
import { GraphRunner, type ThreadSnapshot } from './graph-run.js';
import { isOutOfHours } from './office-hours.js';
import { cannedReply, graphReply, pausedText, pendingView } from './turn-reply.js';

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

/** Errors after which nothing can be stored, so that no polite answer may pretend otherwise. */
const STORAGE_ERRORS = new Set(['disk_full', 'database_failed', 'data_dir_unusable', 'thread_busy', 'not_owner']);

/** Takes a customer's messages through the graph, one at a time a thread. */
export class TurnService {
  constructor(private readonly deps: TurnServiceDeps) {}

  /** See `App.handle`. */
  async handle(input: TurnInput): Promise<TurnReply> {
    const started = performance.now();
    const threadId = input.threadId ?? this.deps.graph.ids.next('thr');
    return this.deps.locks.withThread(threadId, this.deps.limits.waitMs, async () => {
      const thread = await this.#thread(threadId, input.identity);
      const text = cleanText(input.text);
      const turn = { ...input, text, thread, started };
      const { messageChars } = this.deps.limits;
      if (text === '') return this.#say(turn, (texts) => texts.emptyMessage(), null);
      if (text.length > messageChars) return this.#say(turn, (texts) => texts.refusal('input_too_large'), null);
      const confirmation = await this.deps.pending.findOpenConfirmation(threadId);
      return confirmation ? this.#whileAsked(turn, confirmation) : this.#freshTurn(turn);
    });
  }

  /**
   * Lets a graph go on whose question was decided: by the customer's answer, an operator, or before a crash.
   * The caller holds the thread.
   * @returns null where the checkpointer does not hold the paused graph (another process, a restart with memory)
   */
  async resume(pending: PendingAction, options: Partial<Pick<TurnInput, 'onEvent' | 'signal'>> = {}): Promise<TurnReply | null> {
    const started = performance.now();
    const snapshot = await this.deps.runner.snapshot(pending.graphThreadId);
    const waiting = snapshot.interrupts.find((interrupt) => interrupt.value?.pending_id === pending.pendingId);
    if (!waiting?.id) return null;
    const meter = this.deps.newMeter();
    const answer = { pending_id: pending.pendingId, approved: pending.status === 'approved', by: pending.decidedBy ?? 'hub' };
    const run = this.#runOptions(meter, options);
    const after = await this.deps.runner.resume(pending.graphThreadId, waiting.id, answer, run);
    return this.#finish(after, meter, started, true);
  }

  async #thread(threadId: string, identity: Identity): Promise<ThreadRecord> {
    const customerId = identity.kind === 'customer' ? identity.customerId : null;
    const known = await this.deps.threads.get(threadId);
    if (known && known.customerId !== customerId) {
      throw new HubError('not_owner', 'There is no such conversation.', { threadId });
    }
    if (known) return known;
    const record = { threadId, customerId, graphThreadId: threadId };
    await this.deps.threads.put(record);
    return record;
  }

  /** A question is open: the text may answer it, or be about something else. */
  async #whileAsked(turn: Turn, confirmation: PendingAction): Promise<TurnReply> {
    const language = await this.#languageOf(turn);
    const answer = this.deps.graph.language.readYesNo(turn.text, language);
    if (answer.kind === 'unclear' || (answer.kind === 'yes' && namesSomethingElse(answer.rest, confirmation.question))) {
      return this.#say(turn, (texts) => texts.answerYesOrNo({ question: confirmation.question }), confirmation);
    }
    if (answer.kind === 'other') {
      const reply = await this.#freshTurn(turn);
      return this.#remind(reply, confirmation);
    }
    const by = `customer:${confirmation.customerId}`;
    const decided = await this.deps.pending.decide(confirmation.pendingId, { approved: answer.kind === 'yes', by });
    await this.deps.graph.tickets.addMessage(confirmation.ticketId, 'customer', turn.text);
    const reply = await this.resume(decided, turn);
    if (!reply) return this.#lostQuestion(turn, confirmation);
    const more = answer.kind === 'no' ? this.deps.graph.language.requests(answer.rest, language) : [];
    const wantsElse = more.some((request) => request.confidence >= 0.5 || answer.rest.split(/\s+/).length >= 3);
    if (!wantsElse) return reply;
    const next = await this.#freshTurn({ ...turn, text: answer.rest });
    return { ...next, reply: `${reply.reply}\n\n${next.reply}` };
  }

  /** The graph that asked is gone (memory checkpointer, restarted): nothing was done, so say so. */
  async #lostQuestion(turn: Turn, confirmation: PendingAction): Promise<TurnReply> {
    await this.deps.pending.supersede(confirmation.pendingId);
    return this.#say(turn, (texts) => texts.questionExpired(), null);
  }

  async #remind(reply: TurnReply, confirmation: PendingAction): Promise<TurnReply> {
    const still = await this.deps.pending.get(confirmation.pendingId);
    if (reply.pending || still?.status !== 'pending') return reply;
    if (reply.escalated) {
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
    const incoming = { turnId, threadId: thread.threadId, graphThreadId, identity, channel };
    const meter = this.deps.newMeter();
    const message = new HumanMessage({ id: `message_${turnId}`, content: text });
    const messages = [...(seed.messages ?? []), message];
    const input = { ...seed.values, messages, incoming };
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
    return { graphThreadId, seed: { values: { focus }, messages: history }, notice: await this.#notice(snapshot) };
  }

  /** What became of the question the graph still waits on, where somebody decided it elsewhere meanwhile. */
  async #notice(snapshot: ThreadSnapshot): Promise<string | null> {
    const id = snapshot.interrupts[0]?.value?.pending_id;
    const row = id === undefined ? null : await this.deps.pending.get(id);
    if (!row?.decidedAt || row.kind !== 'approval') return null;
    const messages = await this.deps.graph.tickets.listMessages(row.ticketId, 10);
    const since = row.decidedAt;
    return messages.findLast((message) => message.role === 'hub' && message.createdAt >= since)?.content ?? null;
  }

  async #finish(snapshot: ThreadSnapshot, meter: TurnMeter, started: number, resumed: boolean): Promise<TurnReply> {
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
    graph.tools.log.error({ agent: 'hub', action: 'turn_failed', details: { graphThreadId, code: known.code } }, error);
    if (STORAGE_ERRORS.has(known.code)) throw known;
    const snapshot = await this.deps.runner.snapshot(graphThreadId);
    const { session, classification, trace, drafts, route } = snapshot.values;
    if (!session) throw known;
    const reason: EscalationReason = error instanceof GraphRecursionError ? 'hop_limit' : 'fault';
    const escalation = describe(reason, classification, trace ?? [], (drafts ?? []).map((draft) => draft.text));
    await graph.tickets.escalate(session.ticketId, escalation);
    const outOfHours = isOutOfHours(graph.tools.clock.now(), graph.tools.time.timeZone);
    const text = textsFor(session.language).escalated({ reason, outOfHours });
    await graph.tickets.addMessage(session.ticketId, 'hub', text);
    const canned = cannedReply({
      threadId: turn.thread.threadId,
      ticketId: session.ticketId,
      text,
      language: session.language,
      pending: null,
      totalMs: performance.now() - turn.started,
    });
    return { ...canned, classification, route: route ?? [], escalated: true, escalation, usage: meter.usage() };
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
      (await tickets.findOpenByThread(threadId)) ?? (await tickets.create({ customerId, threadId, channel: turn.channel }));
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

  #runOptions(meter: TurnMeter, turn: Partial<Pick<TurnInput, 'onEvent' | 'signal'>>) {
    const timeout = AbortSignal.timeout(this.deps.limits.turnMs);
    const signal = turn.signal ? AbortSignal.any([turn.signal, timeout]) : timeout;
    return { callbacks: [meter.handler], signal, onEvent: turn.onEvent };
  }
}

interface Turn extends TurnInput {
  readonly thread: ThreadRecord;
  readonly started: number;
}

/**
 * "Yes, the Friday one" to a question about Thursday is no yes to it. Words of at least four letters that the question
 * does not contain count, apart from those that only say yes in other words.
 */
function namesSomethingElse(rest: string, question: string): boolean {
  const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const asked = fold(question);
  const words = fold(rest).match(/[a-z0-9]{4,}/g) ?? [];
  return words.some((word) => !asked.includes(word.slice(0, 5)) && !PLEASANTRIES.has(word));
}

const PLEASANTRIES = new Set(
  'please thanks thank that this just right sure with ahead favor obrigado obrigada isso pode fazer faca tudo bem mesmo agora quero want would like confirm confirmo confirmar'.split(' '),
);

/** What was said aloud: no tool calls, no tool results. */
function isSpoken(message: BaseMessage): boolean {
  if (HumanMessage.isInstance(message)) return true;
  return AIMessage.isInstance(message) && message.text !== '' && (message.tool_calls?.length ?? 0) === 0;
}
