import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { remoteAnswer } from '../../agents/remote/agent.js';
import type { Draft, Focus, Task, ToolTrace } from '../core/domain/session.js';
import type { RouteStep } from '../core/domain/turn.js';
import type { AgentRoster } from '../runtime/agent-definition.js';
import { proposalIn, waitsForPerson } from './investigation.js';
import type { HubStateType } from './state.js';

/** Stands for the agent until the chat model has chosen one. */
export const BY_MODEL = 'model';

/** What is known after an agent has answered. */
export interface AgentResults {
  readonly tasks: readonly Task[];
  readonly drafts: readonly Draft[];
  readonly route: readonly RouteStep[];
  /** The task that was answered just now; -1 where none was. */
  readonly answered: number;
}

/** Turns what the active agent answered into a draft and marks its task done. @param names of all who may have answered */
export function agentResults(
  state: HubStateType,
  names: ReadonlySet<string>,
  agents: AgentRoster,
): AgentResults {
  const { tasks, drafts, route } = state;
  const index = tasks.findIndex((task) => task.status === 'active');
  const task = tasks[index];
  const last = state.messages.findLast((message) => isAgentMessage(message, names));
  if (!task || !last) return { tasks, drafts, route, answered: -1 };
  const agent = last.name ?? task.agent;
  const chosenByModel = task.agent === BY_MODEL;
  const trace = state.trace.filter((entry) => entry.task === index);
  const draft = toDraft(last as AIMessage, agent, trace);
  const done = tasks.map((candidate, at) =>
    at === index ? { ...candidate, agent, status: 'done' as const } : candidate,
  );
  return {
    tasks: [...withoutRepeats(done, state.trace), ...advised(task, trace, agents)],
    drafts: [...drafts, draft],
    route: chosenByModel ? [...route.slice(0, -1), { to: agent, by: 'model:no rule was certain' }] : route,
    answered: index,
  };
}

/** What an investigation advises to change is a task of its own, which passes the same gates as any other. */
function advised({ text }: Task, trace: readonly ToolTrace[], agents: AgentRoster): readonly Task[] {
  const proposal = proposalIn(trace);
  if (!proposal) return [];
  return [{ text, route: 'action', agent: agents.forRoute('action'), status: 'todo', proposal }];
}

/** What is advised and was put to the customer anyway, because they asked for it, is not put a second time. */
function withoutRepeats(tasks: readonly Task[], trace: readonly ToolTrace[]): readonly Task[] {
  return tasks.filter(({ status, proposal }) => {
    if (status !== 'todo' || !proposal) return true;
    const args = JSON.stringify(proposal.args);
    return !trace.some((entry) => entry.tool === proposal.tool && JSON.stringify(entry.args) === args);
  });
}

function isAgentMessage(message: BaseMessage, agents: ReadonlySet<string>): boolean {
  return AIMessage.isInstance(message) && agents.has(message.name ?? '');
}

interface HubMetadata {
  readonly focus?: Focus | null;
  readonly unanswered?: boolean;
  readonly needsPerson?: boolean;
  readonly lists?: string;
  readonly more?: string;
}

function toDraft(message: AIMessage, agent: string, trace: readonly ToolTrace[]): Draft {
  const hub = (message.response_metadata.hub ?? {}) as HubMetadata;
  const provider = message.response_metadata.hub_provider;
  const text = message.text.trim();
  return {
    agent,
    text,
    provider: provider === 'offline' || provider === 'rule' ? 'offline' : 'openai',
    focus: hub.focus ?? (text.endsWith('?') ? questionOf(agent, trace) : null),
    unanswered: hub.unanswered ?? false,
    paused: trace.some((entry) => entry.paused),
    needsPerson: hub.needsPerson === true || waitsForPerson(trace),
    ...(hub.lists === undefined ? {} : { lists: hub.lists }),
    ...(hub.more === undefined ? {} : { more: hub.more }),
  };
}

/** An open question; that of an agent elsewhere remembers where the reply goes. */
function questionOf(agent: string, trace: readonly ToolTrace[]): Focus {
  return remoteAnswer({ trace })?.focus ?? { agent, intent: 'question', choices: [], attempts: 1 };
}
