import type { JsonObject, JsonValue } from '../../../core/domain/json.js';
import { didYouMean } from '../../../core/spelling.js';
import { checkJsonSchema } from '../../json-schema.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import type { NodePath } from '../text-file.js';
import {
  checkContradictions,
  checkJsonSchemaAt,
  propertiesOf,
  requiredOf,
  takesOthers,
  typesIn,
} from './json-schema-at.js';

type Types = Readonly<Record<string, readonly string[]>>;

const TEXT = ['string'];
const LIST = ['array'];
const NUMBER = ['number', 'integer'];
const OBJECT = ['object'];
const SKILL = { skill_id: TEXT, skill_version: TEXT };

/** What a result of each kind of skill always or sometimes has, and of which types. */
const INVESTIGATION: Types = {
  ...SKILL,
  root_cause: [...TEXT, 'null'],
  explanation: [...TEXT, 'null'],
  impact: [...TEXT, 'null'],
  customer_message: [...OBJECT, 'null'],
  evidence: LIST,
  confidence_score: NUMBER,
  recommended_action: [...OBJECT, 'null'],
  time_to_investigate: NUMBER,
  steps_completed: NUMBER,
  path: LIST,
  handoffs: LIST,
  partial: ['boolean'],
};
const COMPOSITE: Types = {
  ...SKILL,
  summary: TEXT,
  detailed_results: LIST,
  user_message: TEXT,
  next_actions: LIST,
  success_rate: NUMBER,
  partial_failures: LIST,
  conflicts: LIST,
  trace: LIST,
  output: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
};
const REVIEW: Types = {
  pass: ['boolean'],
  issues: LIST,
  suggested_fixes: LIST,
  indeterminate: LIST,
  score: [...NUMBER, 'null'],
  criteria_results: LIST,
  timings_ms: OBJECT,
  provider: TEXT,
  error: OBJECT,
};

/** The fields of `output_format` are some that the result has. */
function checkFormat(descriptor: Checked<Descriptor>, given: Types, what: string): void {
  descriptor.data.output_format?.fields.forEach((field, at) => {
    if (Object.hasOwn(given, field)) return;
    const message = `output_format names ${field}, which ${what} never gives.${didYouMean(field, Object.keys(given))}`;
    descriptor.note(['output_format', 'fields', at], 'unknown_output', message);
  });
}

/** An `output_schema` that no result can ever fit: it contradicts itself, or asks for what this kind of skill never gives. */
export function checkOutput({ descriptor, outputSchema, prompt }: Draft): void {
  if (descriptor === null || !descriptor.sound(['output_schema'])) return;
  const at: NodePath = ['output_schema'];
  checkContradictions(descriptor, at, outputSchema);
  const { type, template_type: template } = descriptor.data;
  if (template === 'LLM_REVIEW') checkAgainst(descriptor, outputSchema, REVIEW, 'a review');
  else if (type === 'decision_tree')
    checkAgainst(descriptor, outputSchema, INVESTIGATION, 'an investigation');
  else if (type === 'composite') checkAgainst(descriptor, outputSchema, COMPOSITE, 'a composite');
  else if (prompt?.data) {
    const written = propertiesOf(prompt.data.output_schema);
    if (written === null || takesOthers(prompt.data.output_schema)) return;
    checkAgainst(
      descriptor,
      outputSchema,
      typesOf(written),
      `the prompt ${prompt.data.prompt_id ?? ''}`.trim(),
    );
  }
}

function checkAgainst(descriptor: Checked<Descriptor>, schema: JsonObject, given: Types, what: string): void {
  checkFormat(descriptor, given, what);
  const at: NodePath = ['output_schema'];
  for (const name of requiredOf(schema)) {
    if (Object.hasOwn(given, name)) continue;
    const message = `output_schema requires ${name}, which ${what} never gives.${didYouMean(name, Object.keys(given))}`;
    descriptor.note([...at, 'required'], 'output_never_fits', message);
  }
  for (const [name, property] of Object.entries(propertiesOf(schema) ?? {})) {
    const wanted = typesIn(property);
    const has = Object.hasOwn(given, name) ? given[name] : undefined;
    if (wanted.length === 0 || has === undefined || has.length === 0) continue;
    if (wanted.some((type) => has.includes(type) || (type === 'integer' && has.includes('number')))) continue;
    const message = `output_schema wants ${name} as ${wanted.join(' or ')}, but ${what} gives ${has.join(' or ')}.`;
    descriptor.note([...at, 'properties', name], 'output_never_fits', message);
  }
}

function typesOf(properties: Readonly<Record<string, JsonValue | undefined>>): Types {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, typesIn(property)]));
}

/** JSON Schemas of a pack that are none. */
export function checkSchemas({ descriptor, inputSchema, outputSchema }: Draft): void {
  if (descriptor === null) return;
  checkJsonSchemaAt(descriptor, ['output_schema'], outputSchema);
  if (checkJsonSchemaAt(descriptor, ['input_schema'], inputSchema) && !takesObjects(inputSchema)) {
    const message = `The input of a skill is an object with named fields, but input_schema has type ${JSON.stringify(inputSchema.type)}. Write type: object and properties.`;
    descriptor.note(['input_schema', 'type'], 'invalid_schema', message);
  }
}

/** Whether a schema can say anything of an input. */
export function isInputSchema(schema: JsonObject): boolean {
  return takesObjects(schema) && checkJsonSchema(schema).length === 0;
}

function takesObjects({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}
