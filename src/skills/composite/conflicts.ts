import type { CompositeConflict } from '../../core/domain/composite-result.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
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
  const apart = (one: string, other: string): boolean =>
    one !== other && !waitsFor(plan, one, other) && !waitsFor(plan, other, one);
  const causes = rivals.flatMap((group) => {
    const said = done.flatMap(({ part, result }) =>
      group.includes(part) && result?.kind === 'investigation' && result.value.root_cause !== null
        ? [{ step: part, value: result.value.root_cause }]
        : [],
    );
    return differs(said) ? [{ about: 'root_cause', said }] : [];
  });
  return [...causes, ...actionsIn(done, apart), ...(choosesAmongAll(env.pack) ? fieldsIn(done) : [])];
}

/** Different things recommended for the same record, or the same thing with other figures. */
function actionsIn(
  done: readonly StepRecord[],
  apart: (one: string, other: string) => boolean,
): readonly CompositeConflict[] {
  const advised = done.flatMap(({ part, result }) => {
    const action = result?.kind === 'investigation' ? result.value.recommended_action : null;
    return action === null ? [] : [{ step: part, action: action.action, given: action.arguments ?? {} }];
  });
  return advised.flatMap((one, at) =>
    advised.slice(at + 1).flatMap((other): CompositeConflict[] => {
      const isSame = one.action === other.action && sameText(one.given, other.given);
      if (isSame || !apart(one.step, other.step) || !namesSame(one.given, other.given)) return [];
      const value = ({ action, given }: typeof one): JsonValue => ({ action, arguments: given });
      const said = [one, other].map((each) => ({ step: each.step, value: value(each) }));
      return [{ about: 'recommended_action', said }];
    }),
  );
}

/** Whether both are about one record: an id with the same value. */
function namesSame(one: JsonObject, other: JsonObject): boolean {
  return Object.entries(one).some(
    ([name, value]) => /(?:^|_)id$/.test(name) && Object.hasOwn(other, name) && other[name] === value,
  );
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
  return [...byField].flatMap(([about, said]) => (differs(said) ? [{ about, said }] : []));
}

/** A longer text is a text of its own and no value to agree on. */
const MAX_VALUE = 80;

function differs(said: readonly Said[]): boolean {
  return new Set(said.map(({ value }) => JSON.stringify(value))).size > 1;
}

function sameText(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** For the one who runs the skill: `They disagree on root_cause: a says x, b says y.` */
export function sayConflicts(conflicts: readonly CompositeConflict[]): string {
  return conflicts
    .map(({ about, said }) => {
      const each = said.map(({ step, value }) => `${step} says ${shortly(value)}`);
      return `They disagree on ${about}: ${each.join(', ')}.`;
    })
    .join(' ');
}

function shortly(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SAID ? `${text.slice(0, MAX_SAID)}…` : text;
}

const MAX_SAID = 160;
