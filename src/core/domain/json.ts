/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True of a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type SnakeKey<Key extends string> = Key extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeKey<Tail>}`
  : Key;

/** `ticketId` as `ticket_id`, the way names are written on every wire. */
export function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** A record with its names as they are on the wire; what its fields hold stays as it is. */
export function snaked<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).map(([name, value]) => [snake(name), value]);
  return Object.fromEntries(entries) as { [Key in keyof Fields as SnakeKey<Key & string>]: Fields[Key] };
}

/** Keywords with which fields of a JSON Schema may come from elsewhere than `properties`. */
export const OPEN_KEYWORDS = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'patternProperties',
  'dependentSchemas',
] as const;
