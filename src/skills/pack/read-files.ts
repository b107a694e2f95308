import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { HubError, messageOf } from '../../core/errors.js';
import type { SkillFault } from '../../core/workbench.js';
import type { PackFiles } from './pack.js';
import { FaultList } from './schema-faults.js';

/**
 * A path of a pack, relative to the pack's folder and without `./`; null where it is absolute, leads out of the folder, or is
 * no path at all.
 */
export function safePath(path: string): string | null {
  if (path.includes('\\') || path.includes('\0') || path.startsWith('/') || /^[A-Za-z]:/.test(path))
    return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..') || parts[0]?.startsWith('@') === true) return null;
  return parts.join('/');
}

/** What to say of a path that {@link safePath} refuses. */
export function unsafePathMessage(path: string): string {
  return `The path "${path.slice(0, 100)}" leads out of the pack or is not relative to it. Name a file inside the pack's folder, with forward slashes and without "..".`;
}

/** What a pack may hold. More than any written by people; less than what stops a program. */
const MAX_FILE_BYTES = 512_000;
const MAX_FILES = 1_000;
const MAX_TOTAL_BYTES = 8_000_000;
const MAX_FOLDERS_DEEP = 16;

/** What belongs to a pack. A picture or a script beside it is nobody's fault, and is not read. */
const TEXTS = new Set(['.yaml', '.yml', '.json', '.md', '.txt', '.sql', '.csv', '.mustache']);

/**
 * The text files of a pack, with those of its nested skills, by path relative to the folder.
 * @throws HubError `skill_invalid` where a file is too large or no text, there are too many, or a link leads out
 */
export function readPackFiles(folder: string): PackFiles {
  const { files, faults } = readFolder(folder);
  const [first] = faults;
  if (first === undefined) return files;
  throw new HubError('skill_invalid', `${first.file}: ${first.message}`, {
    file: first.file,
    code: first.code,
  });
}

/** The same, with what is wrong as faults. Never throws. */
export function readFolder(folder: string): {
  readonly files: PackFiles;
  readonly faults: readonly SkillFault[];
} {
  const faults = new FaultList('');
  const files: Record<string, string> = Object.create(null);
  let root: string;
  try {
    root = realpathSync(folder);
  } catch {
    faults.add(folder, 1, 'missing_folder', 'There is no such folder; check the path.');
    return { files, faults: faults.list() };
  }
  const state = { folder, root, files, faults, count: 0, bytes: 0, full: false };
  walk(state, '', 0);
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { files: sorted, faults: faults.list() };
}

/**
 * What tells whether a file below the folders was added, changed or taken away: names, sizes and times, none of it read.
 * Never throws; what cannot be looked at is left out.
 */
export function stampOf(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) stampFolder(hash, folder, 0);
  return hash.digest('hex');
}

function stampFolder(hash: Hash, folder: string, depth: number): void {
  try {
    for (const entry of entriesOf(folder)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(folder, entry.name);
      const { mtimeMs, size } = statSync(path);
      const isFolder = entry.isDirectory();
      hash.update(`${path}\0${isFolder ? '' : `${mtimeMs}:${size}`}\n`);
      if (isFolder && depth < MAX_FOLDERS_DEEP) stampFolder(hash, path, depth + 1);
    }
  } catch {
    // Gone between two looks, or not to be read: the next look sees what is there then.
  }
}

interface Reading {
  readonly folder: string;
  readonly root: string;
  readonly files: Record<string, string>;
  readonly faults: FaultList;
  count: number;
  bytes: number;
  full: boolean;
}

function walk(state: Reading, within: string, depth: number): void {
  const { folder, root, faults } = state;
  if (tooLarge(state, 0)) return;
  if (depth > MAX_FOLDERS_DEEP) {
    faults.add(
      join(folder, within),
      1,
      'too_many_folders',
      `Folders are nested deeper than ${MAX_FOLDERS_DEEP}; make it flatter.`,
    );
    return;
  }
  let entries: ReturnType<typeof entriesOf>;
  try {
    entries = entriesOf(join(root, within));
  } catch (error) {
    faults.add(join(folder, within), 1, 'unreadable', `The folder cannot be read: ${messageOf(error)}.`);
    return;
  }
  for (const entry of entries) {
    if (state.full) return;
    const path = within === '' ? entry.name : `${within}/${entry.name}`;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isSymbolicLink() && !staysInside(state, path)) continue;
    if (entry.isDirectory() || (entry.isSymbolicLink() && statSync(join(root, path)).isDirectory()))
      walk(state, path, depth + 1);
    else if (TEXTS.has(extname(entry.name).toLowerCase())) take(state, path);
  }
}

/** Files first, so that a pack of too many files is read with its skill.yaml. */
function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort(
    (a, b) => Number(a.isDirectory()) - Number(b.isDirectory()) || (a.name < b.name ? -1 : 1),
  );
}

/** A link may save its author a copy within the pack; it may not show a file of the machine. */
function staysInside({ folder, root, faults }: Reading, path: string): boolean {
  try {
    const target = realpathSync(join(root, path));
    const around = join(root, path).startsWith(target + sep);
    if (target.startsWith(root + sep) && !around) return true;
  } catch {
    // A link to nothing is reported as one that leads out.
  }
  faults.add(
    join(folder, path),
    1,
    'unsafe_path',
    'This link leads out of the pack, in a circle or to nothing; put the file itself here.',
  );
  return false;
}

function take(state: Reading, path: string): void {
  const { folder, root, files, faults } = state;
  const shown = join(folder, path);
  try {
    const stat = statSync(join(root, path));
    if (!stat.isFile()) return;
    if (stat.size > MAX_FILE_BYTES) {
      faults.add(
        shown,
        1,
        'file_too_large',
        `The file has ${stat.size} bytes; ${MAX_FILE_BYTES} is the most.`,
      );
      return;
    }
    if (tooLarge(state, stat.size)) return;
    files[path] = decoder.decode(readFileSync(join(root, path)));
  } catch (error) {
    const text = error instanceof TypeError ? 'The file is no UTF-8 text; save it as UTF-8.' : null;
    faults.add(shown, 1, 'unreadable', text ?? `The file cannot be read: ${messageOf(error)}.`);
  }
}

/** Counts a file or a folder: links can show few folders a million times. */
function tooLarge(state: Reading, bytes: number): boolean {
  state.count += 1;
  state.bytes += bytes;
  if (state.count <= MAX_FILES && state.bytes <= MAX_TOTAL_BYTES) return false;
  if (!state.full)
    state.faults.add(
      state.folder,
      1,
      'pack_too_large',
      `The pack has more than ${MAX_FILES} files or ${MAX_TOTAL_BYTES} bytes; take out what is not part of it.`,
    );
  state.full = true;
  return true;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
