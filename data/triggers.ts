import { readFileSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';

/** Says where the triggers of a database are declared. */
interface Declares {
  readonly triggers?: URL;
}

/** The triggers of a database as its `triggers.sql` declares them: name to the text that SQLite keeps of it. */
export function declaredTriggers({ triggers: file }: Declares): ReadonlyMap<string, string> {
  if (file === undefined) return new Map();
  const statements = readFileSync(file, 'utf8').split('--> statement-breakpoint');
  return new Map(
    statements.map((statement) => {
      const sql = statement
        .replace(/^\s*--.*$/gm, '')
        .trim()
        .replace(/;$/, '')
        .replace(/^CREATE TRIGGER IF NOT EXISTS /, 'CREATE TRIGGER ');
      return [/^CREATE TRIGGER `(\w+)`/.exec(sql)?.[1] ?? sql, sql];
    }),
  );
}

/** A rebuilt table takes its triggers along, and one on another table keeps a table from being renamed. */
export function dropTriggers(sqlite: BetterSqlite3.Database): void {
  for (const trigger of keptTriggers(sqlite).keys()) sqlite.exec(`DROP TRIGGER ${quoted(trigger)}`);
}

/**
 * Makes the declared triggers that are missing or different. Others stay.
 * @returns the names of those that were made
 */
export function ensureTriggers(sqlite: BetterSqlite3.Database, spec: Declares): readonly string[] {
  const kept = keptTriggers(sqlite);
  const wrong = [...declaredTriggers(spec)].filter(([trigger, sql]) => kept.get(trigger) !== sql);
  if (wrong.length === 0) return [];
  sqlite
    .transaction(() => {
      for (const [trigger, sql] of wrong) {
        sqlite.exec(`DROP TRIGGER IF EXISTS ${quoted(trigger)}`);
        sqlite.exec(sql);
      }
      refillSearch(sqlite);
    })
    .immediate();
  return wrong.map(([trigger]) => trigger);
}

function keptTriggers(sqlite: BetterSqlite3.Database): ReadonlyMap<string, string> {
  const rows = sqlite
    .prepare<[], [string, string]>(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`)
    .raw()
    .all();
  return new Map(rows);
}

/** What each full-text index holds, by hand: it keeps no texts of its own. */
const SEARCH = {
  knowledge_fts: `(rowid, title, tags, content)
    SELECT row_no, search_words(title), search_words(tags), search_words(content) FROM knowledge`,
  ticket_messages_fts: '(rowid, content) SELECT seq, search_words(content) FROM ticket_messages',
  ticket_summaries_fts: `(rowid, summary)
    SELECT tickets.seq, search_words(ticket_metadata.summary) FROM ticket_metadata JOIN tickets USING (ticket_id)`,
} as const;

/** What was written while a trigger was missing is in no full-text index. */
function refillSearch(sqlite: BetterSqlite3.Database): void {
  const has = sqlite.prepare<[string], number>('SELECT 1 FROM sqlite_master WHERE name = ?').pluck();
  for (const [index, rows] of Object.entries(SEARCH)) {
    if (!has.get(index)) continue;
    sqlite.exec(`INSERT INTO ${index}(${index}) VALUES ('delete-all')`);
    sqlite.exec(`INSERT INTO ${index}${rows}`);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
