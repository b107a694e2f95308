import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { toStorageError } from './storage-errors.js';

/*
 * SQL that SQLite and PostgreSQL share is written once. A store is written against `Database`: its work is a generator that
 * hands itself on at every statement. SQLite answers at once, so that a unit of work runs at a stretch, exactly as if it
 * called the driver itself, and nothing comes between the statements of a transaction. PostgreSQL waits at each one.
 *
 * Statements are the text that both engines read, with `@name` or `?` for values, or drizzle's builder over the one schema
 * in data/udahub. PostgreSQL has the same tables with the same types (JSON is text, yes and no are 1 and 0), compares text
 * by its bytes as SQLite does, and brings the few functions that are SQLite's own (data/postgres/functions.sql).
 */

/** One connection's view of a database, for steps that wait. */
export interface Session {
  query(text: string, values: readonly unknown[], shape: 'objects' | 'values'): Promise<Answer>;
  /** From here on, all queries are one transaction. */
  begin(): Promise<void>;
  end(how: 'commit' | 'rollback'): Promise<void>;
}

/** What a query brought, and how many rows it wrote. */
export interface Answer {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Something that a unit of work waits for. */
export type Step = (session: Session) => Promise<unknown>;

/** A unit of work. It may begin anew where its transaction collides with another, so it does nothing but read and write. */
export type Work<T> = Generator<Step, T, unknown>;

/** A statement that is prepared once. */
export interface Statement<Values extends unknown[], Row> {
  get(...values: Values): Work<Row | undefined>;
  all(...values: Values): Work<Row[]>;
  run(...values: Values): Work<{ readonly changes: number }>;
  /** The same, each row being its first column alone. */
  pluck(): Statement<Values, Row>;
}

interface Prepared {
  get(values?: Record<string, unknown>): unknown;
  all(values?: Record<string, unknown>): unknown;
  run(values?: Record<string, unknown>): unknown;
}

/** A query of drizzle's, as a part of a unit of work. */
export interface Query<Q extends Prepared> {
  get(values?: Record<string, unknown>): Work<ReturnType<Q['get']>>;
  all(values?: Record<string, unknown>): Work<ReturnType<Q['all']>>;
  run(values?: Record<string, unknown>): Work<{ readonly changes: number }>;
}

/** A database of the hub's on either engine. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** The file, or the name of the database on its server: what errors name. */
  readonly path: string;
  /** True where the database refuses whatever would change it. */
  readonly readonly: boolean;
  prepare<Values extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): Statement<Values extends unknown[] ? Values : [Values], Row>;
  /** Prepares a query that drizzle builds; on PostgreSQL its answers are promises, which nobody sees. */
  query<Q extends Prepared>(build: (orm: BetterSQLite3Database) => { prepare(): Q }): Query<Q>;
  /** All of it or nothing, and as if nobody else were writing. Within another transaction it is a part of that. */
  transaction<T>(work: () => Work<T>): Work<T>;
  /** Bookkeeping that need not wait for the disk, see `unsynced` in data/statements.ts. */
  unsynced<T>(work: () => Work<T>): Work<T>;
  /** The highest `seq` that a table ever gave to a row, though it is gone; none that is given later is lower. */
  lastNumber(table: string): Work<number>;
  /** Within a transaction: what refers to something else is checked at its end only. */
  deferReferences(): Work<void>;
  /** The names of the columns that hold texts, by table. */
  textColumns(): Work<ReadonlyMap<string, readonly string[]>>;
  /** Runs a unit of work. */
  run<T>(work: () => Work<T>): Promise<T>;
  /**
   * Those holders of which it is certain that they are gone: their process, or on PostgreSQL its connection to the server. However
   * many they are, a server is asked once.
   */
  goneOf(holders: readonly string[]): Work<ReadonlySet<string>>;
}

/**
 * The methods of a store, each a unit of work, as its port has them. Their errors are translated.
 * @throws what `toStorageError` makes of an error
 */
export function storeOf<T extends object>(
  database: Database,
  methods: {
    readonly [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R>
      ? (...args: A) => Work<R>
      : never;
  },
): T {
  const entries = Object.entries<(...args: unknown[]) => Work<unknown>>(methods as never);
  const running = entries.map(([method, work]) => [
    method,
    async (...args: unknown[]) => {
      try {
        return await database.run(() => work(...args));
      } catch (error) {
        throw toStorageError(error, { path: database.path, method });
      }
    },
  ]);
  return Object.fromEntries(running) as T;
}

/** Runs a unit of work that needs nobody else, which is any on SQLite. @throws TypeError where it waits */
export function atOnce<T>(work: Work<T>): T {
  const { done, value } = work.next();
  if (done) return value;
  work.return(undefined as never);
  throw new TypeError('A unit of work of SQLite waits for something.');
}

/** One entry a table. */
export function byTable(
  rows: readonly { readonly table: string; readonly column: string }[],
): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, string[]>();
  for (const { table, column } of rows) tables.set(table, [...(tables.get(table) ?? []), column]);
  return tables;
}
