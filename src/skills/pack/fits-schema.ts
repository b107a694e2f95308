import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { toHubError } from '../../core/errors.js';
import { compileJsonSchema } from '../json-schema.js';

/**
 * What is wrong with a value by a JSON Schema: one message a fault, also where the schema itself cannot be used. Compiling a
 * schema takes a millisecond, which two hundred packs would feel, so the common keywords are looked at first and a schema is
 * compiled only where they do not settle it.
 */
export function schemaFaults(schema: JsonObject, value: JsonValue): readonly string[] {
  if (surelyFits(schema, value)) return [];
  try {
    return compileJsonSchema(schema)(value);
  } catch (error) {
    return [toHubError(error).message];
  }
}

type Rule = (limit: JsonValue, value: JsonValue, schema: JsonObject) => boolean;

const anything: Rule = () => true;
const RULES: Readonly<Record<string, Rule>> = {
  $schema: (limit) => typeof limit === 'string',
  title: anything,
  description: anything,
  default: anything,
  examples: anything,
  $comment: anything,
  type: (limit, value) => (Array.isArray(limit) ? limit : [limit]).some((type) => isOfType(type, value)),
  enum: (limit, value) => Array.isArray(limit) && isSimple(value) && limit.includes(value),
  const: (limit, value) => isSimple(value) && limit === value,
  minLength: (limit, value) => typeof value !== 'string' || [...value].length >= Number(limit),
  maxLength: (limit, value) => typeof value !== 'string' || [...value].length <= Number(limit),
  minimum: (limit, value) => typeof value !== 'number' || value >= Number(limit),
  maximum: (limit, value) => typeof value !== 'number' || value <= Number(limit),
  minItems: (limit, value) => !Array.isArray(value) || value.length >= Number(limit),
  maxItems: (limit, value) => !Array.isArray(value) || value.length <= Number(limit),
  items: (limit, value) =>
    !Array.isArray(value) || value.every((entry: JsonValue) => surelyFits(limit, entry)),
  required: (limit, value) =>
    !isObject(value) ||
    (Array.isArray(limit) && limit.every((name) => typeof name === 'string' && Object.hasOwn(value, name))),
  properties: (limit, value) =>
    isObject(limit) &&
    (!isObject(value) ||
      Object.entries(limit).every(
        ([name, schema]) => !Object.hasOwn(value, name) || surelyFits(schema, value[name] ?? null),
      )),
  additionalProperties: (limit, value, { properties }) =>
    limit === true ||
    (limit === false &&
      (!isObject(value) ||
        Object.keys(value).every((name) => isObject(properties) && Object.hasOwn(properties, name)))),
};

/** True only where the value fits without doubt; false also where a keyword is not known here. */
export function surelyFits(schema: JsonValue | undefined, value: JsonValue): boolean {
  if (schema === true) return true;
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(([keyword, limit]) => {
    const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
    return rule !== undefined && limit !== undefined && rule(limit, value, schema);
  });
}

function isOfType(type: JsonValue, value: JsonValue): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return false;
  }
}

function isSimple(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}
