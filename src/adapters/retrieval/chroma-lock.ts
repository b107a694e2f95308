import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { HubError } from '../../core/errors.js';
import { makePrivate } from '../../core/private-files.js';

const RETRY_MS = 20;

/**
 * Runs `work` while this process holds an exclusive kernel lock on a file. SQLite takes it, so it ends with the
 * process, however that ends: there are no stale locks to recognise.
 * @param waitMs how long to wait for another holder
 * @throws HubError `index_unavailable` when the wait is over or the file cannot be opened
 */
export async function withFileLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const handle = open(path);
  try {
    await acquire(handle, path, waitMs);
    return await work();
  } finally {
    // Closing rolls back and releases.
    handle.close();
  }
}

function open(path: string): Database.Database {
  try {
    makePrivate(path);
    return new Database(path, { timeout: 0 });
  } catch (error) {
    throw unavailable(path, error);
  }
}

async function acquire(handle: Database.Database, path: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      handle.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || performance.now() > deadline) throw unavailable(path, error);
    }
    await sleep(RETRY_MS);
  }
}

function unavailable(path: string, cause: unknown): HubError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HubError(
    'index_unavailable',
    `The lock of the vector index could not be taken: ${reason}`,
    { path },
    { cause },
  );
}
