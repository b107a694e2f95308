import { type JsonObject, type JsonValue, parseJson } from '../src/core/domain/json.js';
import { type Removal, wordPattern } from '../src/core/privacy.js';
import { fold } from '../src/core/text.js';
import type { Database, Statement, Work } from './database.js';

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
  return /^[[{]/.test(value) ? parseJson(value, value) : value;
}

/** What errors and reports call a table: `cultpass.db users` in a file, `cultpass.users` on a server. */
export function placeOf({ engine }: Database, database: string): (table: string) => string {
  return (table) => (engine === 'sqlite' ? `${database}.db ${table}` : `${database}.${table}`);
}

/** Rows that do not count. */
interface Own {
  readonly but: string;
  readonly parameters: object;
}

/** Asks whether any text of a table holds a piece of text. What is asked of a table is prepared once for all pieces. */
export function mentionsIn(database: Database): (table: string, piece: string, own?: Own) => Work<boolean> {
  const prepared = new Map<string, Statement<[object], unknown>>();
  return function* (table, piece, { but, parameters } = { but: 'FALSE', parameters: {} }) {
    const key = `${table} ${but}`;
    const known =
      prepared.get(key) ?? asking(database, table, (yield* database.textColumns()).get(table) ?? [], but);
    prepared.set(key, known);
    // In JSON columns a text is written with escapes.
    const forms = { piece, json: JSON.stringify(piece).slice(1, -1) };
    return (yield* known.get({ ...parameters, ...forms })) !== undefined;
  };
}

function asking(
  database: Database,
  table: string,
  columns: readonly string[],
  but: string,
): Statement<[object], unknown> {
  const holds = columns
    .map((column) => JSON.stringify(column))
    .map((name) => `instr(${name}, @piece) > 0 OR instr(${name}, @json) > 0`);
  return database.prepare<[object]>(
    `SELECT 1 AS found FROM ${table} WHERE (${['FALSE', ...holds].join(' OR ')}) AND (${but}) IS NOT TRUE LIMIT 1`,
  );
}

/** One transaction; what it deletes or overwrites in a file is overwritten with zeros there, from now on. */
export function* erasing<T>(database: Database, work: () => Work<T>): Work<T> {
  if (database.engine === 'sqlite') yield* database.prepare('PRAGMA secure_delete = ON').get();
  return yield* database.transaction(work);
}

/** What is in the place of a word. */
export const ERASED = '[erased]';

/** Takes words out of every text of a database, whatever their case; in the caller's transaction. */
export function* redactWords(
  database: Database,
  name: string,
  words: readonly string[],
  leaveAlone: RegExp,
): Work<readonly Removal[]> {
  const removals: Removal[] = [];
  if (words.length === 0) return removals;
  const pattern = wordPattern(words);
  const asked = Object.fromEntries(words.map((word, at) => [`w${at}`, fold(word)]));
  for (const [table, columns] of yield* database.textColumns()) {
    if (leaveAlone.test(table)) continue;
    let count = 0;
    for (const column of columns) {
      const [t, c] = [JSON.stringify(table), JSON.stringify(column)];
      // What holds a word may hold it as a part of another one.
      const holds = words.map((_word, at) => `instr(folded(${c}), @w${at}) > 0`).join(' OR ');
      const texts = database
        .prepare<object, string>(`SELECT DISTINCT ${c} FROM ${t} WHERE ${c} IS NOT NULL AND (${holds})`)
        .pluck();
      const rewrite = database.prepare<[string, string]>(`UPDATE ${t} SET ${c} = ? WHERE ${c} = ?`);
      for (const text of yield* texts.all(asked)) {
        const rest = text.replace(pattern, ERASED);
        if (rest !== text) count += (yield* rewrite.run(rest, text)).changes;
      }
    }
    if (count > 0) removals.push({ place: placeOf(database, name)(table), what: 'redacted', count });
  }
  return removals;
}
