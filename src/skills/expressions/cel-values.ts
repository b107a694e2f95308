import type { JsonValue } from '../../core/domain/json.js';

/** Entries of a list that an expression sees; the rest is as if it were not there. */
export const MAX_ITEMS = 1_000;
const MAX_DEPTH = 40;

/**
 * A value as CEL has it. Numbers without a fraction become ints, so that `count == 0` and `cents / 2` are what they look
 * like; objects become maps, which have no prototype to reach.
 */
export function toCel(value: unknown, depth = 0): unknown {
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
