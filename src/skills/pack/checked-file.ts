import type { z } from 'zod';
import { isObject } from '../../core/domain/json.js';
import { type FaultList, noteIssues } from './schema-faults.js';
import type { NodePath, Spelled, TextFile } from './text-file.js';

type Issue = z.core.$ZodIssue;

/** What a schema of ours makes of a value, mended where it has to be. */
interface Repaired<T> {
  /** Null where nothing could be kept. */
  readonly data: T | null;
  /** What is wrong with the value as it came. */
  readonly issues: readonly Issue[];
  /** Places whose value is not the author's, so that nothing more is to be said of them. */
  readonly repaired: readonly NodePath[];
}

/** More rounds than any real file needs: each mends at least one place. */
const MAX_ROUNDS = 30;

/**
 * Checks a value with a schema. What is faulty is replaced by something that fits, or left out, so that one fault does not hide
 * the others.
 * @param fallbacks values for missing or faulty keys of the root
 */
export function parseAndRepair<T>(
  schema: z.ZodType<T>,
  value: unknown,
  fallbacks: Readonly<Record<string, unknown>> = {},
): Repaired<T> {
  const first = schema.safeParse(value);
  if (first.success) return { data: first.data, issues: [], repaired: [] };
  const { issues } = first.error;
  const whole = isObject(value);
  const left = (whole ? structuredClone(value) : { ...fallbacks }) as Record<string, unknown>;
  const repaired: NodePath[] = whole ? [] : [[]];
  const tried = new Set<string>();
  let open: readonly Issue[] = issues;
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round += 1) {
    // From the end, since taking an entry away moves those behind it.
    for (const issue of [...open].reverse()) repairAt(left, issue, fallbacks, tried, repaired);
    const again = schema.safeParse(left);
    if (again.success) return { data: again.data, issues, repaired };
    open = again.error.issues;
  }
  const rest = schema.safeParse(fallbacks);
  return { data: rest.success ? rest.data : null, issues, repaired: [[]] };
}

function repairAt(
  root: Record<string, unknown>,
  issue: Issue,
  fallbacks: Readonly<Record<string, unknown>>,
  tried: Set<string>,
  repaired: NodePath[],
): void {
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) removeAt(root, [...issue.path, key], repaired);
    return;
  }
  const { path } = issue;
  const key = path.at(-1);
  const owner = walk(root, path.slice(0, -1));
  const kept =
    typeof owner === 'object' && owner !== null && !Array.isArray(owner) && typeof key === 'string';
  const name = JSON.stringify(path.map(String));
  const value =
    path.length === 1 && kept && Object.hasOwn(fallbacks, key) ? fallbacks[key] : placeholderFor(issue);
  // A place is given something that fits once; where that is refused too, what holds it goes.
  if (kept && value !== undefined && issue.code !== 'invalid_key' && !tried.has(name)) {
    if (!Object.hasOwn(owner, key) || path.length === 1) tried.add(name);
    if (Object.hasOwn(owner, key) && !(path.length === 1 && Object.hasOwn(fallbacks, key)))
      Reflect.deleteProperty(owner, key);
    else Reflect.set(owner, key, structuredClone(value));
    repaired.push(path);
    return;
  }
  removeAt(root, path, repaired);
}

/** Something of the right kind. */
function placeholderFor(issue: Issue): unknown {
  if (issue.code === 'invalid_value') return issue.values[0];
  if (issue.code === 'invalid_union')
    return (issue as { readonly options?: readonly unknown[] }).options?.[0];
  if (issue.code !== 'invalid_type') return null;
  const kinds: Record<string, unknown> = {
    string: 'unknown',
    number: 1,
    int: 1,
    boolean: false,
    array: [],
    object: {},
    record: {},
  };
  return kinds[issue.expected];
}

/** Takes away what is at the path; where nothing is there, what should have held it. */
function removeAt(root: Record<string, unknown>, path: NodePath, repaired: NodePath[]): void {
  for (let length = path.length; length > 0; length -= 1) {
    const owner = walk(root, path.slice(0, length - 1));
    const key = path[length - 1];
    if (typeof owner !== 'object' || owner === null || key === undefined || !Object.hasOwn(owner, key))
      continue;
    if (Array.isArray(owner)) {
      owner.splice(Number(key), 1);
      // The entries behind it have moved, so the lines of the list are no longer known.
      repaired.push(path.slice(0, length - 1));
    } else {
      Reflect.deleteProperty(owner, key);
      repaired.push(path.slice(0, length));
    }
    return;
  }
}

function walk(root: unknown, path: NodePath): unknown {
  let at = root;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** A file of a pack that has been read and fits its keys, or was mended where it does not. */
export interface Checked<T> {
  readonly path: string;
  readonly data: T;
  readonly file: TextFile;
  /** Whether the file was written in an older spelling. */
  readonly isOlder: boolean;
  /** Whether what is at a path is what the author wrote. */
  sound(path: NodePath): boolean;
  /** Notes a fault, unless something else was already said of that place. */
  note(path: NodePath, code: string, message: string): void;
  /** The same for what the pack works in spite of. */
  warn(path: NodePath, code: string, message: string): void;
}

/**
 * Reads a file and checks its keys; all that is wrong is noted. Null where nothing of it can be used.
 * @param fallbacks stand-ins for keys of the root
 * @param spelled which file it is, where older spellings of it are read
 */
export function readChecked<T>(
  schema: z.ZodType<T>,
  path: string,
  text: string,
  faults: FaultList,
  fallbacks: Readonly<Record<string, unknown>> = {},
  spelled?: Spelled,
): Checked<T> | null {
  const before = faults.warnings;
  const file = faults.read(path, text, spelled);
  const isOlder = faults.warnings > before;
  if (file.value === undefined) return null;
  const { data, issues, repaired } = parseAndRepair(schema, file.value, fallbacks);
  noteIssues(issues, schema, file, faults);
  if (data === null) return null;
  const sound = (at: NodePath): boolean => !repaired.some((place) => covers(place, at));
  return {
    path,
    data,
    file,
    isOlder,
    sound,
    note: (at, code, message) => {
      if (sound(at)) faults.at(file, at, code, message);
    },
    warn: (at, code, message) => {
      if (sound(at)) faults.warn(file.path, file.lineOf(at), code, message);
    },
  };
}

/** A place speaks for all beneath it, and for its owner as a whole (what the owner lacks may be the key that was faulty). */
function covers(place: NodePath, at: NodePath): boolean {
  if (place.length === at.length + 1) return at.every((key, index) => String(key) === String(place[index]));
  return place.length <= at.length && place.every((key, index) => String(key) === String(at[index]));
}
