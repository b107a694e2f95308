import { describe, expect, it } from 'vitest';
import { createFixtureSources } from '../../../../src/adapters/sources/fixture-sources.js';
import type { SkillTestReport } from '../../../../src/core/workbench.js';
import { createCatalog } from '../../../../src/skills/pack/pack.js';
import { runTestCases } from '../../../../src/skills/testing/run-test-cases.js';
import { createFixedClock } from '../../../support/fixed-clock.js';
import { createRecordingLog } from '../../../support/recording-log.js';
import { createOfflineSkillModel } from '../../../support/scripted-skill-model.js';
import { createSequentialIds } from '../../../support/sequential-ids.js';
import { loadPack } from '../../../support/skill-engine.js';
import { door } from '../engine/packs.js';

const TABLES = 'CREATE TABLE bookings (id, status); CREATE TABLE gates (booking, open);';
const ODD = `fixtures: { shop: [{ sql: "${TABLES} INSERT INTO bookings VALUES ('b1', 'odd');" }] }`;

/** The reports of the door with these cases. */
async function tested(
  cases: Readonly<Record<string, string>>,
  version = '1.0.0',
): Promise<readonly SkillTestReport[]> {
  const files = Object.entries(cases).map(([name, text]) => [
    `test_cases/${name}.yaml`,
    `name: ${name}\ninput: { booking: b1 }\n${text}\n`,
  ]);
  const whole = door(version).files;
  // What a case does may take longer on a busy machine than this pack allows.
  const patient = whole['skill.yaml']?.replace('timeout_per_skill: 0.3', 'timeout_per_skill: 20') ?? '';
  const pack = loadPack(
    { ...whole, 'skill.yaml': patient, ...Object.fromEntries(files) },
    { scope: 'to_run' },
  );
  return runTestCases(pack, {
    // The catalog has a newer one, which must not be run in its place.
    catalog: createCatalog([door('9.0.0', 'newer'), pack]),
    fixtureSources: (fixtures, own, now) =>
      createFixtureSources(fixtures, own, now === undefined ? {} : { now }),
    model: createOfflineSkillModel(),
    clock: createFixedClock(),
    ids: createSequentialIds(),
    log: createRecordingLog(),
    commands: {},
    currency: 'BRL',
  });
}

describe('[SKX-01] the test cases of a pack', () => {
  it('run in worlds of their own, in the order of their files', async () => {
    const reports = await tested({
      asks: `${ODD}\nexpect: { status: waiting, handoff: true, root_cause: odd_booking, path: [look] }`,
      none: `fixtures: { shop: [{ sql: "${TABLES}" }] }\nexpect: { root_cause: no_booking, handoff: false }`,
      wrong: `${ODD}\nexpect: { root_cause: no_booking }`,
    });
    expect(reports.map(({ file, passed }) => [file, passed])).toEqual([
      ['test_cases/asks.yaml', true],
      ['test_cases/none.yaml', true],
      ['test_cases/wrong.yaml', false],
    ]);
    expect(reports[2]?.differences).toEqual(['root_cause: expected "no_booking", got "odd_booking"']);
    expect(reports[0]).toMatchObject({ skillId: 'door', version: '1.0.0', run: { status: 'waiting' } });
  });

  it('[SKD-87] fail where they cannot be read, with the line', async () => {
    const reports = await tested({
      broken: 'expcet: {}',
      none: `fixtures: { shop: [{ sql: "${TABLES}" }] }\nexpect: {}`,
    });
    expect(reports.map(({ passed }) => passed)).toEqual([false, true]);
    expect(reports[0]?.differences.join()).toMatch(/test_cases\/broken\.yaml:3 /);
  });

  it('answer the questions with what the human of the case says', async () => {
    const [accepted, goneOn] = await tested({
      accepted: `${ODD}\nhuman: [{ at: look, choose: A }]\nexpect: { root_cause: odd_booking, handoff: true, status: done }`,
      gone_on: `${ODD}\nhuman: [{ choose: B }]\nexpect: { root_cause: gate_broken, path: [look, gate] }`,
    });
    expect(accepted?.differences).toEqual([]);
    expect(goneOn?.differences).toEqual([]);
  });

  it('fail where a person was asked elsewhere, or not as often as the case says', async () => {
    const [elsewhere, once, none] = await tested({
      elsewhere: `${ODD}\nhuman: [{ at: gate, choose: A }]\nexpect: {}`,
      once: `${ODD}\nhuman: [{ choose: A }, { choose: A }]\nexpect: {}`,
      unknown: `${ODD}\nhuman: [{ choose: Z }]\nexpect: {}`,
    });
    expect(elsewhere?.differences).toEqual(['a person was to be asked at gate, but was asked at look']);
    expect(once?.differences).toEqual([expect.stringContaining('not asked for')]);
    expect(none).toMatchObject({ passed: false, run: null });
    expect(none?.differences[0]).toMatch(/choice_unknown.*Z/);
  });

  it('fail, and do not throw, where a case cannot be run', async () => {
    const [broken, next] = await tested({
      broken: 'fixtures: { shop: [{ sql: "CREATE TABLE oops (" }] }\nexpect: { root_cause: no_booking }',
      next: `fixtures: { shop: [{ sql: "${TABLES}" }] }\nexpect: { root_cause: no_booking }`,
    });
    expect(broken?.passed).toBe(false);
    expect(broken?.differences.length).toBeGreaterThan(0);
    expect(next?.passed).toBe(true);
  });
});
