import type { SwitchedOff } from '../core/domain/company.js';
import type { Deed } from '../core/domain/deed.js';
import { createIntentTable, type IntentInfo, type IntentTable } from '../core/domain/intent.js';
import type { ToolTrace } from '../core/domain/session.js';
import type { Route, Translated } from '../core/domain/taxonomy.js';
import type { AgentDefinition } from './agent-definition.js';
import type { ActionTool, AnyTool, ToolRoster } from './define-tool.js';

/**
 * An agent of a company's own, with its tools. Where it brings no prompt, it has one made of its description; its rules
 * without a model are that it calls the tool that does what is wanted, and says what that tool says.
 */
export type OwnAgent = Omit<AgentDefinition, 'name' | 'prefetch' | 'prompt'> &
  Partial<Pick<AgentDefinition, 'prefetch' | 'prompt'>>;

/** Which tools each agent has, by its name; an agent of the company's own stands here itself. */
export type ToolsByAgent = Readonly<Record<string, readonly AnyTool[] | OwnAgent>>;

/** The tools that an agent is given. */
export function toolsOf(given: ToolsByAgent[string] = []): readonly AnyTool[] {
  return 'tools' in given ? given.tools : given;
}

/** The tools of both, each agent's of the first before those of the second. */
export function withTools(first: ToolsByAgent, second: ToolsByAgent): ToolsByAgent {
  const merged = Object.entries(second).map(([agent, given]) => {
    const tools = [...toolsOf(first[agent]), ...toolsOf(given)];
    return [agent, 'tools' in given ? { ...given, tools } : tools] as const;
  });
  return { ...first, ...Object.fromEntries(merged) };
}

/**
 * Makes the roster.
 * @param tools those of all agents; a tool may be in the hands of several
 * @param operatorActions those that no agent has
 */
export function createRoster(
  tools: readonly AnyTool[],
  operatorActions: readonly ActionTool[] = [],
): ToolRoster {
  const ofAgents = new Map(tools.map((tool): [string, AnyTool] => [tool.name, tool]));
  const actions = [...ofAgents.values()].filter((tool): tool is ActionTool => tool.effect === 'irreversible');
  return {
    all: new Map([...ofAgents, ...operatorActions.map((tool): [string, AnyTool] => [tool.name, tool])]),
    actions,
    operatorActions,
    findAction: (name) => [...actions, ...operatorActions].find((action) => action.name === name) ?? null,
  };
}

/** What tools say by themselves, by `NAME.PART`, and what agents say they are for, by `purpose.NAME`. */
export function sentencesOf(
  tools: Iterable<AnyTool>,
  agents: readonly Pick<AgentDefinition, 'name' | 'purpose'>[] = [],
): ReadonlyMap<string, Translated> {
  const said = [...tools].flatMap(({ name, says = {} }) =>
    Object.entries(says).map(([part, text]) => [`${name}.${part}`, text] as const),
  );
  const purposes = agents.flatMap(({ name, purpose }) =>
    purpose === undefined ? [] : [[`purpose.${name}`, purpose] as const],
  );
  return new Map([...said, ...purposes]);
}

/**
 * The intents, each that a tool says it does with that tool: who wants it is led to the agent that has the tool.
 * @returns the same table where no tool says so
 */
export function withDoers(
  intents: IntentTable,
  agents: readonly { readonly route: Route; readonly tools: readonly AnyTool[] }[],
): IntentTable {
  const done = new Map<string, IntentInfo>();
  for (const { route, tools } of agents)
    for (const { name: tool, does = [], access, lists } of tools)
      for (const name of does) {
        if (!intents.has(name) || done.has(name) || intents.of(name).tool !== null) continue;
        const { entity, ...intent } = intents.of(name);
        const own = { tool, route, entity: entity ?? lists?.entity ?? null };
        done.set(name, { ...intent, ...own, needsSignIn: access === 'customer', selfService: false });
      }
  if (done.size === 0) return intents;
  return createIntentTable(intents.names.map((name) => done.get(name) ?? intents.of(name)));
}

/**
 * The intents of a company that has some agents or tools not on: what these would have done is a question, which is answered by
 * what there is.
 * @param on the agents that are on
 * @param given the tools of those that are off too
 * @returns the same table where nothing is off
 */
export function withoutOff(
  intents: IntentTable,
  { agents, tools }: SwitchedOff,
  on: readonly { readonly route: Route; readonly tools: readonly AnyTool[] }[],
  given: ToolsByAgent,
): IntentTable {
  const [first] = on;
  if (agents.length + tools.length === 0 || first === undefined) return intents;
  const used = new Set(on.flatMap((agent) => agent.tools.map(({ name }) => name)));
  const all = [...tools, ...Object.values(given).flatMap((one) => toolsOf(one).map(({ name }) => name))];
  const idle = new Set(all.filter((name) => !used.has(name)));
  return createIntentTable(
    intents.names.map((name) => {
      const intent = intents.of(name);
      if (!agents.includes(intent.route) && !idle.has(intent.tool ?? '')) return intent;
      // It is looked into as before; only what it recommends is not there.
      if (intent.group === 'symptom' && !agents.includes(intent.route))
        return { ...intent, tool: null, args: {}, slots: {} };
      const question = { group: 'knowledge', route: first.route, needsSignIn: false } as const;
      return { ...intent, ...question, tool: null, args: {}, slots: {} };
    }),
  );
}

/** The tools that add nothing beside this one. @param result what it gave; absent where it has not run */
export function sparedBy({ spares = [], output }: AnyTool, result?: unknown): readonly string[] {
  if (typeof spares !== 'function') return spares;
  const given = output.safeParse(result);
  return given.success ? spares(given.data) : [];
}

/** What an answer may say was done, because this call did it; nothing where it failed or only reads. */
export function claimsOf(
  roster: ToolRoster,
  { tool: name, ok, result }: Pick<ToolTrace, 'tool' | 'ok' | 'result'>,
): readonly Deed[] {
  const tool = ok ? roster.all.get(name) : undefined;
  const output = tool?.claims ? tool.output.safeParse(result) : undefined;
  return output?.success ? (tool?.claims?.(output.data) ?? []) : [];
}
