import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { LANGUAGE_TAG } from '../../core/domain/language.js';
import { HANDOFF_TRIGGERS } from '../../core/domain/skill.js';
import { exchangeSchema, idSchema, jsonSchemaSchema, versionSchema } from './descriptor-schema.js';

const text = z.string().trim().min(1);

export const mappingSchema = z.strictObject({
  source: idSchema,
  description: text.optional(),
  /** SQL with `{dotted.name}` placeholders; or, for an http source, method, path, query and body. */
  query: z.union([text, z.record(z.string(), text)]).optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).optional(),
  path: text.optional(),
  headers: z.record(z.string(), text).optional(),
  body: z.custom<JsonValue>(() => true).optional(),
  /** A registered function that writes the statement from the parameters. */
  query_builder: text.optional(),
  /** A registered function that each row goes through. */
  response_parser: text.optional(),
  /** `defaults` are values that a step need not give. */
  params: z
    .strictObject({
      required: z.array(text).default([]),
      optional: z.array(text).default([]),
      defaults: z
        .record(
          z.string(),
          z.custom<JsonValue>(() => true),
        )
        .optional(),
    })
    .prefault({}),
  response_schema: jsonSchemaSchema.optional(),
  /** Seconds; 0 keeps nothing. */
  cache_ttl: z.number().min(0).default(0),
});

/** The keys of api_mappings.yaml. */
export const mappingsSchema = z.strictObject({ mappings: z.record(idSchema, mappingSchema) });
export type Mapping = z.infer<typeof mappingSchema>;

/** One version in the prompt registry (`prompts/<prompt_id>/<version>.yaml`). */
export const promptSchema = z.strictObject({
  prompt_id: idSchema.optional(),
  version: versionSchema.optional(),
  description: text.optional(),
  system: text.optional(),
  vars_schema: jsonSchemaSchema,
  output_schema: jsonSchemaSchema,
  /**
   * Further variables of template and fallback, each a CEL expression over the input. Mustache cannot compare, so this is
   * how a text depends on a value: `portuguese: "language == 'pt-BR'"`, then `{{#portuguese}}...{{/portuguese}}`.
   */
  computed: z.record(idSchema, text).optional(),
  /** Mustache. */
  template: text,
  /**
   * What stands in for the model where none can be reached: a Mustache template for each field of the output. A field whose
   * template is one variable (`{{name}}`) keeps that variable's type.
   */
  fallback: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type Prompt = z.infer<typeof promptSchema>;

export const criterionSchema = z.strictObject({
  id: idSchema,
  name: text,
  description: text,
  pass_condition: text,
  fail_condition: text,
  weight: z.number().optional(),
  /** CEL over the reviewed input: what judges the criterion where no model can be reached. True passes. */
  rule: text.optional(),
  /** What to do about a failure, said by the rule. */
  fix: text.optional(),
});

/** One version in the rubric registry (`rubrics/<rubric_id>/<version>.json`). */
export const rubricSchema = z.strictObject({
  rubric_id: idSchema,
  version: versionSchema,
  description: text,
  scoring_mode: z.enum(['binary', 'weighted']),
  pass_threshold: z.number().min(0).max(1).optional(),
  criteria: z.array(criterionSchema).min(1),
  output_schema: jsonSchemaSchema.optional(),
});
export type Rubric = z.infer<typeof rubricSchema>;
export type Criterion = z.infer<typeof criterionSchema>;

const fraction = z.number().min(0).max(1);
/** A literal, or text with `{dotted.name}` placeholders; a text that is one placeholder keeps the value's type. */
const template = z.custom<JsonValue>(() => true);
const params = z.record(z.string(), template);

const recommended = z.union([
  text.transform((action) => ({ action })),
  z.strictObject({
    action: text,
    priority: text.optional(),
    human_approval_required: z.boolean().optional(),
    arguments: params.optional(),
  }),
]);

/** What a decision says. `root_cause` concludes the investigation, `partial_finding` continues. */
export const conclusionSchema = z.strictObject({
  root_cause: text.optional(),
  partial_finding: text.optional(),
  explanation: text.optional(),
  impact: text.optional(),
  recommended_action: recommended.nullish(),
  /** Answers to the customer, by language. Placeholders are filled from what was found. */
  customer_message: z
    .record(z.string().regex(LANGUAGE_TAG, 'must be a language tag such as en or pt-BR'), text)
    .optional(),
});

const source = { source: idSchema.optional(), mapping: idSchema.optional(), params: params.optional() };

export const actionSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('query'), ...source, query_template: text.optional() }),
  z.strictObject({
    type: z.literal('api'),
    ...source,
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).optional(),
    path: text.optional(),
    query: params.optional(),
    body: template.optional(),
  }),
  z.strictObject({
    type: z.literal('skill'),
    skill: idSchema,
    version: text.optional(),
    input: params.optional(),
  }),
  z.strictObject({ type: z.literal('ask'), question: text }),
]);

export const decisionSchema = z.strictObject({
  condition: text,
  confidence: fraction,
  conclusion: conclusionSchema.optional(),
  next_step: idSchema.nullable().optional(),
});

/** An answer a tree offers beside A, B and C; `next_step` is where it leads, null ends with what was found. */
const optionSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]$/, 'must be one capital letter'),
  label: text,
  next_step: idSchema.nullable().optional(),
});

export const stepSchema = z.strictObject({
  name: text,
  description: text.optional(),
  pre_conditions: z.array(text).default([]),
  action: actionSchema,
  decisions: z.record(idSchema, decisionSchema).default({}),
  options: z.array(optionSchema).default([]),
});

export const treeSchema = z.strictObject({
  entry_point: idSchema,
  steps: z.record(idSchema, stepSchema),
  parallel_checks: z.array(idSchema).default([]),
});
export type DecisionTree = z.infer<typeof treeSchema>;
export type TreeStep = z.infer<typeof stepSchema>;
export type TreeAction = z.infer<typeof actionSchema>;
export type TreeDecision = z.infer<typeof decisionSchema>;
export type Conclusion = z.infer<typeof conclusionSchema>;

/** What a tree tells operators in another language: its steps, findings by step and decision, advice by trigger, actions that are no tools. */
export const packTextsSchema = z.strictObject({
  names: z.record(idSchema, text),
  findings: z.record(idSchema, z.record(idSchema, text)),
  advice: z.partialRecord(z.enum(HANDOFF_TRIGGERS), text).default({}),
  actions: z.record(idSchema, text).default({}),
});
export type PackTexts = z.infer<typeof packTextsSchema>;

const json = z.custom<JsonValue>(() => true);
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/**
 * One fixture of a source: SQL that makes its tables and rows (`file`: the same from a file of the pack), a canned answer
 * of an HTTP source, or the rows a mapping gives (for SQL that the test database does not speak). `down: true` makes the
 * source unreachable.
 */
const fixture = z.union([
  z.strictObject({ sql: text }),
  z.strictObject({ file: text }),
  z.strictObject({ mapping: idSchema, rows: z.array(jsonObject) }),
  exchangeSchema,
  z.strictObject({ down: z.literal(true) }),
]);

/** The keys of one file in test_cases/. */
export const testCaseSchema = z.strictObject({
  name: text,
  description: text.optional(),
  input: jsonObject,
  /** ISO 8601; what `now` is in the case. The real time where absent. */
  now: text.optional(),
  fixtures: z.record(idSchema, z.array(fixture)).default({}),
  /** `input`: values for what was missing, or the answer to a question. */
  human: z
    .array(z.strictObject({ at: text.optional(), choose: text, input: jsonObject.optional() }))
    .default([]),
  expect: z.strictObject({
    root_cause: text.nullable().optional(),
    confidence_at_least: z.number().min(0).max(1).optional(),
    confidence_below: z.number().min(0).max(1).optional(),
    recommended_action: text.nullable().optional(),
    path: z.array(idSchema).optional(),
    handoff: z.boolean().optional(),
    status: z.enum(['done', 'waiting', 'failed']).optional(),
    /** A subset of the result: every key named here must be there with this value. */
    output: json.optional(),
  }),
});
export type TestCase = z.infer<typeof testCaseSchema>;
export type Fixture = z.infer<typeof fixture>;
