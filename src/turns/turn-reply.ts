import type { Interrupt } from '@langchain/langgraph';
import { STOPPED } from '../core/desk-notes.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Session, ToolTrace } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { PendingView, RouteStep, ToolCallRecord, TurnReply, Usage } from '../core/domain/turn.js';
import { NO_USAGE } from '../core/domain/turn.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { remainingRequests } from '../graph/remaining-requests.js';
import { citationsOf, opening } from '../graph/respond.js';
import { faultyDrafts } from '../graph/review.js';
import { owedIn, saidIn } from '../graph/said-drafts.js';
import type { HubStateType } from '../graph/state.js';
import type { AgentRoster } from '../runtime/agent-definition.js';
import type { GateInterrupt } from '../runtime/gate.js';
import { ASK_REMOTE_AGENT, remoteShape } from '../runtime/remote/remote-calls.js';

/** How a LangGraph thread stands. */
export interface ThreadSnapshot {
  readonly values: HubStateType;
  /** The interrupts that the graph waits on. */
  readonly interrupts: readonly Interrupt<GateInterrupt>[];
  /** True where it takes a new message: no interrupt is open and no run broke off. */
  readonly idle: boolean;
  /** False for a thread that the checkpointer does not know. */
  readonly exists: boolean;
}

/** An open question as it is shown. */
export function pendingView(pending: PendingAction): PendingView {
  return {
    id: pending.pendingId,
    kind: pending.kind,
    tool: pending.tool,
    args: pending.args,
    question: pending.question,
    answers: pending.answers ?? null,
  };
}

/** What the customer reads when the graph was interrupted: what is answered already, then the question. */
export async function pausedText(
  deps: GraphDeps,
  { values }: ThreadSnapshot,
  pending: PendingAction,
  language: Language,
): Promise<string> {
  const texts = deps.tools.texts.for(language);
  const { drafts } = values;
  // What waits for the pause to end is reviewed then; what is said before is reviewed now.
  const faulty = new Set(faultyDrafts(deps, values).map(({ draft }) => draft));
  const lastPaused = drafts.findLastIndex((draft) => draft.paused);
  const sent = drafts.slice(lastPaused + 1);
  const owed = values.session ? owedIn(sent, faulty, values.session, texts) : [];
  const said = [...saidIn(sent, faulty), ...owed];
  const ask = pending.kind === 'confirmation' ? pending.question : texts.say('waiting_for_approval');
  const isFirst = lastPaused === -1 && pending.kind === 'confirmation' && deps.models.provider === 'offline';
  const { session, classification } = values;
  const before = isFirst && session ? opening(session, classification, null, texts) : [];
  const after = await remainingRequests(deps, values, pending, language);
  return [...before, ...said, ask, ...(after === null ? [] : [after])].join('\n\n');
}

/** What the customer reads of a turn: its answer, or the question that it paused with; empty where it says nothing. */
export async function customerText(
  deps: GraphDeps,
  snapshot: ThreadSnapshot,
  asked: PendingAction | null,
): Promise<string> {
  const { session, reply } = snapshot.values;
  return asked && session ? pausedText(deps, snapshot, asked, session.language) : (reply?.text ?? '');
}

/** The calls of a turn; of a resumed one, the calls from the pause on. */
export function toolCallsOf(trace: readonly ToolTrace[], resumed: boolean): readonly ToolCallRecord[] {
  const start = resumed
    ? Math.max(
        0,
        trace.findLastIndex((entry) => entry.paused),
      )
    : 0;
  return trace.slice(start).flatMap((entry) => remoteCallsOf(entry) ?? [recordOf(entry)]);
}

function recordOf({ agent, tool, args, ok, code, at, ms }: ToolTrace): ToolCallRecord {
  const times = at === undefined || ms === undefined ? {} : { at, ms };
  return { agent, tool, args, ok, ...(code === undefined ? {} : { code }), ...times };
}

interface ReplyParts {
  readonly snapshot: ThreadSnapshot;
  readonly text: string;
  readonly messageId: string | null;
  readonly pending: PendingView | null;
  readonly resumed: boolean;
  readonly usage: Usage;
  readonly totalMs: number;
  readonly graph: Pick<GraphDeps, 'agents' | 'tools'>;
}

/** The reply of a turn that went through the graph. */
export function graphReply(parts: ReplyParts): TurnReply {
  const { values } = parts.snapshot;
  const session = values.session as Session;
  const { reply } = values;
  return {
    threadId: session.threadId,
    ticketId: session.ticketId,
    reply: parts.text,
    messageId: parts.messageId,
    language: session.language,
    provider: reply?.provider ?? providerSoFar(values.drafts),
    classification: values.classification,
    agents: agentsOf(values.trace, values.route),
    route: values.route.map(({ to, by }) => ({ to, by })),
    toolCalls: toolCallsOf(values.trace, parts.resumed),
    citations:
      reply?.citations ??
      citationsOf(values.drafts, values.trace, parts.graph.tools.policy.retrieval.confidence_threshold),
    pending: parts.pending,
    escalated: values.escalation !== null,
    escalation: values.escalation,
    ...(values.escalation === null && values.focus !== null ? { asksBack: true } : {}),
    ...(needsSignIn(values, session, parts.graph.agents) ? { needsSignIn: true } : {}),
    ...(values.guardrails.length > 0 ? { guardrails: values.guardrails } : {}),
    usage: parts.usage,
    timingsMs: { total: round(parts.totalMs), ...mapRound(values.timings) },
  };
}

/** True where a visitor asked for what only an agent for customers can do, no matter who answered instead. */
function needsSignIn(
  { classification, trace, route }: HubStateType,
  { identity }: Session,
  agents: AgentRoster,
): boolean {
  if (identity.kind === 'customer') return false;
  const own = agents.all.filter(({ access }) => access === 'customer');
  const asked = classification?.requests.some((request) =>
    own.some((agent) => agent.route === request.route),
  );
  return (
    asked === true ||
    route.some(({ to }) => own.some(({ name }) => name === to)) ||
    trace?.some(({ code }) => code === 'not_signed_in') === true
  );
}

interface CannedParts {
  readonly threadId: string;
  readonly ticketId: string;
  /** The stored message; null where nothing was kept. */
  readonly messageId: string | null;
  readonly text: string;
  readonly language: Language;
  readonly pending: PendingView | null;
  readonly totalMs: number;
}

/** A reply that needed no graph: nothing was understood or done, something was only said. */
export function cannedReply(parts: CannedParts): TurnReply {
  return {
    threadId: parts.threadId,
    ticketId: parts.ticketId,
    reply: parts.text,
    messageId: parts.messageId,
    language: parts.language,
    provider: 'offline',
    classification: null,
    agents: [],
    route: [],
    toolCalls: [],
    citations: [],
    pending: parts.pending,
    escalated: false,
    escalation: null,
    usage: NO_USAGE,
    timingsMs: { total: round(parts.totalMs) },
  };
}

function agentsOf(trace: readonly ToolTrace[], route: readonly RouteStep[]): readonly string[] {
  const routed = route.map((step) => step.to).filter((to) => to !== 'escalation' && to !== 'customer');
  return [...new Set(['triage', ...routed, ...trace.map((entry) => entry.agent)])];
}

function providerSoFar(
  drafts: readonly { readonly provider: TurnReply['provider'] }[],
): TurnReply['provider'] {
  return drafts.length > 0 && drafts.every((draft) => draft.provider === 'openai') ? 'openai' : 'offline';
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function mapRound(timings: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(timings).map(([name, ms]) => [name, round(ms)]));
}

const RECENT = 20;

/**
 * What was written on the thread since the customer's last turn: the outcome of an approval, or an operator's message. It may
 * have been written by another process, so the stored messages are read.
 * @returns null where there is nothing new
 */
export async function unseenOn({ tickets }: GraphDeps, threadId: string): Promise<string | null> {
  const stored = await tickets.listThreadMessages(threadId, RECENT);
  const messages = stored.filter(({ audience, content }) => audience === 'customer' || content === STOPPED);
  const last = messages.findLastIndex(({ role }) => role === 'customer');
  if (last === -1) return null;
  const [first, ...later] = messages.slice(last + 1);
  // The hub's first words are the answer to that turn, which the customer has seen.
  const unseen = first?.role === 'hub' ? later : [first, ...later];
  const words = unseen.flatMap((message) => (message && message.role !== 'system' ? [message.content] : []));
  return words.length === 0 ? null : words.join('\n\n');
}

/** The reply with what the customer has not seen yet in front of it, where it does not say that itself. */
export function withUnseen(unseen: string | null, reply: TurnReply): TurnReply {
  return unseen === null || reply.reply.includes(unseen)
    ? reply
    : { ...reply, reply: `${unseen}\n\n${reply.reply}` };
}

type Step = ReturnType<typeof remoteShape.parse>['steps'][number];

/**
 * The steps of asking a remote agent as calls of their own, so that the reader of the turn sees every decision
 * and every try, as `remote:partner.specific(find_spot)`; then the call itself, with what came of it. Null for any other.
 */
function remoteCallsOf({ agent, tool, args, result }: ToolTrace): readonly ToolCallRecord[] | null {
  const parsed = tool === ASK_REMOTE_AGENT ? remoteShape.safeParse(result) : null;
  if (!parsed?.success) return null;
  const { steps, outcome, code } = parsed.data;
  const failed = outcome === 'gave_up';
  const whole = { agent, tool, args, ok: !failed, ...(failed ? { code: code ?? 'remote_failed' } : {}) };
  return [...steps.map((step) => stepRecordOf(agent, step)), whole];
}

function stepRecordOf(agent: string, step: Step): ToolCallRecord {
  if (step.kind === 'decision') {
    const { decision, by, reason, skill } = step;
    const args = { decision, by, reason, ...(skill === null ? {} : { skill }) };
    return { agent, tool: `remote:${agent}.decision`, args, ok: true };
  }
  const { way, skill, attempt, ok, code, ms } = step;
  const name = `remote:${agent}.${way}${skill === null ? '' : `(${skill})`}`;
  return { agent, tool: name, args: { attempt, ms }, ok, ...(code === null ? {} : { code }) };
}
