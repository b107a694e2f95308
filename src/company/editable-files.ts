import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  cpSync,
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
import { basename, dirname, join, relative, sep } from 'node:path';
import type { CompanyFolder } from '../core/company-changes.js';

/** What operators may change: what a company says and allows. Never addresses, secrets, customers, code or trained models. */
const EDITABLE =
  /^(?:(?:company|policy)\.yaml|(?:entities|reads|actions|intents|texts\/[\w-]+)\/[\w.-]+\.yaml|skills\/[\w-]+\/prompts\/[\w./-]+\.(?:txt|md|yaml))$/;
const ROOMS: readonly string[] = ['entities', 'reads', 'actions', 'intents', 'texts', 'skills'];
/** A longer file is written by programs. */
const MOST_BYTES = 200_000;

/**
 * The files of a company in its folder.
 * @param otherPolicy true where the rules come from another file than the company's own
 */
export function openCompanyFolder(folder: string, otherPolicy: boolean): CompanyFolder {
  const list = (): readonly string[] =>
    ['', ...ROOMS]
      .flatMap((room) => filesIn(folder, room))
      .filter((path) => EDITABLE.test(path) && !(otherPolicy && path === 'policy.yaml'))
      .filter((path) => statSync(join(folder, path)).size <= MOST_BYTES)
      .sort();
  return {
    writable: () => [folder, ...list().map((path) => join(folder, dirname(path)))].every(isWritable),
    list,
    read: (path) => (list().includes(path) ? readFileSync(join(folder, path), 'utf8') : null),
    write: (path, text) => replace(join(folder, path), text),
    standing: () => {
      const hash = createHash('sha256');
      for (const path of list())
        hash
          .update(`${path}\0`)
          .update(readFileSync(join(folder, path)))
          .update('\0');
      return hash.digest('hex');
    },
    writtenAt: () => Math.max(0, ...list().map((path) => statSync(join(folder, path)).mtimeMs)),
  };
}

/** Regular files alone: a link could lead anywhere. */
function filesIn(folder: string, room: string): readonly string[] {
  try {
    return readdirSync(join(folder, room), { withFileTypes: true, recursive: room !== '' }).flatMap(
      (entry) =>
        entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')] : [],
    );
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
    writeFileSync(draft, text, { mode: statSync(path).mode });
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
/** What a trial does not need, or must not write. */
const LEFT = /(?:^\.|^node_modules$|\.db(?:-\w+)?$)/;

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
    writeFileSync(join(at, path), text);
    return { folder: at, close };
  } catch (error) {
    close();
    throw error;
  }
}
