import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '../src/core/errors.js';
import type { Log } from '../src/core/ports/system.js';
import type { CompanyDatabaseSpec } from './company-database.js';
import type { PostgresSpec } from './postgres/migrate.js';
import type { PostgresDatabase } from './postgres/postgres-database.js';

/** The company's data on PostgreSQL, in a schema of its own beside the hub's. */
export interface CompanyOnPostgres {
  /** The server lets it change nothing. */
  readonly reader: PostgresDatabase;
  readonly writer: PostgresDatabase;
}

/** Nothing else is called so on a server of the hub's. */
const NAME = /^[a-z][a-z0-9_]{0,40}$/;
const TAKEN: readonly string[] = ['udahub', 'checkpoints', 'public', 'udahub_jobs', 'information_schema'];

/** The schema of a company's data; null for a company whose data are in the data directory in any case. */
export function companySchema({ name, postgres }: CompanyDatabaseSpec): PostgresSpec | null {
  if (postgres === undefined) return null;
  if (NAME.test(name) && !TAKEN.includes(name) && !name.startsWith('pg_')) return { name, ...postgres };
  throw new HubError('config_invalid', `A company named ${name} cannot have a schema on PostgreSQL.`, {
    name,
  });
}

/**
 * Opens the company's data on the server and brings them up to date.
 * @throws HubError `database_failed` where they are still in the data directory, `database_newer`
 */
export async function openCompanyOnPostgres(
  { url, directUrl }: { readonly url: string; readonly directUrl?: string | undefined },
  spec: CompanyDatabaseSpec,
  dataDir: string,
  log: Log,
): Promise<CompanyOnPostgres> {
  const schema = companySchema(spec);
  if (schema === null) throw new HubError('internal', `${spec.name} has no tables for PostgreSQL.`);
  const file = join(dataDir, `${spec.name}.db`);
  if (existsSync(file))
    throw new HubError(
      'database_failed',
      `${file} holds the company's data, which are not on PostgreSQL: take them there by npm run db -- copy, or name another HUB_DATA_DIR.`,
      { path: file },
    );
  const { openPostgres } = await import('./postgres/postgres-database.js');
  const { migratePostgres } = await import('./postgres/migrate.js');
  const direct = openPostgres(directUrl ?? url, { schema: schema.name, poolSize: 1 });
  try {
    const applied = await direct.withClient((client) => migratePostgres(client, schema));
    if (applied.length > 0)
      log.info({
        agent: 'data',
        action: 'migrated',
        details: { database: schema.name, migrations: applied.length },
      });
  } finally {
    await direct.close();
  }
  const how = { schema: schema.name, poolSize: 5, pooled: directUrl !== undefined };
  return { writer: openPostgres(url, how), reader: openPostgres(url, { ...how, readonly: true }) };
}
