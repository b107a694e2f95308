import type { Deed } from '../core/domain/deed.js';
import type { ToolTrace } from '../core/domain/session.js';
import type { ActionTool, AnyTool, ToolRoster } from './define-tool.js';

/** Makes the roster from the tools of each agent; a tool may be in the hands of several. */
export function createRoster(byAgent: Readonly<Record<string, readonly AnyTool[]>>): ToolRoster {
  const all = new Map(
    Object.values(byAgent)
      .flat()
      .map((tool): [string, AnyTool] => [tool.name, tool]),
  );
  const actions = [...all.values()].filter((tool): tool is ActionTool => tool.effect === 'irreversible');
  return {
    all,
    actions,
    forAgent: (agent) => byAgent[agent] ?? [],
    findAction: (name) => actions.find((action) => action.name === name) ?? null,
  };
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
