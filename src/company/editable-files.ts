import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { CompanyFolder } from '../core/company-changes.js';

/** What operators may change: what a company says and allows. Never addresses, secrets, customers, code or trained models. */
const EDITABLE =
  /^(?:(?:company|policy)\.yaml|prompts\/[\w-]+\.md|(?:entities|reads|actions|intents|texts\/[\w-]+)\/[\w.-]+\.yaml|skills\/[\w-]+\/prompts\/[\w./-]+\.(?:txt|md|yaml))$/;
const ROOMS: readonly string[] = ['entities', 'reads', 'actions', 'intents', 'texts', 'prompts', 'skills'];
/** A longer file is written by programs. */
const MOST_BYTES = 200_000;

/**
 * The files of a company in its folder.
 * @param otherPolicy true where the rules come from another file than the company's own
 * @param given texts of the engine that the company has not said in its own words, by the file in which it would
 */
export function openCompanyFolder(
  folder: string,
  otherPolicy: boolean,
  given: ReadonlyMap<string, string> = new Map(),
): CompanyFolder {
  const own = (): readonly string[] =>
    ['', ...ROOMS]
      .flatMap((room) => filesIn(folder, room))
      .filter((path) => EDITABLE.test(path) && !(otherPolicy && path === 'policy.yaml'))
      .filter((path) => statSync(join(folder, path)).size <= MOST_BYTES);
  const textOf = (path: string, files: readonly string[]): string | null =>
    files.includes(path) ? readFileSync(join(folder, path), 'utf8') : (given.get(path) ?? null);
  const listOf = (files: readonly string[]): readonly string[] =>
    [...new Set([...files, ...given.keys()])].sort();
  return {
    writable: () => [folder, ...own().map((path) => join(folder, dirname(path)))].every(isWritable),
    list: () => listOf(own()),
    read: (path) => textOf(path, own()),
    write: (path, text) => replace(join(folder, path), text),
    standing: () => {
      const hash = createHash('sha256');
      const files = own();
      for (const path of listOf(files))
        hash
          .update(`${path}\0`)
          .update(textOf(path, files) ?? '')
          .update('\0');
      return hash.digest('hex');
    },
    writtenAt: () => Math.max(0, ...own().map((path) => statSync(join(folder, path)).mtimeMs)),
  };
}

/** Regular files alone: a link could lead anywhere. */
function filesIn(folder: string, room: string): readonly string[] {
  try {
    return readdirSync(join(folder, room), { withFileTypes: true }).flatMap((entry) => {
      const path = room === '' ? entry.name : `${room}/${entry.name}`;
      if (entry.isFile()) return [path];
      return room !== '' && entry.isDirectory() ? filesIn(folder, path) : [];
    });
  } catch {
    return [];
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function replace(path: string, text: string): void {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.new`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    writeFileSync(draft, text, mode === undefined ? {} : { mode });
    const descriptor = openSync(draft, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Two folders up from a company lies what its files may name by relative paths: code of the hub, a system that stands in. */
const ABOVE = 2;
const CODE = 'company.ts';
/** What a trial does not need, or must not write. Code stays where it is: what was built of it is for that place. */
const LEFT = /(?:^\.|^node_modules$|\.db(?:-\w+)?$|\.ts$)/;

/**
 * Copies a company to a place of its own, with one file changed. What lies around it is reached over links, so that relative
 * paths lead where they did; nothing of that is written.
 * @returns where the copy is
 */
export function copyForTrial(folder: string, path: string, text: string): { folder: string; close(): void } {
  const room = realpathSync(mkdtempSync(join(tmpdir(), 'hub-company-trial-')));
  const close = (): void => rmSync(room, { recursive: true, force: true });
  try {
    const real = realpathSync(folder);
    const names: string[] = [];
    let [above, at] = [real, room];
    for (let up = 0; up < ABOVE && dirname(above) !== above; up += 1) {
      names.unshift(basename(above));
      above = dirname(above);
    }
    let original = above;
    for (const name of names) {
      for (const beside of readdirSync(original))
        if (beside !== name) symlinkSync(join(original, beside), join(at, beside));
      original = join(original, name);
      at = join(at, name);
      mkdirSync(at);
    }
    cpSync(real, at, { recursive: true, filter: (from) => from === real || !LEFT.test(basename(from)) });
    const code = join(real, CODE);
    if (existsSync(code)) symlinkSync(realpathSync(code), join(at, CODE));
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), text);
    return { folder: at, close };
  } catch (error) {
    close();
    throw error;
  }
}
