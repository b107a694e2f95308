import { closeSync, fchmodSync, openSync } from 'node:fs';

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
