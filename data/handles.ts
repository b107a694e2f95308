import type { ServerTables } from '../src/core/ports/data-source.js';
import type { Clock, Ids, Log } from '../src/core/ports/system.js';
import type { CompanyDatabaseSpec, LinkedCustomer } from './company-database.js';
import { type CompanyOnPostgres, openCompanyOnPostgres } from './company-on-postgres.js';
import { atOnce, type Database, type Work } from './database.js';
import {
  type DirectoryState,
  examineDirectory,
  markUsed,
  refuseDirectoryOfPostgres,
  withSetupLock,
} from './directory-state.js';
import { type DatabaseHandle, type DatabaseSpec, openDatabase } from './open-database.js';
import type { PostgresDatabase } from './postgres/postgres-database.js';
import { toStorageError, translated } from './storage-errors.js';
import { HUB_DATABASE } from './udahub/database.js';
import type { HubOnPostgres } from './udahub/hub-on-postgres.js';
import { type Account, linkCustomers, seedAccount, seedKnowledge } from './udahub/seed.js';
import { seedHistory } from './udahub/seed-history.js';

/** What stores are opened with. */
export interface StoresOptions {
  readonly company: {
    readonly database: CompanyDatabaseSpec;
    readonly name: string;
    /** The file of its articles; there need be none. */
    readonly articles: URL;
  };
  /** Created where it is missing. */
  readonly dataDir: string;
  /** Where the hub's own tables are, `postgres://...`; in the data directory where absent. */
  readonly databaseUrl?: string | undefined;
  /** Past a pool that `databaseUrl` is the address of. */
  readonly databaseDirectUrl?: string | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** False where a new directory gets empty tables instead of the demo customers. */
  readonly demo?: boolean;
  /** True where the desk of a demo is given thirty days of conversations to show, if the company brings them. */
  readonly history?: boolean;
  /** Told in words about what takes a moment on first use. */
  readonly onProgress?: (message: string) => void;
  /** How long a call waits for a database that another process holds, in milliseconds; BUSY_WAIT_MS where absent. */
  readonly busyWaitMs?: number;
  /** Given each database that is open for writing: how tests make a disk full. */
  readonly onOpened?: (name: string, handle: DatabaseHandle) => void;
}

/** The databases of a hub, each in the data directory or on a server. */
interface Handles {
  readonly company: DatabaseHandle | PostgresDatabase;
  readonly companyReadonly: DatabaseHandle | PostgresDatabase;
  readonly udahub: DatabaseHandle | HubOnPostgres;
}

/** The reader first: only a writer that closes last folds the write-ahead log into the database file. */
export async function closeAll({ companyReadonly, company, udahub }: Handles): Promise<void> {
  for (const handle of [companyReadonly, company, udahub]) await handle.close();
}

/** What of it is on a server, for those who ask in the words of SQLite. @param company the name of its database */
export async function tablesOnServer(
  { companyReadonly, udahub }: Handles,
  company: string,
): Promise<Readonly<Record<string, ServerTables>>> {
  const onServer = Object.entries({ [company]: companyReadonly, [HUB_DATABASE.name]: udahub });
  const found = onServer.flatMap(([name, handle]) => ('sqlite' in handle ? [] : [[name, handle] as const]));
  if (found.length === 0) return {};
  const { serverTables } = await import('./postgres/server-tables.js');
  return Object.fromEntries(found.map(([name, handle]) => [name, serverTables(handle)]));
}

/** The hub does not start: nobody else would write this line. @returns what to throw */
export function notOpened(given: unknown, { dataDir, log }: StoresOptions): unknown {
  const error = toStorageError(given, { dataDir });
  log.error({ agent: 'data', action: 'databases_not_opened' }, error);
  return error;
}

/** Opens the databases, makes what is missing in them and fills new ones. @throws HubError as `openStores` */
export async function openHandles(options: StoresOptions): Promise<Handles> {
  const { dataDir, databaseUrl: url, databaseDirectUrl: directUrl, log } = options;
  const opened: { close(): void | Promise<void> }[] = [];
  try {
    if (url === undefined) {
      refuseDirectoryOfPostgres(dataDir);
      return openFiles(options, opened, null);
    }
    // Its driver is loaded where it is used only.
    const { openHubOnPostgres } = await import('./udahub/hub-on-postgres.js');
    const { database: spec } = options.company;
    const company = spec.postgres === undefined ? 'directory' : 'server';
    const server = await openHubOnPostgres({ url, directUrl, company }, dataDir, log);
    opened.push(server);
    if (spec.postgres === undefined) {
      const { fill, ...handles } = openFiles(options, opened, server);
      await server.alone(() => server.run(fill));
      return handles;
    }
    const data = await openCompanyOnPostgres({ url, directUrl }, spec, dataDir, log);
    opened.push(data.reader, data.writer);
    withSetupLock(dataDir, () => {
      examineDirectory(dataDir, []);
      markUsed(dataDir, []);
    });
    await server.alone(() => fillServer(server, data, options));
    return { udahub: server, company: data.writer, companyReadonly: data.reader };
  } catch (error) {
    for (const handle of opened) await handle.close();
    throw notOpened(error, options);
  }
}

/**
 * Opens what is in the data directory.
 * @param opened given what was opened, also where something fails
 * @param server where the hub's own tables are, if not in the directory: it is left to be filled
 */
function openFiles(
  options: StoresOptions,
  opened: { close(): void | Promise<void> }[],
  server: HubOnPostgres | null,
): Handles & { readonly fill: () => Work<void> } {
  const { dataDir, company: own, log } = options;
  const names = [own.database.name, ...(server === null ? [HUB_DATABASE.name] : [])];
  const open = (spec: DatabaseSpec, state: DirectoryState, readonly = false): DatabaseHandle => {
    const onMigrated = (count: number): void => {
      log.info({ agent: 'data', action: 'migrated', details: { database: spec.name, migrations: count } });
    };
    const handle = openDatabase(spec, dataDir, { readonly, onMigrated, state });
    opened.push(handle);
    if (!readonly) options.onOpened?.(spec.name, handle);
    return handle;
  };
  return withSetupLock(dataDir, () => {
    const state = examineDirectory(dataDir, names);
    // Never into a directory that was used: what is missing there is a loss, not a beginning.
    const demo = state === 'new' && (options.demo ?? true);
    const company = open(own.database, state);
    const udahub = server ?? open(HUB_DATABASE, state);
    const customers = naming(company, () => atOnce(seedCompany(company, demo, options)));
    const fill = () => seedHub(udahub, customers, demo, options);
    if (server === null) naming(udahub, () => atOnce(fill()));
    markUsed(dataDir, names);
    return { company, udahub, companyReadonly: open(own.database, state, true), fill };
  });
}

/** Never into tables that a hub was started on before, from whichever directory. */
async function fillServer(
  server: HubOnPostgres,
  { writer }: CompanyOnPostgres,
  options: StoresOptions,
): Promise<void> {
  const { FILLED } = await import('./udahub/hub-on-postgres.js');
  const filled = server.prepare<[string]>('SELECT 1 AS known FROM settings WHERE key = ?');
  const note = server.prepare<[string]>(
    `INSERT INTO settings (key, value, updated_at) VALUES (?, '', '') ON CONFLICT DO NOTHING`,
  );
  const isNew = (await server.run(() => filled.get(FILLED))) === undefined;
  const demo = isNew && (options.demo ?? true);
  const customers = await writer.run(() => seedCompany(writer, demo, options));
  await server.run(() => seedHub(server, customers, demo, options));
  if (isNew) await server.run(() => note.run(FILLED));
}

/** An error of the work names the file. */
function naming<T>({ path }: Database, work: () => T): T {
  return translated(work, { path });
}

function seeded({ log, dataDir, onProgress }: StoresOptions, what: string): void {
  log.info({ agent: 'data', action: 'seeded', details: { what } });
  onProgress?.(`Prepared ${what} in ${dataDir}.`);
}

/** @returns the customers there are */
function* seedCompany(
  database: Database,
  demo: boolean,
  options: StoresOptions,
): Work<readonly LinkedCustomer[]> {
  const { database: spec, name } = options.company;
  if (demo && spec.seed && (yield* spec.seed(database, options.clock)))
    seeded(options, `the ${name} demo data`);
  return yield* spec.customers(database);
}

function* seedHub(
  udahub: Database,
  customers: readonly LinkedCustomer[],
  demo: boolean,
  options: StoresOptions,
): Work<void> {
  const { company, clock, log } = options;
  const { database, name, articles } = company;
  const account: Account = { id: database.name, name };
  yield* seedAccount(udahub, account);
  const linked = yield* linkCustomers(udahub, account, customers);
  if (linked > 0) log.info({ agent: 'data', action: 'customers_linked', details: { count: linked } });
  const { changes, isFirst } = yield* seedKnowledge(udahub, clock, articles);
  if (changes > 0)
    seeded(options, isFirst ? 'the knowledge base' : `${changes} changed article${changes === 1 ? '' : 's'}`);
  if (demo && options.history && (yield* seedHistory(udahub, clock, database.history, customers)) > 0)
    seeded(options, 'thirty days of conversations for the desk');
}
