import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { HubError } from '../src/core/errors.js';
import { makePrivate } from '../src/core/sqlite-files.js';
import { toStorageError } from './storage-errors.js';

const WAIT_MS = 30_000;

/** Creates the data directory where it is missing. @throws HubError `data_dir_unusable`, `disk_full` */
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
 * @throws HubError `database_failed` with the file and the way to restore it, `data_dir_unusable` where the directory is another
 * company's; what the file system throws
 */
export function examineDirectory(dataDir: string, databases: readonly string[]): DirectoryState {
  const known = readMarker(dataDir);
  const files = databases.map((name) => `${name}.db`);
  const traces = [...files, ...TRACES].filter((name) => existsSync(join(dataDir, name)));
  if (known?.state === 'preparing' || (known === null && traces.length === 0)) {
    if (known === null) writeMarker(dataDir, 'preparing', files);
    return 'new';
  }
  refuseOtherCompany(dataDir, known?.databases ?? [], files);
  const paths = files.map((name) => join(dataDir, name));
  paths.forEach(demandFile);
  for (const path of paths) {
    const fault = faultOf(path);
    if (fault !== null) throw lostDatabase(path, fault);
  }
  return 'used';
}

/**
 * A directory is one company's: beside another's conversations its own database would be taken for lost.
 * @param known the databases that the directory was made with
 * @throws HubError `data_dir_unusable` with the way to a directory of its own
 */
function refuseOtherCompany(dataDir: string, known: readonly string[], files: readonly string[]): void {
  const theirs = known.find((name) => !files.includes(name));
  const ours = files.find((name) => !known.includes(name) && !existsSync(join(dataDir, name)));
  if (theirs === undefined || ours === undefined) return;
  const [company, own] = [theirs, ours].map((name) => name.replace(/\.db$/, ''));
  throw new HubError(
    'data_dir_unusable',
    `${dataDir} is the data directory of the company "${company}". Give "${own}" one of its own: HUB_DATA_DIR=./var-${own}`,
    { dataDir, company },
  );
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
