import { companySchema } from '../../data/company-on-postgres.js';
import type { CopiedTable } from '../../data/postgres/copy-tables.js';
import type { MigrationStatus, PostgresSpec } from '../../data/postgres/migrate.js';
import { HUB_SCHEMA } from '../../data/udahub/database.js';
import type { Config } from '../config/config.js';
import { readCompany } from './company.js';

/** The schemas of a hub on PostgreSQL: its own, and that of a company that can be there. */
async function schemasOf(config: Config): Promise<readonly PostgresSpec[]> {
  const { code } = await readCompany(config);
  const own = companySchema(code.database);
  return own === null ? [HUB_SCHEMA] : [HUB_SCHEMA, own];
}

/** A migration of the company's says so. */
const nameIn =
  ({ name: schema }: PostgresSpec) =>
  (name: string): string =>
    schema === HUB_SCHEMA.name ? name : `${schema}/${name}`;

/**
 * Which migrations the database of `HUB_DATABASE_URL` has seen; null where the hub keeps its tables in the data directory.
 * Changes nothing.
 * @throws HubError `database_failed` where it cannot be reached
 */
export async function databaseStatus(config: Config): Promise<MigrationStatus | null> {
  const { databaseUrl, databaseDirectUrl: url = databaseUrl } = config;
  if (url === undefined) return null;
  const { schemaStatus } = await import('../../data/udahub/hub-on-postgres.js');
  const all = { applied: [] as string[], missing: [] as string[], unknown: [] as string[] };
  for (const schema of await schemasOf(config)) {
    const status = await schemaStatus(url, schema);
    for (const kind of ['applied', 'missing', 'unknown'] as const)
      all[kind].push(...status[kind].map(nameIn(schema)));
  }
  return all;
}

/** @throws HubError as `databaseStatus`, `database_newer` @returns the names of what was applied; null as `databaseStatus` */
export async function migrateDatabase(config: Config): Promise<readonly string[] | null> {
  const { databaseUrl, databaseDirectUrl: url = databaseUrl } = config;
  if (url === undefined) return null;
  const { migrateSchema } = await import('../../data/udahub/hub-on-postgres.js');
  const applied: string[] = [];
  for (const schema of await schemasOf(config))
    applied.push(...(await migrateSchema(url, schema)).map(nameIn(schema)));
  return applied;
}

/**
 * Takes what is in the data directory of the configuration to a database on a server, see `copyToPostgres`.
 * @throws HubError
 */
export async function copyDatabase(
  config: Config,
  url: string,
  onTable: (copied: CopiedTable) => void,
  verify = false,
): Promise<void> {
  const { copyToPostgres } = await import('../../data/udahub/copy-to-postgres.js');
  const { copyCheckpoints } = await import('../adapters/checkpoints/copy-checkpoints.js');
  const { dataDir } = config;
  const { code } = await readCompany(config);
  await copyToPostgres({
    ...{ dataDir, url, onTable, verify, company: code.database },
    also: async () =>
      onTable({ table: 'checkpoints', rows: await copyCheckpoints(dataDir, url), wasThere: false }),
  });
}

/**
 * Takes what is in a database on a server back to the data directory of the configuration, see `copyToDirectory`.
 * @throws HubError
 */
export async function takeDatabase(
  config: Config,
  url: string,
  onTable: (copied: CopiedTable) => void,
  verify = false,
): Promise<void> {
  const { copyToDirectory } = await import('../../data/udahub/copy-to-directory.js');
  const { takeCheckpoints } = await import('../adapters/checkpoints/copy-checkpoints.js');
  const { dataDir } = config;
  const { code } = await readCompany(config);
  await copyToDirectory({
    ...{ dataDir, url, onTable, verify, company: code.database },
    also: async () =>
      onTable({ table: 'checkpoints', rows: await takeCheckpoints(url, dataDir), wasThere: false }),
  });
}
