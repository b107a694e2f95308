import type { Chain } from './chains.js';

type Fields = Record<string, unknown>;

const MAX_ITEMS = 1_000;

/**
 * The part of a scope that an expression looks at, as CEL's own values: whole numbers become ints, so that `count == 0`
 * and `cents / 2` work as an author expects. What is missing is null. Own properties only: nothing of a prototype.
 */
export function sparseScope(scope: object, chains: readonly Chain[]): Fields {
  const sparse: Fields = Object.create(null);
  // Shorter names first: a value that is there whole needs no parts.
  for (const { path, tested } of [...chains].sort((a, b) => a.path.length - b.path.length)) {
    put(sparse, path, valueAt(scope, path), tested);
  }
  return sparse;
}

function put(sparse: Fields, path: readonly string[], value: unknown, tested: boolean): void {
  let at = sparse;
  for (const part of path.slice(0, -1)) {
    if (!Object.hasOwn(at, part)) at[part] = Object.create(null);
    const next = at[part];
    // The shorter name was put as a whole already: a list, a text, or nothing at all.
    if (!isFields(next)) return;
    at = next;
  }
  const last = path.at(-1) ?? '';
  if (Object.hasOwn(at, last) || (tested && value === undefined)) return;
  at[last] = celValue(value ?? null);
}

/** Undefined where it is not there. */
export function valueAt(scope: unknown, path: readonly string[]): unknown {
  let at: unknown = scope;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Fields)[part];
  }
  return at;
}

function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(celValue);
  if (value instanceof Date || !isFields(value)) return value;
  const copy: Fields = Object.create(null);
  for (const [name, field] of Object.entries(value)) copy[name] = celValue(field ?? null);
  return copy;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
