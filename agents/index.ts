import type { ToolsByAgent } from '../src/runtime/roster.js';
import { accountAgent } from './account/agent.js';
import { actionAgent } from './action/agent.js';
import { investigationAgent } from './investigation/agent.js';
import { knowledgeAgent } from './knowledge/agent.js';
import type { AgentSpec, HubAgent } from './offline-support.js';

/** Who the supervisor can hand a request to. Routing, Studio names and agent cards derive from it. */
const AGENTS: readonly AgentSpec[] = [knowledgeAgent, accountAgent, actionAgent, investigationAgent];

/**
 * The agents that ship, each with its tools.
 * @param tools the engine's and the company's, by name of the agent
 */
export function createAgents(tools: ToolsByAgent): readonly HubAgent[] {
  return AGENTS.map((agent) => ({ ...agent, tools: tools[agent.name] ?? [] }));
}
