import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import type { Scope } from '../expressions/expression.js';
import { fillValue } from '../expressions/placeholders.js';
import { compileJsonSchema } from '../json-schema.js';
import { requiredOf } from '../pack/checks/json-schema-at.js';
import type { Pack } from '../pack/pack.js';
import { CERTAIN } from '../routing/ask-model.js';
import {
  askLevel,
  type CompositeEnv,
  choosesAmongAll,
  startTrace,
  type TraceEntry,
} from './composite-env.js';
import { type PlanStep, parametersAnswerSchema, propertiesOf } from './schemas.js';

/** The schema of one field of an input; undefined where the input's schema does not name it. */
export function propertyOf(schema: JsonObject, field: string): JsonValue | undefined {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, field) ? properties[field] : undefined;
}

/**
 * What is wrong with a value for a field, one message a fault. A field the schema does not name, or a schema that cannot be
 * used by itself, finds nothing: the part checks its whole input all the same.
 */
export function faultsOfProperty(schema: JsonObject, field: string, value: JsonValue): readonly string[] {
  const property = propertyOf(schema, field);
  if (!isObject(property)) return [];
  const { $defs, definitions, $schema } = schema;
  const shared = Object.fromEntries(
    Object.entries({ $defs, definitions, $schema }).filter(([, part]) => part !== undefined),
  );
  try {
    return compileJsonSchema({ ...shared, ...property })(value);
  } catch {
    return [];
  }
}

function fitsProperty(schema: JsonObject, field: string, value: JsonValue): boolean {
  return faultsOfProperty(schema, field, value).length === 0;
}

/** What skills call the words of the one who asks. */
const WORDS = ['message', 'text', 'request', 'problem', 'question', 'body'];
const DEEPEST = 3;

/**
 * What a request says of a field of a skill's input: a fact that came with it, its words, or the only reference in them that
 * has the form which the schema demands (`pattern`). Undefined where it says nothing for certain.
 */
export function readInRequest(
  input: JsonObject,
  schema: JsonObject,
  field: string,
  depth = DEEPEST,
): JsonValue | undefined {
  const facts = isObject(input.facts) ? input.facts : {};
  const fact = Object.hasOwn(facts, field) ? facts[field] : undefined;
  const property = propertyOf(schema, field);
  if (isObject(property) && property.type === 'object' && depth > 0 && (fact === undefined || isObject(fact)))
    return readObject({ ...input, facts: fact ?? {} }, property, depth - 1);
  if (fact !== undefined) return fact;
  if (!isObject(property) || property.type !== 'string') return undefined;
  const text = typeof input.text === 'string' ? input.text : '';
  if (WORDS.includes(field)) return text;
  const isRequired = requiredOf(schema).includes(field);
  return isRequired && typeof property.pattern === 'string'
    ? onlyReference(text, property.pattern)
    : undefined;
}

/** All fields of a skill's input of which a request says something. */
export function inputInRequest(input: JsonObject, schema: JsonObject): JsonObject {
  const read = Object.keys(propertiesOf(schema)).flatMap((field) => {
    const value = readInRequest(input, schema, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(read);
}

/** An object of what is known of its fields; undefined where nothing is. */
function readObject(input: JsonObject, schema: JsonObject, depth: number): JsonObject | undefined {
  const known = isObject(input.facts) ? input.facts : {};
  const read = Object.keys(propertiesOf(schema)).flatMap((field) => {
    const value = WORDS.includes(field) ? undefined : readInRequest(input, schema, field, depth);
    return value === undefined ? [] : [[field, value] as const];
  });
  const found = { ...known, ...Object.fromEntries(read) };
  return Object.keys(found).length === 0 ? undefined : found;
}

/** A reference has a digit in it; a word of the language that happens to fit has not. */
function onlyReference(text: string, pattern: string): string | undefined {
  const faultsOf = compileJsonSchema({ type: 'string', pattern });
  const words = text.split(/[\s,;:!?()[\]"'“”]+/).map((word) => word.replace(/[.…]+$/, ''));
  const found = [...new Set(words.filter((word) => /\d/.test(word) && faultsOf(word).length === 0))];
  return found.length === 1 ? found[0] : undefined;
}

/** What a step's input may be made of. */
export interface ParameterSources {
  readonly step: PlanStep;
  readonly pack: Pack;
  readonly scope: Scope;
  /** Outputs that may give a field of the same name, the nearest first. */
  readonly earlier: readonly { readonly part: string; readonly output: JsonValue }[];
}

export interface Guess {
  readonly value: JsonValue;
  readonly confidence: number;
  readonly reason: string;
}

/** A step's input, and what is still missing of it. */
interface Parameters {
  readonly input: JsonObject;
  /** Required fields without a value that is certain. */
  readonly missing: readonly string[];
  /** What the model thinks of those, below the confidence it takes to continue. */
  readonly guesses: Readonly<Record<string, Guess>>;
  readonly trace: readonly TraceEntry[];
}

type Found = { readonly value: JsonValue; readonly from: string };

/**
 * Level 2: for each field of the part's input where its value comes from: explicit (`inputs`, or the composite's field of the
 * same name), an earlier step, the schema's default, or what the model infers with a confidence of at least 0.7. A required
 * field that is left is for a person. Where everything is certain the model is not asked.
 */
export async function resolveParameters(env: CompositeEnv, sources: ParameterSources): Promise<Parameters> {
  const trace = startTrace(env, 2);
  const { step, pack } = sources;
  const schema = pack.descriptor.input_schema;
  const fields = Object.keys(propertiesOf(schema));
  const found = new Map<string, Found>();
  if (fields.length === 0 && Object.keys(step.inputs).length === 0) takeEverything(env, sources, found);
  for (const field of new Set([...fields, ...Object.keys(step.inputs), ...requiredOf(schema)])) {
    const value = findValue(env, sources, field);
    if (value !== null) found.set(field, value);
  }
  const missing = requiredOf(schema).filter((field) => !found.has(field));
  const given = () => ({ step: step.part, input: valuesOf(found) });
  if (missing.length === 0)
    return ready(found, [trace('rule', describe(step.part, found), 'Every input is certain.', given())]);
  const asked = await inferValues(env, sources, found, missing);
  const guesses: Record<string, Guess> = {};
  for (const [field, guess] of Object.entries(asked.guesses)) {
    if (guess.confidence >= CERTAIN) found.set(field, { value: guess.value, from: 'inferred' });
    else guesses[field] = guess;
  }
  const left = missing.filter((field) => !found.has(field));
  const sure = Object.values(asked.guesses).map(({ confidence }) => confidence);
  const entry = trace(asked.by, describe(step.part, found, left), asked.reason, {
    ...given(),
    confidence: sure.length === 0 ? undefined : Math.min(...sure),
  });
  return { ...ready(found, [entry]), missing: left, guesses };
}

function findValue(
  env: CompositeEnv,
  { step, pack, scope, earlier }: ParameterSources,
  field: string,
): Found | null {
  const schema = pack.descriptor.input_schema;
  const isRequired = requiredOf(schema).includes(field);
  const mapping = Object.hasOwn(step.inputs, field) ? step.inputs[field] : undefined;
  if (mapping !== undefined) {
    const value = fillValue(mapping, scope, {});
    if (value !== null) return { value, from: 'explicit' };
    // A mapping that leads to nothing is an optional input left out, unless the part asks for just that.
    if (isRequired && fitsProperty(schema, field, value)) return { value, from: 'explicit' };
    return defaultOf(schema, field);
  }
  const given = Object.hasOwn(env.input, field) ? env.input[field] : undefined;
  if (given !== undefined && fitsProperty(schema, field, given)) return { value: given, from: 'explicit' };
  for (const { part, output } of earlier) {
    const value = isObject(output) && Object.hasOwn(output, field) ? output[field] : undefined;
    if (value !== undefined && value !== null && fitsProperty(schema, field, value)) {
      return { value, from: `from ${part}` };
    }
  }
  const read = choosesAmongAll(env.pack) ? readInRequest(env.input, schema, field) : undefined;
  if (read !== undefined && fitsProperty(schema, field, read))
    return { value: read, from: 'read in the request' };
  return defaultOf(schema, field);
}

/** A part that names no fields, and for which the pack names none, gets all there is: input and what dependencies gave. */
function takeEverything(env: CompositeEnv, { earlier }: ParameterSources, found: Map<string, Found>): void {
  for (const { part, output } of [...earlier].reverse()) {
    for (const [field, value] of isObject(output) ? Object.entries(output) : []) {
      if (value !== undefined) found.set(field, { value, from: `from ${part}` });
    }
  }
  for (const [field, value] of Object.entries(env.input)) {
    if (value !== undefined) found.set(field, { value, from: 'explicit' });
  }
}

function defaultOf(schema: JsonObject, field: string): Found | null {
  const property = propertyOf(schema, field);
  const value = isObject(property) ? property.default : undefined;
  return value === undefined ? null : { value, from: 'default' };
}

async function inferValues(
  env: CompositeEnv,
  { step, pack, scope }: ParameterSources,
  found: ReadonlyMap<string, Found>,
  missing: readonly string[],
): Promise<{ guesses: Record<string, Guess>; by: TraceEntry['by']; reason: string }> {
  const schema = pack.descriptor.input_schema;
  const asked = await askLevel(env, {
    prompt: 'resolve',
    view: {
      part: step.part,
      description: pack.summary.description,
      fields: missing.map((name) => ({ name, schema: JSON.stringify(propertyOf(schema, name) ?? {}) })),
    },
    data: { input: env.input, steps: plainSteps(scope), known: valuesOf(found) },
    schema: parametersAnswerSchema,
  });
  if (!asked.ok) {
    return {
      guesses: {},
      by: 'fallback',
      reason: `${missing.join(', ')}: nothing gives it, and ${asked.reason}.`,
    };
  }
  const guesses: Record<string, Guess> = {};
  for (const { field, value, confidence, reason } of asked.answer.values) {
    const json = value as JsonValue | undefined;
    if (!missing.includes(field) || json === undefined || json === null) continue;
    if (fitsProperty(schema, field, json)) guesses[field] = { value: json, confidence, reason };
  }
  const reasons = Object.entries(guesses).map(
    ([field, guess]) => `${field} with confidence ${guess.confidence}: ${guess.reason || 'no reason given'}`,
  );
  return { guesses, by: 'model', reason: reasons.join('; ') || `The data do not say ${missing.join(', ')}.` };
}

/** `steps` of the variables holds JSON only. */
function plainSteps(scope: Scope): JsonValue {
  return (scope.steps ?? null) as JsonValue;
}

function valuesOf(found: ReadonlyMap<string, Found>): JsonObject {
  return Object.fromEntries([...found].map(([field, { value }]) => [field, value]));
}

function ready(found: ReadonlyMap<string, Found>, trace: readonly TraceEntry[]): Parameters {
  return { input: valuesOf(found), missing: [], guesses: {}, trace };
}

function describe(part: string, found: ReadonlyMap<string, Found>, missing: readonly string[] = []): string {
  const fields = [...found].map(([field, { from }]) => `${field} ${from}`);
  return `${part}: ${[...fields, ...missing.map((field) => `${field} missing`)].join(', ') || 'no input'}`;
}
