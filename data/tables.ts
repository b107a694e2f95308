import type { CustomerScope } from '../src/core/ports/data-source.js';
import { type DatabaseSpec, openDatabase } from './open-database.js';

/** The tables of a database as rows, whatever they hold: for a look from outside at what the hub has done. */
export interface Tables {
  /** By table. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** In the order in which they were written. @param customerId only what is this customer's, where given */
  rows(table: string, customerId?: string): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}

/**
 * Opens a database of a data directory for reading.
 * @param scope what is a customer's
 * @throws HubError `database_failed`
 */
export function openTables(spec: DatabaseSpec, dataDir: string, scope: CustomerScope): Tables {
  const { sqlite, close } = openDatabase(spec, dataDir, { readonly: true });
  const names = sqlite
    .prepare<[], string>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all();
  // In a file of another's making a table may have no numbers of rows.
  const unnumbered = new Set(
    sqlite.prepare<[], string>('SELECT name FROM pragma_table_list WHERE wr = 1').pluck().all(),
  );
  const columnsOf = (table: string): readonly string[] =>
    (sqlite.pragma(`table_info(${JSON.stringify(table)})`) as readonly { name: string }[]).map(
      ({ name }) => name,
    );
  return {
    columns: Object.fromEntries(names.map((name) => [name, columnsOf(name)])),
    rows(table, customerId) {
      if (!names.includes(table)) return [];
      const all = `SELECT * FROM ${JSON.stringify(table)}`;
      const own = customerId === undefined ? '' : ` WHERE ${scope[table] ?? 'FALSE'}`;
      const bound = own.includes(':customer_id') ? [{ customer_id: customerId }] : [];
      return sqlite
        .prepare(`${all}${own}${unnumbered.has(table) ? '' : ' ORDER BY rowid'}`)
        .all(...bound) as Readonly<Record<string, unknown>>[];
    },
    close,
  };
}
