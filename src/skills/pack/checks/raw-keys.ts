import type { NodePath, TextFile } from '../text-file.js';

/** The keys an author wrote at a place, also of entries that turned out faulty. */
export function rawKeys(file: TextFile, path: NodePath): readonly string[] {
  let at: unknown = file.value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return [];
    at = Reflect.get(at, key);
  }
  return typeof at === 'object' && at !== null && !Array.isArray(at) ? Object.keys(at) : [];
}
