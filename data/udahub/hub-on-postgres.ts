import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { HubError } from '../../src/core/errors.js';
import type { RateCounters } from '../../src/core/ports/peers.js';
import type { Log } from '../../src/core/ports/system.js';
import { makePrivate } from '../../src/core/sqlite-files.js';
import { ON_POSTGRES } from '../directory-state.js';
import { copyMark } from '../postgres/copy-tables.js';
import {
  type MigrationStatus,
  migratePostgres,
  migrationStatus,
  type PostgresSpec,
} from '../postgres/migrate.js';
import { openPostgres, type PostgresDatabase } from '../postgres/postgres-database.js';
import { openPresence, type Presence } from '../postgres/presence.js';
import { toStorageError } from '../storage-errors.js';
import { HUB_DATABASE, HUB_SCHEMA } from './database.js';

/** The directory that a database belongs to, and a database that any number of directories belong to. */
const DIRECTORY = 'data-dir';
const SERVER = 'server';
/** The tables were filled, or used, and get no demo any more. */
export const FILLED = 'filled';
const SETUP = 'setup';
/** The first version with everything that statements use. */
const OLDEST = 150_000;

/** The hub's own tables on PostgreSQL, and what other servers on them know of this one. */
export interface HubOnPostgres extends PostgresDatabase {
  readonly presence: Presence;
  readonly rateCounters: RateCounters;
  /** Runs what one server at a time may do. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** How a hub's server is reached, and what is on it. */
interface HubServer {
  readonly url: string;
  /** Past a pool that `url` is the address of; absent where that leads to the server itself. */
  readonly directUrl?: string | undefined;
  /** Where the company's data are: on the same server, or in the one data directory that belongs to it then. */
  readonly company: 'server' | 'directory';
}

/**
 * Opens the hub's own tables on PostgreSQL and brings them up to date.
 * @throws HubError `database_failed` where it cannot be reached, is too old or belongs to another directory, `database_newer`
 */
export async function openHubOnPostgres(
  server: HubServer,
  dataDir: string,
  log: Log,
): Promise<HubOnPostgres> {
  const { url, directUrl } = server;
  const file = join(dataDir, `${HUB_DATABASE.name}.db`);
  if (existsSync(file))
    throw new HubError(
      'database_failed',
      `${file} holds conversations, which are not on PostgreSQL: take them there by npm run db -- copy, name another HUB_DATA_DIR, or remove HUB_DATABASE_URL.`,
      { path: file },
    );
  const database = openPostgres(url, { schema: HUB_SCHEMA.name, pooled: directUrl !== undefined });
  const direct = directUrl === undefined ? database : openPostgres(directUrl, { schema: HUB_SCHEMA.name });
  try {
    const applied = await reached(directUrl ?? url, () =>
      direct.withClient(async (client) => {
        const { rows } = await client.query<{ version: string }>(
          `SELECT current_setting('server_version_num') AS version`,
        );
        if (Number(rows[0]?.version) < OLDEST)
          throw new HubError('database_failed', `The server at ${shown(url)} is older than PostgreSQL 15.`);
        return migratePostgres(client, HUB_SCHEMA);
      }),
    );
    if (applied.length > 0)
      log.info({
        agent: 'data',
        action: 'migrated',
        details: { database: HUB_SCHEMA.name, migrations: applied.length },
      });
    await reached(directUrl ?? url, () => refuseCopied(direct));
    await reached(url, () => demandOwnDirectory(database, dataDir, server));
    const presence = await openPresence(directUrl ?? url);
    const close = async (): Promise<void> => {
      await presence.close();
      await database.close();
      if (direct !== database) await direct.close();
    };
    const rateCounters = createRateCounters(database, HUB_SCHEMA.name);
    const alone: HubOnPostgres['alone'] = (work) =>
      direct.withClient(async (client) => {
        await client.query('SELECT pg_advisory_lock(hashtextextended($1, 1))', [SETUP]);
        try {
          return await work();
        } finally {
          await client.query('SELECT pg_advisory_unlock_all()');
        }
      });
    return { ...database, presence, rateCounters, alone, close };
  } catch (error) {
    await database.close();
    if (direct !== database) await direct.close();
    throw error;
  }
}

/** Which migrations a schema on PostgreSQL has seen; changes nothing. @throws HubError `database_failed` */
export async function schemaStatus(url: string, schema: PostgresSpec): Promise<MigrationStatus> {
  const database = openPostgres(url, { schema: schema.name });
  try {
    return await reached(url, () => database.withClient((client) => migrationStatus(client, schema)));
  } finally {
    await database.close();
  }
}

/** Brings a schema on PostgreSQL up to date without starting a hub. @throws HubError `database_failed`, `database_newer` */
export async function migrateSchema(url: string, schema: PostgresSpec): Promise<readonly string[]> {
  const database = openPostgres(url, { schema: schema.name });
  try {
    return await reached(url, () => database.withClient((client) => migratePostgres(client, schema)));
  } finally {
    await database.close();
  }
}

/** The database's name that a directory knows (null where none), and the names that the database knows directories by. */
function namesOf(database: PostgresDatabase, dataDir: string) {
  const path = join(dataDir, ON_POSTGRES);
  return {
    path,
    own: existsSync(path) ? readFileSync(path, 'utf8').trim() : null,
    find: database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck(),
    keep: database.prepare<[string, string]>(
      `INSERT INTO settings (key, value, updated_at) VALUES (?, ?, '') ON CONFLICT DO NOTHING`,
    ),
  };
}

/**
 * A directory that holds the company's data and the database belong to each other: with another one, what was done to
 * customers' records would be unknown. Where all is on the server there may be any number of directories, each for it only.
 */
async function demandOwnDirectory(
  database: PostgresDatabase,
  dataDir: string,
  { company }: HubServer,
): Promise<void> {
  const { path, own, find, keep } = namesOf(database, dataDir);
  const setting = company === 'directory' ? DIRECTORY : SERVER;
  const name = own ?? randomUUID();
  const { kept, other } = await database.run(function* () {
    const found = yield* find.get(company === 'directory' ? SERVER : DIRECTORY);
    // A directory that was used with another database is not given to a new one.
    if (found === undefined && (own === null || company === 'directory')) yield* keep.run(setting, name);
    return { kept: yield* find.get(setting), other: found };
  });
  if (company === 'server' && other !== undefined)
    throw new HubError(
      'database_failed',
      other === own
        ? `The company's data are in ${dataDir}, and not on PostgreSQL: take them there by npm run db -- copy.`
        : `The company's data of HUB_DATABASE_URL are in another HUB_DATA_DIR than ${dataDir}: take them to the server from there by npm run db -- copy.`,
      { dataDir },
    );
  if (own !== null && kept !== own)
    throw new HubError(
      'database_failed',
      `${dataDir} belongs to another database than that of HUB_DATABASE_URL: name that one, or an empty HUB_DATA_DIR.`,
      { dataDir },
    );
  if (company === 'directory' && (kept !== name || other !== undefined))
    throw new HubError(
      'database_failed',
      `The database of HUB_DATABASE_URL belongs to another HUB_DATA_DIR than ${dataDir}, where the company's data is: name that one, or an empty database.`,
      { dataDir },
    );
  if (own !== null) return;
  makePrivate(path);
  writeFileSync(path, `${kept}\n`, { flush: true });
}

/**
 * After a copy: nothing of the company is in a directory any more, and the tables are never filled with a demo.
 * @throws HubError `database_failed` where the database belongs to another directory
 */
export async function leaveDirectory(url: string, dataDir: string): Promise<void> {
  const database = openPostgres(url, { schema: HUB_SCHEMA.name });
  try {
    const { own, find, keep } = namesOf(database, dataDir);
    await database.run(() =>
      database.transaction(function* () {
        const kept = yield* find.get(DIRECTORY);
        if (kept !== undefined && kept !== own)
          throw new HubError(
            'database_failed',
            `The database belongs to another directory than ${dataDir}.`,
            { dataDir },
          );
        yield* database.prepare<[string]>('DELETE FROM settings WHERE key = ?').run(DIRECTORY);
        yield* keep.run(FILLED, '');
        if (kept !== undefined) yield* keep.run(SERVER, kept);
      }),
    );
  } finally {
    await database.close();
  }
}

/** @throws HubError `database_failed` where the tables are a part of a copy, or were taken elsewhere */
async function refuseCopied(database: PostgresDatabase): Promise<void> {
  const mark = await copyMark(database);
  if (mark === null) return;
  throw new HubError(
    'database_failed',
    `The database of HUB_DATABASE_URL is not to be used (${mark}): see docs/operating.md, "Moving there".`,
    { mark },
  );
}

/**
 * The name by which directories know a database, given to one where no hub was started on it.
 * @throws HubError `database_failed` where the directory belongs to another one, or the company's data are in another directory
 */
export async function nameForDirectory(database: PostgresDatabase, dataDir: string): Promise<string> {
  const { own, find, keep } = namesOf(database, dataDir);
  const { name, directory } = await database.run(function* () {
    const known = yield* find.get(DIRECTORY);
    if (known === undefined) yield* keep.run(SERVER, randomUUID());
    return { name: known ?? (yield* find.get(SERVER)) ?? '', directory: known };
  });
  const isOthers = own !== null && own !== name;
  if (!isOthers && (directory === undefined || own !== null)) return name;
  throw new HubError(
    'database_failed',
    isOthers
      ? `${dataDir} belongs to another database: name an empty directory.`
      : `The company's data are in another directory than ${dataDir}, which the database belongs to: name that one.`,
    { dataDir },
  );
}

/** What tables on a server say of servers and directories, which means nothing in a directory. */
export const OF_SERVERS: readonly string[] = [DIRECTORY, SERVER, FILLED];

/** Where a server is, without who asks it. */
function shown(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** @throws HubError `database_failed` with where the server should be */
export async function reached<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (given) {
    const error = toStorageError(given);
    if (error instanceof HubError && error.fields.code === undefined) throw error;
    const reason = given instanceof Error ? given.message || 'no connection' : String(given);
    throw new HubError(
      'database_failed',
      `PostgreSQL at ${shown(url)} cannot be used (${reason}): check HUB_DATABASE_URL, and whether the server runs.`,
      { reason },
      { cause: given },
    );
  }
}

/** Counted in the table `rate_limits`, for all servers together; by each for itself while it cannot be reached. */
export function createRateCounters(
  database: Pick<PostgresDatabase, 'withClient'>,
  schema: string,
): RateCounters {
  const storeClient = {
    query: (asked: { readonly text: string; readonly values: unknown[] }) =>
      database.withClient((client) => client.query(asked)),
  };
  return (keyPrefix, points, duration) =>
    new RateLimiterPostgres({
      ...{ storeClient, storeType: 'pool', schemaName: schema, tableName: 'rate_limits', tableCreated: true },
      ...{ keyPrefix, points, duration },
      // Whoever is over the limit is refused without a question to the database.
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    });
}
