import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { SKILL_STATUSES, SKILL_TYPES } from '../../core/domain/skill.js';

const ID = /^[a-z][a-z0-9_]{0,63}$/;
const SEMVER = /^\d{1,5}\.\d{1,5}\.\d{1,5}(?:-[0-9A-Za-z.-]{1,40})?$/;

export const idSchema = z
  .string()
  .regex(ID, 'must be snake_case: small letters, digits and _, beginning with a letter')
  // The only name of every object that is snake_case; libraries look it up without asking whose it is.
  .refine((id) => id !== 'constructor', 'may not be "constructor"');
export const versionSchema = z.string().regex(SEMVER, 'must be a semantic version such as 1.0.0');
export const jsonSchemaSchema = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON Schema object',
);
const text = z.string().trim().min(1);
const fraction = z.number().min(0).max(1);
/** `env:USER,env:PASSWORD` where each has a variable of its own. */
const envReferences = z
  .string()
  .regex(
    /^env:[A-Z][A-Z0-9_]*(?:\s*,\s*env:[A-Z][A-Z0-9_]*)?$/,
    'must be env:NAME, or env:USER,env:PASSWORD; a secret never stands in a pack',
  );

const sqliteSource = z.strictObject({
  kind: z.literal('sqlite'),
  database: idSchema,
  access: z.literal('read').optional(),
  tables: z.array(text).optional(),
});
const serverSource = (kind: 'postgres' | 'clickhouse') =>
  z.strictObject({
    kind: z.literal(kind),
    url: text,
    credentials: envReferences.optional(),
    access: z.literal('read').optional(),
    tables: z.array(text).optional(),
    timeout: z.number().positive().optional(),
    retries: z.number().int().min(0).max(10).optional(),
    /** What runs there, and whose logs it keeps; for people. */
    service: text.optional(),
    logs: z.array(text).optional(),
  });
/** One request and its answer, as test cases and sources have them. */
export const exchangeSchema = z.strictObject({
  request: z.strictObject({
    method: text.default('GET'),
    /** `*` stands for any one segment. */
    path: text,
    query: z.record(z.string(), z.string()).optional(),
  }),
  response: z.strictObject({
    status: z.number().int().default(200),
    body: z.custom<JsonValue>(() => true).optional(),
  }),
});

const httpSource = z.strictObject({
  kind: z.literal('http'),
  endpoint: text,
  auth: z.enum(['none', 'basic', 'bearer', 'api_key']).default('none'),
  credentials: envReferences.optional(),
  header: text.optional(),
  /** What answers while the variable that the endpoint names is not set, so that a pack runs before it is connected. */
  fixture: z.array(exchangeSchema).min(1).optional(),
  access: z.literal('read').optional(),
  timeout: z.number().positive().optional(),
  retries: z.number().int().min(0).max(10).optional(),
});
/** One entry of `data_sources`. `timeout` is in seconds. */
export const sourceSchema = z.discriminatedUnion('kind', [
  sqliteSource,
  serverSource('postgres'),
  serverSource('clickhouse'),
  httpSource,
]);

/** A part of a composite: a folder of its own (`path`) or a skill from elsewhere (`skill`). */
export const subSkillSchema = z.strictObject({
  name: idSchema,
  path: text.optional(),
  skill: idSchema.optional(),
  version: text.optional(),
  description: text.optional(),
  triggers: z.array(text).default([]),
  dependencies: z.array(idSchema).default([]),
  /** Where the part's inputs come from: `name: "{part.output.field}"`, `"{input.field}"`, or a literal. */
  inputs: z
    .record(
      z.string(),
      z.custom<JsonObject[string]>(() => true),
    )
    .default({}),
});

const condition = z.strictObject({
  if: text,
  // biome-ignore lint/suspicious/noThenProperty: the pack format names it so
  then: z.array(idSchema).default([]),
  else: z.array(idSchema).default([]),
});

const loop = z.strictObject({
  /** Looked at when `after` is done. */
  when: text,
  after: idSchema,
  back_to: idSchema,
  max: z.number().int().min(1).max(5).default(1),
});

const handoff = z.strictObject({
  triggers: z
    .strictObject({
      low_confidence: z.strictObject({ threshold: fraction, action: text.optional() }).optional(),
      stuck_after_steps: z
        .strictObject({ max_steps: z.number().int().min(1), action: text.optional() })
        .optional(),
      contradictory_data: z.strictObject({ action: text.optional() }).optional(),
      critical_decision: z
        .strictObject({ actions: z.array(text).min(1), action: text.optional() })
        .optional(),
    })
    .default({}),
});

const generationConfig = {
  prompt_id: idSchema.optional(),
  prompt_version: text.optional(),
  model: text.optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.number().int().min(1).optional(),
  retry_on_validation_failure: z.boolean().optional(),
};
const reviewConfig = {
  rubric_id: idSchema.optional(),
  rubric_version: text.optional(),
  evaluation_model: text.optional(),
  include_criteria_details: z.boolean().optional(),
};

/** The keys of skill.yaml. Rules that span several keys are checked by the validator, with lines. */
export const descriptorSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  title: text,
  /** The title for operators who read another language, by language. */
  titles: z.record(text, text).default({}),
  description: text,
  descriptions: z.record(text, text).default({}),
  owner: text.default('unowned'),
  status: z.enum(SKILL_STATUSES).default('poc'),
  tags: z.array(text).default([]),
  type: z.enum(SKILL_TYPES),
  triggers: z
    .strictObject({
      keywords: z.array(text).default([]),
      issue_categories: z.array(text).default([]),
      conditions: z.array(text).default([]),
      intents: z.array(text).default([]),
    })
    .prefault({}),
  capabilities: z
    .array(
      z.strictObject({
        id: idSchema,
        description: text,
        confidence: z.enum(['high', 'medium', 'low']).default('medium'),
      }),
    )
    .default([]),
  input_schema: jsonSchemaSchema.default({}),
  output_schema: jsonSchemaSchema.default({}),
  data_sources: z.record(idSchema, sourceSchema).default({}),
  decision_tree: z
    .strictObject({ path: text.default('decision_tree.yaml'), entry_point: idSchema.optional() })
    .optional(),
  sub_skills: z.array(subSkillSchema).default([]),
  routing: z
    .strictObject({
      strategy: z.enum(['sequential', 'parallel', 'conditional', 'dynamic']).default('sequential'),
      max_depth: z.number().int().min(1).max(10).default(3),
      conditions: z.array(condition).default([]),
      loops: z.array(loop).default([]),
      /** Its parts are all skills that only read, and each request says which of them run. */
      catalog: z.boolean().optional(),
    })
    .optional(),
  execution: z
    .strictObject({
      allow_parallel: z.boolean().default(true),
      timeout_per_skill: z.number().positive().default(30),
      retry_on_failure: z.number().int().min(0).max(10).default(0),
      cache_ttl: z.number().min(0).default(0),
    })
    .prefault({}),
  implementation: z
    .strictObject({
      type: z.enum(['ts_function', 'http_call', 'cli_command']),
      handler: text,
      /** `cli_command`: one entry an argument; `{name}` is filled from the input. */
      args: z.array(z.string()).optional(),
      /** `cli_command`: true gives the input as JSON on standard input. */
      stdin: z.boolean().optional(),
    })
    .optional(),
  template_type: z.enum(['LLM_JSON_GENERATION', 'LLM_REVIEW']).nullable().default(null),
  template_config: z.strictObject({ ...generationConfig, ...reviewConfig }).optional(),
  human_handoff: handoff.optional(),
  policy: z
    .strictObject({
      effect: z.enum(['read', 'write', 'irreversible']).default('read'),
      approval: z.enum(['none', 'customer', 'operator']).default('none'),
    })
    .prefault({}),
  output_format: z.strictObject({ type: text, fields: z.array(text).default([]) }).optional(),
  /** What a run leaves behind; for people. */
  produces_artifacts: z.array(z.custom<JsonObject[string]>(() => true)).optional(),
  observability: z
    .strictObject({
      log_level: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
      trace: z.boolean().default(true),
    })
    .optional(),
  metrics: z
    .strictObject({
      target_time: text.optional(),
      baseline_time: text.optional(),
      expected_accuracy: text.optional(),
    })
    .optional(),
});
export type Descriptor = z.infer<typeof descriptorSchema>;
export type SubSkill = z.infer<typeof subSkillSchema>;
export type SourceDeclaration = z.infer<typeof sourceSchema>;
