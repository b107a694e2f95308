import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '../../src/core/errors.js';
import type { RateCounters } from '../../src/core/ports/rate-counters.js';
import type { Log } from '../../src/core/ports/system.js';
import { makePrivate } from '../../src/core/sqlite-files.js';
import type { Work } from '../database.js';
import { ON_POSTGRES } from '../directory-state.js';
import { type MigrationStatus, migratePostgres, migrationStatus } from '../postgres/migrate.js';
import { openPostgres, type PostgresDatabase } from '../postgres/postgres-database.js';
import { openPresence, type Presence } from '../postgres/presence.js';
import { createRateCounters } from '../postgres/rate-counters.js';
import { toStorageError } from '../storage-errors.js';
import { HUB_DATABASE, HUB_SCHEMA } from './database.js';

const SETTING = 'data-dir';
const SETUP = 'setup';
/** The first version with everything that statements use. */
const OLDEST = 150_000;

/** The hub's own tables on PostgreSQL, and what other servers on them know of this one. */
export interface HubOnPostgres extends PostgresDatabase {
  readonly presence: Presence;
  readonly rateCounters: RateCounters;
  /** Runs a unit of work that one server at a time may do. */
  alone<T>(work: () => Work<T>): Promise<T>;
}

/**
 * Opens the hub's own tables on PostgreSQL and brings them up to date. The directory holds the company's data, so that
 * each belongs to the other: with another one, what was done to customers' records would be unknown.
 * @throws HubError `database_failed` where it cannot be reached, is too old or belongs to another directory, `database_newer`
 */
export async function openHubOnPostgres(url: string, dataDir: string, log: Log): Promise<HubOnPostgres> {
  const file = join(dataDir, `${HUB_DATABASE.name}.db`);
  if (existsSync(file))
    throw new HubError(
      'database_failed',
      `${file} holds conversations, which are not on PostgreSQL: take them there by npm run db -- copy, name another HUB_DATA_DIR, or remove HUB_DATABASE_URL.`,
      { path: file },
    );
  const database = openPostgres(url, { schema: HUB_SCHEMA.name });
  try {
    const applied = await reached(url, () =>
      database.withClient(async (client) => {
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
    await demandOwnDirectory(database, dataDir);
    const presence = await openPresence(url);
    const close = async (): Promise<void> => {
      await presence.close();
      await database.close();
    };
    const rateCounters = createRateCounters(database, HUB_SCHEMA.name);
    const alone: HubOnPostgres['alone'] = (work) =>
      database.withClient(async (client) => {
        await client.query('SELECT pg_advisory_lock(hashtextextended($1, 1))', [SETUP]);
        try {
          return await database.run(work);
        } finally {
          await client.query('SELECT pg_advisory_unlock_all()');
        }
      });
    return { ...database, presence, rateCounters, alone, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Which migrations the hub's tables on PostgreSQL have seen; changes nothing. @throws HubError `database_failed` */
export async function hubMigrationStatus(url: string): Promise<MigrationStatus> {
  const database = openPostgres(url, { schema: HUB_SCHEMA.name });
  try {
    return await reached(url, () => database.withClient((client) => migrationStatus(client, HUB_SCHEMA)));
  } finally {
    await database.close();
  }
}

/** Brings the hub's tables on PostgreSQL up to date without starting a hub. @throws HubError `database_failed`, `database_newer` */
export async function migrateHub(url: string): Promise<readonly string[]> {
  const database = openPostgres(url, { schema: HUB_SCHEMA.name });
  try {
    return await reached(url, () => database.withClient((client) => migratePostgres(client, HUB_SCHEMA)));
  } finally {
    await database.close();
  }
}

async function demandOwnDirectory(database: PostgresDatabase, dataDir: string): Promise<void> {
  const path = join(dataDir, ON_POSTGRES);
  const own = existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
  const find = database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  const keep = database.prepare<[string, string]>(
    `INSERT INTO settings (key, value, updated_at) VALUES (?, ?, '') ON CONFLICT DO NOTHING`,
  );
  const name = own ?? randomUUID();
  const kept = await database.run(function* () {
    yield* keep.run(SETTING, name);
    return yield* find.get(SETTING);
  });
  if (kept !== name)
    throw new HubError(
      'database_failed',
      `The database of HUB_DATABASE_URL belongs to another HUB_DATA_DIR than ${dataDir}, where the company's data is: name that one, or an empty database.`,
      { dataDir },
    );
  if (own !== null) return;
  makePrivate(path);
  writeFileSync(path, `${name}\n`, { flush: true });
}

/** Where a server is, without who asks it. */
function shown(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** @throws HubError `database_failed` with where the server should be */
async function reached<T>(url: string, work: () => Promise<T>): Promise<T> {
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
