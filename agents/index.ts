import type { IssueType, Route } from '../src/core/domain/taxonomy.js';
import type { AgentDefinition } from '../src/runtime/agent-definition.js';
import { accountAgent } from './account/agent.js';
import { actionAgent } from './action/agent.js';
import { investigationAgent } from './investigation/agent.js';
import { knowledgeAgent } from './knowledge/agent.js';

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
