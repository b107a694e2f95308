import type { ToolCall, Turn } from '../../shared/api-types.js';

/** One stop of a turn's way: where the graph went, or a tool that was called there. */
type TurnStep =
  | { readonly kind: 'node'; readonly to: string; readonly why: string }
  | { readonly kind: 'tool'; readonly call: ToolCall };

/**
 * The way of a turn in the order in which it was gone: each place, and under it the tools that its agent called there. A tool
 * of an agent that the way does not name comes last.
 */
export function stepsOf({
  route,
  tool_calls: calls,
}: Pick<Turn, 'route' | 'tool_calls'>): readonly TurnStep[] {
  const left = [...calls];
  const steps: TurnStep[] = [];
  for (const [at, { to, why }] of route.entries()) {
    steps.push({ kind: 'node', to, why });
    // Where an agent is visited again, what it called belongs to its last visit.
    if (route.slice(at + 1).some((later) => later.to === to)) continue;
    for (let index = 0; index < left.length; ) {
      const call = left[index];
      if (call?.agent !== to) index += 1;
      else {
        steps.push({ kind: 'tool', call });
        left.splice(index, 1);
      }
    }
  }
  return [...steps, ...left.map((call) => ({ kind: 'tool' as const, call }))];
}
