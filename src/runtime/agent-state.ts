import { withLangGraph } from '@langchain/langgraph/zod';
import { z } from 'zod';
import { type CompanyProfile, type IssueTypeProfile, issueTypeOf } from '../core/domain/company.js';
import type { DialogueState } from '../core/domain/dialogue.js';
import type { Focus, Session, Task, ToolTrace } from '../core/domain/session.js';
import type { Classification } from '../core/domain/ticket.js';

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

/** What an agent knows when it works on its task. */
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
