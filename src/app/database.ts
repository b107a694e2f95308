import type { MigrationStatus } from '../../data/postgres/migrate.js';
import type { CopiedTable } from '../../data/udahub/copy-to-postgres.js';
import type { Config } from '../config/config.js';

/**
 * Which migrations the database of `HUB_DATABASE_URL` has seen; null where the hub keeps its tables in the data directory.
 * Changes nothing.
 * @throws HubError `database_failed` where it cannot be reached
 */
export async function databaseStatus({ databaseUrl }: Config): Promise<MigrationStatus | null> {
  if (databaseUrl === undefined) return null;
  const { hubMigrationStatus } = await import('../../data/udahub/hub-on-postgres.js');
  return hubMigrationStatus(databaseUrl);
}

/** @throws HubError as `databaseStatus`, `database_newer` @returns the names of what was applied; null as `databaseStatus` */
export async function migrateDatabase({ databaseUrl }: Config): Promise<readonly string[] | null> {
  if (databaseUrl === undefined) return null;
  const { migrateHub } = await import('../../data/udahub/hub-on-postgres.js');
  return migrateHub(databaseUrl);
}

/**
 * Takes the conversations of a data directory to a database on a server, see `copyToPostgres`.
 * @throws HubError
 */
export async function copyDatabase(
  dataDir: string,
  url: string,
  onTable: (copied: CopiedTable) => void,
): Promise<void> {
  const { copyToPostgres } = await import('../../data/udahub/copy-to-postgres.js');
  const { copyCheckpoints } = await import('../adapters/checkpoints/copy-checkpoints.js');
  await copyToPostgres({
    ...{ dataDir, url, onTable },
    also: async () =>
      onTable({ table: 'checkpoints', rows: await copyCheckpoints(dataDir, url), wasThere: false }),
  });
}
