import type BetterSqlite3 from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { atOnce, byTable, type Database, type Session, type Statement, type Work } from './database.js';
import { isHolderDead } from './lease-holder.js';
import { preparedOnUse, unsynced } from './statements.js';

/** What waits on SQLite is a pause between two statements, never a statement. */
const NO_SESSION: Session = {
  query: () => Promise.reject(new TypeError('SQLite answers at once.')),
  begin: () => Promise.reject(new TypeError('SQLite begins at once.')),
  end: () => Promise.reject(new TypeError('SQLite ends at once.')),
};

/** A part of a unit of work that is over as soon as it begins. */
// biome-ignore lint/correctness/useYield: SQLite answers at once
function* immediate<T>(work: () => T): Work<T> {
  return work();
}

function statementOf<Values extends unknown[], Row>(
  statement: BetterSqlite3.Statement<Values, Row>,
): Statement<Values, Row> {
  return {
    get: (...values) => immediate(() => statement.get(...values)),
    all: (...values) => immediate(() => statement.all(...values)),
    run: (...values) => immediate(() => statement.run(...values)),
    pluck: () => statementOf(statement.pluck()),
  };
}

/** The seam over an open SQLite database: every unit of work runs at a stretch. */
export function sqliteDatabase(
  path: string,
  sqlite: BetterSqlite3.Database,
  orm: BetterSQLite3Database,
): Database {
  const own = preparedOnUse(() => ({
    last: sqlite.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck(),
    texts: sqlite.prepare<[], { table: string; column: string }>(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND lower(c.type) = 'text' ORDER BY m.name, c.cid`,
    ),
  }));
  return {
    engine: 'sqlite',
    path,
    readonly: sqlite.readonly,
    prepare: (text) => statementOf(sqlite.prepare(text)) as never,
    query(build) {
      const query = build(orm).prepare();
      type Q = typeof query;
      return {
        get: (values) => immediate(() => query.get(values) as ReturnType<Q['get']>),
        all: (values) => immediate(() => query.all(values) as ReturnType<Q['all']>),
        run: (values) => immediate(() => query.run(values) as { readonly changes: number }),
      };
    },
    transaction: (work) => immediate(() => sqlite.transaction(() => atOnce(work())).immediate()),
    unsynced: (work) => immediate(() => unsynced(sqlite, () => atOnce(work()))),
    lastNumber: (table) => immediate(() => own.last.get(table) ?? 0),
    deferReferences: () => immediate(() => void sqlite.pragma('defer_foreign_keys = ON')),
    textColumns: () => immediate(() => byTable(own.texts.all())),
    goneOf: (holders) => immediate(() => new Set(holders.filter(isHolderDead))),
    async run(work) {
      const running = work();
      let step = running.next();
      while (!step.done) step = running.next(await step.value(NO_SESSION));
      return step.value;
    },
  };
}
