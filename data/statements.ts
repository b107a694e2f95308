import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import {
  type Column,
  getTableColumns,
  getTableName,
  type InferInsertModel,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database, Work } from './database.js';

/** Rows that are deleted before others get their turn at the database and in this process. */
export const PRUNED_AT_ONCE = 1_000;

/** Deletes until there is nothing left to delete. @returns how many rows went */
export function* pruneInSteps(step: () => Work<{ readonly changes: number }>): Work<number> {
  let total = 0;
  for (;;) {
    const { changes } = yield* step();
    total += changes;
    if (changes === 0) return total;
    yield () => yieldToOthers();
  }
}

type Row = Record<string, unknown>;

/** A value for each column. @throws TypeError where JSON is missing: drizzle would encode a placeholder's null as `null`. */
function completed(table: SQLiteTable, names: readonly string[], row: object): Row {
  const columns = getTableColumns(table);
  return Object.fromEntries(
    names.map((name) => {
      const value = (row as Row)[name] ?? null;
      const { notNull, dataType } = columns[name] ?? {};
      if (value === null && notNull && dataType === 'json') throw new TypeError(`A row without ${name}.`);
      return [name, value];
    }),
  );
}

/**
 * Statements that are prepared when the first of them is used: a process needs few of those of all stores, and preparing
 * all of them takes most of the time of opening the databases.
 * @param prepare gives the statements by name, or a function over them
 */
export function preparedOnUse<T extends object>(prepare: () => T): T {
  let prepared: T | undefined;
  const now = (): T => {
    prepared ??= prepare();
    return prepared;
  };
  const onUse: ProxyHandler<() => void> = {
    get: (_target, name) => Reflect.get(now(), name),
    apply: (_target, self, args) => Reflect.apply(now() as (...given: unknown[]) => unknown, self, args),
  };
  return new Proxy(() => {}, onUse) as unknown as T;
}

interface InsertOptions {
  /** `ignore` leaves an existing row alone; where absent, the constraint throws. */
  readonly onConflict?: 'ignore';
  readonly omit?: readonly string[];
}

/**
 * Prepares `INSERT INTO table` over all columns once and returns the work that runs it.
 * @returns the number of rows written, 0 or 1
 */
export function insertInto<T extends SQLiteTable>(
  database: Database,
  table: T,
  options: InsertOptions = {},
): (row: InferInsertModel<T>) => Work<number> {
  const end = options.onConflict === 'ignore' ? ' ON CONFLICT DO NOTHING' : '';
  return insertOf(database, table, options.omit ?? [], end);
}

/** Like insertInto, but a row with the same `key` is replaced by the new values. */
export function upsertInto<T extends SQLiteTable>(
  database: Database,
  table: T,
  key: SQLiteColumn | readonly SQLiteColumn[],
): (row: InferInsertModel<T>) => Work<number> {
  const names = (columns: readonly Column[]): string[] => columns.map(({ name }) => `"${name}"`);
  const columns = Object.values(getTableColumns(table));
  const set = names(columns).map((name) => `${name} = excluded.${name}`);
  const end = ` ON CONFLICT (${names([key].flat())}) DO UPDATE SET ${set}`;
  return insertOf(database, table, [], end);
}

function insertOf<T extends SQLiteTable>(
  database: Database,
  table: T,
  omit: readonly string[],
  end: string,
): (row: InferInsertModel<T>) => Work<number> {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !omit.includes(name));
  const names = columns.map(([name]) => name);
  const statement = database.prepare<Row>(
    `INSERT INTO "${getTableName(table)}" (${columns.map(([, { name }]) => `"${name}"`)})
     VALUES (${names.map((name) => `@${name}`)})${end}`,
  );
  return function* (row) {
    const given = completed(table, names, row);
    const encoded = columns.map(([name, column]) => [
      name,
      given[name] === null ? null : column.mapToDriverValue(given[name]),
    ]);
    return (yield* statement.run(Object.fromEntries(encoded))).changes;
  };
}

/** `given IS NULL OR column = given`, for a text. The cast says what it is where it stands alone. */
export function whereGiven(column: Column, name: string): SQL {
  const value = sql.placeholder(name);
  return sql`(CAST(${value} AS TEXT) IS NULL OR ${column} = ${value})`;
}

/** `column in ('a', 'b')` for a CHECK constraint, from the constants the types are made of. */
export function oneOf(column: string, allowed: readonly string[]): ReturnType<typeof sql.raw> {
  return sql.raw(`${column} in (${allowed.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')})`);
}

/**
 * Commits without waiting for the disk, for bookkeeping that nobody is told of before something else is stored: a turn would
 * otherwise wait for the disk twelve times. The log of a database is one sequence, and the next commit that waits carries
 * everything before it to the disk; a power cut before then takes the database back to an earlier moment, no more. What is
 * acknowledged, or done in another database because of it, must not be written like this.
 */
export function unsynced<T>(sqlite: BetterSqlite3.Database, work: () => T): T {
  // Within a transaction it cannot be changed: whoever began that decides.
  if (sqlite.inTransaction) return work();
  sqlite.pragma('synchronous = NORMAL');
  try {
    return work();
  } finally {
    sqlite.pragma('synchronous = FULL');
  }
}
