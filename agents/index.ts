import type { Route } from '../src/core/domain/taxonomy.js';
import { accountAgent } from './account/agent.js';
import { actionAgent } from './action/agent.js';
import type { AgentDefinition } from './agent-definition.js';
import { knowledgeAgent } from './knowledge/agent.js';

export type { AgentDefinition } from './agent-definition.js';
export * from './agent-state.js';
export { type BuildAgentOptions, buildAgent } from './build-agent.js';
export {
  findAction,
  type GateAnswer,
  type GateInterrupt,
  releaseAction,
  type ToolDeps,
} from '../tools/index.js';
export { type OfflineDeps, offlinePolicies } from './offline.js';
export { triageAgent } from './triage/agent.js';

/** Who the supervisor can hand a task to. Routing, Studio names and agent cards derive from it. */
export const AGENTS: readonly AgentDefinition[] = [knowledgeAgent, accountAgent, actionAgent];

/** The agent for a route; a route without an agent of its own is answered from the account, then from knowledge. */
export function agentForRoute(route: Route): string {
  const exact = AGENTS.find((agent) => agent.route === route);
  if (exact) return exact.name;
  return route === 'investigation' ? accountAgent.name : knowledgeAgent.name;
}
