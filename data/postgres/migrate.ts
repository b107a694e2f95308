import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { HubError } from '../../src/core/errors.js';
import { declaredTriggers } from '../open-database.js';

/** The schema of a database on PostgreSQL. */
export interface PostgresSpec {
  /** Of the schema; errors name it. */
  readonly name: string;
  /** The folder of its migrations, applied in the order of their names. */
  readonly migrations: URL;
  /** Functions of its own, beside those that every schema has. */
  readonly functions?: URL;
  /** The triggers in SQLite's spelling. */
  readonly triggers?: URL;
}

/** Which migrations a database has seen. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  /** Of a newer version of the hub. */
  readonly unknown: readonly string[];
}

const FUNCTIONS = new URL('./functions.sql', import.meta.url);
const ENDS_WITH_SQL = /\.sql$/;

function shipped({ migrations }: PostgresSpec): readonly string[] {
  return readdirSync(migrations)
    .filter((file) => ENDS_WITH_SQL.test(file))
    .map((file) => file.replace(ENDS_WITH_SQL, ''))
    .sort();
}

/** Reads only. */
export async function migrationStatus(client: pg.ClientBase, spec: PostgresSpec): Promise<MigrationStatus> {
  const table = `${spec.name}.hub_migrations`;
  const { rows: found } = await client.query<{ there: number }>(
    'SELECT 1 AS there WHERE to_regclass($1) IS NOT NULL',
    [table],
  );
  const { rows } =
    found.length === 0
      ? { rows: [] }
      : await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY name`);
  const applied = rows.map(({ name }) => name);
  const known = shipped(spec);
  return {
    applied,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** @throws HubError `database_newer` */
function refuseNewer({ name }: PostgresSpec, { applied, unknown, missing }: MigrationStatus): void {
  if (unknown.length === 0) return;
  const known = applied.length - unknown.length + missing.length;
  throw new HubError(
    'database_newer',
    `The schema ${name} on PostgreSQL was written by a newer version of the hub (schema ${applied.length}, this version knows ${known}). Update the hub or use another database.`,
    { known, applied: applied.length, unknown: [...unknown] },
  );
}

/**
 * Brings a schema up to date, whole or not at all; of several who do so at once, the others wait and find it done.
 * @returns the names of the migrations that were applied
 * @throws HubError `database_newer`
 */
export async function migratePostgres(client: pg.ClientBase, spec: PostgresSpec): Promise<readonly string[]> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [spec.name]);
    const status = await migrationStatus(client, spec);
    refuseNewer(spec, status);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${spec.name}`);
    await client.query(`SET LOCAL search_path = ${spec.name}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS hub_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    for (const name of status.missing) {
      await client.query(readFileSync(new URL(`${name}.sql`, `${spec.migrations}/`), 'utf8'));
      await client.query('INSERT INTO hub_migrations (name) VALUES ($1)', [name]);
    }
    await ensureRoutines(client, spec);
    await client.query('COMMIT');
    return status.missing;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Functions and triggers are made again only where they have changed: making them locks the tables. */
async function ensureRoutines(client: pg.ClientBase, spec: PostgresSpec): Promise<void> {
  const files = [FUNCTIONS, ...(spec.functions ? [spec.functions] : [])];
  const functions = files.map((file) => readFileSync(file, 'utf8').replaceAll('{marks}', markRanges()));
  const routines = [...functions, ...postgresTriggers(spec)].join(';\n');
  const wanted = `routines ${createHash('sha256').update(routines).digest('hex')}`;
  const { rows } = await client.query<{ made: string | null }>(
    `SELECT obj_description($1::regnamespace, 'pg_namespace') AS made`,
    [spec.name],
  );
  if (rows[0]?.made === wanted) return;
  await client.query(routines);
  await client.query(`COMMENT ON SCHEMA ${spec.name} IS '${wanted}'`);
}

/** All signs that JavaScript calls marks, as ranges of a regular expression of PostgreSQL. */
function markRanges(): string {
  const isMark = /\p{M}/u;
  const escaped = (point: number): string => `\\U${point.toString(16).padStart(8, '0')}`;
  let ranges = '';
  for (let point = 0x300, begun = 0; point <= 0xe01f0; point++) {
    const mark = isMark.test(String.fromCodePoint(point));
    if (mark && begun === 0) begun = point;
    if (mark || begun === 0) continue;
    ranges += `${escaped(begun)}-${escaped(point - 1)}`;
    begun = 0;
  }
  return ranges;
}

const TRIGGER =
  /^CREATE TRIGGER `(\w+)` BEFORE (INSERT|UPDATE|DELETE) ON `(\w+)`(?:\s+WHEN ([\s\S]+?))? BEGIN\s+SELECT RAISE\((IGNORE|ABORT)(?:, '([^']+)')?\);\s+END$/;

/**
 * The guards of `triggers.sql` as PostgreSQL has them. Those that keep SQLite's full-text indexes are left out: what is
 * searched there is written by the stores.
 */
function postgresTriggers(spec: PostgresSpec): readonly string[] {
  return [...declaredTriggers(spec)].flatMap(([name, sql]) => {
    if (/_fts_/.test(name)) return [];
    const [, , when, table, condition = 'TRUE', how, message] = TRIGGER.exec(sql) ?? [];
    if (table === undefined) throw new TypeError(`The trigger ${name} cannot be made on PostgreSQL.`);
    const refuse = how === 'IGNORE' ? 'RETURN NULL' : `RAISE EXCEPTION '${message}'`;
    return [
      `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path = ${spec.name} AS $body$
       BEGIN IF ${condition} THEN ${refuse}; END IF; RETURN ${when === 'DELETE' ? 'old' : 'new'}; END $body$`,
      `CREATE OR REPLACE TRIGGER ${name} BEFORE ${when} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
    ];
  });
}
