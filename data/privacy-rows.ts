import type BetterSqlite3 from 'better-sqlite3';
import type { JsonObject, JsonValue } from '../src/core/domain/json.js';
import { type Removal, wordPattern } from '../src/core/privacy.js';

/** Rows as JSON: columns that hold JSON are read, bytes are counted only. */
export function jsonRows(rows: readonly unknown[]): readonly JsonObject[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row as object).map(([name, value]) => [name, jsonOf(value)])),
  );
}

function jsonOf(value: unknown): JsonValue {
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string') return value as JsonValue;
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    // It only looks like JSON.
    return value;
  }
}

/**
 * Whether any text of a table holds a piece of text.
 * @param own rows that do not count
 */
export function mentions(
  sqlite: BetterSqlite3.Database,
  table: string,
  piece: string,
  own: { readonly but: string; readonly parameters: object } = { but: 'FALSE', parameters: {} },
): boolean {
  // In JSON columns a text is written with escapes.
  const forms = { piece, json: JSON.stringify(piece).slice(1, -1) };
  return textColumns(sqlite, table).some((column) => {
    const name = JSON.stringify(column);
    const sql = `SELECT 1 FROM ${table} WHERE (instr(${name}, @piece) > 0 OR instr(${name}, @json) > 0) AND (${own.but}) IS NOT TRUE LIMIT 1`;
    return sqlite.prepare(sql).get({ ...own.parameters, ...forms }) !== undefined;
  });
}

/** What is deleted or overwritten from now on is overwritten with zeros in the file. */
export function secureDelete(sqlite: BetterSqlite3.Database): void {
  sqlite.pragma('secure_delete = ON');
}

/** Takes words out of every text of a database, whatever their case; in the caller's transaction. */
export function redactWords(
  sqlite: BetterSqlite3.Database,
  database: string,
  words: readonly string[],
  leaveAlone: RegExp,
): readonly Removal[] {
  if (words.length === 0) return [];
  const pattern = wordPattern(words);
  sqlite.function('redacted', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.replace(pattern, '[erased]') : text,
  );
  const tables = sqlite
    .prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'table'`)
    .pluck()
    .all()
    .filter((name) => !leaveAlone.test(name));
  return tables.flatMap((table) => {
    const count = textColumns(sqlite, table)
      .map((column) => redactColumn(sqlite, table, column))
      .reduce((sum, changes) => sum + changes, 0);
    return count > 0 ? [{ place: `${database} ${table}`, what: 'redacted' as const, count }] : [];
  });
}

function textColumns(sqlite: BetterSqlite3.Database, table: string): readonly string[] {
  const columns = sqlite.pragma(`table_info(${JSON.stringify(table)})`) as readonly {
    name: string;
    type: string;
  }[];
  return columns.filter(({ type }) => type.toLowerCase() === 'text').map(({ name }) => name);
}

function redactColumn(sqlite: BetterSqlite3.Database, table: string, column: string): number {
  const [t, c] = [JSON.stringify(table), JSON.stringify(column)];
  const hit = sqlite.prepare(`SELECT 1 FROM ${t} WHERE redacted(${c}) <> ${c} LIMIT 1`).get();
  if (hit === undefined) return 0;
  return sqlite.prepare(`UPDATE ${t} SET ${c} = redacted(${c}) WHERE redacted(${c}) <> ${c}`).run().changes;
}
