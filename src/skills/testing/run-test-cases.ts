import { MemorySaver } from '@langchain/langgraph';
import type { SkillRun } from '../../core/domain/skill.js';
import { toHubError } from '../../core/errors.js';
import type { Clock, DataSources, Ids, Log, SkillModel } from '../../core/ports/index.js';
import type { SkillTestReport } from '../../core/workbench.js';
import { createSkillEngine } from '../engine.js';
import type { Catalog, Pack } from '../pack/pack.js';
import type { TestCase } from '../pack/test-case-schema.js';
import { compare } from './compare.js';
import { createMemoryRunStore } from './memory-run-store.js';

export interface TestRunDeps {
  readonly catalog: Catalog;
  /** Sources made of a case's fixtures. @param now ISO 8601; the real time where undefined */
  readonly fixtureSources: (
    fixtures: TestCase['fixtures'],
    pack: Pick<Pack, 'id' | 'files'>,
    now: string | undefined,
  ) => DataSources;
  readonly model: SkillModel;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly commands: Readonly<Record<string, string>>;
  readonly timeZone?: string;
  readonly currency?: string;
}

const BY = 'operator:test';
/** A tree that goes round through its hand-offs ends here. */
const MOST_ANSWERS = 20;

/** Runs every test case of a pack and then those of the packs nested in it, each in a world of its own. */
export async function runTestCases(pack: Pack, deps: TestRunDeps): Promise<readonly SkillTestReport[]> {
  const reports: SkillTestReport[] = [];
  for (const { file, case: testCase } of pack.testCases) {
    reports.push(await runTestCase(pack, file, testCase, deps));
  }
  for (const part of pack.parts.values()) reports.push(...(await runTestCases(part, deps)));
  return reports;
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
  const services = {
    ...deps,
    catalog: pinned(deps.catalog, pack),
    clock,
    checkpointer: new MemorySaver(),
  };
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
