import { createHash } from 'node:crypto';
import { HubError } from '../../src/core/errors.js';
import type { DatabaseHandle } from '../open-database.js';
import { stored } from './dialect.js';
import type { PostgresDatabase } from './postgres-database.js';

/** What became of one table. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** Copied by an earlier run that was ended. */
  readonly wasThere: boolean;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Rows that are read or written at once. */
const AT_ONCE = 200;
/** The guards of erased customers would refuse what is kept about them. */
const LAST = /^erased_/;

/**
 * Copies all tables of a file to the tables of the same names, each whole or not at all, and compares count and checksum of
 * each. A run that was ended goes on where it was.
 * @throws HubError `database_failed` where what was copied differs
 */
export async function copyTables(
  from: DatabaseHandle,
  to: PostgresDatabase,
  onTable: (copied: CopiedTable) => void,
): Promise<void> {
  for (const table of tablesOf(from)) {
    const before = await countIn(to, table);
    if (before === 0) await copyTable(from, to, table);
    const [given, copied] = [ofSqlite(from, table), await ofPostgres(to, table)];
    if (given.rows !== copied.rows || given.sum !== copied.sum)
      throw new HubError(
        'database_failed',
        `The table ${table.name} has ${given.rows} rows in ${from.path} and ${copied.rows} others on the server: name an empty database.`,
        { table: table.name },
      );
    onTable({ table: table.name, rows: given.rows, wasThere: before > 0 });
  }
  await continueNumbers(from, to);
}

/** True where no table has a row. */
export async function isEmpty(from: DatabaseHandle, to: PostgresDatabase): Promise<boolean> {
  for (const table of tablesOf(from)) if ((await countIn(to, table)) > 0) return false;
  return true;
}

/** A table that refers to others comes after them. */
function tablesOf({ sqlite }: DatabaseHandle): readonly Table[] {
  const names = sqlite
    .prepare<[], string>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name NOT LIKE '\\_\\_%' ESCAPE '\\' AND name NOT LIKE '%\\_fts%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all();
  const ordered: string[] = [];
  const visit = (name: string): void => {
    if (ordered.includes(name)) return;
    const others = sqlite.prepare<[string], string>('SELECT "table" FROM pragma_foreign_key_list(?)').pluck();
    for (const other of others.all(name)) if (other !== name) visit(other);
    ordered.push(name);
  };
  for (const name of names.filter((each) => !LAST.test(each))) visit(name);
  for (const name of names) visit(name);
  const columns = sqlite.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
  return ordered.map((name) => ({ name, columns: columns.all(name) }));
}

const listed = (columns: readonly string[]): string => columns.map((name) => `"${name}"`).join(', ');

function rowsOf({ sqlite }: DatabaseHandle, { name, columns }: Table): Iterable<readonly unknown[]> {
  return sqlite
    .prepare<[], unknown[]>(`SELECT ${listed(columns)} FROM "${name}"`)
    .raw()
    .iterate();
}

async function countIn(to: PostgresDatabase, { name }: Table): Promise<number> {
  const { rows } = await to.withClient((client) =>
    client.query<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`),
  );
  return Number(rows[0]?.n);
}

/** Whole, or not at all. */
async function copyTable(from: DatabaseHandle, to: PostgresDatabase, table: Table): Promise<void> {
  await to.withClient(async (client) => {
    const write = async (rows: readonly (readonly unknown[])[]): Promise<void> => {
      if (rows.length === 0) return;
      const { length } = table.columns;
      const places = rows.map(
        (_row, at) => `(${table.columns.map((_column, place) => `$${at * length + place + 1}`).join(', ')})`,
      );
      await client.query(
        `INSERT INTO "${table.name}" (${listed(table.columns)}) VALUES ${places.join(', ')}`,
        rows.flat().map(stored),
      );
    };
    await client.query('BEGIN');
    try {
      let waiting: (readonly unknown[])[] = [];
      for (const row of rowsOf(from, table)) {
        waiting.push(row);
        if (waiting.length === AT_ONCE) await write(waiting.splice(0));
      }
      await write(waiting);
      waiting = [];
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  });
}

interface Sum {
  readonly rows: number;
  /** Whatever the order of the rows. */
  readonly sum: bigint;
}

const added = ({ rows, sum }: Sum, row: readonly unknown[]): Sum => {
  const plain = row.map((value) => (Buffer.isBuffer(value) ? value.toString('base64') : value));
  const digest = createHash('sha256').update(JSON.stringify(plain)).digest();
  return { rows: rows + 1, sum: BigInt.asUintN(64, sum + digest.readBigUInt64BE()) };
};

function ofSqlite(from: DatabaseHandle, table: Table): Sum {
  let sum: Sum = { rows: 0, sum: 0n };
  for (const row of rowsOf(from, table)) sum = added(sum, row);
  return sum;
}

async function ofPostgres(to: PostgresDatabase, { name, columns }: Table): Promise<Sum> {
  return to.withClient(async (client) => {
    let sum: Sum = { rows: 0, sum: 0n };
    await client.query('BEGIN');
    await client.query(`DECLARE read CURSOR FOR SELECT ${listed(columns)} FROM "${name}"`);
    for (;;) {
      const { rows } = await client.query<unknown[]>({
        text: `FETCH ${AT_ONCE} FROM read`,
        rowMode: 'array',
      });
      for (const row of rows) sum = added(sum, row);
      if (rows.length < AT_ONCE) break;
    }
    await client.query('COMMIT');
    return sum;
  });
}

/** No number that was given out is given again, though its row is gone. */
async function continueNumbers({ sqlite }: DatabaseHandle, to: PostgresDatabase): Promise<void> {
  const given = sqlite.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  await to.withClient(async (client) => {
    const { rows } = await client.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = current_schema() AND is_identity = 'YES'`,
    );
    for (const { table, column } of rows)
      await client.query(
        `SELECT setval(pg_get_serial_sequence($1, $2), greatest($3, max("${column}"), 1),
           greatest($3, max("${column}")) > 0) FROM "${table}"`,
        [table, column, given.get(table) ?? 0],
      );
  });
}
