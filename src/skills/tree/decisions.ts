import type { Condition, Scope } from '../expressions/condition.js';
import { compileCondition } from '../expressions/condition.js';
import type { Pack } from '../pack/pack.js';
import type { TreeDecision, TreeStep } from '../pack/tree-schema.js';

interface CompiledDecision {
  readonly name: string;
  readonly condition: Condition;
  readonly decision: TreeDecision;
}

/** The conditions of a step, read once. */
export interface CompiledStep {
  readonly id: string;
  readonly step: TreeStep;
  readonly preConditions: readonly Condition[];
  readonly decisions: readonly CompiledDecision[];
}

/** @throws HubError `expression_invalid`; a pack that was validated has none */
export function compileSteps(pack: Pack): ReadonlyMap<string, CompiledStep> {
  return new Map(
    Object.entries(pack.tree?.steps ?? {}).map(([id, step]) => [
      id,
      {
        id,
        step,
        preConditions: step.pre_conditions.map(compileCondition),
        decisions: Object.entries(step.decisions).map(([name, decision]) => ({
          name,
          condition: compileCondition(decision.condition),
          decision,
        })),
      },
    ]),
  );
}

export type Decided =
  | { readonly kind: 'taken'; readonly name: string; readonly decision: TreeDecision }
  | { readonly kind: 'none'; readonly notes: readonly string[] };

/** The first decision whose condition holds, in the order written. */
export function decide({ decisions }: CompiledStep, scope: Scope): Decided {
  const notes: string[] = [];
  for (const { name, condition, decision } of decisions) {
    const { holds, note } = condition.judge(scope);
    if (holds) return { kind: 'taken', name, decision };
    if (note !== undefined) notes.push(`${name}: ${note}`);
  }
  return { kind: 'none', notes };
}

/** The first pre-condition that does not hold, null where all do. */
export function unmetPreCondition({ preConditions }: CompiledStep, scope: Scope): string | null {
  return preConditions.find((condition) => !condition.holds(scope))?.text ?? null;
}
