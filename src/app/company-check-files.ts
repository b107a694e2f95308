import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteTrial, type SqliteTrial, sqliteFileOf } from '../adapters/sources/sqlite-trial.js';
import type { TrialFiles } from '../company/declared/check-formulas.js';
import { readFiles } from '../company/declared/declare.js';
import { type Finding, faultIn, lineAt, warningIn } from '../company/yaml-file.js';
import type { Config } from '../config/config.js';
import { HubError, messageOf } from '../core/errors.js';
import { EXPRESSIONS } from '../skills/expressions/placeholders.js';
import type { SkillDatabases } from './company-check-skill-statements.js';

/** The SQLite files of a company as far as they can be read here, and what is wrong with how `sources.yaml` names them. */
export interface CheckedFiles extends TrialFiles {
  readonly findings: readonly Finding[];
  /** Those that say which rows are a customer's. */
  readonly forSkills: SkillDatabases;
  close(): void;
}

/**
 * Opens the SQLite files that `sources.yaml` names, only to hold statements against them: nothing is run, nothing written.
 * @throws HubError `config_invalid` where `sources.yaml` cannot be read
 */
export function openCompanyFiles({ company: { folder }, skills }: Config): CheckedFiles {
  const home = join(folder, 'sources.yaml');
  const trials = new Map<string, SqliteTrial>();
  const findings: Finding[] = [];
  const files = readFiles(home);
  for (const { source, scope } of files) {
    const line = lineAt(home, ['sources', source.name, 'file']);
    const path = pathOf(() => sqliteFileOf(source, skills.secret));
    // Of a variable that is not set here it is told elsewhere.
    if (path === null) continue;
    if (!existsSync(path)) {
      const problem = `There is no file ${path} here, so that no statement over it is checked.`;
      findings.push(warningIn(home, line, problem, 'Correct the path, or put the file there.'));
      continue;
    }
    try {
      const trial = openSqliteTrial(path);
      trials.set(source.name, trial);
      findings.push(...scopeFindings(home, source.name, scope, trial));
    } catch (error) {
      const remedy = 'Name a SQLite database that the hub may read.';
      findings.push(faultIn(home, line, `${path} cannot be read: ${messageOf(error)}.`, remedy));
    }
  }
  const tried: TrialFiles['tried'] = (source, template, changes) => {
    const trial = trials.get(source);
    if (trial === undefined) return null;
    try {
      const statement = EXPRESSIONS.statement(template, {}).segments.join('?');
      return { problem: null, columns: trial.columnsOf(statement, changes) };
    } catch (error) {
      // Told with its place where the file is read.
      return { problem: error instanceof HubError ? null : messageOf(error), columns: null };
    }
  };
  const forSkills = files.map(({ source: { name }, scope }) => {
    const tables = trials.get(name)?.tables ?? new Map();
    const one = { home: 'sources.yaml', scope, tables, tried: (sql: string) => tried(name, sql, false) };
    return [name, one] as const;
  });
  return {
    findings,
    forSkills: new Map(forSkills),
    tablesOf: (source) => trials.get(source)?.tables ?? null,
    tried,
    close() {
      for (const trial of trials.values()) trial.close();
    },
  };
}

/** What `tables` says of tables and columns that there are not. */
function scopeFindings(
  home: string,
  source: string,
  scope: Readonly<Record<string, string>>,
  trial: SqliteTrial,
): readonly Finding[] {
  return Object.entries(scope).flatMap(([table, condition]): readonly Finding[] => {
    try {
      trial.columnsOf(`SELECT 1 FROM ${table} WHERE ${condition.replaceAll(':customer_id', "''")}`, false);
      return [];
    } catch (error) {
      const line = lineAt(home, ['sources', source, 'tables', table]);
      const problem = `sources.${source}.tables.${table} does not fit the file: ${messageOf(error)}.`;
      return [faultIn(home, line, problem, 'Correct the name.')];
    }
  });
}

function pathOf(find: () => string): string | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof HubError) return null;
    throw error;
  }
}
