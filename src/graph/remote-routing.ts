import type { Session, ToolTrace } from '../core/domain/session.js';
import { MAX_REMOTE_HOPS, type RemoteAgent } from '../core/ports/remote-agents.js';
import { ASK_REMOTE_AGENT, remoteShape } from '../runtime/remote/remote-calls.js';
import type { AgentResults } from './agent-results.js';
import type { GraphDeps } from './graph-deps.js';

/** Agents elsewhere that one message may be put to: their time limits together stay below that of the turn. */
const REMOTE_TASKS = 2;

/**
 * The agents elsewhere that a request of this session may still go to. None where it was addressed to one agent of the
 * hub, or came through so many hubs that they may be asking each other.
 */
export function reachableAgents(
  { remote }: GraphDeps,
  session: Session,
  trace: readonly ToolTrace[],
): readonly RemoteAgent[] {
  const agents = remote.list();
  if (agents.length === 0 || session.agent !== undefined) return [];
  const asked = trace.filter(({ tool }) => tool === ASK_REMOTE_AGENT).length;
  return hopsOf(session) >= MAX_REMOTE_HOPS || asked >= REMOTE_TASKS ? [] : agents;
}

/**
 * Through how many hubs it came. Whoever is nobody's program and does not say so may be an agent that this hub has asked:
 * what it asks in return goes no further.
 */
function hopsOf({ hops, channel, identity }: Session): number {
  if (hops !== undefined) return hops;
  return channel === 'a2a' && identity.kind !== 'customer' ? MAX_REMOTE_HOPS : 0;
}

/** What an operator is told of agents elsewhere that were asked in a turn. */
export function remoteReport(trace: readonly ToolTrace[]): {
  readonly found: readonly string[];
  readonly tried: readonly string[];
} {
  const heard = trace.flatMap((entry) => {
    const parsed = entry.tool === ASK_REMOTE_AGENT ? remoteShape.safeParse(entry.result) : null;
    return parsed?.success ? [parsed.data] : [];
  });
  return {
    found: heard.flatMap(({ agent, text, facts, outcome, uncertain }) =>
      outcome === 'gave_up'
        ? uncertain
          ? [`${agent} may have done what was asked: the connection broke before it answered`]
          : []
        : [
            `${agent} (outside the company, not verified) said: ${[text, ...facts].filter(Boolean).join(' / ').slice(0, 300)}`,
          ],
    ),
    tried: heard.flatMap(({ agent, steps }) =>
      steps.map((step) =>
        step.kind === 'try'
          ? `${agent}: ${step.way}${step.skill === null ? '' : ` ${step.skill}`}, attempt ${step.attempt}: ${step.ok ? 'ok' : step.code}`
          : `${agent}: ${step.decision} (${step.by}: ${step.reason})`,
      ),
    ),
  };
}

/** The task without an answer goes to an agent elsewhere instead. */
export function reassignTo(agent: string, harvested: AgentResults): AgentResults {
  const tasks = harvested.tasks.map((task, index) =>
    index === harvested.answered ? { ...task, agent, status: 'todo' as const } : task,
  );
  return { ...harvested, tasks, drafts: harvested.drafts.slice(0, -1) };
}
