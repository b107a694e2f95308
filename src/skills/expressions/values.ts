import { Duration, UnsignedInt } from '@marcbachmann/cel-js';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';

/** Entries of a list that an expression sees; the rest is as if it were not there. */
export const MAX_LIST = 1_000;
const MAX_DEPTH = 40;

/**
 * What expressions may name. Each name is made ready for CEL once, however many expressions look at it, so the values must
 * not change while it is used.
 */
export class Scope {
  readonly #values: JsonObject;
  readonly #ready = new Map<string, unknown>();

  constructor(values: JsonObject) {
    this.#values = values;
  }

  /** Null where there is none: a name nobody gave is no fault. Inherited properties are no values. */
  get(name: string): unknown {
    if (!this.#ready.has(name)) this.#ready.set(name, this.#convert(name));
    return this.#ready.get(name);
  }

  #convert(name: string): unknown {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : null;
    if (name !== 'now' || typeof value !== 'string') return toCel(value);
    const time = new Date(value);
    return Number.isNaN(time.getTime()) ? value : time;
  }
}

/**
 * Numbers without a fraction become CEL's ints, so that `count == 0` and `count % 2` are what they look like. Objects
 * become maps, which have no prototype to reach.
 */
export function toCel(value: JsonValue | undefined, depth = 0): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_LIST).map((entry) => toCel(entry, depth + 1));
  const map = new Map<string, unknown>();
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== undefined) map.set(key, toCel(entry, depth + 1));
  }
  return map;
}

/** A CEL value as JSON; undefined where it has no such form. Times are ISO 8601, durations seconds. */
export function fromCel(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof UnsignedInt) return Number(value.valueOf());
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Duration) return value.valueOf() / 1_000;
  if (Array.isArray(value)) return value.map((entry) => fromCel(entry) ?? null);
  const entries = value instanceof Map ? [...value] : isPlain(value) ? Object.entries(value) : null;
  if (entries === null) return undefined;
  return Object.fromEntries(entries.map(([key, entry]) => [String(key), fromCel(entry) ?? null]));
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
