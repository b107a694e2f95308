import type { IssueType, Route } from '../src/core/domain/taxonomy.js';
import { accountAgent } from './account/agent.js';
import { actionAgent } from './action/agent.js';
import type { AgentDefinition } from './agent-definition.js';
import { investigationAgent } from './investigation/agent.js';
import { knowledgeAgent } from './knowledge/agent.js';

export {
  ACTIONS,
  type ActionTool,
  ASK_REMOTE_AGENT,
  adviseAction,
  approvalPlace,
  askOperator,
  auditRefused,
  claimsOf,
  type Finding,
  findAction,
  type GateAnswer,
  type GateInterrupt,
  hashOf,
  type Investigation,
  investigationShape,
  isForCustomers,
  isStorageFault,
  keywordIn,
  type Matter,
  matterOf,
  type RemoteAccess,
  readRun,
  releaseAction,
  remoteShape,
  type ToolDeps,
  whoFits,
  withdrawnText,
} from '../tools/index.js';
export type { AgentDefinition } from './agent-definition.js';
export * from './agent-state.js';
export { type BuildAgentOptions, buildAgent } from './build-agent.js';
export { SUGGEST_PROMPT } from './knowledge/agent.js';
export { passage } from './knowledge/passage.js';
export { type OfflineDeps, offlinePolicies } from './offline.js';
export { describeRemote, FILL_PROMPT, LOOK_AGAIN_PROMPT, remoteAgent } from './remote/agent.js';
export { heardFrom } from './remote/heard.js';
export { triageAgent } from './triage/agent.js';

/** Who the supervisor can hand a task to. Routing, Studio names and agent cards derive from it. */
export const AGENTS: readonly AgentDefinition[] = [
  knowledgeAgent,
  accountAgent,
  actionAgent,
  investigationAgent,
];

/** The agent for a request. */
export function agentForRoute(route: Route): string {
  return (AGENTS.find((agent) => agent.route === route) ?? knowledgeAgent).name;
}

/**
 * Who takes a symptom that no skill is for: a technical one is explained from the help centre, the rest is looked up in
 * the customer's record.
 */
export function agentWithoutSkill(issueType: IssueType): string {
  const technical = issueType === 'technical' || issueType === 'account_access';
  return technical ? knowledgeAgent.name : accountAgent.name;
}
