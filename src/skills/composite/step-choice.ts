import { compileCondition, type Scope } from '../expressions/condition.js';
import type { CompositeEnv } from './composite-env.js';
import type { PlanStep } from './schemas.js';
import { hasFailed } from './step-records.js';
import { partsNamed, type Settled } from './variables.js';

/** What becomes of a step whose turn it is. */
export type Choice =
  | { readonly kind: 'run' }
  | { readonly kind: 'skip'; readonly reason: string; readonly by_failure: boolean }
  | { readonly kind: 'fail'; readonly error: { readonly code: string; readonly message: string } };

/**
 * A step is skipped where something it depends on failed, where a condition chooses otherwise, and where nothing of what it
 * depends on was chosen.
 */
export function chooses(env: CompositeEnv, step: PlanStep, records: Settled, scope: Scope): Choice {
  const failed = step.depends_on.filter((name) => hasFailed(records.get(name)));
  if (failed.length > 0) return skip(`It needs ${failed.join(' and ')}, which failed.`, true);
  const condition = byConditions(env, step, records, scope);
  if (condition.kind !== 'run') return condition;
  const unchosen = step.depends_on.filter((name) => records.get(name)?.status === 'skipped');
  if (unchosen.length > 0 && unchosen.length === step.depends_on.length) {
    return skip(`It needs ${unchosen.join(' and ')}, which was not chosen.`, false);
  }
  return { kind: 'run' };
}

/** A part that conditions name runs where one of them chooses it; one that none names always does. */
function byConditions(env: CompositeEnv, step: PlanStep, records: Settled, scope: Scope): Choice {
  const names = env.parts.map((part) => part.name);
  const reasons: string[] = [];
  let byFailure = false;
  for (const { if: text, then, else: otherwise } of env.pack.descriptor.routing?.conditions ?? []) {
    if (!then.includes(step.part) && !otherwise.includes(step.part)) continue;
    const condition = compileCondition(text);
    const failed = partsNamed(condition.names, names).filter((name) => hasFailed(records.get(name)));
    if (failed.length > 0) {
      // A result that is not there would read as "does not hold" and choose `else` for no reason.
      reasons.push(`"${text}" looks at ${failed.join(' and ')}, which failed`);
      byFailure = true;
      continue;
    }
    const { holds, note } = condition.judge(scope);
    if ((holds ? then : otherwise).includes(step.part)) return { kind: 'run' };
    reasons.push(`"${text}" ${holds ? 'holds' : 'does not hold'}${note === undefined ? '' : ` (${note})`}`);
  }
  if (reasons.length === 0) return { kind: 'run' };
  return skip(`Not chosen: ${reasons.join('; ')}.`, byFailure);
}

function skip(reason: string, by_failure: boolean): Choice {
  return { kind: 'skip', reason, by_failure };
}
