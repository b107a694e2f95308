import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { isObject } from '../core/domain/json.js';
import type { Draft, Session, ToolTrace } from '../core/domain/session.js';
import type { Classification } from '../core/domain/ticket.js';
import type { RouteStep, TurnEvent, TurnReply } from '../core/domain/turn.js';
import { BY_MODEL } from '../graph/agent-results.js';
import { evidenceOf, type TurnEvidence } from '../graph/claims/turn-evidence.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { opening } from '../graph/respond.js';
import { type Evidence, ReviewedStream } from '../graph/reviewed-stream.js';
import { mergeTrace } from '../runtime/agent-definition.js';

import { toolCallsOf } from './turn-reply.js';

/** The graph's own updates of a step, by node; what models write and which tools were called meanwhile. */
export const LIVE_MODES = ['updates', 'messages', 'custom'] as const;

/** The parts of the graph's state whose changes are published. */
interface NodeUpdate {
  readonly session?: Session | null;
  readonly classification?: Classification | null;
  readonly route?: readonly RouteStep[];
  readonly drafts?: readonly Draft[];
  readonly trace?: readonly ToolTrace[] | null;
}

/** The part of the state that a turn starts from; empty but for a resumed one. */
type LiveStart = Pick<NodeUpdate, 'session' | 'classification' | 'route' | 'drafts' | 'trace'> & {
  /** Of a resumed turn: what the customer asked before the pause. */
  readonly messages?: readonly BaseMessage[];
};

/** The node whose agents are its own nodes, and beside them the one that chooses among them. */
const SUPERVISOR_NODE = 'supervisor';
/** The nodes of a createAgent graph in which its model speaks, and its tools run. */
const MODEL_NODE = 'model_request';
const TOOL_NODE = 'tools';

/**
 * Publishes what happens in a turn while it happens: reads the graph's stream, and emits events of the domain. Made per
 * message; only where there is a subscriber.
 */
export class LiveTurn {
  readonly #answer: ReviewedStream;
  readonly #published = new Set<string>();
  #session: Session | null = null;
  #classification: Classification | null = null;
  #trace: readonly ToolTrace[] = [];
  #route: readonly RouteStep[] = [];
  #drafts = 0;
  #opened = false;

  #known: TurnEvidence | undefined;
  #asked: readonly BaseMessage[];

  /** @param asked the customer's own words */
  constructor(
    private readonly onEvent: (event: TurnEvent) => void,
    private readonly deps: GraphDeps,
    asked: string,
  ) {
    this.#asked = [new HumanMessage(asked)];
    this.#answer = new ReviewedStream((text) => this.onEvent({ type: 'token', text }));
  }

  /** A run of the graph begins, from this state. */
  begin(start: LiveStart): void {
    this.#session = start.session ?? null;
    this.#classification = start.classification ?? null;
    this.#trace = start.trace ?? [];
    this.#route = start.route ?? [];
    this.#drafts = start.drafts?.length ?? 0;
    this.#known = undefined;
    if (start.messages && start.messages.length > 0) this.#asked = start.messages;
    for (const { callId } of this.#trace) this.#published.add(`tool:${callId}`);
  }

  /** One piece of the stream. @param path the subgraphs it comes from, outermost first, as `name:id` */
  take(path: readonly string[], mode: (typeof LIVE_MODES)[number], payload: unknown): void {
    const agent = agentIn(path);
    if (agent !== null) this.#once(`agent:${path[1]}`, { type: 'agent', agent });
    if (mode === 'custom') {
      const { trace } = payload as NodeUpdate;
      if (trace) this.#tools(trace, true);
      return;
    }
    if (mode === 'messages') {
      const [message, metadata] = payload as [BaseMessage, { readonly langgraph_node?: string }];
      if (agent !== null && metadata.langgraph_node === MODEL_NODE) this.#hear(path, message);
      return;
    }
    for (const [node, updates] of Object.entries(payload as Record<string, unknown>)) {
      // Several calls of one step come as a list; a pause comes as `__interrupt__`, and is published when the turn ends.
      for (const update of [updates].flat()) if (isObject(update)) this.#update(path, node, update);
    }
  }

  /** A sentence of the hub's own before the graph's answer. */
  say(text: string): void {
    this.#answer.say(text);
  }

  /** The turn is over. */
  finish(reply: TurnReply): void {
    this.#answer.finish(reply.reply);
    if (reply.pending) this.onEvent({ type: 'pending', pending: reply.pending });
    if (reply.escalation) this.onEvent({ type: 'escalation', escalation: reply.escalation });
    this.onEvent({ type: 'message', reply });
  }

  #update(path: readonly string[], node: string, update: NodeUpdate): void {
    if (update.trace) this.#tools(update.trace, node === TOOL_NODE);
    if (path.length > 0) return;
    if (node === 'intake') {
      this.begin({ session: update.session ?? null });
      this.#once(`agent:triage:${this.#session?.turnId}`, { type: 'agent', agent: 'triage' });
    }
    if (node === 'triage' && update.classification) {
      this.#classification = update.classification;
      this.onEvent({ type: 'triage', classification: update.classification });
    }
    if (update.route && node === 'router') this.#steps(update.route);
    if (update.drafts) this.#settle(node === 'router' ? update.drafts : [], update.drafts.length);
  }

  /** @param fresh true where the calls were made just now, and not passed on from a subgraph */
  #tools(trace: readonly ToolTrace[], fresh: boolean): void {
    this.#trace = mergeTrace(this.#trace, trace);
    this.#known = undefined;
    if (!fresh) return;
    for (const entry of trace) {
      const key = `tool:${entry.callId}`;
      if (this.#published.has(key)) continue;
      this.#published.add(key);
      for (const call of toolCallsOf([entry], false)) this.onEvent({ type: 'tool', call });
    }
  }

  /** A step that the chat model decides is published when it has. */
  #steps(route: readonly RouteStep[]): void {
    const decided = route.filter((step) => step.to !== BY_MODEL);
    for (const step of decided.slice(this.#route.length)) this.onEvent({ type: 'route', step });
    this.#route = decided;
  }

  #hear(path: readonly string[], message: BaseMessage): void {
    if (!this.#session || !AIMessage.isInstance(message)) return;
    const id = `${path[1]}|${message.id ?? ''}`;
    const chunks = AIMessageChunk.isInstance(message) ? (message.tool_call_chunks ?? []) : [];
    const callsTool = chunks.length > 0 || (message.tool_calls ?? []).length > 0;
    if (callsTool || message.response_metadata.hub_restarted === true) this.#answer.withdraw(id);
    if (callsTool || message.text === '') return;
    this.#open();
    const agent = agentIn(path) ?? undefined;
    const { provider } = this.deps.models;
    this.#answer.write(id, message.text, this.#evidence(this.#session, agent, provider === 'openai'));
  }

  /** Answers that are finished, with those that no model wrote. */
  #settle(drafts: readonly Draft[], count: number): void {
    for (const draft of drafts.slice(this.#drafts)) {
      if (!this.#session || draft.unanswered || draft.text === '') continue;
      this.#open();
      const { agent, provider } = draft;
      this.#answer.settle(draft.text, this.#evidence(this.#session, agent, provider === 'openai'));
    }
    this.#drafts = count;
  }

  /** What a sentence is checked against; read anew when a tool has answered. */
  #evidence(session: Session, agent: string | undefined, byModel: boolean): Evidence {
    const trace = this.#trace;
    const { roster } = this.deps.tools;
    if (!byModel) return { trace, session, roster, agent };
    this.#known ??= evidenceOf(this.deps, { trace, session, messages: [...this.#asked] });
    return { trace, session, roster, agent, known: this.#known };
  }

  /** The opening sentences of a rule-based answer; a model writes its own. */
  #open(): void {
    const byModel = this.deps.models.provider === 'openai';
    if (this.#opened || byModel || !this.#session) return;
    this.#opened = true;
    const texts = this.deps.tools.texts.for(this.#session.language);
    for (const text of opening(this.#session, this.#classification, null, texts)) this.#answer.say(text);
  }

  #once(key: string, event: TurnEvent): void {
    if (this.#published.has(key)) return;
    this.#published.add(key);
    this.onEvent(event);
  }
}

/** The agent of the roster in whose subgraph something happened. */
function agentIn(path: readonly string[]): string | null {
  const [outer, inner] = path.map((part) => part.split(':', 1)[0]);
  return outer === SUPERVISOR_NODE && inner !== undefined && inner !== SUPERVISOR_NODE ? inner : null;
}

/** The same listener, which also notes when the first words were shown; milliseconds after `started`, null before. */
export function watchFirstToken(
  onEvent: ((event: TurnEvent) => void) | undefined,
  started: number,
): { readonly onEvent: typeof onEvent; readonly firstTokenMs: () => number | null } {
  let first: number | null = null;
  const watched = (event: TurnEvent): void => {
    if (event.type === 'token' || event.type === 'message') first ??= performance.now() - started;
    onEvent?.(event);
  };
  return { onEvent: onEvent && watched, firstTokenMs: () => first };
}
