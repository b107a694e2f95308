import { companySchema } from '../../data/company-on-postgres.js';
import type { Database } from '../../data/database.js';
import { openStores } from '../../data/index.js';
import { openDatabase } from '../../data/open-database.js';
import { HUB_DATABASE, HUB_SCHEMA } from '../../data/udahub/database.js';
import { createHubPrivacy } from '../../data/udahub/privacy.js';
import { openCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import { createRandomIds, createSystemClock } from '../adapters/system.js';
import { createLog } from '../adapters/telemetry/pino-log.js';
import type { Config } from '../config/config.js';
import type { Clock } from '../core/ports/system.js';
import type { GraphMemory, Privacy, RemainsSearch } from '../core/privacy.js';
import { fileMemory } from '../privacy/checkpoints.js';
import { createPrivacy } from '../privacy/customer-privacy.js';
import { companySources, type LoadedCompany, openCompany, readCompany, storageOf } from './company.js';

/**
 * Opens what is needed to export or erase one customer: the stores, without models and index.
 * @throws HubError `data_dir_unusable`, `database_newer`, `database_failed`
 */
export async function openPrivacy(
  config: Config,
  overrides: { readonly clock?: Clock } = {},
): Promise<Privacy> {
  const { dataDir, databaseUrl, databaseDirectUrl } = config;
  const clock = overrides.clock ?? createSystemClock();
  const log = createLog({ ...config.log, clock });
  const company = await readCompany(config);
  const ids = createRandomIds();
  const { database } = company.code;
  const demo = config.server.demo;
  const stores = await openStores({
    ...{ dataDir, databaseUrl, databaseDirectUrl, demo, clock, ids, log, company: storageOf(company) },
  });
  const sources = companySources(config, log);
  const held =
    databaseUrl === undefined
      ? inFiles(dataDir, company)
      : await onServer(databaseDirectUrl ?? databaseUrl, dataDir, company);
  return {
    ...createPrivacy({
      dataDir,
      logFile: config.log.file,
      turnMs: config.turn.timeoutMs,
      clock,
      locks: stores.locks,
      customers: openCompany(company, { stores, clock, ids, log, sources }).customers,
      hub: createHubPrivacy(held.udahub, clock),
      company: { ...company.code.privacy(held.own), database: database.name },
      memory: held.memory,
      server: held.server,
    }),
    async close() {
      for (const close of held.closes) await close();
      await sources.close();
      await stores.close();
      log.close();
    },
  };
}

/** Connections of its own to all that is held about customers. */
interface Held {
  readonly udahub: Database;
  readonly own: Database;
  readonly memory: GraphMemory;
  readonly server: RemainsSearch | null;
  readonly closes: readonly (() => void | Promise<void>)[];
}

function inFiles(dataDir: string, { code }: LoadedCompany): Held {
  const udahub = openDatabase(HUB_DATABASE, dataDir);
  const own = openDatabase(code.database, dataDir);
  const memory = fileMemory(dataDir, (dir) => openCheckpointer('sqlite', dir));
  return { udahub, own, memory, server: null, closes: [udahub.close, own.close] };
}

async function onServer(url: string, dataDir: string, { code }: LoadedCompany): Promise<Held> {
  const { openPostgres } = await import('../../data/postgres/postgres-database.js');
  const { searchOnServer } = await import('../../data/postgres/search-remains.js');
  const { openPostgresMemory } = await import('../adapters/checkpoints/postgres-memory.js');
  const schema = companySchema(code.database);
  const long = { statementTimeoutMs: 10 * 60_000, poolSize: 2 };
  const udahub = openPostgres(url, { schema: HUB_SCHEMA.name, ...long });
  const own = schema
    ? openPostgres(url, { schema: schema.name, ...long })
    : openDatabase(code.database, dataDir);
  const memory = await openPostgresMemory(url);
  const { JOB_TABLES } = await import('../adapters/background/job-queue.js');
  const server = searchOnServer(url, JOB_TABLES);
  return { udahub, own, memory, server, closes: [udahub.close, own.close, memory.close, server.close] };
}
