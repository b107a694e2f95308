import { join } from 'node:path';
import type { TriedStatement } from '../company/declared/check-formulas.js';
import { nearName } from '../company/declared/check-statements.js';
import { type Finding, faultIn, lineAt, warningIn } from '../company/yaml-file.js';
import type { CustomerScope } from '../core/ports/data-source.js';
import { sqlTokens, tablePlaces } from '../core/sql/tables.js';
import type { Pack } from '../skills/pack/pack.js';

/** A database that skills of a company may ask, as far as it is known here. */
export interface SkillDatabase {
  /** The file that says which rows are a customer's. */
  readonly home: string;
  readonly scope: CustomerScope;
  /** Each with its columns. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  tried(statement: string): TriedStatement | null;
}

/** By the names that skills give. */
export type SkillDatabases = ReadonlyMap<string, SkillDatabase>;

interface Statement {
  readonly sql: string;
  readonly file: string;
  readonly path: readonly string[];
  readonly source: string;
}

/**
 * Statements of a pack that do not fit the database that they ask, and tables in them that are not there for a customer because
 * nothing says whose their rows are.
 */
export function statementFindings(pack: Pack, databases: SkillDatabases): readonly Finding[] {
  return statementsOf(pack).flatMap(({ sql, file, path, source }): readonly Finding[] => {
    const database = databaseOf(pack, source, databases);
    const problem = database?.tried(sql)?.problem;
    if (database === undefined || problem === undefined) return [];
    if (problem !== null) {
      const where = `${path.slice(1).join('.')} does not fit the tables that it asks: ${problem}.`;
      return [
        faultIn(file, lineAt(file, path), where, `Correct the name.${nearName(problem, database.tables)}`),
      ];
    }
    const known = new Set([...database.tables.keys()].map((name) => name.toLowerCase()));
    const allowed = new Set(Object.keys(database.scope).map((name) => name.toLowerCase()));
    const places = tablePlaces(sqlTokens(sql, 'standard')).map(({ name }) => name);
    return [...new Set(places)]
      .filter((name) => known.has(name) && !allowed.has(name))
      .map((name) =>
        warningIn(
          file,
          lineAt(file, path),
          `${path.slice(1).join('.')} reads ${name}, which is not there for a customer.`,
          `Say under tables in ${database.home} which of its rows are a customer's.`,
        ),
      );
  });
}

/** The columns that a step finds; null where only a run shows them. */
export function columnsOf(pack: Pack, id: string, databases: SkillDatabases): readonly string[] | null {
  const action = pack.tree?.steps[id]?.action;
  if (action?.type !== 'query') return null;
  const mapping = pack.mappings.get(action.mapping ?? '');
  const statement = action.query_template ?? mapping?.query;
  const isPlain = mapping?.response_parser === undefined && mapping?.query_builder === undefined;
  if (!isPlain || typeof statement !== 'string') return null;
  const database = databaseOf(pack, action.source ?? mapping?.source ?? '', databases);
  return database?.tried(statement)?.columns ?? null;
}

function databaseOf(
  { descriptor }: Pack,
  source: string,
  databases: SkillDatabases,
): SkillDatabase | undefined {
  const spec = descriptor.data_sources[source];
  return spec?.kind === 'sqlite' ? databases.get(spec.database ?? '') : undefined;
}

/** All that a pack asks of databases, with where it stands. */
function statementsOf({ folder, descriptor, mappings, tree }: Pack): readonly Statement[] {
  const shared = [...mappings].flatMap(([name, { query, query_builder, source }]): readonly Statement[] =>
    typeof query === 'string' && query_builder === undefined
      ? [{ sql: query, file: join(folder, 'api_mappings.yaml'), path: ['mappings', name, 'query'], source }]
      : [],
  );
  const file = join(folder, descriptor.decision_tree?.path ?? 'decision_tree.yaml');
  const steps = Object.entries(tree?.steps ?? {}).flatMap(([id, { action }]): readonly Statement[] => {
    if (action?.type !== 'query' || typeof action.query_template !== 'string') return [];
    const source = action.source ?? mappings.get(action.mapping ?? '')?.source ?? '';
    return [{ sql: action.query_template, file, path: ['steps', id, 'action', 'query_template'], source }];
  });
  return [...shared, ...steps];
}
