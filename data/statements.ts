import { setImmediate as breathe } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { getTableColumns, type InferInsertModel, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { IndexColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** Rows that are deleted before others get their turn at the database and in this process. */
export const PRUNED_AT_ONCE = 1_000;

/** Deletes until there is nothing left to delete. @returns how many rows went */
export async function pruneInSteps(step: () => number): Promise<number> {
  let total = 0;
  for (;;) {
    const changes = step();
    total += changes;
    if (changes === 0) return total;
    await breathe();
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

/**
 * Prepares `INSERT INTO table` over all columns once and returns the function that runs it.
 * @param onConflict `ignore` leaves an existing row alone; the default lets the constraint throw
 * @returns the number of rows written, 0 or 1
 */
export function prepareInsert<T extends SQLiteTable>(
  orm: BetterSQLite3Database,
  table: T,
  options: { readonly onConflict?: 'ignore'; readonly omit?: readonly string[] } = {},
): (row: InferInsertModel<T>) => number {
  const names = Object.keys(getTableColumns(table)).filter((name) => !options.omit?.includes(name));
  const values = Object.fromEntries(
    names.map((name) => [name, sql.placeholder(name)]),
  ) as InferInsertModel<T>;
  const insert = orm.insert(table).values(values);
  const statement =
    options.onConflict === 'ignore' ? insert.onConflictDoNothing().prepare() : insert.prepare();
  return (row) => statement.run(completed(table, names, row)).changes;
}

/** Like prepareInsert, but a row with the same `key` column is replaced by the new values. */
export function prepareUpsert<T extends SQLiteTable>(
  orm: BetterSQLite3Database,
  table: T,
  key: IndexColumn | IndexColumn[],
): (row: InferInsertModel<T>) => void {
  const columns = Object.entries(getTableColumns(table));
  const values = Object.fromEntries(
    columns.map(([name]) => [name, sql.placeholder(name)]),
  ) as InferInsertModel<T>;
  const set = Object.fromEntries(
    columns.map(([name, column]) => [name, sql`excluded.${sql.identifier(column.name)}`]),
  );
  const statement = orm
    .insert(table)
    .values(values)
    .onConflictDoUpdate({ target: key, set: set as InferInsertModel<T> })
    .prepare();
  const names = columns.map(([name]) => name);
  return (row) => void statement.run(completed(table, names, row));
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
export function unsynced<T>(sqlite: Database, work: () => T): T {
  // Within a transaction it cannot be changed: whoever began that decides.
  if (sqlite.inTransaction) return work();
  sqlite.pragma('synchronous = NORMAL');
  try {
    return work();
  } finally {
    sqlite.pragma('synchronous = FULL');
  }
}
