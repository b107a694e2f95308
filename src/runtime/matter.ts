import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { ActionTool, Matter, ToolDeps } from './define-tool.js';

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
