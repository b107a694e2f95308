import { closeSync, fchmodSync, openSync } from 'node:fs';
import { HubError } from './errors.js';

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
    { ...fields, path, reason: error instanceof Error ? error.message : String(error) },
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
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
}
