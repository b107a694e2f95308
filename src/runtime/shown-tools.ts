import type { AgentContext, AgentDefinition } from './agent-definition.js';
import type { AnyTool, ToolDeps } from './define-tool.js';

/* Which of its tools an agent is shown in a turn, and whether a message plainly asks for one of them. */

/** So many tools are shown whatever is asked: fewer cost less to read than it costs to miss one. */
const MANY = 20;
/** Of more, so many of those that are likeliest asked for. */
const LIKELIEST = 12;

/**
 * Names of the tools that an agent does not see in a turn: a write that is hardly asked for, a change beside another one
 * that is plainly asked for, and of very many all but the likeliest with the lists of the records that those need.
 */
export function hiddenTools(
  tools: readonly AnyTool[],
  context: Pick<AgentContext, 'task' | 'session' | 'trace' | 'focus'>,
  { language }: Pick<ToolDeps, 'language'>,
): readonly string[] {
  const { task, session } = context;
  const changes = tools.filter(({ effect }) => effect === 'irreversible');
  const isPlain = changes.some(({ name }) => language.plainlyAsksFor(task.text, session.language, name));
  const unasked = tools
    .filter(({ effect }) => effect === 'write' || (effect === 'irreversible' && isPlain))
    .map(({ name }) => name)
    .filter((name) => language.hardlyAsksFor(task.text, session.language, name));
  const left = tools.filter(({ name }) => !unasked.includes(name));
  return left.length <= MANY ? unasked : [...unasked, ...allButLikeliest(left, context, language)];
}

function allButLikeliest(
  tools: readonly AnyTool[],
  { task, session, trace, focus }: Pick<AgentContext, 'task' | 'session' | 'trace' | 'focus'>,
  language: ToolDeps['language'],
): readonly string[] {
  // What is asked may lean on what was asked before.
  const chances = [task.text, session.previousMessage ?? ''].flatMap((text) =>
    text === '' ? [] : [language.chances(text, session.language)],
  );
  const isSpokenOf = (name: string): boolean =>
    name === focus?.intent || trace.some(({ tool }) => tool === name);
  // What no sentence is known to ask for may be meant by any.
  const chanceOf = (name: string): number =>
    isSpokenOf(name) ? Number.POSITIVE_INFINITY : Math.max(...chances.map((one) => one.get(name) ?? 1));
  const likeliest = tools
    .map((tool) => ({ tool, chance: chanceOf(tool.name) }))
    .sort((one, other) => other.chance - one.chance)
    .slice(0, LIKELIEST)
    .map(({ tool }) => tool);
  const needed = new Set(likeliest.flatMap(entitiesOf));
  const isShown = (tool: AnyTool): boolean =>
    likeliest.includes(tool) || (tool.lists !== undefined && needed.has(tool.lists.entity));
  return tools.filter((tool) => !isShown(tool)).map(({ name }) => name);
}

/** The entities whose records a tool takes. */
function entitiesOf(tool: AnyTool): readonly string[] {
  const target = tool.effect === 'irreversible' ? tool.target : undefined;
  const inputs = tool.asks?.inputs ?? [];
  return [
    ...(target ? [target.entity] : []),
    ...inputs.flatMap(({ reading }) => (reading.kind === 'record' ? [reading.entity] : [])),
  ];
}

/** From here on a list of what there is is asked for. */
const LIKELY_LIST = 0.5;

/** True where the words plainly ask for what one of the agent's own look-ups finds: no search that found nothing is the end of it. */
export function asksLookUp(
  tools: readonly AnyTool[],
  { needs = [] }: AgentDefinition,
  { task, session, trace }: AgentContext,
  { language }: Pick<ToolDeps, 'language'>,
): boolean {
  const chances = () => language.chances(task.text, session.language);
  return tools.some(
    ({ name, effect, lists }) =>
      effect === 'read' &&
      !needs.includes(name) &&
      !trace.some(({ tool }) => tool === name) &&
      (language.plainlyAsksFor(task.text, session.language, name) ||
        (lists !== undefined && (chances().get(name) ?? 0) >= LIKELY_LIST)),
  );
}
