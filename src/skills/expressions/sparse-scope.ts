import type { JsonValue } from '../../core/domain/json.js';

/** Entries of a list that an expression sees; the rest is as if it were not there. */
const MAX_ITEMS = 1_000;
const MAX_DEPTH = 40;

/**
 * A value as CEL has it. Numbers without a fraction become ints, so that `count == 0` and `cents / 2` are what they look
 * like; objects become maps, which have no prototype to reach.
 */
function toCel(value: unknown, depth = 0): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string' || typeof value === 'boolean' || value instanceof Date) return value;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((entry) => toCel(entry, depth + 1));
  const map = new Map<string, unknown>();
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== undefined) map.set(key, toCel(entry, depth + 1));
  }
  return map;
}

/** A CEL value as JSON; undefined where it has no such form. Times are ISO 8601, durations are seconds. */
export function fromCel(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object') return undefined;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((entry) => fromCel(entry) ?? null);
  if (value instanceof Map || Object.getPrototypeOf(value) === Object.prototype) {
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    return Object.fromEntries(entries.map(([key, entry]) => [String(key), fromCel(entry) ?? null]));
  }
  // The library's durations count in milliseconds, its unsigned integers are bigints.
  const plain: unknown = value.valueOf();
  if (typeof plain === 'number') return plain / 1_000;
  return typeof plain === 'bigint' ? Number(plain) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** What the variables of an expression are called inside CEL, so that none is taken for a function, a type or a prototype. */
export const VARIABLE = 'v_';

/**
 * The part of a scope that an expression looks at, as CEL's own values: a thousand rows are not copied for a look at their
 * count. Own properties only. A variable that is missing is null; a field that is missing is absent.
 * @param names dotted names, shorter ones first
 */
export function sparseScope(scope: object, names: readonly (readonly string[])[]): Record<string, unknown> {
  const sparse: Record<string, unknown> = Object.create(null);
  for (const [root = '', ...path] of names) {
    const key = VARIABLE + root;
    const value = own(scope, root);
    if (path.length === 0 || !isFields(value)) sparse[key] ??= asVariable(root, value);
    else {
      sparse[key] ??= new Map();
      put(sparse[key], value, path);
    }
  }
  return sparse;
}

/** `now` is a time, also where it comes as text. */
function asVariable(name: string, value: unknown): unknown {
  if (name !== 'now' || typeof value !== 'string') return toCel(value);
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time;
}

function put(target: unknown, source: Fields, [head = '', ...rest]: readonly string[]): void {
  const value = own(source, head);
  if (value === undefined || !(target instanceof Map)) return;
  // A shorter name has put the value whole, or another long one a part of it, which is added to.
  if (rest.length > 0 && isFields(value)) {
    if (!target.has(head)) target.set(head, new Map());
    put(target.get(head), value, rest);
  } else if (!target.has(head)) target.set(head, toCel(value));
}

/** Undefined where it is not there. Inherited properties are not there. */
export function valueAt(scope: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, part) => own(at, part), scope);
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Fields)[name];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
