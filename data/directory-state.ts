import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { HubError } from '../src/core/errors.js';
import type { Log } from '../src/core/ports/system.js';
import { makePrivate } from '../src/core/sqlite-files.js';
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
    if (isGone(error)) return false;
    throw error;
  }
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    // One that cannot be read shows its fault where it is used.
    if (isGone(error) || (error instanceof Error && 'code' in error && error.code === 'EACCES')) return [];
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

const MARKER = 'data-directory.json';
/** What only a directory has that was used, by this version or by one that left no marker; beside the databases. */
const TRACES = ['checkpoints.db', 'chroma'];
const HEADER = 'SQLite format 3\0';

const marker = z.object({
  /** `preparing` until the databases are made and filled for the first time. */
  state: z.enum(['preparing', 'ready']),
  databases: z.array(z.string()),
});
type Marker = z.infer<typeof marker>;

/** `new`: nothing was ever acknowledged from here, so that it may be filled. */
export type DirectoryState = 'new' | 'used';

/**
 * Says whether a data directory was used before, and refuses one that was and has lost a database: an empty one in its
 * place would hide the loss. Notes down that a new one is being prepared. The caller holds the setup lock.
 * @param databases names of those that hold promises
 * @throws HubError `database_failed` with the file and the way to restore it; what the file system throws
 */
export function examineDirectory(dataDir: string, databases: readonly string[]): DirectoryState {
  const known = readMarker(dataDir);
  const files = databases.map((name) => `${name}.db`);
  const traces = [...files, ...TRACES].filter((name) => existsSync(join(dataDir, name)));
  if (known?.state === 'preparing' || (known === null && traces.length === 0)) {
    if (known === null) writeMarker(dataDir, 'preparing', files);
    return 'new';
  }
  const paths = files.map((name) => join(dataDir, name));
  paths.forEach(demandFile);
  for (const path of paths) {
    const fault = faultOf(path);
    if (fault !== null) throw lostDatabase(path, fault);
  }
  return 'used';
}

/** The databases are made and filled: from now on a missing one is a loss. The caller holds the setup lock. */
export function markUsed(dataDir: string, databases: readonly string[]): void {
  const files = databases.map((name) => `${name}.db`);
  if (readMarker(dataDir)?.state !== 'ready') writeMarker(dataDir, 'ready', files);
}

/** @throws HubError `data_dir_unusable` where something else than a file is in a database's place */
export function demandFile(path: string): void {
  if (!existsSync(path) || statSync(path).isFile()) return;
  throw new HubError('data_dir_unusable', `${path} is not a file.`, { path });
}

/** One sentence about what is wrong, one about what to do. */
export function lostDatabase(path: string, fault: string): HubError {
  return new HubError(
    'database_failed',
    `${path} ${fault}, but this data directory was used before, so nothing was made in its place. Stop the hub and restore the file from a backup, or remove the whole directory to start afresh (docs/operating.md, "Backup and restore").`,
    { path, fault },
  );
}

function faultOf(path: string): string | null {
  if (!existsSync(path)) return 'is missing';
  const start = Buffer.alloc(HEADER.length);
  const descriptor = openSync(path, 'r');
  try {
    const length = readSync(descriptor, start, 0, start.length, 0);
    if (length === 0) return 'is empty';
    return start.toString('latin1') === HEADER ? null : 'is damaged (it does not begin as a database does)';
  } finally {
    closeSync(descriptor);
  }
}

/** Null where there is none, and where a power cut left half of one: the files themselves decide then. */
function readMarker(dataDir: string): Marker | null {
  try {
    return marker.parse(JSON.parse(readFileSync(join(dataDir, MARKER), 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code !== 'ENOENT') throw error;
    return null;
  }
}

/** Whole or not at all, and on the disk when this returns, with the entries of all files beside it. */
function writeMarker(dataDir: string, state: Marker['state'], databases: Marker['databases']): void {
  const path = join(dataDir, MARKER);
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  makePrivate(draft);
  writeFileSync(draft, `${JSON.stringify({ state, databases } satisfies Marker)}\n`, { flush: true });
  renameSync(draft, path);
  const directory = openSync(dataDir, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** In a data directory: the name of the one database on PostgreSQL that belongs to it. */
export const ON_POSTGRES = 'postgres-hub';

/** @throws HubError `database_failed` where the hub's own tables of a directory are on PostgreSQL */
export function refuseDirectoryOfPostgres(dataDir: string): void {
  if (!existsSync(join(dataDir, ON_POSTGRES))) return;
  throw new HubError(
    'database_failed',
    `The conversations of ${dataDir} are on PostgreSQL: set HUB_DATABASE_URL, or name another HUB_DATA_DIR.`,
    { dataDir },
  );
}
