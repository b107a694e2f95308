import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { HubError } from '../src/core/errors.js';
import { makePrivate } from '../src/core/sqlite-files.js';
import type { Database } from './database.js';
import { type DirectoryState, demandFile, lostDatabase } from './directory-state.js';
import { sqliteDatabase } from './sqlite-database.js';
import { translated } from './storage-errors.js';

/** Says where the triggers of a database are declared. */
interface Declares {
  readonly triggers?: URL;
}

/** What each full-text index holds, by hand: it keeps no texts of its own. */
const SEARCH = {
  knowledge_fts: `(rowid, title, tags, content)
    SELECT row_no, search_words(title), search_words(tags), search_words(content) FROM knowledge`,
  ticket_messages_fts: '(rowid, content) SELECT seq, search_words(content) FROM ticket_messages',
  ticket_summaries_fts: `(rowid, summary)
    SELECT tickets.seq, search_words(ticket_metadata.summary) FROM ticket_metadata JOIN tickets USING (ticket_id)`,
} as const;

/** A database of the data directory that holds promises; the file is `<name>.db`. */
export interface DatabaseSpec {
  readonly name: string;
  /** The folder of its migrations. */
  readonly migrations: URL;
  /** Further ones as plain SQL, in their order; each runs once. */
  readonly scripts?: readonly string[];
  /** The file that declares its triggers; absent where it has none. */
  readonly triggers?: URL;
  /** Gives a connection the functions that its triggers and queries call. */
  register?(sqlite: BetterSqlite3.Database): void;
}

/** One open SQLite database: the seam that stores of both engines stand on, and beneath it the driver. */
export interface DatabaseHandle extends Database {
  readonly sqlite: BetterSqlite3.Database;
  close(): void;
}

interface OpenOptions {
  /** Neither migrates nor writes: the driver and `query_only` both refuse. The file must exist. */
  readonly readonly?: boolean;
  /** Where `used`, a file without the tables of the hub is refused instead of being filled; `new` where absent. */
  readonly state?: DirectoryState;
  /** Called with the number of migrations applied, where there were any. */
  readonly onMigrated?: (count: number) => void;
}

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens a database of the data directory and brings its schema up to date.
 * Hold the setup lock while calling this for a directory that others may open at the same moment.
 * @throws HubError `database_newer`, `data_dir_unusable`, `database_failed`, `disk_full`
 */
export function openDatabase(spec: DatabaseSpec, dataDir: string, options: OpenOptions = {}): DatabaseHandle {
  const path = join(dataDir, `${spec.name}.db`);
  return translated(
    () => {
      const readonly = options.readonly ?? false;
      demandFile(path);
      if (!readonly) makePrivate(path);
      const sqlite = new BetterSqlite3(path, { readonly, fileMustExist: readonly, timeout: BUSY_TIMEOUT_MS });
      try {
        const orm = drizzle(preparingOnUse(sqlite));
        spec.register?.(sqlite);
        registerDigest(sqlite);
        // What is acknowledged here is a promise (money, a decision, a message that was taken): it survives a power cut.
        sqlite.pragma('synchronous = FULL');
        if (readonly) sqlite.pragma('query_only = ON');
        else prepare(spec, sqlite, path, options);
        sqlite.pragma('foreign_keys = ON');
        return { ...sqliteDatabase(path, sqlite, orm), sqlite, close: () => void sqlite.close() };
      } catch (error) {
        sqlite.close();
        throw error;
      }
    },
    { path },
  );
}

/** Statements that a connection keeps for the next query with the same text. */
const KEPT_STATEMENTS = 300;

/**
 * A connection for drizzle, which prepares a statement for every query that it builds: here SQLite compiles it when it is
 * first run, and once for all queries with the same text.
 */
function preparingOnUse(sqlite: BetterSqlite3.Database): BetterSqlite3.Database {
  const keeping = (make: (text: string) => BetterSqlite3.Statement) => {
    const kept = new Map<string, BetterSqlite3.Statement>();
    return (text: string): BetterSqlite3.Statement => {
      const statement = kept.get(text) ?? make(text);
      if (kept.size >= KEPT_STATEMENTS) kept.clear();
      kept.set(text, statement);
      return statement;
    };
  };
  const plain = keeping((text) => sqlite.prepare(text));
  const inArrays = keeping((text) => sqlite.prepare(text).raw());
  const prepare = (text: string) => ({
    run: (...values: readonly unknown[]) => plain(text).run(...values),
    get: (...values: readonly unknown[]) => plain(text).get(...values),
    all: (...values: readonly unknown[]) => plain(text).all(...values),
    raw: () => inArrays(text),
  });
  return new Proxy(sqlite, {
    get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)),
  });
}

/** A migration names rows as the code does. */
function registerDigest(sqlite: BetterSqlite3.Database): void {
  sqlite.function('sha256', { deterministic: true }, (text) =>
    createHash('sha256').update(String(text)).digest('base64url'),
  );
}

function prepare(
  spec: DatabaseSpec,
  sqlite: BetterSqlite3.Database,
  path: string,
  { state = 'new', onMigrated }: OpenOptions,
): void {
  const known = migrationsOf(spec);
  const applied = appliedMigrations(sqlite);
  if (state === 'used' && applied.length === 0) throw lostDatabase(path, 'has none of the tables of the hub');
  refuseNewer(
    spec.name,
    sqlite,
    known.map((migration) => migration.folderMillis),
    applied,
  );
  if (sqlite.pragma('journal_mode', { simple: true }) !== 'wal') sqlite.pragma('journal_mode = WAL');
  const missing = known.filter(({ folderMillis }) => !applied.includes(folderMillis));
  if (missing.length > 0) migrate(spec, sqlite, missing, known.length);
  ensureTriggers(sqlite, spec);
  if (missing.length > 0) onMigrated?.(missing.length);
}

/** What ships as migrations is the program's own, and read once a process. */
const shippedIn = new Map<string, readonly MigrationMeta[]>();

function migrationsOf({ migrations, scripts = [] }: DatabaseSpec): readonly MigrationMeta[] {
  const migrationsFolder = fileURLToPath(migrations);
  const shipped = shippedIn.get(migrationsFolder) ?? readMigrationFiles({ migrationsFolder });
  shippedIn.set(migrationsFolder, shipped);
  const last = shipped.at(-1)?.folderMillis ?? 0;
  const further = scripts.map((script, at) => ({
    sql: [script],
    bps: true,
    folderMillis: last + at + 1,
    hash: createHash('sha256').update(script).digest('hex'),
  }));
  return [...shipped, ...further];
}

/**
 * Whole or not at all, triggers included. Not by drizzle's migrator: it commits before the triggers could be made again
 * and the references checked.
 */
function migrate(
  spec: DatabaseSpec,
  sqlite: BetterSqlite3.Database,
  missing: readonly MigrationMeta[],
  version: number,
): void {
  // A migration that rebuilds a table must not cascade into the tables that refer to it.
  sqlite.pragma('foreign_keys = OFF');
  sqlite
    .transaction(() => {
      sqlite.exec(
        'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
      );
      const note = sqlite.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)');
      for (const { sql, hash, folderMillis } of missing) {
        dropTriggers(sqlite);
        for (const statement of sql) sqlite.exec(statement);
        note.run(hash, folderMillis);
      }
      dropTriggers(sqlite);
      ensureTriggers(sqlite, spec);
      const broken = sqlite.pragma('foreign_key_check') as readonly unknown[];
      if (broken.length > 0) {
        throw new HubError(
          'database_failed',
          `${spec.name}.db has rows that refer to nothing after the migration.`,
          { broken: broken.length },
        );
      }
      sqlite.pragma(`user_version = ${version}`);
    })
    .immediate();
}

/** Creation times of the migrations this file has seen; drizzle's own bookkeeping. */
function appliedMigrations(sqlite: BetterSqlite3.Database): readonly number[] {
  const table = sqlite
    .prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__drizzle_migrations'`)
    .get();
  if (table === undefined) return [];
  return sqlite
    .prepare('SELECT created_at FROM __drizzle_migrations ORDER BY created_at')
    .pluck()
    .all()
    .map(Number);
}

function refuseNewer(
  name: string,
  sqlite: BetterSqlite3.Database,
  known: readonly number[],
  applied: readonly number[],
): void {
  const version = Number(sqlite.pragma('user_version', { simple: true }));
  const unknown = applied.filter((millis) => !known.includes(millis));
  if (unknown.length === 0 && version <= known.length) return;
  throw new HubError(
    'database_newer',
    `${name}.db was written by a newer version of the hub (schema ${Math.max(version, applied.length)}, this version knows ${known.length}). Update the hub or use another data directory.`,
    { known: known.length, applied: applied.length, userVersion: version },
  );
}

/** The triggers of a database as its `triggers.sql` declares them: name to the text that SQLite keeps of it. */
export function declaredTriggers({ triggers: file }: Declares): ReadonlyMap<string, string> {
  if (file === undefined) return new Map();
  const statements = readFileSync(file, 'utf8').split('--> statement-breakpoint');
  return new Map(
    statements.map((statement) => {
      const sql = statement
        .replace(/^\s*--.*$/gm, '')
        .trim()
        .replace(/;$/, '')
        .replace(/^CREATE TRIGGER IF NOT EXISTS /, 'CREATE TRIGGER ');
      return [/^CREATE TRIGGER `(\w+)`/.exec(sql)?.[1] ?? sql, sql];
    }),
  );
}

/** A rebuilt table takes its triggers along, and one on another table keeps a table from being renamed. */
function dropTriggers(sqlite: BetterSqlite3.Database): void {
  for (const trigger of keptTriggers(sqlite).keys()) sqlite.exec(`DROP TRIGGER ${quoted(trigger)}`);
}

/**
 * Makes the declared triggers that are missing or different. Others stay.
 * @returns the names of those that were made
 */
function ensureTriggers(sqlite: BetterSqlite3.Database, spec: Declares): readonly string[] {
  const kept = keptTriggers(sqlite);
  const wrong = [...declaredTriggers(spec)].filter(([trigger, sql]) => kept.get(trigger) !== sql);
  if (wrong.length === 0) return [];
  sqlite
    .transaction(() => {
      for (const [trigger, sql] of wrong) {
        sqlite.exec(`DROP TRIGGER IF EXISTS ${quoted(trigger)}`);
        sqlite.exec(sql);
      }
      refillSearch(sqlite);
    })
    .immediate();
  return wrong.map(([trigger]) => trigger);
}

function keptTriggers(sqlite: BetterSqlite3.Database): ReadonlyMap<string, string> {
  const rows = sqlite
    .prepare<[], [string, string]>(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`)
    .raw()
    .all();
  return new Map(rows);
}

/** What was written while a trigger was missing is in no full-text index. */
function refillSearch(sqlite: BetterSqlite3.Database): void {
  const has = sqlite.prepare<[string], number>('SELECT 1 FROM sqlite_master WHERE name = ?').pluck();
  for (const [index, rows] of Object.entries(SEARCH)) {
    if (!has.get(index)) continue;
    sqlite.exec(`INSERT INTO ${index}(${index}) VALUES ('delete-all')`);
    sqlite.exec(`INSERT INTO ${index}${rows}`);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
