import type { Scope } from '../core/domain/access.js';
import type { AnyTool } from './define-tool.js';

/**
 * What a token must hold for a tool: nothing for what anybody may ask, `account:read` for the customer's record,
 * `action:write` for every change.
 */
export function scopeOf(tool: Pick<AnyTool, 'access' | 'effect' | 'name'>): Scope | null {
  if (tool.effect !== 'read') return 'action:write';
  if (tool.name === 'investigate') return 'skill:run';
  return tool.access === 'customer' ? 'account:read' : null;
}

/** The scope that is needed and not held; null where nothing is missing. @param held absent: no limits */
export function missingScope(
  tool: Pick<AnyTool, 'access' | 'effect' | 'name'>,
  held: readonly Scope[] | undefined,
): Scope | null {
  const needed = scopeOf(tool);
  return needed === null || held === undefined || held.includes(needed) ? null : needed;
}

/** For a model: what to say instead. */
export function scopeAdvice(scope: Scope): string {
  return `The program the customer uses was not given the right "${scope}". Say that this cannot be done from there, and that the customer can do it in the chat of the company.`;
}
