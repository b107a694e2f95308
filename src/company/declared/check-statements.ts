import { didYouMean } from '../../core/spelling.js';
import type { Held, Names, Path, TrialDatabase } from './check-formulas.js';
import type { ReadSpec } from './schemas.js';

/** The columns of what is read from a database that is known here; anything where it is read elsewhere. */
export function rowOf(read: ReadSpec, path: Path, held: Held): Names | true {
  if (read.query === undefined) return true;
  const columns = checkStatement(read.query, [...path, 'query'], held, { source: read.source });
  return columns === null || read.rows !== undefined
    ? true
    : Object.fromEntries(columns.map((one) => [one, true]));
}

/** Holds a statement against the tables that it is about, and tells its columns; null where it has none, or they are not known here. */
export function checkStatement(
  template: string,
  path: Path,
  { ground: { database, files }, wrong }: Held,
  { source, changes = false }: { readonly source?: string | undefined; readonly changes?: boolean } = {},
): readonly string[] | null {
  const own = source === undefined;
  const { problem, columns } =
    (own ? database.tried(template) : files.tried(source, template, changes)) ?? NOTHING;
  if (problem !== null)
    wrong(
      path,
      `does not fit the tables of ${own ? 'data/tables' : source}: ${problem}`,
      `Correct the name${own ? ', or add it in a new file of data/tables' : ''}.${nearName(problem, own ? database.tables : files.tablesOf(source))}`,
    );
  return columns;
}

const NOTHING = { problem: null, columns: null };

/** A table or column that is nearly what the database does not find, as a question. */
export function nearName(problem: string, tables: TrialDatabase['tables'] | null): string {
  const [, kind, name = ''] = /^no such (table|column): (?:\w+\.)?(\w+)$/.exec(problem) ?? [];
  if (kind === undefined || tables === null) return '';
  return didYouMean(name, kind === 'table' ? tables.keys() : new Set([...tables.values()].flat()));
}
