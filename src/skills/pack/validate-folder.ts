import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FaultList } from './fault-list.js';
import { loadPacks, loadSkillFolders, PACK_MARKS, packFolders, registryOf } from './load-folders.js';
import type { PackFault } from './pack.js';

/** How many packs were looked at, and all that is wrong with them. */
export interface ValidationReport {
  readonly packs: number;
  readonly faults: readonly PackFault[];
}

/**
 * Validates a skills folder with all its packs and registries, or one pack, or the pack of a file; the folder around it
 * gives the skills, prompts and rubrics it may refer to. Never throws.
 */
export function validateFolder(given: string): ValidationReport {
  const path = packOfFile(given);
  if (!isPack(path)) {
    const { faults, packs } = loadSkillFolders([path]);
    if (packs > 0 || faults.length > 0) return { packs, faults };
    const message =
      'There is no pack here: no folder with a skill.yaml. Begin one with `npm run skill -- new ID --type TYPE`.';
    return { packs: 0, faults: [{ file: path, line: 1, code: 'no_packs', message }] };
  }
  const around = dirname(resolve(path));
  const ignored = new FaultList('');
  const siblings = packFolders(around, ignored).filter(
    (folder) => basename(folder) !== basename(resolve(path)),
  );
  // Last, so that what it has in common with another is its fault and not the other's.
  const own = loadPacks([...siblings, path], registryOf([around], ignored)).at(-1);
  return { packs: 1, faults: own?.faults ?? [] };
}

/** An editor has a file, and means the pack it is in. */
function packOfFile(path: string): string {
  let folder = resolve(path);
  if (!(statSync(folder, { throwIfNoEntry: false })?.isFile() ?? false)) return path;
  while (folder !== dirname(folder) && !isPack(folder)) {
    folder = dirname(folder);
    // A file of a registry belongs to the whole skills folder.
    if (['prompts', 'rubrics'].includes(basename(folder)) && !isPack(dirname(folder))) return dirname(folder);
  }
  return isPack(folder) ? folder : path;
}

function isPack(path: string): boolean {
  return PACK_MARKS.some((file) => existsSync(join(path, file)));
}
