import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '../../src/core/errors.js';
import { makePrivate } from '../../src/core/sqlite-files.js';
import { companySchema } from '../company-on-postgres.js';
import { ensureDataDir, markUsed, ON_POSTGRES, withSetupLock } from '../directory-state.js';
import { type DatabaseHandle, type DatabaseSpec, openDatabase } from '../open-database.js';
import {
  compareTable,
  copyMark,
  copyTables,
  inFile,
  markCopy,
  onServer,
  tablesOf,
} from '../postgres/copy-tables.js';
import { migratePostgres, type PostgresSpec } from '../postgres/migrate.js';
import { openPostgres, type PostgresDatabase } from '../postgres/postgres-database.js';
import { type CopyOptions, named } from './copy-to-postgres.js';
import { HUB_DATABASE, HUB_SCHEMA } from './database.js';
import { nameForDirectory, OF_SERVERS, reached, schemaStatus } from './hub-on-postgres.js';

/** A schema on the server, and the file that takes it. */
interface Part {
  readonly spec: DatabaseSpec;
  readonly from: PostgresDatabase;
  readonly to: DatabaseHandle;
}

/** Connections that a hub or a worker has as long as it runs. */
const RUNNING = ['uda-hub presence', 'uda-hub queue'];

/**
 * Copies the tables of a database to a directory without any, the hub's own and those of a company that are there, each whole or
 * not at all, and compares count and checksum of every table. A run that was ended goes on where it was; until it is done no hub
 * starts on either, and then on the directory only.
 * @throws HubError `database_failed` where a hub or a worker runs on the database, the directory holds something else, or what
 * was copied differs; `database_newer`, `data_dir_unusable`
 */
export async function copyToDirectory(options: CopyOptions): Promise<void> {
  const { dataDir, url, onTable, also } = options;
  const opened: { close(): void | Promise<void> }[] = [];
  try {
    const schemas = partsOf(options);
    if ((await schemaStatus(url, HUB_SCHEMA)).applied.length === 0)
      throw new HubError('database_failed', 'The database holds nothing to be copied.');
    const servers: PostgresDatabase[] = [];
    for (const [, schema] of schemas) {
      const from = openPostgres(url, { schema: schema.name, statementTimeoutMs: 10 * 60_000 });
      opened.push(from);
      servers.push(from);
      // With the columns that this version knows.
      await reached(url, () => from.withClient((client) => migratePostgres(client, schema)));
    }
    const [hub] = servers as [PostgresDatabase, ...PostgresDatabase[]];
    ensureDataDir(dataDir);
    await demandStopped(hub, `copying to ${dataDir}`);
    claimDirectory(dataDir, await nameForDirectory(hub, dataDir));
    const parts = schemas.map(([spec], at): Part => {
      const to = openDatabase(spec, dataDir);
      opened.push(to);
      return { spec, from: servers[at] as PostgresDatabase, to };
    });
    for (const { spec, from, to } of parts)
      await copyTables(tablesOf(to), onServer(from), inFile(to), (copied) => onTable(named(spec, copied)));
    await also();
    if (options.verify)
      for (const { from, to } of parts)
        for (const table of tablesOf(to)) await compareTable(table, onServer(from), inFile(to));
    // From here on a hub starts on the directory, and never on the server.
    handOver(dataDir, parts, options.company);
    await markCopy(hub, `taken to ${dataDir}`);
  } finally {
    for (const each of opened) await each.close();
  }
}

/** The hub's own first. */
function partsOf({ company }: CopyOptions): readonly (readonly [DatabaseSpec, PostgresSpec])[] {
  const schema = companySchema(company);
  return [[HUB_DATABASE, HUB_SCHEMA], ...(schema === null ? [] : [[company, schema] as const])];
}

/** Nobody starts on it from here on, so that who does not run now will not. */
async function demandStopped(database: PostgresDatabase, mark: string): Promise<void> {
  const before = await copyMark(database);
  if (before !== null && before !== mark)
    throw new HubError('database_failed', `The database is not to be copied (${before}).`, { mark: before });
  await markCopy(database, mark);
  const { rows } = await database.withClient((client) =>
    client.query(
      'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = ANY($1)',
      [RUNNING],
    ),
  );
  if (rows.length === 0) return;
  await markCopy(database, before);
  throw new HubError(
    'database_failed',
    'The database is in use: stop the servers and workers that run on it.',
    { database: database.path },
  );
}

/** A directory says so as long as its conversations are on a server, and while they are coming from there. */
function claimDirectory(dataDir: string, name: string): void {
  const path = join(dataDir, ON_POSTGRES);
  if (existsSync(path)) return;
  const files = [HUB_DATABASE.name, 'checkpoints'].map((each) => join(dataDir, `${each}.db`));
  const taken = files.find((file) => existsSync(file));
  if (taken !== undefined)
    throw new HubError('database_failed', `${taken} holds another hub's: name an empty directory.`, {
      path: taken,
    });
  makePrivate(path);
  writeFileSync(path, `${name}\n`, { flush: true });
}

function handOver(dataDir: string, parts: readonly Part[], company: DatabaseSpec): void {
  const [hub] = parts as [Part, ...Part[]];
  withSetupLock(dataDir, () => markUsed(dataDir, [company.name, HUB_DATABASE.name]));
  rmSync(join(dataDir, ON_POSTGRES));
  const forget = hub.to.sqlite.prepare<[string]>('DELETE FROM settings WHERE key = ?');
  for (const key of OF_SERVERS) forget.run(key);
}
