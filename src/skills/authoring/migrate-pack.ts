import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HubError } from '../../core/errors.js';
import { descriptorFile } from '../pack/draft.js';
import { FaultList } from '../pack/fault-list.js';
import { PACK_MARKS, packFolders } from '../pack/load-folders.js';
import { readPackFiles } from '../pack/read-files.js';
import { DESCRIPTOR_FILES, type SpelledFile } from '../pack/spellings/index.js';
import { modernText } from '../pack/text-file.js';

/**
 * Rewrites what a pack, its nested ones, or all packs of a folder say in an older spelling. Comments stay; what is not
 * understood is left as it is.
 * @returns the files that were written, as paths that begin with `path`
 * @throws HubError `input_invalid` where there is no pack, `skill_invalid` where a pack cannot be read
 */
export function migratePack(path: string): { readonly files: readonly string[] } {
  const folder = existsSync(path) && statSync(path).isFile() ? dirname(path) : path;
  const isPack = PACK_MARKS.some((mark) => existsSync(join(folder, mark)));
  const packs = isPack ? [folder] : packFolders(folder, new FaultList(''));
  if (packs.length === 0)
    throw new HubError('input_invalid', `There is no pack at ${path}: no folder with a skill.yaml.`, {
      field: 'path',
    });
  return { files: packs.flatMap(migrateFolder) };
}

function migrateFolder(folder: string): readonly string[] {
  const files = readPackFiles(folder);
  return Object.entries(files).flatMap(([path, text]) => {
    const at = path.lastIndexOf('/') + 1;
    const within = Object.fromEntries(
      Object.entries(files).flatMap(([other, content]) =>
        other.startsWith(path.slice(0, at)) ? [[other.slice(at), content]] : [],
      ),
    );
    const as = fileKind(path.slice(at), within);
    if (as === null) return [];
    const modern = modernText(text, { as, files: within });
    const [today] = DESCRIPTOR_FILES;
    const target = as === 'descriptor' ? `${path.slice(0, at)}${today}` : path;
    if (modern === text && target === path) return [];
    if (modern !== text) writeFileSync(join(folder, path), modern);
    for (const query of inlined(within, text, modern)) rmSync(join(folder, path.slice(0, at), query));
    if (target !== path) renameSync(join(folder, path), join(folder, target));
    return [join(folder, target)];
  });
}

/** Files of queries that were named, and whose SQL now stands where the name stood: nothing reads them any more. */
function inlined(files: Readonly<Record<string, string>>, before: string, after: string): readonly string[] {
  return Object.keys(files).filter((path) => {
    const name = /^queries\/([^/]+)\.sql$/.exec(path)?.[1];
    return name !== undefined && before.includes(name) && !after.includes(name);
  });
}

function fileKind(name: string, files: Readonly<Record<string, string>>): SpelledFile | null {
  if (name === descriptorFile(files)) return 'descriptor';
  if (name === 'decision_tree.yaml') return 'tree';
  return name === 'api_mappings.yaml' ? 'mappings' : null;
}
