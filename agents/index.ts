import type { CompanyProfile } from '../src/core/domain/company.js';
import { HubError } from '../src/core/errors.js';
import { type ToolsByAgent, toolsOf } from '../src/runtime/roster.js';
import { accountAgent } from './account/agent.js';
import { accountPolicy } from './account/offline.js';
import { actionAgent } from './action/agent.js';
import { actionPolicy } from './action/offline.js';
import { investigationAgent } from './investigation/agent.js';
import { knowledgeAgent } from './knowledge/agent.js';
import type { AgentSpec, HubAgent } from './offline-support.js';

/** The agents of any company. With its own they are who the supervisor can hand a request to. */
const AGENTS: Readonly<Record<string, AgentSpec>> = {
  knowledge: knowledgeAgent,
  account: accountAgent,
  action: actionAgent,
  investigation: investigationAgent,
};

const NOTHING = { agents: [], tools: [] };

/** For an agent that brings none. */
const ANY_PROMPT = new URL('./prompt.md', import.meta.url);

/**
 * The agents, each with its tools.
 * @param tools the engine's and the company's, by name of the agent, and the agents of the company's own
 * @param company how the company describes its agents, by name, the engine's own words where absent; and what it has not on
 * @param specs those that ship where absent
 * @throws HubError `config_invalid` where tools or words are given to an agent that there is not, or an agent takes the
 * requests of a route that no agent has, or what is switched off is not there or cannot be spared
 */
export function createAgents(
  tools: ToolsByAgent,
  { agents: words, off }: Pick<CompanyProfile, 'agents' | 'off'> = { agents: {}, off: NOTHING },
  specs: Readonly<Record<string, AgentSpec>> = AGENTS,
): readonly HubAgent[] {
  const own = Object.entries(tools).flatMap(([name, given]) =>
    'tools' in given
      ? [[name, (): ReturnType<AgentSpec> => ({ prompt: ANY_PROMPT, ...given })] as const]
      : [],
  );
  const made = Object.entries({ ...specs, ...Object.fromEntries(own) }).map(([name, agent]) => {
    const having = toolsOf(tools[name]).filter((tool) => !off.tools.includes(tool.name));
    const changes = having.some(({ effect }) => effect === 'irreversible');
    const rules = { prefetch: () => [], offline: changes ? actionPolicy : accountPolicy };
    return { ...rules, ...agent(having), ...words[name], name };
  });
  const refuse = (given: Iterable<string>, known: readonly string[], what: string, where?: string) => {
    for (const name of given)
      if (!known.includes(name))
        throw new HubError(
          'config_invalid',
          `${what} "${name}", which is none of ${known.join(', ')}`,
          where === undefined ? { name } : { name, where },
        );
  };
  const names = made.map(({ name }) => name);
  refuse(Object.keys(tools), names, 'Tools are given to the agent');
  refuse(Object.keys(words), names, 'company.yaml describes the agent', 'agents');
  const routes = made.map(({ route }) => route);
  for (const { name, alsoTakes = [] } of made)
    refuse(alsoTakes, routes, `The agent ${name} also takes the route`);
  // The first takes what no other is for.
  const [, ...spared] = names;
  refuse(off.agents, spared, 'company.yaml switches off the agent', 'off.agents');
  const agents = made.filter(({ name }) => !off.agents.includes(name));
  const needed = agents.flatMap(({ needs = [] }) => needs);
  const known = [...new Set(Object.values(tools).flatMap((given) => toolsOf(given).map(({ name }) => name)))];
  refuse(
    off.tools,
    known.filter((name) => !needed.includes(name)),
    'company.yaml switches off the tool',
    'off.tools',
  );
  return agents;
}
