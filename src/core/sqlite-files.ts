import { closeSync, fchmodSync, openSync } from 'node:fs';
import { HubError, hasCode, messageOf } from './errors.js';

/** True for the codes with which SQLite says that a file is not what it wrote. */
export function isDamage(code: string): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

/** The error of a damaged database: names the file and what an operator does next, which cannot make it worse. */
export function damagedFile(
  path: string | undefined,
  error: unknown,
  fields: Readonly<Record<string, unknown>>,
): HubError {
  const file = path ?? 'A database file of the data directory';
  return new HubError(
    'database_failed',
    `${file} is damaged or is not a database. Stop the hub, keep a copy of the file, and put the last backup in its place (docs/operating.md, "Backup and restore"). Without a backup, "sqlite3 ${path ?? 'FILE'} .recover" prints what is readable.`,
    { ...fields, path, reason: messageOf(error) },
    { cause: error },
  );
}

const FILE_MODE = 0o600;

/**
 * Makes an empty file for its owner's eyes only, whatever the umask; leaves one that exists as it is. SQLite gives the
 * files beside a database (-wal, -shm, -journal) the mode of the database.
 */
export function makePrivate(path: string): void {
  try {
    const descriptor = openSync(path, 'ax', FILE_MODE);
    fchmodSync(descriptor, FILE_MODE);
    closeSync(descriptor);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw error;
  }
}

/** How long a unit of work waits for a database that another process holds, in milliseconds. */
export const BUSY_WAIT_MS = 12_000;

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 100;

/** True where another process holds the database: nothing was changed, and the same work may be tried again. */
function isDatabaseBusy(error: unknown): boolean {
  return error instanceof HubError && error.code === 'database_busy';
}

/**
 * Runs one unit of work (one statement, or one transaction that begins with its write lock) again, with growing pauses,
 * as long as another process holds the database. SQLite says that it is held before a unit of work has changed anything,
 * so repeating it does nothing twice. Between the tries the event loop is free.
 * @param waitMs how long to continue, in milliseconds
 * @throws HubError `database_busy` where it is still held by then, and whatever else the work throws, at once
 */
export async function retryWhileBusy<T>(waitMs: number, work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseBusy(error) || performance.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

type AsyncMethod = (...args: never[]) => Promise<unknown>;

/** The same store, each of whose calls is a unit of work for `retryWhileBusy`. */
export function retryingWhileBusy<T extends object>(waitMs: number, store: T): T {
  const wrapped = Object.entries(store as Record<string, AsyncMethod>).map(([name, method]) => [
    name,
    (...args: never[]) => retryWhileBusy(waitMs, () => method(...args)),
  ]);
  return Object.fromEntries(wrapped) as T;
}
