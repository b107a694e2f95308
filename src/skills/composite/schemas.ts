import { z } from 'zod';
import type { CompositeStepResult } from '../../core/domain/composite-result.js';
import { isObject, type JsonValue } from '../../core/domain/json.js';
import type { SkillHandoff, SkillResult } from '../../core/domain/skill.js';
import type { Pack } from '../pack/pack.js';

const name = z.string().max(64);
const fraction = z.number().min(0).max(1);
const fault = z.object({ code: z.string(), message: z.string() });
const json = z.custom<JsonValue>((value) => value !== undefined);

const traceSchema = z.object({
  level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  decided: z.string(),
  by: z.enum(['rule', 'model', 'fallback']),
  reason: z.string(),
  duration_ms: z.number(),
  step: z.string().exactOptional(),
  plan: json.exactOptional(),
  input: json.exactOptional(),
  output: json.exactOptional(),
  confidence: z.number().exactOptional(),
  cost_usd: z.number().exactOptional(),
});

/** Level 0: which parts run, how, and why. The model's own answer is `routeAnswerSchema` of the router. */
export const intentSchema = z.object({
  parts: z.array(name),
  mode: z.enum(['parallel', 'sequential']),
  complexity: z.number().int().min(1).max(10),
  reason: z.string(),
  trace: z.array(traceSchema),
  /** Parts that the same words name, so that what they find is about the same thing. */
  rivals: z.array(z.array(name)).exactOptional(),
});
export type Intent = z.infer<typeof intentSchema>;

/** Level 1: one step of the execution plan. */
const planStepSchema = z.object({
  /** From 1, in the order of a sequential run. */
  step: z.number().int().min(1),
  part: name,
  /** Parts without which this one cannot do its work. */
  depends_on: z.array(name),
  /** Parts that are merely waited for. */
  after: z.array(name),
  /** Where inputs come from, as the pack or the model says. */
  inputs: z.record(z.string(), json),
  /** Set where the step cannot be run at all. */
  refused: fault.optional(),
});
export type PlanStep = z.infer<typeof planStepSchema>;

export const planSchema = z.object({ steps: z.array(planStepSchema), trace: z.array(traceSchema) });
export type Plan = z.infer<typeof planSchema>;

/** Level 1: what the model says where the data flow is unclear. */
export const planAnswerSchema = z.object({
  steps: z
    .array(
      z.object({
        part: name,
        depends_on: z.array(name).max(30).default([]),
        inputs: z.record(z.string().max(100), z.string().max(300)).default({}),
      }),
    )
    .max(30),
  reason: z.string().max(2_000).default(''),
  confidence: fraction,
});
export type PlanAnswer = z.infer<typeof planAnswerSchema>;

/** Level 2: what the model infers for fields that nothing gives. */
export const parametersAnswerSchema = z.object({
  values: z
    .array(
      z.object({
        field: z.string().max(100),
        value: z.unknown(),
        confidence: fraction,
        reason: z.string().max(1_000).default(''),
      }),
    )
    .max(50),
});

/** Level 3: how one run of a step ended, or why it waits; what the journal keeps of it. */
export const stepRecordSchema = z.object({
  status: z.enum(['done', 'failed', 'skipped', 'waiting', 'asking']),
  part: name,
  iteration: z.number().int().min(1),
  result: z.custom<SkillResult>().nullable(),
  output: json.nullable(),
  error: fault.nullable(),
  /** Why it was skipped. */
  reason: z.string().nullable(),
  /** Skipped because something failed, not because it was not chosen. */
  by_failure: z.boolean(),
  duration_ms: z.number(),
  attempts: z.number(),
  cached: z.boolean(),
  /** Names the call for what shares its result; null where nothing may. */
  key: z.string().nullable(),
  handoff: z.custom<SkillHandoff>().nullable(),
  /** `asking`: the input as far as it is known, and what was guessed. */
  known: z.record(z.string(), json),
  guessed: z.record(z.string(), json),
  trace: z.array(traceSchema),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;

/** Level 4: how the model words the outcome. */
export const synthesisAnswerSchema = z.object({
  summary: z.string().trim().min(1).max(4_000),
  user_message: z.string().trim().min(1).max(8_000),
  next_actions: z.array(z.string().trim().min(1).max(500)).max(10).default([]),
});
export type SynthesisAnswer = z.infer<typeof synthesisAnswerSchema>;

/**
 * What other steps see of a step: the value of its result; of a generation the data, of a composite its own output. Not how long an
 * investigation took: a number that is measured would be one that was found.
 */
export function outputOf(result: SkillResult): JsonValue {
  switch (result.kind) {
    case 'generation':
      return result.value.data ?? null;
    case 'composite':
      return result.value.output;
    case 'plain':
      return result.value;
    case 'investigation': {
      const { time_to_investigate: _took, ...found } = result.value;
      return found as unknown as JsonValue;
    }
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

/** A step as the composite's result shows it. @param unreached why it did not run, where no record says so */
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
