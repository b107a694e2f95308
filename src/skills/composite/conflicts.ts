import { contradictionsAmong, differs, whatIsSaid } from '../../core/contradictions.js';
import type { CompositeConflict } from '../../core/domain/composite-result.js';
import { isObject } from '../../core/domain/json.js';
import type { InvestigationResult } from '../../core/domain/skill.js';
import type { CompositeEnv } from './composite-env.js';
import { choosesAmongAll } from './part-packs.js';
import { waitsFor } from './plan-order.js';
import type { Intent, Plan, StepRecord } from './schemas.js';
import type { Settled } from './variables.js';

type Said = CompositeConflict['said'][number];

/**
 * Where parts that do not build on each other contradict each other: causes of one matter, actions on one record, and, of
 * skills chosen for a request, values of one field.
 */
export function conflictsIn(
  env: CompositeEnv,
  { rivals = [] }: Pick<Intent, 'rivals'>,
  { plan, records }: { readonly plan: Plan; readonly records: Settled },
): readonly CompositeConflict[] {
  const done = plan.steps.flatMap(({ part }) => {
    const record = records.get(part);
    return record?.status === 'done' ? [record] : [];
  });
  const found = done.flatMap(({ part, result }) =>
    result?.kind === 'investigation' ? [findingOf(part, result.value)] : [],
  );
  const contradictions = contradictionsAmong(
    found,
    rivals.map((group) => found.filter(({ step }) => group.includes(step))),
    ({ step: one }, { step: other }) => waitsFor(plan, one, other) || waitsFor(plan, other, one),
  );
  return [...contradictions.map(whatIsSaid), ...(choosesAmongAll(env.pack) ? fieldsIn(done) : [])];
}

function findingOf(step: string, { root_cause: cause, recommended_action: advice }: InvestigationResult) {
  return { step, cause, action: advice && { action: advice.action, arguments: advice.arguments ?? {} } };
}

/** Single values of one name that skills chosen for one request give differently. */
function fieldsIn(done: readonly StepRecord[]): readonly CompositeConflict[] {
  const byField = new Map<string, Said[]>();
  for (const { part, result, output } of done) {
    if (result?.kind !== 'plain' && result?.kind !== 'generation') continue;
    for (const [field, value] of Object.entries(isObject(output) ? output : {})) {
      if (value === undefined || value === null || typeof value === 'object') continue;
      if (typeof value === 'string' && value.length > MAX_VALUE) continue;
      byField.set(field, [...(byField.get(field) ?? []), { step: part, value }]);
    }
  }
  return [...byField].flatMap(([about, said]) =>
    differs(said.map(({ value }) => value)) ? [{ about, said }] : [],
  );
}

/** A longer text is a text of its own and no value to agree on. */
const MAX_VALUE = 80;
