import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseHandle, openDatabase } from '../../../data/open-database.js';
import { isObject, type JsonValue } from '../../core/domain/json.js';
import { type ErrorCode, HubError } from '../../core/errors.js';
import { STANDING_VALUES } from '../../core/i18n/index.js';
import type { Expressions } from '../../core/ports/data-source.js';
import { didYouMean } from '../../core/spelling.js';
import { type Finding, faultIn } from '../yaml-file.js';
import { parseYaml } from '../yaml-text.js';
import type { InputSpec } from './inputs.js';
import { readMessage } from './sentences.js';

/** What a statement would meet in a database. */
export interface TriedStatement {
  /** As the database says it, `no such column: start_at`; null where it fits. */
  readonly problem: string | null;
  /** Names of what it answers; null where it answers nothing, or does not fit. */
  readonly columns: readonly string[] | null;
}

/** SQLite files that a company has of its own, by the names that they have as sources. */
export interface TrialFiles {
  /** Of a statement with placeholders; null where the source is no such file, or is not here. */
  tried(source: string, template: string, changes: boolean): TriedStatement | null;
  /** Its tables, each with its columns; null as above. */
  tablesOf(source: string): TrialDatabase['tables'] | null;
}

/** A database with the tables of a company, against which statements are held without being run. */
export interface TrialDatabase {
  /** What is wrong with the scripts that it is made of. */
  readonly findings: readonly Finding[];
  /** Of a statement with placeholders. */
  tried(template: string): TriedStatement;
  /** The company's own tables, each with its columns. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
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
  const engine = tablesOf(database);
  const findings = ['tables', 'seed'].flatMap((room) => runScripts(database, join(folder, 'data', room)));
  if (findings.length === 0) findings.push(...danglingRows(database, join(folder, 'data', 'seed')));
  return {
    findings,
    tables: new Map([...tablesOf(database)].filter(([name]) => !engine.has(name))),
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

function tablesOf({ sqlite }: DatabaseHandle): ReadonlyMap<string, readonly string[]> {
  const rows = sqlite
    .prepare<[], { name: string; columns: string }>(
      `SELECT name, (SELECT json_group_array(name) FROM pragma_table_info(sqlite_schema.name)) AS columns
       FROM sqlite_schema WHERE type = 'table'`,
    )
    .all();
  return new Map(rows.map(({ name, columns }) => [name, JSON.parse(columns) as string[]]));
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

/** Names that an expression may use, with what stands under each; `true` where anything may. */
export type Names = { readonly [name: string]: Names | true };

/** Stands for any entry of a list. */
export const ENTRY = '*';

/** The part of a dotted name that leads nowhere, and what stands beside it; null where all is there. */
function slipIn(parts: readonly string[], scope: Names): readonly [string, readonly string[]] | null {
  let under: Names | true = scope;
  for (const part of parts) {
    // Of a value that has nothing under it a part may be a function.
    if (under === true || Object.keys(under).length === 0) return null;
    // Whether it is a list, or what is in it, is not known of everything.
    if (part === ENTRY && !Object.hasOwn(under, ENTRY)) return null;
    const next: Names | true | undefined = Object.hasOwn(under, part) ? under[part] : undefined;
    if (next === undefined) return [part, Object.keys(under)];
    under = next;
  }
  return null;
}

/** Names under which anything may stand. */
export function leaves(names: readonly string[]): { readonly [name: string]: true } {
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** Some of what a scope has. */
export function pick(scope: Names, names: readonly string[]): Names {
  return Object.fromEntries(names.map((name) => [name, scope[name] ?? true]));
}

/** What a policy.yaml has; nothing where there is none. */
export function policyNames(file: string): Names | true {
  if (!existsSync(file)) return {};
  const namesOf = (value: unknown): Names | true =>
    isObject(value as JsonValue)
      ? Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, namesOf(one)]))
      : true;
  return namesOf(parseYaml(readFileSync(file, 'utf8')));
}

/** What inputs have under their names. */
export function namesOfInputs(inputs: Readonly<Record<string, InputSpec>>): Names {
  const of = (spec: InputSpec): Names | true => {
    if (spec.type === 'object') return namesOfInputs(spec.fields);
    const entry = spec.type === 'list' ? of(spec.of) : true;
    return entry === true ? true : { [ENTRY]: entry };
  };
  return Object.fromEntries(Object.entries(inputs).map(([name, spec]) => [name, of(spec)]));
}

/** The YAML files in a room of a company's folder, by name; none where there is no such room. */
export function yamlIn(folder: string, room: string): readonly string[] {
  const path = join(folder, room);
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
  return names.sort().map((name) => join(path, name));
}

/** Where in a file. */
export type Path = readonly (string | number)[];

/** What every file is held against. */
export interface Ground {
  readonly folder: string;
  readonly expressions: Expressions;
  readonly database: TrialDatabase;
  readonly files: TrialFiles;
  readonly entities: readonly string[];
  /** Of policy.yaml. */
  readonly policy: Names | true;
  /** Of customers.yaml. */
  readonly facts: readonly string[];
  /** Ids of company.yaml. */
  readonly issueTypes: readonly string[];
  /** Names of the agents that there are. */
  readonly agents: readonly string[];
  /** Whether the hub has a sentence for a refusal of that code. */
  readonly hasRefusal: (code: ErrorCode) => boolean;
}

/** A file, and what is found wrong with it. */
export interface Held {
  readonly ground: Ground;
  wrong(path: Path, problem: string, remedy: string, severity?: Finding['severity']): void;
}

/** What sentences are filled with, each with how it is written after a bar. */
export function checkValues(values: Readonly<Record<string, string>>, scope: Names, held: Held): void {
  for (const [name, given] of Object.entries(values))
    checkFormula(given.replace(/\s*\|\s*\w+\s*$/, ''), ['values', name], scope, held);
}

/** Holds what sentences are filled with against the values that there are. */
export function checkSentences(
  says: Readonly<Record<string, Readonly<Record<string, string>>>>,
  values: readonly string[],
  held: Held,
): void {
  for (const [part, languages] of Object.entries(says))
    for (const [language, text] of Object.entries(languages))
      for (const name of readMessage(text, language).names)
        if (!values.includes(name) && !STANDING_VALUES.includes(name))
          held.wrong(
            ['says', part, language],
            `is filled with {${name}}, which \`values\` does not have`,
            `Add it under values, or correct the name.${didYouMean(name, values)}`,
          );
}

/** An expression, and the names in it. */
export function checkFormula(text: string, path: Path, scope: Names, held: Held): void {
  let names: readonly string[];
  try {
    const formula = held.ground.expressions.formula(text);
    names = [...formula.names, ...formula.entries];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    held.wrong(path, `is no expression: ${error.message}`, 'Correct the expression.');
    return;
  }
  checkAll(names, path, scope, held);
}

/** The names in what is asked or done. */
export function checkTemplate(template: JsonValue, path: Path, scope: Names, held: Held): void {
  checkAll(held.ground.expressions.namesIn(template), path, scope, held);
}

function checkAll(names: readonly string[], path: Path, scope: Names, held: Held): void {
  for (const name of names) {
    const slip = slipIn(name.split('.'), scope);
    if (slip !== null)
      held.wrong(
        path,
        `looks at ${name.replaceAll(`.${ENTRY}`, '[]')}, which there is not`,
        `Correct the name.${didYouMean(...slip)}`,
      );
  }
}
