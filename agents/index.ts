import { accountAgent } from './account/agent.js';
import { actionAgent } from './action/agent.js';
import { investigationAgent } from './investigation/agent.js';
import { knowledgeAgent } from './knowledge/agent.js';
import type { HubAgent } from './offline-support.js';

/** Who the supervisor can hand a request to. Routing, Studio names and agent cards derive from it. */
export const AGENTS: readonly HubAgent[] = [knowledgeAgent, accountAgent, actionAgent, investigationAgent];
