import { HumanMessage } from '@langchain/core/messages';
import { GraphRecursionError } from '@langchain/langgraph';
import type { PendingAction } from '../core/domain/pending.js';
import type { Session } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import type { Sentences } from '../core/i18n/index.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { dialogueAbout } from '../graph/dialogue-after.js';
import { escalateFault, escalateWhilePaused } from '../graph/escalation.js';
import { openTicket } from '../graph/intake.js';
import { citationsOf } from '../graph/respond.js';
import type { Incoming } from '../graph/state.js';
import { carryOutDecision, releaseDecision } from '../runtime/decided-action.js';
import { waitFor } from '../runtime/plan-action.js';
import { notifyExpired } from './retention.js';
import {
  findPlace,
  STORAGE_ERRORS,
  storeMessages,
  type Turn,
  type TurnDeps,
  type TurnMeter,
  unbegun,
  type WatchedInput,
} from './turn.js';
import { cannedReply, customerText, graphReply, pendingView, type ThreadSnapshot } from './turn-reply.js';

/** A turn that broke off. */
interface Broken extends Pick<Session, 'turnId' | 'ticketId' | 'graphThreadId'> {
  readonly turn: Turn;
  readonly meter: TurnMeter;
}

/** Runs one turn, with the graph or without it, and makes its reply. The caller holds the thread's lease. */
export class TurnRunner {
  constructor(private readonly deps: TurnDeps) {}

  /**
   * Lets a graph continue whose question was decided: by the customer's answer, an operator, or before a crash.
   * @returns null where the checkpointer does not hold the paused graph (another process, a restart with memory)
   */
  async resume(
    pending: PendingAction,
    options: Pick<WatchedInput, 'live' | 'signal'> & { readonly thread?: ThreadRecord } = {},
  ): Promise<TurnReply | null> {
    const started = performance.now();
    const snapshot = await this.deps.runner.snapshot(pending.graphThreadId);
    const waiting = snapshot.interrupts.find(
      (interrupt) => interrupt.value?.pending_id === pending.pendingId,
    );
    const { session } = snapshot.values;
    if (!waiting?.id || !session) return null;
    const { threadId } = pending;
    const thread = options.thread ?? (await this.deps.threads.get(threadId)) ?? { threadId, claim: 0 };
    const interruptId = waiting.id;
    const answer = {
      pending_id: pending.pendingId,
      approved: pending.status === 'approved',
      by: pending.decidedBy ?? 'hub',
    };
    const { claim } = thread;
    const owned = this.deps.ownership.begin(session.turnId, { threadId, claim });
    try {
      const meter = this.deps.newMeter();
      const run = this.#runOptions(meter, owned.signal, options);
      const after = await this.deps.runner.resume(pending.graphThreadId, interruptId, answer, run);
      const reply = await this.#finish(after, meter, started, true);
      // Closed whatever the outcome was; only now, so that a crash before the customer's answer can be recovered.
      await releaseDecision(this.deps.graph, pending);
      return reply;
    } catch (error) {
      throw owned.causeOf(error);
    } finally {
      owned.end();
    }
  }

  /**
   * A message that answers no open question; after a return to the hub, together with what was left unanswered.
   * @throws HubError `taken_over`
   */
  async start(turn: Turn): Promise<TurnReply> {
    const { thread } = turn;
    const turnId = this.deps.graph.ids.next('trn');
    const owned = this.deps.ownership.begin(turnId, thread);
    try {
      const { ticketId, graphThreadId, input, notice } = await this.#prepare(turn, turnId);
      const meter = this.deps.newMeter();
      const run = this.#runOptions(meter, owned.signal, turn);
      try {
        const after = await this.deps.runner.run(graphThreadId, input, run);
        if (thread.unheardSince !== null) await this.deps.threads.caughtUp(thread.threadId);
        const reply = await this.#finish(after, meter, turn.started, false);
        return notice === null ? reply : { ...reply, reply: `${notice}\n\n${reply.reply}` };
      } catch (error) {
        return await this.#fault({ turn, turnId, ticketId, graphThreadId, meter }, error);
      }
    } catch (error) {
      throw owned.causeOf(error);
    } finally {
      owned.end();
    }
  }

  /** Opens the ticket, stores the message with it, and returns the graph's input. */
  async #prepare(turn: Turn, turnId: string) {
    const { thread, identity, channel } = turn;
    const { threadId, customerId } = thread;
    const place = await findPlace(this.deps, thread, (snapshot) => this.#notice(snapshot));
    const { graphThreadId, seed, notice, unanswered, settledReasons } = place;
    const ticketId = turn.ticketId ?? (await openTicket(this.deps.graph, { customerId, threadId, channel }));
    await this.deps.ownership.check({ turnId, threadId });
    await storeMessages(this.deps, ticketId, turn);
    if (notice !== null) turn.live?.say(notice);
    const incoming: Incoming = {
      ...{ turnId, threadId, graphThreadId, identity, channel, ticketId },
      ...(settledReasons ? { settledReasons } : {}),
      limits: { scopes: thread.scopes, agent: thread.agent },
      ...(turn.hops === undefined ? {} : { hops: turn.hops }),
      ...requestKeyOf(turn),
    };
    const text = [...unanswered, turn.text].filter(Boolean).join('\n\n');
    const message = new HumanMessage({ id: `message_${turnId}`, content: text });
    const messages = [...(seed.messages ?? []), message];
    const dialogue = await dialogueAbout(this.deps.graph, { ...turn, customerId }, seed.values.dialogue);
    const focus = turn.focus ? { focus: turn.focus } : {};
    const input = { ...seed.values, ...focus, ...dialogue, messages, incoming };
    return { ticketId, graphThreadId, input, notice };
  }

  /** Answers without the graph, and stores the answer with the ticket. */
  async say(turn: Turn, words: (texts: Sentences) => string, open: PendingAction | null): Promise<TurnReply> {
    const { tickets } = this.deps.graph;
    const language = await this.languageOf(turn);
    const { threadId, customerId, claim } = turn.thread;
    const ticket =
      (turn.ticketId === undefined ? null : await tickets.get(turn.ticketId)) ??
      (await tickets.findOpenByThread(threadId)) ??
      (await tickets.create({ customerId, threadId, channel: turn.channel }));
    const text = words(this.deps.graph.tools.texts.for(language));
    await storeMessages(this.deps, ticket.ticketId, turn);
    const { messageId } = await tickets.addMessage(ticket.ticketId, 'hub', text, { claim });
    return cannedReply({
      threadId,
      ticketId: ticket.ticketId,
      messageId,
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
    if (known || turn.text === '') return known ?? turn.language ?? this.deps.locale;
    return this.deps.graph.language.detectLanguage(turn.text.slice(0, 2000), this.deps.locale).language;
  }

  /** True where the hub's last answer asked the customer something that no stored question stands for. */
  async asksBack({ thread }: Turn): Promise<boolean> {
    const { values } = await this.deps.runner.snapshot(thread.graphThreadId);
    return Boolean(values.focus);
  }

  /** The outcome of the question that the graph still waits on, where the customer does not know it yet. */
  async #notice(snapshot: ThreadSnapshot): Promise<string | null> {
    const id = snapshot.interrupts[0]?.value?.pending_id;
    const row = id === undefined ? null : await this.deps.pending.get(id);
    if (row?.status === 'expired') {
      if (row.kind === 'approval') return notifyExpired(this.deps.graph, row);
      const language = snapshot.values.session?.language ?? this.deps.locale;
      return this.deps.graph.tools.texts.for(language).say('question_expired');
    }
    if (!row?.decidedAt) return null;
    // Decided, but the process stopped before it was performed.
    const unreleased = await this.deps.pending.listUnreleased(row.threadId);
    if (!unreleased.some(({ pendingId }) => pendingId === row.pendingId)) return null;
    return (await this.resume(row))?.reply ?? (await carryOutDecision(this.deps.graph, row)).text;
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
    const text = await customerText(this.deps.graph, snapshot, row);
    if (text === '') throw new HubError('internal', 'The turn ended without an answer.');
    const messageId = row ? await this.#ask(snapshot, session, row, text) : (reply?.messageId ?? null);
    const result = graphReply({
      snapshot,
      text,
      messageId,
      pending: row ? pendingView(row) : null,
      resumed,
      usage: meter.usage(),
      totalMs: performance.now() - started,
      graph: this.deps.graph,
    });
    await this.#saveTurn(session.turnId, { ...result, route: snapshot.values.route }, resumed);
    return result;
  }

  /** The graph was interrupted: stores the question for the customer. @returns the stored message */
  async #ask(snapshot: ThreadSnapshot, session: Session, row: PendingAction, text: string): Promise<string> {
    const { graph, ownership } = this.deps;
    const { drafts, trace } = snapshot.values;
    await escalateWhilePaused(graph, snapshot.values);
    const citations = citationsOf(drafts, trace, graph.tools.policy.retrieval.confidence_threshold);
    const { messageId } = await ownership.speak(session, (claim) =>
      graph.tickets.addMessage(session.ticketId, 'hub', text, { claim, citations }),
    );
    const waiting = row.kind === 'approval' ? 'waiting_operator' : 'waiting_customer';
    await waitFor(graph, session.ticketId, waiting);
    return messageId;
  }

  async #saveTurn(turnId: string, reply: TurnReply, resumed: boolean): Promise<void> {
    await this.deps.graph.tickets.saveTurn({
      turnId: resumed ? this.deps.graph.ids.next('trn') : turnId,
      ...{ ticketId: reply.ticketId, provider: reply.provider, route: reply.route },
      ...{ toolCalls: reply.toolCalls, guardrails: reply.guardrails ?? [] },
      usage: reply.usage,
      totalMs: reply.timingsMs.total ?? 0,
      messageId: reply.messageId ?? null,
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

  /** The graph broke off. What is stored is consistent; the customer gets an apology, and the ticket is escalated. */
  async #fault({ turn, meter, ...place }: Broken, error: unknown): Promise<TurnReply> {
    const { graph, ownership, runner, locale } = this.deps;
    const { turnId, graphThreadId } = place;
    const { threadId } = turn.thread;
    // An operator has claimed the ticket: that is why it broke off, and no escalation is needed.
    await ownership.check({ turnId, threadId });
    const { code } = toHubError(error);
    const details = { graphThreadId, code };
    graph.tools.log.error({ agent: 'hub', action: 'turn_failed', details }, error);
    if (STORAGE_ERRORS.has(code)) throw error;
    const { values } = await runner.snapshot(graphThreadId);
    // Where it broke off before it was triaged, the graph still holds the turn before, or nothing.
    const isTriaged = values.session?.turnId === turnId && values.classification !== null;
    const broken = isTriaged ? values : await unbegun(this.deps, turn, await this.languageOf(turn), place);
    const outcome = await escalateFault(graph, broken, error instanceof GraphRecursionError);
    const { classification, route, session } = broken;
    const totalMs = performance.now() - turn.started;
    const language = session?.language ?? locale;
    const reply = cannedReply({ ...outcome, threadId, language, pending: null, totalMs });
    const { escalation } = outcome;
    return {
      ...reply,
      classification,
      route: route ?? [],
      escalated: true,
      escalation,
      usage: meter.usage(),
    };
  }

  #runOptions(meter: TurnMeter, dropped: AbortSignal, turn: Pick<WatchedInput, 'live' | 'signal'>) {
    const signals = [dropped, AbortSignal.timeout(this.deps.limits.turnMs)];
    const signal = AbortSignal.any(turn.signal ? [...signals, turn.signal] : signals);
    // Rules cost nothing to count, and a run without callbacks is a good deal faster.
    const counted = this.deps.graph.models.provider === 'offline' ? [] : [meter.handler];
    const callbacks = [...counted, ...(this.deps.tracing?.callbacks() ?? [])];
    return { callbacks: callbacks.length > 0 ? callbacks : undefined, signal, live: turn.live };
  }
}

/** The messages themselves name what is answered: the same after a crash, in whatever turn. */
function requestKeyOf({ parts, thread }: Turn): Pick<Incoming, 'requestKey'> {
  if (!parts) return {};
  return { requestKey: JSON.stringify([thread.threadId, ...parts.map((part) => part.clientMessageId)]) };
}
