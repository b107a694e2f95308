import { z } from 'zod';
import { isObject, type JsonObject, type JsonValue, mapValues, OPEN_KEYWORDS } from '../core/domain/json.js';
import { HANDOFF_TRIGGERS, type SkillSummary } from '../core/domain/skill.js';
import { zodSchema } from './tool-schema.js';

/** What a field tells of the customer: the record as a whole, or one part of it. */
type IdentityField = 'record' | 'id' | 'name' | 'email';

/** The customer as the hub knows them. */
interface KnownCustomer {
  readonly customerId: string;
  /** Fields of the record, `user_id` and `full_name` among them. */
  readonly record: JsonObject;
}

const NAMED = /^(?:customer|user|client|member|account)(?:_(id|name|full_name|email|email_address))?$/;

/**
 * What a field of a skill's input says of who the customer is; null where nothing. Such a field is the hub's to fill.
 * @param schema the field's
 */
function identityFieldOf(field: string, schema: JsonValue | undefined): IdentityField | null {
  const name = field.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (name === 'email' && isObject(schema) && schema.format === 'email') return 'email';
  const match = NAMED.exec(name);
  if (!match) return null;
  const [, part] = match;
  if (part === undefined) return isObject(schema) && schema.type === 'string' ? 'id' : 'record';
  if (part === 'id') return 'id';
  return part.startsWith('email') ? 'email' : 'name';
}

/**
 * The input with everything in it that says who the customer is, as the schema asks for it, in nested objects too.
 * @param cut the part of a record that a schema knows
 */
export function withCustomer(
  input: JsonObject,
  schema: JsonObject,
  { customerId, record }: KnownCustomer,
  cut: (value: JsonObject, schema: JsonObject) => JsonObject,
): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return input;
  const filled: Record<string, JsonValue | undefined> = { ...input };
  for (const [name, property] of Object.entries(properties)) {
    const said = identityFieldOf(name, property);
    const given = Object.hasOwn(filled, name) ? filled[name] : undefined;
    const into = isObject(property) ? property : {};
    if (said === 'record') filled[name] = cut(record, into);
    else if (said === 'id') filled[name] = customerId;
    else if (said !== null) filled[name] = record[said === 'name' ? 'full_name' : 'email'];
    else
      filled[name] = nested(given, into, (value, of) => withCustomer(value, of, { customerId, record }, cut));
    if (filled[name] === undefined) delete filled[name];
  }
  return filled;
}

function nested(
  value: JsonValue | undefined,
  schema: JsonObject,
  fill: (value: JsonObject, schema: JsonObject) => JsonObject,
): JsonValue | undefined {
  if (isObject(value)) return fill(value, schema);
  const { items } = schema;
  if (!Array.isArray(value) || !isObject(items)) return value;
  return value.map((item) => nested(item, items, fill) ?? null);
}

/** The names of fields at the top of an input by which somebody could say who the customer is. */
export function identityFields(input: JsonObject, schema: JsonObject): readonly string[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.keys(input).filter(
    (name) => identityFieldOf(name, Object.hasOwn(properties, name) ? properties[name] : undefined) !== null,
  );
}

/** Keywords of JSON Schema 2020-12 that validators know without further packages. */
const KEYWORDS = new Set(
  (
    '$id $anchor $ref $dynamicRef $dynamicAnchor $defs $comment type enum const title description default deprecated ' +
    'readOnly writeOnly examples format contentEncoding contentMediaType multipleOf maximum exclusiveMaximum minimum ' +
    'exclusiveMinimum maxLength minLength pattern items prefixItems maxItems minItems uniqueItems contains maxContains ' +
    'minContains properties patternProperties additionalProperties propertyNames maxProperties minProperties required ' +
    'dependentRequired dependentSchemas allOf anyOf oneOf not if then else unevaluatedItems unevaluatedProperties'
  ).split(' '),
);
/** Kept for references to it; older than `$defs`. */
const DEFINITIONS = 'definitions';
/** Their values are data. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired', 'type']);
/** Their values are schemas by name. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', DEFINITIONS, 'dependentSchemas']);

/**
 * A schema as an author wrote it, with nothing in it that a strict validator refuses: unknown keywords are left out, since
 * they say nothing, and so is `$schema`: whoever reads this expects 2020-12 and may have no other.
 */
function plainSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, JsonValue | undefined][] => {
      if (key === 'items' && Array.isArray(value))
        return [['prefixItems', value.map((item) => plainValue(item) ?? {})]];
      if (!KEYWORDS.has(key) && key !== DEFINITIONS) return [];
      if (DATA.has(key)) return [[key, value]];
      return [[key, BY_NAME.has(key) && isObject(value) ? byName(value) : plainValue(value)]];
    }),
  );
}

function byName(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plainValue(schema)]));
}

function plainValue(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => plainValue(item) ?? null);
  return isObject(value) ? plainSchema(value) : value;
}

/**
 * The input of a skill as a customer's program sees it: without any field that says who the customer is, which the hub
 * fills itself; `language` may be left out, since the call has one.
 */
export function skillInputSchema({ inputSchema }: SkillSummary): JsonObject {
  const shown = withoutIdentity(plainSchema(inputSchema)) as JsonObject;
  const required = isList(shown.required) ? shown.required.filter((name) => name !== 'language') : [];
  return {
    ...shown,
    type: 'object',
    properties: isObject(shown.properties) ? shown.properties : {},
    ...(required.length > 0 ? { required } : {}),
    ...(isClosed(shown) ? { additionalProperties: false } : {}),
  };
}

/** The input of a skill as staff sees it: all that its author asks for. */
export function staffInputSchema({ inputSchema }: SkillSummary): JsonObject {
  return { ...plainSchema(inputSchema), type: 'object' };
}

/** True where an object of this schema has the fields it names and no others. */
export function isClosed(schema: JsonObject): boolean {
  return isObject(schema.properties) && OPEN_KEYWORDS.every((keyword) => schema[keyword] === undefined);
}

function withoutIdentity(schema: JsonValue | undefined): JsonValue {
  if (isList(schema)) return schema.map(withoutIdentity);
  if (!isObject(schema)) return schema ?? null;
  const { properties } = schema;
  if (!isObject(properties)) return mapValues(schema, withoutIdentity);
  const hidden = new Set(
    Object.keys(properties).filter((name) => identityFieldOf(name, properties[name]) !== null),
  );
  const { required, ...rest } = schema;
  const needed = isList(required) ? required.filter((name) => !hidden.has(String(name))) : [];
  const shown = Object.entries(properties).filter(([name]) => !hidden.has(name));
  return {
    ...(mapValues({ ...rest, properties: {} }, withoutIdentity) as JsonObject),
    properties: Object.fromEntries(shown.map(([name, property]) => [name, withoutIdentity(property)])),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const fault = z.looseObject({ code: z.string(), message: z.string() });
const action = z.looseObject({ action: z.string() });
const evidence = z.looseObject({
  step: z.string(),
  name: z.string(),
  decision: z.string().nullable(),
  finding: z.string(),
  confidence: z.number(),
  error: fault.optional(),
});
const investigation = z.looseObject({
  root_cause: z.string().nullable(),
  explanation: z.string().nullable(),
  impact: z.string().nullable(),
  customer_message: z.record(z.string(), z.string()).nullable().describe('By language.'),
  evidence: z.array(evidence),
  confidence_score: z.number(),
  recommended_action: action.nullable(),
  steps_completed: z.number(),
  path: z.array(z.string()),
  handoffs: z.array(z.looseObject({ at: z.string(), trigger: z.enum(HANDOFF_TRIGGERS), choice: z.string() })),
  partial: z.boolean(),
});
const composite = z.looseObject({
  summary: z.string(),
  user_message: z.string(),
  detailed_results: z.array(
    z.looseObject({ step: z.string(), skill_id: z.string(), status: z.enum(['done', 'failed', 'skipped']) }),
  ),
  next_actions: z.array(z.string()),
  success_rate: z.number(),
  partial_failures: z.array(z.looseObject({ step: z.string(), code: z.string(), message: z.string() })),
  conflicts: z
    .array(z.looseObject({ about: z.string(), said: z.array(z.looseObject({ step: z.string() })) }))
    .optional(),
});
const generation = z.looseObject({
  success: z.literal(true),
  data: z.looseObject({}),
  attempts: z.number(),
  provider: z.string(),
});
const review = z.looseObject({
  pass: z.boolean(),
  issues: z.array(z.string()),
  suggested_fixes: z.array(z.string()),
  indeterminate: z.array(z.string()),
  score: z.number().nullable(),
  provider: z.string(),
});

/** What a finished run of a skill gives back; `result` is what skills of its kind find or write. */
export function skillOutputSchema(skill: SkillSummary): JsonObject {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      status: { ...text, const: 'done' },
      run_id: text,
      skill_id: text,
      skill_version: text,
      result: resultSchema(skill),
    },
    required: ['status', 'run_id', 'skill_id', 'skill_version', 'result'],
    additionalProperties: false,
  };
}

function resultSchema({ type, templateType, outputSchema }: SkillSummary): JsonObject {
  if (type === 'decision_tree') return zodSchema(investigation, 'output');
  if (type === 'composite') return zodSchema(composite, 'output');
  if (templateType === 'LLM_JSON_GENERATION') return zodSchema(generation, 'output');
  if (templateType === 'LLM_REVIEW') return zodSchema(review, 'output');
  // Checked by the engine before it is given back. A reference would lead elsewhere from in here.
  return JSON.stringify(outputSchema).includes('"$ref"') ? {} : plainSchema(outputSchema);
}
