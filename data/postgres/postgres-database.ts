import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import pg from 'pg';
import { type Answer, byTable, type Database, type Session, type Statement, type Work } from '../database.js';
import { holderName, processOf } from '../lease-holder.js';
import { read, translate } from './dialect.js';
import { PROCESSES } from './presence.js';
import { isCollision, sessionOf } from './session.js';

const MOST_TRIES = 12;
/** A connection that is not there by then will not be. */
const CONNECT_MS = 5_000;
/** A transaction in which nothing is said any more. */
const IDLE_MS = 60_000;
const FIRST_PAUSE_MS = 2;
/** One of those that collide has won, so that they need not be kept apart. */
const LONGEST_PAUSES = 6;

const { builtins } = pg.types;
/** Counts are numbers, and yes and no are 1 and 0, as SQLite says them. */
const NUMBERS: readonly number[] = [builtins.INT8, builtins.NUMERIC];
const TYPES: pg.CustomTypesConfig = {
  getTypeParser(type, format) {
    if (NUMBERS.includes(type)) return Number;
    if (type === builtins.TEXT) return read;
    if (type === builtins.BOOL) return (value: string) => (value === 't' ? 1 : 0);
    return pg.types.getTypeParser(type, format);
  },
};

/** A database on a server, and how to let go of it. */
export interface PostgresDatabase extends Database {
  /** Runs statements as they are, one after another on one connection. */
  withClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface PostgresOptions {
  /** The schema that holds the tables. */
  readonly schema: string;
  /** True where the server refuses whatever would change something. */
  readonly readonly?: boolean;
  /**
   * True where the address is that of a pool which gives a connection to one transaction at a time (pgbouncer): nothing is
   * set for a connection then, and every statement says in a transaction of its own which schema it means.
   */
  readonly pooled?: boolean;
  /** Connections at once. */
  readonly poolSize?: number;
  /** What a statement may take, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /** What the server shows of who is connected. */
  readonly applicationName?: string;
}

async function runOn<T>(session: Session, running: Work<T>): Promise<T> {
  let step = running.next();
  while (!step.done) {
    let value: unknown;
    try {
      value = await step.value(session);
    } catch (error) {
      step = running.throw(error);
      continue;
    }
    step = running.next(value);
  }
  return step.value;
}

function statementOf<Values extends unknown[], Row>(
  sql: string,
  shape: 'objects' | 'values' = 'objects',
): Statement<Values, Row> {
  const { text, valuesOf } = translate(sql);
  function* ask(values: Values): Work<{ rows: Row[]; changes: number }> {
    const given = valuesOf(values);
    const { rows, changes } = (yield (session) => session.query(text, given, shape)) as Answer;
    return { rows: (shape === 'values' ? rows.map((row) => (row as unknown[])[0]) : rows) as Row[], changes };
  }
  return {
    *get(...values) {
      return (yield* ask(values)).rows[0];
    },
    *all(...values) {
      return (yield* ask(values)).rows;
    },
    run: (...values) => ask(values),
    pluck: () => statementOf(sql, 'values'),
  };
}

function* oneAtATime(name: string): Work<void> {
  yield (session) => session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name], 'values');
}

/** Connects when something is first asked. @param url `postgres://...` */
export function openPostgres(url: string, options: PostgresOptions): PostgresDatabase {
  const { schema, readonly = false, pooled = false, statementTimeoutMs = 30_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    application_name: options.applicationName ?? 'uda-hub',
    connectionTimeoutMillis: CONNECT_MS,
    types: TYPES,
    ...(pooled
      ? {}
      : {
          options: `-c search_path=${schema} -c default_transaction_read_only=${readonly ? 'on' : 'off'}`,
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: IDLE_MS,
        }),
  });
  const local = pooled
    ? `SET LOCAL search_path = ${schema}; SET LOCAL statement_timeout = ${statementTimeoutMs};
       SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}${readonly ? '; SET TRANSACTION READ ONLY' : ''}`
    : null;
  // A connection that breaks is told of by the query that wanted it, and replaced when the next one is needed.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));

  const current = new AsyncLocalStorage<Session>();
  const orm = drizzle(async (sql, values, method) => {
    const session = current.getStore();
    if (session === undefined) throw new TypeError('A query outside of a unit of work.');
    const { rows, changes } = await session.query(translate(sql).text, values, 'values');
    return { rows: (method === 'get' ? rows[0] : rows) as unknown[], changes };
  });
  const unlocked = statementOf<[string], string>(
    `SELECT value FROM json_each(?) WHERE pg_try_advisory_xact_lock(hashtextextended(value, ${PROCESSES}))`,
    'values',
  );
  /** Transactions that are open, by the session that is in them. */
  const within = new WeakSet<Session>();

  function* transaction<T>(work: () => Work<T>): Work<T> {
    const session = (yield async (given) => given) as Session;
    if (within.has(session)) return yield* work();
    for (let tries = 1; ; tries++) {
      yield () => session.begin();
      within.add(session);
      try {
        const result = yield* work();
        yield () => session.end('commit');
        return result;
      } catch (error) {
        yield () => session.end('rollback').catch(() => undefined);
        if (!isCollision(error) || tries === MOST_TRIES) throw error;
      } finally {
        within.delete(session);
      }
      const longer = FIRST_PAUSE_MS * 2 ** Math.min(tries, LONGEST_PAUSES);
      yield () => pause(longer);
    }
  }

  return {
    engine: 'postgres',
    path: new URL(url).pathname.slice(1),
    readonly,
    prepare: (sql) => statementOf(sql) as never,
    query(build) {
      const query = build(orm as unknown as BetterSQLite3Database).prepare();
      type Q = typeof query;
      const asked = function* <T>(ask: () => unknown): Work<T> {
        return (yield (session) => current.run(session, ask) as Promise<unknown>) as T;
      };
      return {
        get: (values) => asked<ReturnType<Q['get']>>(() => query.get(values)),
        all: (values) => asked<ReturnType<Q['all']>>(() => query.all(values)),
        run: (values) => asked<{ readonly changes: number }>(() => query.run(values)),
      };
    },
    transaction,
    unsynced: (work) => work(),
    *deferReferences() {
      yield* statementOf('SET CONSTRAINTS ALL DEFERRED').run();
    },
    *textColumns() {
      const texts = statementOf<[], { table: string; column: string }>(
        `SELECT table_name::text AS "table", column_name::text AS "column" FROM information_schema.columns
         WHERE table_schema = current_schema() AND data_type = 'text' ORDER BY table_name, ordinal_position`,
      );
      return byTable(yield* texts.all());
    },
    // Those that were given a number and have not committed yet are waited for.
    lastNumber: (table) =>
      transaction(function* () {
        yield* oneAtATime(table);
        const last = statementOf<[], number>(
          `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${table}_seq_seq`,
          'values',
        );
        return (yield* last.get()) ?? 0;
      }),
    *goneOf(holders) {
      // Its own connection may be lost for a moment.
      const own = processOf(holderName(''));
      const others = [...new Set(holders.map(processOf))].filter((process) => process !== own);
      const gone = new Set(others.length === 0 ? [] : yield* unlocked.all(JSON.stringify(others)));
      return new Set(holders.filter((holder) => gone.has(processOf(holder))));
    },
    async run(work) {
      const session = sessionOf(pool, local);
      try {
        return await runOn(session, work());
      } finally {
        await session.close();
      }
    },
    async withClient(work) {
      const client = await pool.connect();
      try {
        return await work(client);
      } finally {
        client.release();
      }
    },
    async close() {
      await pool.end();
      // Otherwise each promise of this process would be given its place of this database for ever.
      current.disable();
    },
  };
}
