import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { SkillFault } from '../../core/workbench.js';
import type { SkillFinder } from './checks/reference-checks.js';
import type { Draft, Scope } from './draft.js';
import { checkAmongOthers, draftOf, finish, type LoadedPack } from './load-pack.js';
import { type Catalog, createCatalog, fitting, isVersion, type Pack } from './pack.js';
import { readFolder } from './read-files.js';
import { createRegistry, type Registry, type RegistryFile } from './registry.js';
import { FaultList } from './schema-faults.js';
import { DESCRIPTOR_FILES } from './spellings/index.js';

/** What was found in skills folders. */
export interface LoadedSkills {
  readonly catalog: Catalog;
  readonly faults: readonly SkillFault[];
  /** How many packs were looked at, the faulty ones too. */
  readonly packs: number;
}

/** A folder with one of these is meant to be a pack. */
export const PACK_MARKS = [...DESCRIPTOR_FILES, 'skill.yml', 'decision_tree.yaml'] as const;

const REGISTRIES = ['prompts', 'rubrics'] as const;

/**
 * Loads every pack of the folders: each folder directly in one of them that has a skill.yaml. A pack with faults is left out,
 * the others are there. Later folders add to earlier ones; the same id and version twice is a fault of the later one.
 * Never throws.
 * @param scope `to_run` leaves their test cases alone, faults of those too
 * @param isKept false for a pack that is not to be in the catalog
 */
export function loadSkillFolders(
  dirs: readonly string[],
  scope: Scope = 'all',
  isKept: (pack: Pack) => boolean = () => true,
): LoadedSkills {
  const faults = new FaultList('');
  const found = dirs.map((dir) => ({ dir, packs: packFolders(dir, faults) }));
  const registry = registryOf(dirs, faults);
  faults.addAll(registry.faults());
  const folders = found.flatMap(({ packs }) => packs);
  const loaded = loadPacks(folders, registry, scope);
  for (const one of loaded) faults.addAll(one.faults);
  const packs = loaded.flatMap(({ pack }) => pack ?? []);
  return { catalog: createCatalog(packs.filter(isKept)), faults: faults.list(), packs: folders.length };
}

/** Loads packs that may refer to each other, in the order of their folders. */
function loadPacks(
  folders: readonly string[],
  registry: Registry,
  scope: Scope = 'all',
): readonly LoadedPack[] {
  const drafts = folders.map((folder) => {
    const { files, faults: unreadable } = readFolder(folder);
    const { draft, faults } = draftOf(files, { folder, registry, scope });
    faults.addAll(unreadable);
    return { draft, faults, whole: unreadable.length === 0 };
  });
  const find = finderOf(drafts.map(({ draft }) => draft));
  return drafts.map(({ draft, faults, whole }) => {
    checkAmongOthers(draft, find);
    const { pack, faults: found } = finish(draft, faults);
    // A skill.yaml that could not be read is not missing, and what reads a file may be what could not be.
    return {
      pack,
      faults: found.filter(({ code }) => whole || !['missing_descriptor', 'unread_file'].includes(code)),
    };
  });
}

/** Looks skills up among drafts, whether they have faults or not: a fault is reported once, where it is. */
function finderOf(drafts: readonly Draft[]): SkillFinder {
  const known = new Map<string, Map<string, Draft>>();
  for (const draft of drafts) {
    if (draft.descriptor === null) continue;
    const { id, version } = draft.descriptor.data;
    if (!isVersion(version)) continue;
    const versions = known.get(id) ?? new Map<string, Draft>();
    const first = versions.get(version);
    if (first !== undefined) {
      const message = `${id} ${version} is there twice; ${first.folder} has it too. Give one of the two another version.`;
      draft.descriptor.note(['version'], 'duplicate_version', message);
    } else versions.set(version, draft);
    known.set(id, versions);
  }
  return {
    ids: () => [...known.keys()],
    versions: (id) => fitting([...(known.get(id)?.keys() ?? [])]),
    find(id, range) {
      const versions = known.get(id) ?? new Map<string, Draft>();
      const [best] = fitting([...versions.keys()], range);
      return best === undefined ? null : (versions.get(best) ?? null);
    },
  };
}

/** The folders of the packs in a skills folder, by name. What cannot be read is noted. */
export function packFolders(dir: string, faults: FaultList): readonly string[] {
  try {
    const names = readdirSync(dir).sort();
    const own = DESCRIPTOR_FILES.find((name) => names.includes(name));
    if (own !== undefined) {
      const message = 'This is a pack itself, and not a folder of packs. Name the folder around it.';
      faults.add(join(dir, own), 1, 'not_a_skills_folder', message);
      return [];
    }
    return names.flatMap((name) => {
      const folder = join(dir, name);
      if (name.startsWith('.') || (REGISTRIES as readonly string[]).includes(name) || !isFolder(folder))
        return [];
      const isPack = PACK_MARKS.some((file) => existsSync(join(folder, file)));
      return isPack ? [folder] : [];
    });
  } catch {
    const message =
      'There is no such skills folder, or it cannot be read. Check HUB_SKILLS_DIR and the path.';
    faults.add(dir, 1, 'missing_folder', message);
    return [];
  }
}

/** The prompts and rubrics of all the folders. */
function registryOf(dirs: readonly string[], faults: FaultList): Registry {
  const files = dirs.flatMap((dir) =>
    REGISTRIES.flatMap((name): RegistryFile[] => {
      const folder = join(dir, name);
      if (!isFolder(folder)) return [];
      const read = readFolder(folder);
      faults.addAll(read.faults);
      return Object.entries(read.files).map(([path, text]) => ({
        key: `@${name}/${path}`,
        text,
        shown: join(folder, path),
      }));
    }),
  );
  return createRegistry(files);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** How many packs were looked at, and all that is wrong with them. */
interface ValidationReport {
  readonly packs: number;
  readonly faults: readonly SkillFault[];
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
