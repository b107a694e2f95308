import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
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
