import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { compileJsonSchema } from '../json-schema.js';
import { propertiesOf, requiredOf } from './step-records.js';

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

export function fitsProperty(schema: JsonObject, field: string, value: JsonValue): boolean {
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
