import type { MigrationStatus } from '../../data/postgres/migrate.js';
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
