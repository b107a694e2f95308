import type { Turn } from '../../shared/api-types.js';

type Call = Turn['tool_calls'][number];

/** One stop of a turn's way: where the graph went, or a tool that was called there. */
type TurnStep = (
  | { readonly kind: 'node'; readonly to: string; readonly why: string }
  | { readonly kind: 'tool'; readonly call: Call }
) & {
  /** Milliseconds from the beginning of the turn to this step; null where that was not noted. */
  readonly after: number | null;
};

/**
 * The way of a turn in the order in which it was gone: each place, and under it the tools that its agent called there. A tool
 * of an agent that the way does not name comes first where it was called before the way began, else last.
 */
export function stepsOf({
  route,
  tool_calls: calls,
  created_at: ended,
  total_ms: took,
}: Pick<Turn, 'route' | 'tool_calls' | 'created_at' | 'total_ms'>): readonly TurnStep[] {
  const began = Date.parse(ended) - took;
  // What was done before a question was answered belongs to an earlier turn, and has no place on this one's clock.
  const after = (at: string | null): number | null =>
    at === null || Date.parse(at) < began - 1 ? null : Math.max(0, Date.parse(at) - began);
  const left = [...calls];
  const steps: TurnStep[] = [];
  for (const [index, { to, why, at }] of route.entries()) {
    steps.push({ kind: 'node', to, why, after: after(at) });
    // Where an agent is visited again, what it called belongs to its last visit.
    if (route.slice(index + 1).some((later) => later.to === to)) continue;
    for (let next = 0; next < left.length; ) {
      const call = left[next];
      if (call?.agent !== to) next += 1;
      else {
        steps.push({ kind: 'tool', call, after: after(call.at) });
        left.splice(next, 1);
      }
    }
  }
  const others = left.map((call) => ({ kind: 'tool' as const, call, after: after(call.at) }));
  const start = steps[0]?.after ?? 0;
  const isEarlier = (step: TurnStep): boolean => step.after !== null && step.after <= start;
  return [...others.filter(isEarlier), ...steps, ...others.filter((step) => !isEarlier(step))];
}
