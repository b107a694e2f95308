import type { IssueType, Route } from '../src/core/domain/taxonomy.js';
import { accountAgent } from './account/agent.js';
import { actionAgent } from './action/agent.js';
import type { AgentDefinition } from './agent-definition.js';
import { knowledgeAgent } from './knowledge/agent.js';

export {
  askOperator,
  auditRefused,
  findAction,
  type GateAnswer,
  type GateInterrupt,
  isStorageFault,
  releaseAction,
  type ToolDeps,
} from '../tools/index.js';
export type { AgentDefinition } from './agent-definition.js';
export * from './agent-state.js';
export { type BuildAgentOptions, buildAgent } from './build-agent.js';
export { type OfflineDeps, offlinePolicies } from './offline.js';
export { triageAgent } from './triage/agent.js';

/** Who the supervisor can hand a task to. Routing, Studio names and agent cards derive from it. */
export const AGENTS: readonly AgentDefinition[] = [knowledgeAgent, accountAgent, actionAgent];

/**
 * The agent for a request. A symptom goes to the investigation agent where there is one; otherwise a technical one is
 * explained from the help centre, and the rest is looked up in the customer's record.
 */
export function agentForRoute(route: Route, issueType: IssueType = 'general'): string {
  const exact = AGENTS.find((agent) => agent.route === route);
  if (exact) return exact.name;
  const technical = issueType === 'technical' || issueType === 'account_access';
  return route === 'investigation' && !technical ? accountAgent.name : knowledgeAgent.name;
}
