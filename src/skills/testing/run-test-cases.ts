import { MemorySaver } from '@langchain/langgraph';
import type { JsonValue } from '../../core/domain/json.js';
import type { SkillRun } from '../../core/domain/skill.js';
import { toHubError } from '../../core/errors.js';
import type { DataSources } from '../../core/ports/index.js';
import type { SkillFault, SkillTestReport } from '../../core/workbench.js';
import { createSkillEngine } from '../engine.js';
import { testCasesOf } from '../pack/draft.js';
import type { DecisionTree, TestCase } from '../pack/file-schemas.js';
import type { Catalog, Pack } from '../pack/pack.js';
import { createMemoryRunStore } from '../run/detached-runs.js';
import type { SkillServices } from '../run/run-context.js';

/**
 * What differs between a run and what its case expects, in words; empty where the case passes.
 * @param asked how often a person was asked
 * @param tree the skill's, where it is one: tells its path from the checks beside it
 */
export function compare(
  run: SkillRun,
  expected: TestCase['expect'],
  asked: number,
  tree: DecisionTree | null = null,
): readonly string[] {
  const differences: string[] = [];
  const same = (what: string, wanted: unknown, got: unknown): void => {
    if (wanted === undefined || equal(wanted, got)) return;
    differences.push(`${what}: expected ${show(wanted)}, got ${show(got)}`);
  };
  const found = run.result?.kind === 'investigation' ? run.result.value : null;
  const proposed = run.handoff?.proposal ?? null;
  const status = expected.status ?? (run.status === 'failed' ? 'done' : undefined);
  same('status', status, run.status);
  if (run.error && expected.status !== 'failed')
    differences.push(`the run failed: ${run.error.code}, ${run.error.message}`);
  same('root_cause', expected.root_cause, found?.root_cause ?? proposed?.root_cause ?? null);
  const action = found ? found.recommended_action : (proposed?.recommended_action ?? null);
  same('recommended_action', expected.recommended_action, action?.action ?? null);
  same('path', expected.path, found?.path ?? pathTo(run.handoff?.tried ?? [], tree));
  same('handoff', expected.handoff, asked > 0);
  const confidence = found?.confidence_score ?? proposed?.confidence ?? 0;
  if (expected.confidence_at_least !== undefined && confidence < expected.confidence_at_least) {
    differences.push(`confidence: expected at least ${expected.confidence_at_least}, got ${confidence}`);
  }
  if (expected.confidence_below !== undefined && confidence >= expected.confidence_below) {
    differences.push(`confidence: expected below ${expected.confidence_below}, got ${confidence}`);
  }
  if (expected.output !== undefined) differences.push(...missing(expected.output, outputOf(run), 'output'));
  return differences;
}

/** The main path of a run that waits: what was tried, without the checks beside it. */
function pathTo(tried: readonly string[], tree: DecisionTree | null): readonly string[] {
  return tried.filter((step) => !tree?.parallel_checks.includes(step));
}

/** What `output` is compared with: the data of a generation, the result of anything else. */
function outputOf({ result }: SkillRun): unknown {
  if (result === null) return null;
  return result.kind === 'generation' && result.value.data
    ? { ...result.value, ...result.value.data }
    : result.value;
}

/** Everything that is expected must be there with that value; what else is there does not matter. */
function missing(wanted: JsonValue, got: unknown, at: string): readonly string[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got)) return [`${at}: expected a list, got ${show(got)}`];
    if (got.length !== wanted.length) return [`${at}: expected ${wanted.length} entries, got ${got.length}`];
    return wanted.flatMap((item: JsonValue, index) => missing(item, got[index], `${at}[${index}]`));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof got !== 'object' || got === null) return [`${at}: expected an object, got ${show(got)}`];
    return Object.entries(wanted).flatMap(([name, value]) =>
      missing(value ?? null, (got as Record<string, unknown>)[name], `${at}.${name}`),
    );
  }
  return equal(wanted, got) ? [] : [`${at}: expected ${show(wanted)}, got ${show(got)}`];
}

function equal(wanted: unknown, got: unknown): boolean {
  return JSON.stringify(wanted ?? null) === JSON.stringify(got ?? null);
}

function show(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

export interface TestRunDeps extends Omit<SkillServices, 'sources' | 'checkpointer' | 'cache'> {
  /** Sources made of a case's fixtures. @param now ISO 8601; the real time where undefined */
  readonly fixtureSources: (
    fixtures: TestCase['fixtures'],
    pack: Pick<Pack, 'id' | 'files'>,
    now: string | undefined,
  ) => DataSources;
}

const BY = 'operator:test';
/** A tree that goes round through its hand-offs ends here. */
const MOST_ANSWERS = 20;

/** Runs every test case of a pack and then those of the packs nested in it, each in a world of its own. */
export async function runTestCases(pack: Pack, deps: TestRunDeps): Promise<readonly SkillTestReport[]> {
  const reports: SkillTestReport[] = [];
  for (const { file, case: testCase, faults } of testCasesOf(pack)) {
    reports.push(
      testCase === null ? unusable(pack, file, faults) : await runTestCase(pack, file, testCase, deps),
    );
  }
  for (const part of pack.parts.values()) reports.push(...(await runTestCases(part, deps)));
  return reports;
}

function unusable({ id, version }: Pack, file: string, faults: readonly SkillFault[]): SkillTestReport {
  const differences = faults.map((fault) => `${fault.file}:${fault.line} ${fault.message}`);
  return { skillId: id, version, name: file, file, passed: false, differences, run: null };
}

/** Runs one case; whatever happens is in the report. */
export async function runTestCase(
  pack: Pack,
  file: string,
  testCase: TestCase,
  deps: TestRunDeps,
): Promise<SkillTestReport> {
  const about = { skillId: pack.id, version: pack.version, name: testCase.name, file };
  const sources = deps.fixtureSources(testCase.fixtures, pack, testCase.now);
  try {
    const { run, asked, differences } = await play(pack, testCase, { ...deps, sources });
    const all = [...differences, ...compare(run, testCase.expect, asked, pack.tree)];
    return { ...about, passed: all.length === 0, differences: all, run };
  } catch (error) {
    const { code, message } = toHubError(error);
    return { ...about, passed: false, differences: [`it could not be run: ${code}, ${message}`], run: null };
  } finally {
    await sources.close();
  }
}

interface Played {
  readonly run: SkillRun;
  /** How often a person was asked. */
  readonly asked: number;
  readonly differences: readonly string[];
}

async function play(
  pack: Pack,
  { input, now, human }: TestCase,
  deps: TestRunDeps & { readonly sources: DataSources },
): Promise<Played> {
  const clock = now === undefined ? deps.clock : { now: () => new Date(now) };
  const services = { ...deps, catalog: pinned(deps.catalog, pack), clock, checkpointer: new MemorySaver() };
  const skills = createSkillEngine({
    services,
    store: createMemoryRunStore(clock),
    restorePack: () => null,
  });
  const caller = { kind: 'operator', operatorId: 'test' } as const;
  let run = await skills.run({ skillId: pack.id, version: pack.version, input, caller });
  const differences: string[] = [];
  let asked = 0;
  const answers = [...human];
  while (run.status === 'waiting' && run.handoff && asked < MOST_ANSWERS) {
    asked += 1;
    const next = answers.shift();
    if (!next) break;
    if (next.at !== undefined && next.at !== run.handoff.at) {
      differences.push(`a person was to be asked at ${next.at}, but was asked at ${run.handoff.at}`);
    }
    const given = next.input === undefined ? {} : { input: next.input };
    run = await skills.resume(run.runId, { choice: next.choose, by: BY, ...given });
  }
  if (answers.length > 0) differences.push(`${answers.length} answers of the human were not asked for`);
  return { run, asked, differences };
}

/** The pack under test stands for every version of its id; the rest is as it is. */
function pinned(catalog: Catalog, pack: Pack): Catalog {
  return {
    list: () => [pack, ...catalog.list().filter((other) => other.id !== pack.id)],
    all: () => [pack, ...catalog.all().filter((other) => other.id !== pack.id)],
    get: (id, range) => (id === pack.id ? pack : catalog.get(id, range)),
  };
}
