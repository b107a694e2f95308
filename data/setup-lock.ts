import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { HubError } from '../src/core/errors.js';
import { makePrivate } from '../src/core/private-files.js';
import { toStorageError } from './storage-errors.js';

const WAIT_MS = 30_000;

/**
 * Creates the data directory where it is missing.
 * @throws HubError `data_dir_unusable`, `disk_full`
 */
export function ensureDataDir(dataDir: string): void {
  try {
    makeDirectories(resolve(dataDir));
    if (!statSync(dataDir).isDirectory())
      throw new HubError('data_dir_unusable', `${dataDir} is not a directory.`, { dataDir });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const translatedError = toStorageError(error, { dataDir });
    if (translatedError instanceof HubError && translatedError.code === 'data_dir_unusable') {
      throw new HubError(
        'data_dir_unusable',
        `The data directory ${dataDir} cannot be used: it must be a directory this user can write to.`,
        translatedError.fields,
        { cause: error },
      );
    }
    throw translatedError;
  }
}

/** Not `recursive`: Node never returns where the system says ENOENT for a parent that exists (in /proc, for one). */
function makeDirectories(path: string): void {
  if (existsSync(path)) return;
  makeDirectories(dirname(path));
  try {
    // Customers' data: for this user's eyes only.
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(path)) throw error;
  }
}

/**
 * Runs work that one process at a time may do in a data directory (migrate, seed, reconcile).
 * The lock is an exclusive transaction on an empty SQLite file: the operating system drops it when its
 * holder dies, so nothing stale is ever left behind.
 */
export function withSetupLock<T>(dataDir: string, work: () => T): T {
  const path = join(dataDir, 'setup.lock');
  let lock: BetterSqlite3.Database | null = null;
  try {
    makePrivate(path);
    lock = new BetterSqlite3(path, { timeout: WAIT_MS });
    // Nothing is ever written here, so no journal file is wanted either, least of all on a full disk.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    throw toStorageError(error, { path });
  }
  try {
    return work();
  } finally {
    lock.close();
  }
}
