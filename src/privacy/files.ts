import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { hasCode } from '../core/errors.js';
import type { ExportedFile } from '../core/privacy.js';

/** Folders of conversations below `mail/`, where earlier versions kept what came with mails. */
function foldersOf(dataDir: string, refs: readonly string[]): readonly string[] {
  return [...new Set(refs)]
    .filter((ref) => /^\w+$/.test(ref))
    .map((ref) => join('mail', ref))
    .filter((folder) => existsSync(join(dataDir, folder)));
}

/** What came with the mails of these conversations. @param refs ids of any kind; those of conversations count */
export function mailFilesOf(dataDir: string, refs: readonly string[]): readonly ExportedFile[] {
  return foldersOf(dataDir, refs).flatMap((folder) =>
    readdirSync(join(dataDir, folder)).map((name) => ({
      path: join(folder, name),
      base64: readFileSync(join(dataDir, folder, name)).toString('base64'),
    })),
  );
}

/** Removes them. @returns how many there were */
export function eraseMailFiles(dataDir: string, refs: readonly string[]): number {
  let count = 0;
  for (const folder of foldersOf(dataDir, refs)) {
    count += readdirSync(join(dataDir, folder)).length;
    rmSync(join(dataDir, folder), { recursive: true });
  }
  return count;
}

const ATTEMPTS = 10;
const PAUSE_MS = 300;
const JOURNAL = /^erasing-[0-9a-f]+\.json$/;
const DRAFT = /^erasing-[0-9a-f]+\.json\.draft$/;

/**
 * Writes the databases anew and empties their write-ahead logs, so that nothing that was deleted is left in their files.
 * @returns those that another process did not give free; they keep what was deleted in pages that no table owns
 */
export async function rewriteDatabases(
  dataDir: string,
  databases: readonly string[],
): Promise<readonly string[]> {
  const busy: string[] = [];
  for (const name of databases.map((database) => `${database}.db`)) {
    const path = join(dataDir, name);
    if (existsSync(path) && !(await rewrite(path))) busy.push(name);
  }
  return busy;
}

async function rewrite(path: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(PAUSE_MS);
    const db = new Database(path, { timeout: 2_000 });
    try {
      db.pragma('synchronous = FULL');
      db.pragma('secure_delete = ON');
      db.exec('VACUUM');
      const [{ busy } = { busy: 1 }] = db.pragma('wal_checkpoint(TRUNCATE)') as readonly { busy: number }[];
      if (busy === 0) return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))))
        throw error;
    } finally {
      db.close();
    }
  }
  return false;
}

/** What an erasure needs to be taken up again after a crash; for the owner's eyes only, and gone when it is done. */
interface ErasureJournal<T> {
  /** The one of this address, null where none is under way. */
  read(matches: (plan: T) => boolean): { readonly path: string; readonly plan: T } | null;
  /** @returns the path */
  write(id: string, plan: T): string;
  /** Overwrites it before it is removed. */
  remove(path: string): void;
}

export function erasureJournal<T>(dataDir: string, parse: (value: unknown) => T): ErasureJournal<T> {
  return {
    read(matches) {
      const names = readdirSync(dataDir);
      // Cut off while it was written: nothing had been done then.
      for (const name of names) if (DRAFT.test(name)) overwriteAndRemove(join(dataDir, name));
      for (const name of names.filter((entry) => JOURNAL.test(entry))) {
        const path = join(dataDir, name);
        const plan = parse(JSON.parse(readFileSync(path, 'utf8')));
        if (matches(plan)) return { path, plan };
      }
      return null;
    },
    write(id, plan) {
      const path = join(dataDir, `erasing-${id}.json`);
      const draft = `${path}.draft`;
      writeFileSync(draft, JSON.stringify(plan), { mode: 0o600, flush: true });
      renameSync(draft, path);
      return path;
    },
    remove: overwriteAndRemove,
  };
}

function overwriteAndRemove(path: string): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(statSync(path).size));
  fsyncSync(descriptor);
  closeSync(descriptor);
  rmSync(path);
}

/** Says whether a line is about the customer. */
export type LineTest = (line: string) => boolean;

const CHUNK = 1 << 20;
const NEWLINE = 10;
const FILLER = '{"level":"info","agent":"privacy","action":"line_erased"}';
/** A log that is being written grows meanwhile; it is read again until nothing is found. */
const MAX_PASSES = 5;

/** The log file and whatever it was rotated to: `hub.log`, `hub.log.1`, `hub.log-20260311`. */
export function logFiles(file: string): readonly string[] {
  const [dir, name] = [dirname(file), basename(file)];
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isFile() && (entry.name === name || /^[.-]/.test(rest(entry.name, name))))
      .map((entry) => join(dir, entry.name));
  } catch (error) {
    // Nothing has been logged yet.
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function rest(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : '';
}

/** The lines of a file that are about the customer. */
export function linesAbout(file: string, test: LineTest): readonly string[] {
  const found: string[] = [];
  const descriptor = openSync(file, 'r');
  try {
    eachLine(descriptor, (line) => {
      const text = line.toString('utf8');
      if (test(text)) found.push(text);
    });
  } finally {
    closeSync(descriptor);
  }
  return found;
}

/**
 * Erases in the log and in everything it was rotated to. A file that is turned meanwhile has another name then: the
 * folder is looked at again until it holds no file that was not seen.
 * @returns how many lines
 */
export function eraseFromLog(file: string, test: LineTest): number {
  const seen = new Set<number>();
  let erased = 0;
  for (let fresh = true; fresh; ) {
    fresh = false;
    for (const path of logFiles(file)) {
      const done = eraseLines(path, test, seen);
      if (done === null) continue;
      erased += done;
      fresh = true;
    }
  }
  return erased;
}

/**
 * Overwrites the lines in their place, with a line of the same length that says nothing. Running processes append to this
 * file: nothing moves, so no line of theirs can be lost, and what they append meanwhile is looked at in a second pass.
 * @returns how many lines; null where the file was seen already, or is gone
 */
function eraseLines(file: string, test: LineTest, seen: Set<number>): number | null {
  const descriptor = openIfThere(file);
  if (descriptor === null) return null;
  let erased = 0;
  try {
    const { ino } = fstatSync(descriptor);
    if (seen.has(ino)) return null;
    seen.add(ino);
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      let found = 0;
      eachLine(descriptor, (line, offset) => {
        if (!test(line.toString('utf8'))) return;
        writeSync(descriptor, filler(line.length), 0, line.length, offset);
        found += 1;
      });
      erased += found;
      if (found === 0) break;
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return erased;
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r+');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function filler(length: number): Buffer {
  const text = length >= FILLER.length ? FILLER : '';
  return Buffer.from(text.padEnd(length, ' '));
}

/** Whole lines with the place where they begin; the last one too where it has no end yet. */
function eachLine(descriptor: number, work: (line: Buffer, offset: number) => void): void {
  const chunk = Buffer.alloc(CHUNK);
  let carry: Buffer = Buffer.alloc(0);
  let start = 0;
  const size = fstatSync(descriptor).size;
  for (let position = 0; position < size; ) {
    const read = readSync(descriptor, chunk, 0, Math.min(CHUNK, size - position), position);
    if (read === 0) break;
    position += read;
    let data = Buffer.concat([carry, chunk.subarray(0, read)]);
    for (let end = data.indexOf(NEWLINE); end !== -1; end = data.indexOf(NEWLINE)) {
      work(data.subarray(0, end), start);
      start += end + 1;
      data = data.subarray(end + 1);
    }
    carry = data;
  }
  if (carry.length > 0) work(carry, start);
}
