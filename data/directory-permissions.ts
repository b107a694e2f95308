import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../src/core/errors.js';
import type { Log } from '../src/core/ports/system.js';

const DIRECTORY_BITS = 0o700;
const FILE_BITS = 0o600;

interface Found {
  readonly directories: string[];
  readonly files: string[];
  readonly foreign: string[];
}

/**
 * Takes from group and others what they may do in a data directory, where an older version, a copy or a careless umask
 * has left it open: conversations, secrets and customers are in it. Says in one line of the log what was mended, and in
 * one what belongs to somebody else and stays as it is. Never gives its owner more than there was.
 * @param me the user whose files are mended; the one this process runs as where absent
 */
export function closeToOthers(dataDir: string, log: Log, me = process.geteuid?.()): void {
  // A system without owners and modes.
  if (me === undefined) return;
  const found: Found = { directories: [], files: [], foreign: [] };
  visit(dataDir, me, found);
  const { directories, files, foreign } = found;
  if (directories.length + files.length > 0) {
    log.warn({
      agent: 'data',
      action: 'permissions_mended',
      details: {
        dataDir,
        directories: directories.length,
        files: files.length,
        first: files[0] ?? directories[0],
      },
    });
  }
  if (foreign.length > 0) {
    log.warn({
      agent: 'data',
      action: 'permissions_not_mended',
      details: {
        dataDir,
        count: foreign.length,
        first: foreign[0],
        reason:
          'Others may look into these files, and they belong to another user, who alone should close them.',
      },
    });
  }
}

function visit(path: string, me: number, found: Found): void {
  const stats = statsOf(path);
  // What a link leads to is somebody's else or is found where it lies.
  if (stats === null || stats.isSymbolicLink()) return;
  const allowed = stats.isDirectory() ? DIRECTORY_BITS : FILE_BITS;
  if ((stats.mode & 0o777 & ~allowed) !== 0) {
    if (stats.uid !== me) found.foreign.push(path);
    else if (close(path, stats.mode & allowed))
      (stats.isDirectory() ? found.directories : found.files).push(path);
  }
  if (!stats.isDirectory()) return;
  for (const name of entriesOf(path)) visit(join(path, name), me, found);
}

/** Another process may remove what was listed a moment ago. */
function statsOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function close(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    // One that cannot be read shows its fault where it is used.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EACCES')) return [];
    throw error;
  }
}
