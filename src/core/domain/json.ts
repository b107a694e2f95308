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

/** What a text holds as JSON. @param otherwise what is given back where it is none */
export function parseJson<Other>(text: string, otherwise: Other): JsonValue | Other {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return otherwise;
  }
}

/** The object that a text holds as JSON; undefined where it is none. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text, undefined);
  return isObject(value) ? value : undefined;
}

/** An own field of an object or list; undefined where there is none. What every object inherits is no part of the data. */
export function own(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as JsonObject)[key];
}

/** The same fields with other values. */
export function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  map: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** True where a value is nested deeper. Level by level, because a recursive walk would use up the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** How many arrays and objects lie within each other at most in a text of JSON; brackets in strings do not count. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return deepest;
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
