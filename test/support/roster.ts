import { createAgents } from '../../agents/index.js';
import { triageAgent } from '../../agents/triage/agent.js';
import { cultpassTools } from '../../companies/cultpass/tools/index.js';
import type { CultpassDeps } from '../../companies/cultpass/tools/shapes.js';
import type { ToolRoster } from '../../src/runtime/define-tool.js';
import { createRoster, type ToolsByAgent, toolsOf, withTools } from '../../src/runtime/roster.js';
import { engineTools } from '../../tools/index.js';
import { policy } from '../unit/policy/fixtures.js';
import { CULTPASS } from './company.js';

/** Which agent may call what in the hub that ships, over what CultPass reads and does. */
export function toolsOver(own: Omit<CultpassDeps, 'policy'>): ToolsByAgent {
  const company = cultpassTools({ ...own, policy: policy.company });
  return withTools(engineTools({ entities: ['reservation'] }), company);
}

/** Says no to every call: for tests that only look at what there is. */
const nothing = <T extends object>(): T =>
  new Proxy({} as T, {
    get: (_, name) => () => Promise.reject(new Error(`${String(name)} is not there in this test`)),
  });

/** The tools over no data at all. */
const TOOLS = toolsOver({ customers: nothing(), customerWrites: nothing() });

/** Classifies, and is handed no request. */
export const TRIAGE = triageAgent;

/** The agents that ship, with their tools. */
export const AGENTS = createAgents(TOOLS, CULTPASS);

/** All tools that ship, those of triage among them. */
export const rosterOf = (tools: ToolsByAgent): ToolRoster =>
  createRoster([...triageAgent.tools, ...Object.values(tools).flatMap(toolsOf)]);

/** The same over no data at all. */
export const ROSTER = rosterOf(TOOLS);
