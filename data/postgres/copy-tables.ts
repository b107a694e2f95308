import { createHash } from 'node:crypto';
import type pg from 'pg';
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

type Row = readonly unknown[];

/** The tables of one database, as they are read and filled. Both engines have the same ones. */
export interface CopySide {
  /** In words for people. */
  readonly place: string;
  /** Hands on all rows, some at a time. */
  read(table: Table, onRows: (rows: readonly Row[]) => Promise<void> | void): Promise<void>;
  count(table: Table): Promise<number>;
  /** With all rows of the other one, or none. */
  fill(table: Table, from: CopySide): Promise<void>;
  /** The highest numbers that were given to rows, though they are gone, by table. */
  lastNumbers(): Promise<ReadonlyMap<string, number>>;
  /** No number up to these is given again. */
  continueNumbers(given: ReadonlyMap<string, number>): Promise<void>;
}

/** Rows that are read or written at once. */
const AT_ONCE = 200;
/** The guards of erased customers would refuse what is kept about them. */
const LAST = /^erased_/;

/**
 * Copies all tables to those of the same names, each whole or not at all, and compares count and checksum of each. A run that
 * was ended goes on where it was.
 * @param tables as `tablesOf` lists them
 * @throws HubError `database_failed` where what was copied differs
 */
export async function copyTables(
  tables: readonly Table[],
  from: CopySide,
  to: CopySide,
  onTable: (copied: CopiedTable) => void,
): Promise<void> {
  for (const table of tables) {
    const before = await to.count(table);
    if (before === 0) await to.fill(table, from);
    onTable({ table: table.name, rows: await compareTable(table, from, to), wasThere: before > 0 });
  }
  await to.continueNumbers(await from.lastNumbers());
}

/** @throws HubError `database_failed` where a row of one is not the same in the other @returns how many rows */
export async function compareTable(table: Table, from: CopySide, to: CopySide): Promise<number> {
  const [given, copied] = [await sumOf(table, from), await sumOf(table, to)];
  if (given.rows === copied.rows && given.sum === copied.sum) return given.rows;
  throw new HubError(
    'database_failed',
    `The table ${table.name} has ${given.rows} rows in ${from.place} and ${copied.rows} others in ${to.place}: name an empty database.`,
    { table: table.name },
  );
}

/** True where no table has a row. */
export async function isEmpty(tables: readonly Table[], side: CopySide): Promise<boolean> {
  for (const table of tables) if ((await side.count(table)) > 0) return false;
  return true;
}

/** A table that refers to others comes after them. */
export function tablesOf({ sqlite }: DatabaseHandle): readonly Table[] {
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

/** The tables of a file. */
export function inFile({ sqlite, path }: DatabaseHandle): CopySide {
  return {
    place: path,
    async read({ name, columns }, onRows) {
      const all = sqlite
        .prepare<[], Row>(`SELECT ${listed(columns)} FROM "${name}"`)
        .raw()
        .iterate();
      let waiting: Row[] = [];
      for (const row of all) {
        waiting.push(row);
        if (waiting.length < AT_ONCE) continue;
        await onRows(waiting);
        waiting = [];
      }
      await onRows(waiting);
    },
    count: async ({ name }) =>
      sqlite.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0,
    async fill(table, from) {
      const { name, columns } = table;
      const insert = sqlite.prepare<unknown[]>(
        `INSERT INTO "${name}" (${listed(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      // A row may refer to one that comes after it.
      sqlite.exec('BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON');
      try {
        await from.read(table, (rows) => {
          for (const row of rows) insert.run(...row);
        });
        sqlite.exec('COMMIT');
      } finally {
        if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
      }
    },
    async lastNumbers() {
      const given = sqlite.prepare<[], { name: string; seq: number }>(
        'SELECT name, seq FROM sqlite_sequence',
      );
      return new Map(given.all().map(({ name, seq }) => [name, seq]));
    },
    async continueNumbers(given) {
      const known = sqlite
        .prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?')
        .pluck();
      const raise = sqlite.prepare<[number, string]>('UPDATE sqlite_sequence SET seq = ? WHERE name = ?');
      const begin = sqlite.prepare<[string, number]>('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
      for (const [table, seq] of given) {
        const before = known.get(table);
        if (before === undefined) begin.run(table, seq);
        else if (before < seq) raise.run(seq, table);
      }
    },
  };
}

/** The tables of a schema on a server. */
export function onServer(database: PostgresDatabase): CopySide {
  const one = async (sql: string): Promise<number> => {
    const { rows } = await database.withClient((client) => client.query<{ n: number }>(sql));
    return Number(rows[0]?.n);
  };
  /** Columns that number their rows. */
  const numbered = () =>
    database.withClient(async (client) => {
      const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
        `SELECT table_name AS table, column_name AS column,
           pg_get_serial_sequence(table_schema || '.' || table_name, column_name) AS sequence
         FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`,
      );
      return rows;
    });
  return {
    place: `the database ${database.path}`,
    read: ({ name, columns }, onRows) =>
      inTransaction(database, async (client) => {
        await client.query(`DECLARE read CURSOR FOR SELECT ${listed(columns)} FROM "${name}"`);
        for (;;) {
          const text = `FETCH ${AT_ONCE} FROM read`;
          const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
          await onRows(rows);
          if (rows.length < AT_ONCE) break;
        }
      }),
    count: ({ name }) => one(`SELECT count(*) AS n FROM "${name}"`),
    fill: ({ name, columns }, from) =>
      inTransaction(database, (client) =>
        from.read({ name, columns }, async (rows) => {
          if (rows.length === 0) return;
          const { length } = columns;
          const places = rows.map(
            (_row, at) => `(${columns.map((_column, place) => `$${at * length + place + 1}`).join(', ')})`,
          );
          const text = `INSERT INTO "${name}" (${listed(columns)}) VALUES ${places.join(', ')}`;
          await client.query(text, rows.flat().map(stored));
        }),
      ),
    async lastNumbers() {
      const given = new Map<string, number>();
      for (const { table, sequence } of await numbered()) {
        const last = await one(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS n FROM ${sequence}`);
        if (last > 0) given.set(table, last);
      }
      return given;
    },
    async continueNumbers(given) {
      for (const { table, column, sequence } of await numbered())
        await database.withClient((client) =>
          client.query(
            `SELECT setval($1, greatest($2, max("${column}"), 1), greatest($2, max("${column}")) > 0) FROM "${table}"`,
            [sequence, given.get(table) ?? 0],
          ),
        );
    },
  };
}

/** What a copy says of tables that it has not finished, or that it has taken elsewhere; null where none does. */
export async function copyMark(database: PostgresDatabase): Promise<string | null> {
  const { rows } = await database.withClient((client) =>
    client.query<{ mark: string | null }>(
      `SELECT obj_description('hub_migrations'::regclass, 'pg_class') AS mark`,
    ),
  );
  return rows[0]?.mark ?? null;
}

/** @param mark null where a hub may use the tables */
export async function markCopy(database: PostgresDatabase, mark: string | null): Promise<void> {
  await database.withClient((client) =>
    client.query(`COMMENT ON TABLE hub_migrations IS ${mark === null ? 'NULL' : client.escapeLiteral(mark)}`),
  );
}

async function inTransaction(
  database: PostgresDatabase,
  work: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  await database.withClient(async (client) => {
    await client.query('BEGIN');
    try {
      await work(client);
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

async function sumOf(table: Table, side: CopySide): Promise<Sum> {
  let [rows, sum] = [0, 0n];
  await side.read(table, (those) => {
    for (const row of those) {
      const plain = row.map((value) => (Buffer.isBuffer(value) ? value.toString('base64') : value));
      const digest = createHash('sha256').update(JSON.stringify(plain)).digest();
      rows += 1;
      sum = BigInt.asUintN(64, sum + digest.readBigUInt64BE());
    }
  });
  return { rows, sum };
}
