import type { JsonValue } from '../../src/core/domain/json.js';
import { HubError } from '../../src/core/errors.js';
import type { ServerTables, TableCopy } from '../../src/core/ports/data-source.js';
import type { Work } from '../database.js';
import type { PostgresDatabase } from './postgres-database.js';

/** More are not carried about for one statement. */
const MOST_ROWS = 50_000;

/** A column of a table on a server. */
export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** What a value of the hub's tables is to SQLite. */
const TYPES: Readonly<Record<string, TableCopy['columns'][number]['type']>> = {
  text: 'TEXT',
  bigint: 'INTEGER',
  'double precision': 'REAL',
};

/** The tables of a schema, for statements in the words of SQLite. @param database may be one that only reads */
export function serverTables(database: PostgresDatabase): ServerTables {
  const columns = database.prepare<[], Column>(
    `SELECT table_name::text AS "table", column_name::text AS name, data_type::text AS type
     FROM information_schema.columns WHERE table_schema = current_schema() AND column_name <> 'rowid'
       AND table_name NOT LIKE '%\\_fts' AND table_name <> 'hub_migrations' ORDER BY table_name, ordinal_position`,
  );
  function* copyOf(
    name: string,
    all: readonly Column[],
    condition: string,
    customerId: string,
  ): Work<TableCopy> {
    // What files hold is not looked at by a statement.
    const own = all.filter(({ table, type }) => table === name && TYPES[type] !== undefined);
    const list = own.map(({ name: column }) => `"${column}"`).join(', ');
    const held = condition.replaceAll(':customer_id', '@customer_id');
    const rows = yield* database
      .prepare<{ customer_id: string }, Record<string, JsonValue>>(
        `SELECT ${list} FROM "${name}" WHERE ${held} LIMIT ${MOST_ROWS + 1}`,
      )
      .all({ customer_id: customerId });
    if (rows.length > MOST_ROWS)
      throw new HubError(
        'source_rejected',
        `The table ${name} has more than ${MOST_ROWS} rows: ask it by a source of the kind postgres.`,
        { table: name },
      );
    return {
      name,
      columns: own.map(({ name: column, type }) => ({ name: column, type: TYPES[type] ?? 'TEXT' })),
      rows: rows.map((row) => own.map(({ name: column }) => row[column] ?? null)),
    };
  }
  return {
    copy: (isNamed, own) =>
      database.run(() =>
        database.transaction(function* () {
          const all = yield* columns.all();
          const tables = own ? Object.keys(own.scope) : [...new Set(all.map(({ table }) => table))];
          const copies: TableCopy[] = [];
          for (const name of tables.filter(isNamed))
            copies.push(yield* copyOf(name, all, own?.scope[name] ?? 'TRUE', own?.customerId ?? ''));
          return copies;
        }),
      ),
  };
}
