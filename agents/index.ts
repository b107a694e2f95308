import type { CompanyProfile } from '../src/core/domain/company.js';
import type { ToolsByAgent } from '../src/runtime/roster.js';
import { accountAgent } from './account/agent.js';
import { actionAgent } from './action/agent.js';
import { investigationAgent } from './investigation/agent.js';
import { knowledgeAgent } from './knowledge/agent.js';
import type { AgentSpec, HubAgent } from './offline-support.js';

/** Who the supervisor can hand a request to. Routing, Studio names and agent cards derive from it. */
const AGENTS: Readonly<Record<string, AgentSpec>> = {
  knowledge: knowledgeAgent,
  account: accountAgent,
  action: actionAgent,
  investigation: investigationAgent,
};

/**
 * The agents that ship, each with its tools.
 * @param tools the engine's and the company's, by name of the agent
 * @param words how the company describes its agents, by name; the engine's own words where absent
 */
export function createAgents(tools: ToolsByAgent, words: CompanyProfile['agents'] = {}): readonly HubAgent[] {
  return Object.entries(AGENTS).map(([name, agent]) => ({ ...agent(tools[name] ?? []), ...words[name] }));
}
