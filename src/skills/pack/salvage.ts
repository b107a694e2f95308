import type { z } from 'zod';
import type { NodePath } from './text-file.js';

/** More rounds than any real file needs: each takes at least one faulty value away. */
const MAX_ROUNDS = 60;

/**
 * What a schema of ours makes of a value from which everything faulty was taken away, so that one fault does not hide the
 * others. Null where nothing is left.
 * @param stand values for missing or faulty keys of the root
 * @returns also the issues of the value as it came
 */
export function salvage<T>(
  schema: z.ZodType<T>,
  value: unknown,
  stand: Readonly<Record<string, unknown>> = {},
): { readonly data: T | null; readonly issues: readonly z.core.$ZodIssue[] } {
  const first = schema.safeParse(value);
  if (first.success) return { data: first.data, issues: [] };
  const { issues } = first.error;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const rest = schema.safeParse(stand);
    return { data: rest.success ? rest.data : null, issues };
  }
  const left = structuredClone(value) as Record<string, unknown>;
  let open: readonly z.core.$ZodIssue[] = issues;
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round += 1) {
    // From the end, since taking an entry away moves those behind it.
    for (const path of open.flatMap(faultyPlaces).reverse()) take(left, path, stand);
    const again = schema.safeParse(left);
    if (again.success) return { data: again.data, issues };
    open = again.error.issues;
  }
  const rest = schema.safeParse(stand);
  return { data: rest.success ? rest.data : null, issues };
}

function faultyPlaces(issue: z.core.$ZodIssue): readonly NodePath[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key]);
  return [issue.path];
}

/** Takes away what stands at the path; where nothing stands there, what should have held it. */
function take(root: Record<string, unknown>, path: NodePath, stand: Readonly<Record<string, unknown>>): void {
  const [first] = path;
  if (path.length <= 1 && typeof first === 'string' && Object.hasOwn(stand, first)) {
    root[first] = stand[first];
    return;
  }
  for (let length = path.length; length > 0; length -= 1) {
    const owner = walk(root, path.slice(0, length - 1));
    const key = path[length - 1];
    if (typeof owner !== 'object' || owner === null || key === undefined || !Object.hasOwn(owner, key)) continue;
    if (length === 1 && typeof key === 'string' && Object.hasOwn(stand, key)) root[key] = stand[key];
    else if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else Reflect.deleteProperty(owner, key);
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
