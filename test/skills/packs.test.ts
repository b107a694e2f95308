import { afterAll, describe, expect, it } from 'vitest';
import { createSkillModel } from '../../src/adapters/models/skill-model.js';
import { createPrices } from '../../src/adapters/models/usage.js';
import { createFixtureSources } from '../../src/adapters/sources/fixture-sources.js';
import { createSqliteProcesses } from '../../src/adapters/sources/sqlite-processes.js';
import { parseConfig } from '../../src/config/config.js';
import type { Evidence, SkillRun } from '../../src/core/domain/skill.js';
import { testCasesOf } from '../../src/skills/pack/draft.js';
import { loadSkillFolders, validateFolder } from '../../src/skills/pack/load-folders.js';
import { runTestCase, type TestRunDeps } from '../../src/skills/testing/run-test-cases.js';
import { createFixedClock } from '../support/fixed-clock.js';
import { createRecordingLog } from '../support/recording-log.js';
import { createSequentialIds } from '../support/sequential-ids.js';
import { CULTPASS_DIR, CULTPASS_SKILLS, SKILLS_DIR, treeOf } from './cultpass.js';

const { catalog, faults } = loadSkillFolders([SKILLS_DIR, CULTPASS_DIR]);
const processes = createSqliteProcesses();
const log = createRecordingLog();
const { models } = parseConfig({});
const deps: TestRunDeps = {
  catalog,
  fixtureSources: (fixtures, pack, now) =>
    createFixtureSources(fixtures, pack, now === undefined ? { processes } : { now, processes }),
  model: createSkillModel({ models, log, prices: createPrices({ ...models, log }) }),
  clock: createFixedClock(),
  ids: createSequentialIds('packs'),
  log,
  commands: {},
  currency: 'BRL',
};
const cases = catalog
  .all()
  .flatMap((pack) =>
    testCasesOf(pack).flatMap(({ file, case: testCase }) =>
      testCase === null ? [] : [{ pack, file, testCase }],
    ),
  );
/** What the cases of a pack led to, for the question whether they lead everywhere. */
const taken = new Map<string, Set<string>>();

function remember(skillId: string, run: SkillRun | null): void {
  const value = run?.result?.kind === 'investigation' ? run.result.value.evidence : run?.handoff?.found;
  const seen = taken.get(skillId) ?? new Set();
  for (const { step, decision } of (value ?? []) as readonly Evidence[]) seen.add(`${step}.${decision}`);
  taken.set(skillId, seen);
}

afterAll(() => processes.close());

describe('[SKP-05] the packs that ship', () => {
  it('[SKP-05] are found whole', () => {
    expect(faults).toEqual([]);
    const { faults: shared, packs } = validateFolder(SKILLS_DIR);
    expect(shared).toEqual([]);
    expect(packs).toBeGreaterThan(3);
    expect(catalog.list().map(({ id }) => id)).toEqual(expect.arrayContaining([...CULTPASS_SKILLS]));
    expect(cases.length).toBeGreaterThan(30);
  });

  it.each(cases)('[SKP-05] $pack.id: $testCase.name ($file)', async ({ pack, file, testCase }) => {
    const report = await runTestCase(pack, file, testCase, deps);
    remember(pack.id, report.run);
    expect(report.differences).toEqual([]);
    expect(report.passed).toBe(true);
  });

  it.each(CULTPASS_SKILLS)('[SKP-05] the test cases of %s lead to every decision of its tree', (id) => {
    const all = Object.entries(treeOf(id).steps).flatMap(([step, { decisions }]) =>
      Object.keys(decisions).map((decision) => `${step}.${decision}`),
    );
    expect(all.filter((decision) => !taken.get(id)?.has(decision))).toEqual([]);
  });
});
