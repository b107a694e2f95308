import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseHandle, openDatabase } from '../../../data/open-database.js';
import { HubError } from '../../core/errors.js';
import type { Expressions } from '../../core/ports/expressions.js';
import { type Finding, faultIn } from '../yaml-file.js';

/** What a statement would meet in the company's own database. */
interface TriedStatement {
  /** As the database says it, `no such column: start_at`; null where it fits. */
  readonly problem: string | null;
  /** Names of what it answers; null where it answers nothing, or does not fit. */
  readonly columns: readonly string[] | null;
}

/** A database with the tables of a company, against which statements are held without being run. */
export interface TrialDatabase {
  /** What is wrong with the scripts that it is made of. */
  readonly findings: readonly Finding[];
  /** Of a statement with placeholders. */
  tried(template: string): TriedStatement;
  close(): void;
}

/**
 * Makes one from the scripts of `data/tables` and `data/seed`.
 * @param dataDir an empty folder
 */
export function openTrialDatabase(folder: string, expressions: Expressions, dataDir: string): TrialDatabase {
  const migrations = new URL('../../../data/declared/migrations/', import.meta.url);
  const database = openDatabase({ name: 'trial', migrations }, dataDir);
  const { sqlite } = database;
  sqlite.function('now', () => new Date(0).toISOString());
  sqlite.pragma('foreign_keys = OFF');
  const findings = ['tables', 'seed'].flatMap((room) => runScripts(database, join(folder, 'data', room)));
  if (findings.length === 0) findings.push(...danglingRows(database, join(folder, 'data', 'seed')));
  return {
    findings,
    tried(template) {
      try {
        const statement = sqlite.prepare(expressions.statement(template, {}).segments.join('?'));
        return {
          problem: null,
          columns: statement.reader ? statement.columns().map(({ name }) => name) : null,
        };
      } catch (error) {
        // Told with its place where the file is read.
        if (error instanceof HubError) return { problem: null, columns: null };
        return { problem: error instanceof Error ? error.message : String(error), columns: null };
      }
    },
    close: () => database.close(),
  };
}

/** Runs the scripts of a folder in their order, and says of the first statement of each that fails what is wrong. */
function runScripts({ sqlite }: DatabaseHandle, room: string): readonly Finding[] {
  const names = existsSync(room) ? readdirSync(room).filter((name) => name.endsWith('.sql')) : [];
  return names.sort().flatMap((name): readonly Finding[] => {
    const file = join(room, name);
    for (const { text, line } of statementsIn(readFileSync(file, 'utf8'), (part) => isWhole(sqlite, part))) {
      try {
        sqlite.exec(text);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return [faultIn(file, line, `The database refuses this statement: ${reason}.`, 'Correct the SQL.')];
      }
    }
    return [];
  });
}

/** Rows that refer to none: they would be refused when they are written. */
function danglingRows({ sqlite }: DatabaseHandle, room: string): readonly Finding[] {
  const rows = sqlite.pragma('foreign_key_check') as readonly {
    table: string;
    rowid: number;
    parent: string;
  }[];
  return rows.map(({ table, rowid, parent }) =>
    faultIn(
      room,
      null,
      `Row ${rowid} of ${table} refers to a row of ${parent} that there is not.`,
      `Write that row of ${parent}, or correct the one of ${table}.`,
    ),
  );
}

/** The statements of a script, each with the line that it begins in. A semicolon within one ends nothing. */
function statementsIn(script: string, whole: (text: string) => boolean) {
  const found: { readonly text: string; readonly line: number }[] = [];
  let text = '';
  let line = 1;
  for (const part of script.split(/(?<=;)/)) {
    text += part;
    if (!whole(text)) continue;
    const [blank = ''] = /^(?:\s|--.*\n)*/.exec(text) ?? [];
    found.push({ text, line: line + linesIn(blank) });
    line += linesIn(text);
    text = '';
  }
  return text.trim() === '' ? found : [...found, { text, line }];
}

const linesIn = (text: string): number => text.split('\n').length - 1;

/** False where the database waits for more, after a comment too; a statement that is wrong is whole. */
function isWhole(sqlite: DatabaseHandle['sqlite'], text: string): boolean {
  try {
    sqlite.prepare(text);
    return true;
  } catch (error) {
    return !(
      error instanceof Error && /incomplete input|unrecognized token|no statements/.test(error.message)
    );
  }
}
