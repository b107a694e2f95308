import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { ActionTool, Matter, ToolDeps } from './define-tool.js';
import { releaseAction } from './release-action.js';

/** What a stored question is about, as its customer speaks of it. */
export function matterOf(
  tool: ActionTool,
  deps: ToolDeps,
  { args, customerId }: PendingAction,
  language: Language,
): Promise<Matter> {
  return tool.matter(deps, tool.input.parse(args), customerId, { language });
}

/** What a customer is told who has taken a request back. */
export async function withdrawnText(
  tool: ActionTool,
  deps: ToolDeps,
  withdrawn: PendingAction,
  language: Language,
): Promise<string> {
  const { unchanged } = await matterOf(tool, deps, withdrawn, language);
  return deps.texts.for(language).say('withdrawn', { unchanged });
}

/** What was done, in the customer's language; null where nothing was. */
export async function outcomeOf(
  tool: ActionTool,
  deps: ToolDeps,
  row: PendingAction,
  language: Language,
): Promise<string | null> {
  if (!(await deps.effects.findOutcome(row.pendingId))) return null;
  // The effect is there, so this only reads what it was.
  const data = await releaseAction(tool, deps, row, language);
  return tool.describe(tool.output.parse(data), deps.texts.for(language), deps.time);
}
