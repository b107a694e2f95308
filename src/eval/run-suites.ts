import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { HubError } from '../core/errors.js';
import { fold } from '../core/text.js';
import type { PlayedScenario } from './figures.js';
import { playScenario } from './play.js';
import type { PlayedRun } from './run.js';
import { type EvalFacts, type EvalWorld, readSuite, type Scenario, sharedIds } from './scenario.js';

/** As many names are told to the one who wrote one that there is not. */
const MOST_LISTED = 60;

/** The files of the suites that are asked for: names of the company's, or paths; all of the company's where none is named. */
export function suiteFiles(folder: string, named: readonly string[]): readonly string[] {
  const own = existsSync(folder) ? yamlIn(folder) : [];
  if (named.length === 0) return own;
  return named.flatMap((name) => {
    const found = own.find((path) => basename(path).replace(/\.ya?ml$/, '') === name);
    if (found !== undefined) return [found];
    const stat = statSync(name, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return yamlIn(name);
    if (stat?.isFile()) return [name];
    const known = own.map((path) => basename(path).replace(/\.ya?ml$/, '')).join(', ') || 'none';
    throw new HubError(
      'usage',
      `There is no suite or file "${name}"; the suites of ${folder} are: ${known}`,
      { suite: name },
    );
  });
}

function yamlIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Reads files of scenarios. @param filter kept are those whose id, category or sentence holds it */
export function readSuites(files: readonly string[], filter = '') {
  const suites = files.map(readSuite);
  const all = suites.flatMap(({ scenarios }) => scenarios);
  const wanted = fold(filter);
  return {
    scenarios: all.filter(({ id, category, about }) => fold(`${id} ${category} ${about}`).includes(wanted)),
    problems: [...suites.flatMap(({ problems }) => problems), ...sharedIds(all)],
  };
}

/**
 * What scenarios name and the company does not have, one line each with what there is.
 * @param facts as far as they are known; of what is not, no name is judged
 */
export function unknownNames(
  scenarios: readonly Scenario[],
  facts: Partial<Pick<EvalFacts, 'languages' | 'customers' | 'articles' | 'tools' | 'columns'>>,
): readonly string[] {
  return scenarios.flatMap((scenario) => {
    const { expect = {}, turns = [], customer } = scenario;
    const { database = [], unchanged = [], articles = [] } = expect;
    const { called = [], not_called = [] } = expect.tools ?? {};
    const emails = [customer, ...database.map(({ where }) => where.customer)].flatMap((email) => email ?? []);
    const cited = [...articles, ...turns.flatMap((turn) => turn.expect?.articles ?? [])];
    const tables = facts.columns && Object.keys(facts.columns);
    const line = scenario.at('expect');
    const wanted = turns.map((turn) => turn.expect?.language);
    const languages = [scenario.language, expect.language, ...wanted].flatMap((one) => one ?? []);
    return [
      ...unknown('language', languages, facts.languages, scenario.at('language')),
      ...unknown(
        'customer',
        emails.map(String),
        facts.customers && [...facts.customers],
        scenario.at('customer'),
      ),
      ...unknown('article', cited, facts.articles && [...facts.articles], scenario.at()),
      ...unknown('tool', [...called, ...not_called], facts.tools && Object.keys(facts.tools), line),
      ...unknown('table', unchanged, tables && ['all', ...tables], line),
      ...database.flatMap(({ table, where, has = {} }, index) => {
        const { customer: _owner, ...rest } = where;
        const columns = facts.columns?.[table];
        const at = scenario.at('expect', 'database', index);
        return columns
          ? unknown(`column of ${table}`, Object.keys({ ...rest, ...has }), columns, at)
          : unknown('table', [table], tables, at);
      }),
    ];
  });
}

function unknown(
  what: string,
  named: readonly string[],
  known: readonly string[] | undefined,
  at: string,
): readonly string[] {
  if (known === undefined) return [];
  return [...new Set(named)]
    .filter((name) => !known.includes(name) && !known.includes(name.toLowerCase()))
    .map((name) => {
      const few = known.length <= MOST_LISTED ? `: ${known.join(', ')}` : '';
      return `${at}: there is no ${what} "${name}"${few && `; there are${few}`}`;
    });
}

interface RunOptions {
  /** How often each scenario is played. */
  readonly k: number;
  /** Conversations held at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Told after each conversation. */
  readonly onProgress: (done: number, failed: number) => void;
}

/** Plays all scenarios; those that need a model are skipped where there is none. */
export async function runSuites(
  scenarios: readonly Scenario[],
  world: EvalWorld,
  { k, concurrency, signal, onProgress }: RunOptions,
): Promise<readonly PlayedScenario[]> {
  const runs = scenarios.map((): PlayedRun[] => []);
  const playable = (scenario: Scenario): boolean =>
    scenario.turns !== undefined || world.customerModel !== null;
  const queue = scenarios.flatMap((scenario, at) =>
    playable(scenario) ? Array.from({ length: k }, () => ({ scenario, at })) : [],
  );
  let [next, done, failed] = [0, 0, 0];
  const work = async (): Promise<void> => {
    for (let job = queue[next++]; job !== undefined && !signal.aborted; job = queue[next++]) {
      const run = await playScenario(job.scenario, world);
      runs[job.at]?.push(run);
      done += 1;
      if (!run.passed) failed += 1;
      onProgress(done, failed);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, work));
  return scenarios.map((scenario, at) => ({ scenario, runs: runs[at] ?? [] }));
}
