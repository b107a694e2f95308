import type { IntentTable } from '../core/domain/intent.js';
import { ESCALATION_ROUTE, type IssueType, type Route } from '../core/domain/taxonomy.js';
import type { ActionTool, AnyTool } from './define-tool.js';

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
