import { resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { SourceSpec } from '../../core/ports/data-source.js';
import { type Secret, settingOf } from './settings.js';
import { addFunctions } from './sqlite-functions.mjs';

/** A SQLite file of a company, against which statements are held without being run. */
export interface SqliteTrial {
  /** Its tables and views, each with its columns. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /**
   * Names of what a statement answers; null where it answers nothing.
   * @param changes true of one that changes something: it has the functions of SQLite alone
   * @throws Error of the driver where the statement does not fit the file
   */
  columnsOf(sql: string, changes: boolean): readonly string[] | null;
  close(): void;
}

/** The path of a company's SQLite file. @throws HubError `source_misconfigured` */
export function sqliteFileOf(spec: SourceSpec, secret: Secret): string {
  return resolve(spec.folder ?? '', settingOf(spec, 'file', secret));
}

/** Opens a file, which is only read. @throws Error of the driver where it is no database */
export function openSqliteTrial(path: string): SqliteTrial {
  const [reading, changing] = [opened(path), opened(path)];
  addFunctions(reading, {});
  const close = () => [reading, changing].forEach((one) => void one.close());
  try {
    return { tables: tablesOf(reading), columnsOf, close };
  } catch (error) {
    close();
    throw error;
  }

  function columnsOf(sql: string, changes: boolean): readonly string[] | null {
    const statement = (changes ? changing : reading).prepare(sql);
    return statement.reader ? statement.columns().map(({ name }) => name) : null;
  }
}

function opened(path: string): BetterSqlite3.Database {
  return new BetterSqlite3(path, { readonly: true, fileMustExist: true });
}

function tablesOf(sqlite: BetterSqlite3.Database): ReadonlyMap<string, readonly string[]> {
  const rows = sqlite
    .prepare<[], { name: string; columns: string }>(
      `SELECT name, (SELECT json_group_array(name) FROM pragma_table_info(sqlite_schema.name)) AS columns
       FROM sqlite_schema WHERE type IN ('table', 'view')`,
    )
    .all();
  return new Map(rows.map(({ name, columns }) => [name, JSON.parse(columns) as string[]]));
}
