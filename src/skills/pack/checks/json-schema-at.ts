import { isObject, type JsonObject, type JsonValue, OPEN_KEYWORDS } from '../../../core/domain/json.js';
import { checkJsonSchema } from '../../json-schema.js';
import type { Checked } from '../checked-file.js';
import type { NodePath, TextFile } from '../text-file.js';

/** The fields an object of the schema has by name; null where that cannot be read off it. */
export function propertiesOf(
  schema: JsonValue | undefined,
): Readonly<Record<string, JsonValue | undefined>> | null {
  if (!isObject(schema) || OPEN_KEYWORDS.some((keyword) => schema[keyword] !== undefined)) return null;
  return isObject(schema.properties) ? schema.properties : null;
}

/** The fields an object of the schema must have. */
export function requiredOf(schema: JsonValue | undefined): readonly string[] {
  const required = isObject(schema) ? schema.required : undefined;
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}

/** Whether the author says in so many words that there may be further fields. */
export function takesOthers(schema: JsonObject): boolean {
  return schema.additionalProperties === true || isObject(schema.additionalProperties);
}

/** The keys an author wrote at a place, also of entries that turned out faulty. */
export function rawKeys(file: TextFile, path: NodePath): readonly string[] {
  let at: unknown = file.value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return [];
    at = Reflect.get(at, key);
  }
  return typeof at === 'object' && at !== null && !Array.isArray(at) ? Object.keys(at) : [];
}

const MAX_REPORTED = 5;

/** Notes what is wrong with a schema, at the line of the keyword. True where it can be used. */
export function checkJsonSchemaAt(where: Checked<unknown>, at: NodePath, schema: JsonObject): boolean {
  const faults = checkJsonSchema(schema);
  for (const fault of faults.slice(0, MAX_REPORTED)) {
    const pointer = /^\/\S*/.exec(fault)?.[0] ?? '';
    const inside = pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const name = String(at.at(-1));
    where.note(
      [...at, ...inside],
      'invalid_schema',
      `${name} is no JSON Schema: ${fault.replace(/\.$/, '')}.`,
    );
  }
  return faults.length === 0;
}

/** The types a schema allows by name; empty where it says none. */
export function typesIn(schema: JsonValue | undefined): readonly string[] {
  const type = isObject(schema) ? schema.type : undefined;
  const named = [type ?? []].flat().filter((one): one is string => typeof one === 'string');
  return named.includes('number') ? [...named, 'integer'] : named;
}

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Keywords of one schema that exclude each other, however deep it lies in properties and items. */
export function checkContradictions(
  where: Checked<unknown>,
  at: NodePath,
  schema: JsonValue | undefined,
): void {
  if (!isObject(schema)) return;
  const note = (key: string, message: string): void =>
    where.note([...at, key], 'schema_never_holds', `Nothing can ever fit this schema: ${message}`);
  for (const [low, high] of BOUNDS) {
    const [from, to] = [schema[low], schema[high]];
    if (typeof from === 'number' && typeof to === 'number' && from > to)
      note(low, `${low} ${from} is greater than ${high} ${to}.`);
  }
  const types = typesIn(schema);
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  if (types.length > 0 && values.length > 0 && !values.some((value) => types.includes(typeName(value))))
    note('enum', `no value of enum is ${types.join(' or ')}.`);
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (schema.additionalProperties === false && schema.patternProperties === undefined) {
    for (const name of requiredOf(schema)) {
      if (!Object.hasOwn(properties, name))
        note('required', `${name} is required, but properties does not have it and no others are allowed.`);
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    checkContradictions(where, [...at, 'properties', name], property);
  }
  checkContradictions(where, [...at, 'items'], schema.items);
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
