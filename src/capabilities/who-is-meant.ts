import { isObject, type JsonObject, type JsonValue } from '../core/domain/json.js';

/** What a field tells of the customer: the record as a whole, or one part of it. */
export type Said = 'record' | 'id' | 'name' | 'email';

/** The customer as the hub knows them. */
export interface KnownCustomer {
  readonly customerId: string;
  /** Fields of the record, `user_id` and `full_name` among them. */
  readonly record: JsonObject;
}

const NAMED = /^(?:customer|user|client|member|account)(?:_(id|name|full_name|email|email_address))?$/;

/**
 * What a field of a skill's input says of who the customer is; null where nothing. Such a field is the hub's to fill.
 * @param schema the field's
 */
export function whatIsSaidOf(field: string, schema: JsonValue | undefined): Said | null {
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
    const said = whatIsSaidOf(name, property);
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
    (name) => whatIsSaidOf(name, Object.hasOwn(properties, name) ? properties[name] : undefined) !== null,
  );
}
