import type { JsonObject } from '../../core/domain/json.js';
import type { Scope } from '../expressions/condition.js';
import type { StepRecord } from './schemas.js';

/** The latest settled record of each part. */
export type Settled = ReadonlyMap<string, StepRecord>;

/**
 * What conditions and `inputs` of a composite may look at: the input's fields by name, `input`, each part by its name, by
 * `steps.<name>` and as `step_1`, `step_2` in the order of the pack, and `now`. A part that has not run is null.
 */
export function variablesOf(input: JsonObject, parts: readonly string[], settled: Settled, now: Date): Scope {
  const views = parts.map((part) => [part, viewOf(settled.get(part))] as const);
  return {
    ...input,
    input,
    now,
    ...Object.fromEntries(views.map(([, view], index) => [`step_${index + 1}`, view])),
    steps: Object.fromEntries(views),
    ...Object.fromEntries(views),
  };
}

function viewOf(record: StepRecord | undefined): JsonObject | null {
  if (record === undefined) return null;
  return {
    status: record.status,
    output: record.output,
    error: record.error,
    // What a nested composite says beside its output.
    ...(record.result?.kind === 'composite'
      ? { summary: record.result.value.summary, user_message: record.result.value.user_message }
      : {}),
  };
}

/** The parts that dotted names of an expression or a template lead to. */
export function partsNamed(names: readonly string[], parts: readonly string[]): string[] {
  const named = names.flatMap((name) => {
    const [first = '', second = ''] = name.split('.');
    if (parts.includes(first)) return [first];
    if (first === 'steps' && parts.includes(second)) return [second];
    const place = /^step_(\d+)$/.exec(first);
    const part = place === null ? undefined : parts[Number(place[1]) - 1];
    return part === undefined ? [] : [part];
  });
  return [...new Set(named)];
}
