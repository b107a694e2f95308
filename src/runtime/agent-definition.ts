import { withLangGraph } from '@langchain/langgraph/zod';
import { z } from 'zod';
import { type CompanyProfile, type IssueTypeProfile, issueTypeOf } from '../core/domain/company.js';
import type { DialogueState, Focus, Session, Task, ToolTrace } from '../core/domain/session.js';
import type { Route, Translated } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { Sentences } from '../core/i18n/index.js';
import type { ModelRole } from '../core/ports/chat-models.js';
import type { AnyTool, ToolAccess } from './define-tool.js';

/**
 * Adds trace entries, each call once: a subgraph hands back what it was given together with what it added.
 * An update that is null starts a new turn.
 */
export function mergeTrace(
  left: readonly ToolTrace[],
  right: readonly ToolTrace[] | null,
): readonly ToolTrace[] {
  if (right === null) return [];
  const merged = new Map<string, ToolTrace>();
  for (const entry of left) merged.set(entry.callId, entry);
  for (const entry of right) merged.set(entry.callId, entry);
  return [...merged.values()];
}

const traceSchema = z.custom<readonly ToolTrace[]>();
const traceUpdateSchema = z.custom<readonly ToolTrace[] | null>();

/** The part of the graph's state that agents see; the same keys as in the supervisor's state. */
export const agentStateSchema = z.object({
  session: z.custom<Session>().nullable(),
  classification: z.custom<Classification>().nullable(),
  tasks: z.custom<readonly Task[]>(),
  focus: z.custom<Focus>().nullable(),
  dialogue: z.custom<DialogueState>().nullable(),
  revision: z.string().nullable(),
  trace: withLangGraph(traceSchema, {
    reducer: { schema: traceUpdateSchema, fn: mergeTrace },
    default: () => [],
  }),
});

/** What an agent knows when it works on a request. */
export interface AgentContext {
  /** Whose context it is. */
  readonly agent: string;
  readonly session: Session;
  readonly classification: Classification | null;
  /** What the company says of the issue type; null before triage. */
  readonly issueType: IssueTypeProfile | null;
  readonly task: Task;
  /** What this agent asked last, where the message answers it. */
  readonly focus: Focus | null;
  /** What the conversation is about; null where it has only begun. */
  readonly dialogue: DialogueState | null;
  /** Why the first answer was not sent, where this is the second try. */
  readonly revision: string | null;
  /** The tool calls made for this task, oldest first. */
  readonly trace: readonly ToolTrace[];
  /** ISO 8601 UTC. */
  readonly now: string;
}

/** The fields of a state that `contextOf` reads. */
export interface AgentStateView {
  readonly session?: Session | null;
  readonly classification?: Classification | null;
  readonly tasks?: readonly Task[];
  readonly focus?: Focus | null;
  readonly dialogue?: DialogueState | null;
  readonly revision?: string | null;
  readonly trace?: readonly ToolTrace[] | null;
}

/**
 * @param agent whose context it is
 * @param now ISO 8601 UTC
 * @throws Error where the agent runs outside a turn: a wiring fault
 */
export function contextOf(
  state: AgentStateView,
  agent: string,
  now: string,
  company: Pick<CompanyProfile, 'issueTypes'>,
): AgentContext {
  const index = state.tasks?.findIndex((candidate) => candidate.status === 'active') ?? -1;
  const task = state.tasks?.[index];
  if (!state.session || !task) throw new Error(`${agent} was called without a session or task`);
  const focus = state.focus?.agent === agent ? state.focus : null;
  return {
    agent,
    session: state.session,
    classification: state.classification ?? null,
    issueType: state.classification ? issueTypeOf(company, state.classification.issueType) : null,
    task,
    focus,
    dialogue: state.dialogue ?? null,
    revision: state.revision ?? null,
    trace: (state.trace ?? []).filter((entry) => entry.agent === agent && entry.task === index),
    now,
  };
}

/** A tool call that is certain before any model is asked. */
interface PlannedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An answer that is certain without a model. */
export interface EarlyAnswer {
  readonly text: string;
  /** True where there is nothing to answer from, so that the hub escalates. */
  readonly unanswered: boolean;
  /** Set where the answer is a question whose reply goes to a certain agent. */
  readonly focus?: Focus | null;
  /** True where the answer is sent and an operator is needed nevertheless. */
  readonly needsPerson?: boolean;
}

/** One agent of the roster. */
export interface AgentDefinition {
  readonly name: string;
  /** For the router, Studio and agent cards: what it is good at. */
  readonly description: string;
  /** The role whose model it asks. */
  readonly role: ModelRole;
  /** The route of triage that leads here: one of its own, or one it shares. */
  readonly route: Route;
  /** Which requests have that route, in a few words, for the models that triage and hand off; the description where absent. */
  readonly takes?: string;
  /**
   * What it says it is for where it was addressed with something else: "Here I count your points." The text
   * `purpose.NAME` where absent.
   */
  readonly purpose?: Translated;
  /**
   * Further routes whose requests it answers in its own way where it alone was addressed: the help centre says how to
   * cancel, though it cancels nothing.
   */
  readonly alsoTakes?: readonly Route[];
  /** `customer`: an anonymous session is invited to sign in instead. */
  readonly access: ToolAccess;
  readonly prompt: URL;
  readonly tools: readonly AnyTool[];
  /** Names of the tools without which it can do nothing, so that no company switches them off alone. */
  readonly needs?: readonly string[];
  /** Tool calls that are certain to be needed; they run before the model is asked. */
  prefetch(context: AgentContext): readonly PlannedCall[];
  /**
   * Tools that add nothing to what is on the table by now, so that the model is not offered them: each one costs
   * tokens in every call and tempts to a further call. They still run where a model names them.
   */
  spared?(context: AgentContext): readonly string[];
  /** After the prefetch: an answer that needs no model, or null. */
  early?(context: AgentContext, threshold: number, texts: Sentences): EarlyAnswer | null;
}

/** The agents that the supervisor can hand a request to; whatever asks who does what reads it here. */
export interface AgentRoster {
  /** In the order of the supervisor's prompt. The first takes requests that no other agent is for. */
  readonly all: readonly AgentDefinition[];
  /** The routes that lead to an agent. */
  readonly routes: readonly Route[];
  /** Null where there is no such agent. */
  find(name: string): AgentDefinition | null;
  /** Name of the agent that declares the route. */
  forRoute(route: Route): string;
  /** Name of the agent that takes requests of a route from the customer's own record, where its own agent cannot. */
  fromRecord(route: Route): string;
  /** True where the route's agent serves signed-in customers alone: it works with what only this customer has. */
  isPersonal(route: Route): boolean;
  /** True where the route's agent changes something that cannot be undone. */
  changes(route: Route): boolean;
}

/** Makes the roster of agents. @throws Error where there is none */
export function createAgentRoster(all: readonly AgentDefinition[]): AgentRoster {
  const [first] = all;
  if (!first) throw new Error('There is no agent to hand a request to');
  const agentFor = (route: Route): AgentDefinition => all.find((agent) => agent.route === route) ?? first;
  const forRoute = (route: Route): string => agentFor(route).name;
  return {
    all,
    routes: [...new Set(all.map(({ route }) => route))],
    find: (name) => all.find((agent) => agent.name === name) ?? null,
    forRoute,
    fromRecord: (route) =>
      all.find((agent) => agent.access === 'customer' && agent.alsoTakes?.includes(route))?.name ??
      forRoute(route),
    isPersonal: (route) => agentFor(route).access === 'customer',
    changes: (route) => agentFor(route).tools.some(({ effect }) => effect === 'irreversible'),
  };
}
