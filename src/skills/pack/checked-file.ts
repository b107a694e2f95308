import type { z } from 'zod';
import type { FaultList } from './fault-list.js';
import { salvage } from './salvage.js';
import { noteIssues } from './schema-faults.js';
import type { NodePath, Spelled, TextFile } from './text-file.js';

/** A file of a pack that has been read and fits its keys, or was mended where it does not. */
export interface Checked<T> {
  readonly path: string;
  readonly data: T;
  readonly file: TextFile;
  /** Whether the file was written in an older spelling. */
  readonly isOlder: boolean;
  /** Whether what stands at a path is what the author wrote. */
  sound(path: NodePath): boolean;
  /** Notes a fault, unless something else was already said of that place. */
  note(path: NodePath, code: string, message: string): void;
  /** The same for what the pack works in spite of. */
  warn(path: NodePath, code: string, message: string): void;
}

/**
 * Reads a file and checks its keys; all that is wrong is noted. Null where nothing of it can be used.
 * @param stand stand-ins for keys of the root
 * @param spelled which file it is, where older spellings of it are read
 */
export function readChecked<T>(
  schema: z.ZodType<T>,
  path: string,
  text: string,
  faults: FaultList,
  stand: Readonly<Record<string, unknown>> = {},
  spelled?: Spelled,
): Checked<T> | null {
  const before = faults.warnings;
  const file = faults.read(path, text, spelled);
  const isOlder = faults.warnings > before;
  if (file.value === undefined) return null;
  const { data, issues, mended } = salvage(schema, file.value, stand);
  noteIssues(issues, schema, file, faults);
  if (data === null) return null;
  const sound = (at: NodePath): boolean => !mended.some((place) => covers(place, at));
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
