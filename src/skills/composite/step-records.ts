import type { CompositeStepResult } from '../../core/domain/composite-result.js';
import { isObject, type JsonValue } from '../../core/domain/json.js';
import type { SkillResult } from '../../core/domain/skill.js';
import type { Pack } from '../pack/pack.js';
import type { StepRecord } from './schemas.js';

/** What other steps see of a step: the value of its result; of a generation the data, of a composite its own output. */
export function outputOf(result: SkillResult): JsonValue {
  switch (result.kind) {
    case 'generation':
      return result.value.data ?? null;
    case 'composite':
      return result.value.output;
    case 'plain':
      return result.value;
    default:
      // Results are made of JSON values only; the interface types just say so in more words.
      return result.value as unknown as JsonValue;
  }
}

/** The fault of a result that came back and is none, null where it is one. */
export function failureOf(result: SkillResult): { readonly code: string; readonly message: string } | null {
  if (result.kind === 'generation' && !result.value.success) {
    return (
      result.value.error ?? {
        code: 'model_bad_output',
        message: `The model's answer does not fit the schema: ${(result.value.validationErrors ?? []).slice(0, 3).join('; ')}`,
      }
    );
  }
  if (result.kind === 'review') return result.value.error ?? null;
  if (result.kind === 'composite' && result.value.success_rate === 0) {
    const [first] = result.value.partial_failures;
    return first === undefined ? null : { code: first.code, message: `${first.step}: ${first.message}` };
  }
  return null;
}

const INVESTIGATION_FIELDS = ['root_cause', 'explanation', 'impact', 'evidence', 'recommended_action'];
const REVIEW_FIELDS = ['pass', 'issues', 'suggested_fixes', 'indeterminate', 'score'];

/** The fields that a skill's output is known to have before it runs. */
export function outputFields(pack: Pack): readonly string[] {
  const declared = Object.keys(propertiesOf(pack.descriptor.output_schema));
  if (pack.descriptor.type === 'composite') return [];
  if (pack.descriptor.type === 'decision_tree') return INVESTIGATION_FIELDS;
  if (pack.descriptor.template_type === 'LLM_REVIEW') return REVIEW_FIELDS;
  if (pack.prompt !== null) return Object.keys(propertiesOf(pack.prompt.output_schema));
  return declared;
}

/** `properties` of a JSON Schema; empty where it names none. */
export function propertiesOf(schema: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  const properties = isObject(schema) ? schema.properties : undefined;
  return isObject(properties) ? (properties as Record<string, JsonValue>) : {};
}

/** `required` of a JSON Schema. */
export function requiredOf(schema: JsonValue | undefined): readonly string[] {
  const required = isObject(schema) ? schema.required : undefined;
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}

/** A record of a step that says nothing yet; the rest is set by what happened. */
export function recordOf(
  part: string,
  iteration: number,
  what: Pick<StepRecord, 'status'> & Partial<StepRecord>,
): StepRecord {
  return {
    part,
    iteration,
    result: null,
    output: null,
    error: null,
    reason: null,
    by_failure: false,
    duration_ms: 0,
    attempts: 0,
    cached: false,
    key: null,
    handoff: null,
    known: {},
    guessed: {},
    trace: [],
    ...what,
  };
}

/** Whether the step has come to its end, well or not. */
export function isSettled(record: StepRecord | null): record is StepRecord {
  return record !== null && record.status !== 'waiting' && record.status !== 'asking';
}

/** Whether nothing that needs this step can do its work. */
export function hasFailed(record: StepRecord | undefined): boolean {
  return record?.status === 'failed' || (record?.status === 'skipped' && record.by_failure);
}

/**
 * A step as the composite's result shows it.
 * @param unreached why it did not run, where no record says so
 */
export function toStepResult(
  step: string,
  skillId: string,
  record: StepRecord | undefined,
  unreached: string,
): CompositeStepResult {
  const shared = { step, skill_id: skillId };
  if (record === undefined || !isSettled(record) || record.status === 'skipped') {
    return {
      ...shared,
      status: 'skipped',
      reason: record?.reason ?? unreached,
      duration_ms: 0,
      attempts: 0,
      cached: false,
    };
  }
  const written = templateOf(record.result);
  return {
    ...shared,
    status: record.status === 'done' ? 'done' : 'failed',
    ...(record.output === null ? {} : { output: record.output }),
    ...(record.error === null ? {} : { error: record.error }),
    duration_ms: record.duration_ms,
    attempts: record.attempts,
    cached: record.cached,
    ...(written === null ? {} : { provider: written.value.provider }),
  };
}

function templateOf(result: SkillResult | null) {
  return result?.kind === 'generation' || result?.kind === 'review' ? result : null;
}
