import { createAgents } from '../../agents/index.js';
import { triageAgent } from '../../agents/triage/agent.js';
import { createRoster } from '../../src/runtime/roster.js';
import { TOOLS as SHIPPED } from '../../tools/index.js';

/** Which agent may call what in the hub that ships. */
export const TOOLS = { triage: triageAgent.tools, ...SHIPPED };

/** The agents that ship, with their tools. */
export const AGENTS = createAgents(SHIPPED);

/** All tools that ship. */
export const ROSTER = createRoster(Object.values(TOOLS).flat());
