import type { SwitchedOff } from '../core/domain/company.js';
import type { Deed } from '../core/domain/guardrail.js';
import { createIntentTable, type IntentInfo, type IntentTable } from '../core/domain/intent.js';
import type { ToolTrace } from '../core/domain/session.js';
import { ESCALATION_ROUTE, type IssueType, type Route, type Translated } from '../core/domain/taxonomy.js';
import type { AgentDefinition } from './agent-definition.js';
import type { ActionTool, AnyTool, ToolRoster } from './define-tool.js';

/**
 * An agent of a company's own, with its tools. Where it brings no prompt, it has one made of its description; its rules
 * without a model are that it calls the tool that does what is wanted, and says what that tool says.
 */
export type OwnAgent = Omit<AgentDefinition, 'name' | 'prefetch' | 'prompt'> &
  Partial<Pick<AgentDefinition, 'prefetch' | 'prompt'>>;

/** Which tools each agent has, by its name; an agent of the company's own is here itself. */
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
 * @param tools those of all agents; several agents may have the same tool
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

/** What a tool or an intent says that nothing there is answers to, and what to do. */
export interface RosterProblem {
  readonly of: 'tool' | 'intent';
  readonly problem: string;
  readonly remedy: string;
}

/** What is held against one another. */
export interface RosterParts {
  readonly agents: readonly { readonly name: string; readonly tools: readonly AnyTool[] }[];
  readonly operatorActions: readonly ActionTool[];
  /** The routes that lead to an agent. */
  readonly routes: readonly Route[];
  readonly intents: IntentTable;
  /** Ids of the company's entities. */
  readonly entities: readonly string[];
  readonly issueTypes: readonly IssueType[];
}

/**
 * Names that tools and intents give one another, of which nothing there is has that name: each would be passed over in
 * silence. What an agent says is checked where the agents are made.
 */
export function rosterProblems(parts: RosterParts): readonly RosterProblem[] {
  return [...toolProblems(parts), ...intentProblems(parts)];
}

function toolProblems({
  agents,
  operatorActions,
  entities,
  intents,
  issueTypes,
}: RosterParts): readonly RosterProblem[] {
  const problems: RosterProblem[] = [];
  const all = [...new Set([...agents.flatMap(({ tools }) => tools), ...operatorActions])];
  const names = all.map(({ name }) => name);
  for (const tool of all) {
    const demand = (
      given: string,
      known: readonly string[],
      what: string,
      remedy = `Use one of ${known.join(', ')}.`,
    ) => {
      if (!known.includes(given))
        problems.push({
          of: 'tool',
          problem: `The tool ${tool.name} ${what} "${given}", which there is not.`,
          remedy,
        });
    };
    const inputs = Object.keys(tool.input.shape);
    if (
      names.indexOf(tool.name) !== names.lastIndexOf(tool.name) &&
      all.find(({ name }) => name === tool.name) !== tool
    )
      problems.push({
        of: 'tool',
        problem: `There are two tools of the name ${tool.name}.`,
        remedy:
          'Give one of them another name; where both are the same one, make it once and hand it to each agent.',
      });
    if (tool.lists)
      demand(
        tool.lists.entity,
        entities,
        'lists the entity',
        'Use the name of a file in entities/, or write that file.',
      );
    for (const name of tool.does ?? []) {
      demand(name, intents.names, 'does the intent', 'Use a name of intents/intents.yaml, or add it there.');
      const other = intents.has(name) ? intents.of(name).tool : tool.name;
      if (other === tool.name) continue;
      const why = other === null ? 'and no agent has the tool' : `which ${other} does already`;
      const problem = `The tool ${tool.name} does the intent ${name}, ${why}.`;
      problems.push({ of: 'tool', problem, remedy: 'Give it to one tool of one agent.' });
    }
    for (const { name } of tool.asks?.inputs ?? []) demand(name, inputs, 'asks for the input');
    if (Array.isArray(tool.spares))
      for (const spared of tool.spares) demand(spared, names, 'spares the tool');
    if (tool.effect !== 'irreversible') continue;
    demand(
      tool.issueType,
      issueTypes,
      'has the issue type',
      'Use an id of issue_types in company.yaml, or add it there.',
    );
    if (!tool.target) continue;
    const { entity, input } = tool.target;
    demand(input, inputs, 'takes the record that it changes as the input');
    for (const agent of agents.filter(({ tools }) => tools.includes(tool)))
      if (!agent.tools.some(({ lists }) => lists?.entity === entity))
        problems.push({
          of: 'tool',
          problem: `The tool ${tool.name} changes a ${entity}, and no tool of its agent ${agent.name} lists them.`,
          remedy: `Give the agent ${agent.name} a tool that \`lists\` the entity ${entity}.`,
        });
  }
  return problems;
}

function intentProblems({ agents, routes, intents }: RosterParts): readonly RosterProblem[] {
  const tools = new Map(agents.flatMap((agent) => agent.tools.map((tool) => [tool.name, tool] as const)));
  const leads = [...routes, ESCALATION_ROUTE];
  return intents.names.flatMap((name) => {
    const { route, tool: toolName, args, slots } = intents.of(name);
    const problem = (what: string, known: Iterable<string>): RosterProblem => ({
      of: 'intent',
      problem: `The intent ${name} ${what}`,
      remedy: `Use one of ${[...known].join(', ')}.`,
    });
    const tool = toolName === null ? null : tools.get(toolName);
    const inputs = Object.keys(tool?.input.shape ?? {});
    return [
      ...(leads.includes(route)
        ? []
        : [problem(`has the route "${route}", which no agent declares.`, leads)]),
      ...(tool === undefined
        ? [problem(`has the tool "${toolName}", which there is not.`, tools.keys())]
        : []),
      ...(tool ? Object.keys({ ...args, ...slots }) : [])
        .filter((input) => !inputs.includes(input))
        .map((input) => problem(`gives ${tool?.name} the input "${input}", which it does not take.`, inputs)),
    ];
  });
}
