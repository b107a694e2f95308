import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import { isObject, type JsonObject } from '../core/domain/json.js';
import { HubError, messageOf } from '../core/errors.js';
import { describeSchemaErrors, walkSchema } from './json-schema-walk.js';
import { PatternTime, type SafePattern, safePattern } from './safe-pattern.js';

/** Tells what is wrong with a value, one message a fault (`/reply must be string`); empty where nothing is. */
type JsonValidator = (value: unknown) => readonly string[];

// Loaded with the first schema: a hundred modules that the first answer of a chat needs nothing of.
const load = createRequire(import.meta.url);
const draft7 = () => load('ajv') as typeof import('ajv');
const draft2020 = () => load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
const formats = () => load('ajv-formats') as typeof import('ajv-formats');

/** Schemas of packs that come and go, such as those given to validate by a stranger, must not pile up. */
const MAX_COMPILED = 500;
const byContent = new LRUCache<string, JsonValidator>({ max: MAX_COMPILED });
const byIdentity = new WeakMap<JsonObject, JsonValidator>();
/** Checking a value never waits, so one is enough for all. */
const patternTime = new PatternTime();
const metaByDialect = new Map<Dialect, Ajv>();

/** `draft7` is for schemas that name draft 07 or an earlier one; all others are read as 2020-12. */
type Dialect = 'draft7' | '2020';

/**
 * The validator of a JSON Schema (2020-12, or draft 07 where `$schema` says so), compiled once for each content.
 * Formats are checked. No reference is ever loaded. A pattern that takes too long counts as a fault of the value.
 * @throws HubError `skill_invalid` where it is no usable JSON Schema; the message says why
 */
export function compileJsonSchema(schema: JsonObject): JsonValidator {
  const known = byIdentity.get(schema);
  if (known !== undefined) return known;
  const key = JSON.stringify(schema);
  const validator = byContent.get(key) ?? createValidator(schema);
  byContent.set(key, validator);
  byIdentity.set(schema, validator);
  return validator;
}

/**
 * What is wrong with a JSON Schema itself: one message a fault, each beginning with the place in the schema; empty where it
 * is usable. Does not compile it.
 */
export function checkJsonSchema(schema: JsonObject): readonly string[] {
  const { faults: walked, tooDeep } = walkSchema(schema);
  if (tooDeep) return walked;
  const meta = metaOf(dialectOf(schema));
  patternTime.begin();
  const fits = meta.validateSchema(withoutDialect(schema)) === true;
  return [...walked, ...(fits ? [] : describeSchemaErrors((meta.errors ?? []).filter(isSchemaFault)))];
}

/** A wrong `type` is one fault; that it could also have been a list of types helps nobody. */
function isSchemaFault({ instancePath, keyword }: ErrorObject): boolean {
  return !instancePath.endsWith('/type') || (keyword !== 'anyOf' && keyword !== 'type');
}

/**
 * The value with the `default`s of absent properties filled in, also in nested objects. The value itself stays as it is.
 */
export function applyDefaults(schema: JsonObject, value: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return value;
  const filled: Record<string, JsonObject[string]> = { ...value };
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const given = Object.hasOwn(filled, name) ? filled[name] : undefined;
    if (given === undefined && property.default !== undefined) filled[name] = property.default;
    else if (isObject(given)) filled[name] = applyDefaults(property, given);
  }
  return filled;
}

function createValidator(schema: JsonObject): JsonValidator {
  const faults = checkJsonSchema(schema);
  if (faults.length > 0) throw unusable(faults.slice(0, 5).join('; '));
  let validate: ValidateFunction;
  try {
    // An instance of its own: the ids of one pack's schemas must not meet those of another's.
    validate = createAjv(dialectOf(schema), { meta: false, validateSchema: false }).compile(
      withoutDialect(schema),
    );
  } catch (error) {
    throw unusable(messageOf(error), error);
  }
  return (value) => run(validate, value);
}

function run(validate: ValidateFunction, value: unknown): readonly string[] {
  patternTime.begin();
  try {
    if (validate(value) === true) return [];
    return describeSchemaErrors(validate.errors ?? []);
  } catch (error) {
    if (error instanceof RangeError) return ['the value or its schema is nested without end'];
    return [`the value could not be checked: ${messageOf(error)}`];
  } finally {
    // They hold on to the value.
    validate.errors = null;
  }
}

function createAjv(dialect: Dialect, options: Options): Ajv {
  const settings: Options = {
    ...options,
    allErrors: true,
    // Unknown keywords and formats are allowed by JSON Schema, and packs of others have them.
    strict: false,
    logger: false,
    code: {
      regExp: Object.assign((pattern: string): SafePattern => safePattern(pattern, patternTime), {
        code: 'safePattern',
      }),
    },
  };
  const ajv = dialect === 'draft7' ? new (draft7().Ajv)(settings) : new (draft2020().Ajv2020)(settings);
  formats().default(ajv);
  return ajv;
}

function metaOf(dialect: Dialect): Ajv {
  let meta = metaByDialect.get(dialect);
  if (meta === undefined) {
    meta = createAjv(dialect, {});
    metaByDialect.set(dialect, meta);
  }
  return meta;
}

function dialectOf(schema: JsonObject): Dialect {
  return typeof schema.$schema === 'string' && /draft-0[467]/.test(schema.$schema) ? 'draft7' : '2020';
}

/** The address of a dialect is a name and nothing to load. */
function withoutDialect(schema: JsonObject): JsonObject {
  const { $schema: _, ...rest } = schema;
  return rest;
}

function unusable(why: string, cause?: unknown): HubError {
  return new HubError('skill_invalid', `This JSON Schema cannot be used: ${why}`, {}, { cause });
}
