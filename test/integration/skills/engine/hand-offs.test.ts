import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckpointer } from '../../../../src/adapters/checkpoints/checkpointers.js';
import type { SkillCaller, SkillHandoff, SkillRun } from '../../../../src/core/domain/skill.js';
import { HubError } from '../../../../src/core/errors.js';
import type { SkillRunStore } from '../../../../src/core/ports/index.js';
import type { Pack } from '../../../../src/skills/pack/pack.js';
import { codeOf, openSqliteWorld, type StoresWorld } from '../../../contract/stores/world.js';
import {
  answering,
  type CountingSources,
  loadPack,
  openEngine,
  type TestEngine,
} from '../../../support/skill-engine.js';
import { door } from '../../../unit/skills/engine/packs.js';

const ANA: SkillCaller = { kind: 'customer', customerId: 'usr_ana' };
const BY = 'operator:op_1';

/** A booking that is odd, so that the tree asks at its first step, and a gate. */
const odd = () => answering({ shop: (text) => (text.includes('gates') ? [] : [{ status: 'odd' }]) });

describe('[SKT-04] a hand-off', () => {
  let world: StoresWorld;
  let close: (() => void)[];
  beforeEach(async () => {
    world = await openSqliteWorld();
    close = [];
  });
  afterEach(async () => {
    for (const one of close) one();
    await world.close();
  });

  /** An engine as another process has it: its own connections to the same files. */
  const engine = async (
    options: { packs?: readonly Pack[]; sources?: CountingSources; store?: SkillRunStore } = {},
  ): Promise<TestEngine> => {
    const checkpoints = openCheckpointer('sqlite', world.dataDir);
    close.push(() => checkpoints.close());
    return openEngine({
      packs: options.packs ?? [door()],
      sources: options.sources ?? odd(),
      store: options.store ?? (await world.another()).skillRuns,
      checkpointer: checkpoints.saver,
      label: `e${close.length}`,
    });
  };
  /** A store whose disk is full while the test says so: results and questions cannot be written. */
  const fullDisk = async () => {
    const stored = (await world.another()).skillRuns;
    let full = false;
    const store: SkillRunStore = {
      ...stored,
      update: async (runId, update) => {
        if (full && update.usage) throw new HubError('disk_full', 'The disk is full.');
        await stored.update(runId, update);
      },
    };
    const set = (state: boolean) => () => {
      full = state;
    };
    return { store, fill: set(true), free: set(false) };
  };
  const ask = async ({ skills }: Pick<TestEngine, 'skills'>): Promise<SkillRun> =>
    skills.run({ skillId: 'door', input: { booking: 'b1' }, caller: ANA, runId: 'r1' });

  it('puts everything on the table', async () => {
    const run = await ask(await engine());
    expect(run).toMatchObject({
      status: 'waiting',
      result: null,
      handoff: {
        run_id: 'r1',
        skill_id: 'door',
        at: 'look',
        trigger: 'low_confidence',
        advice: 'Call the venue.',
        tried: ['look'],
        found: [{ step: 'look', decision: 'odd' }],
        options: [{ id: 'A' }, { id: 'B' }, { id: 'C' }],
        proposal: { root_cause: 'odd_booking', confidence: 0.5 },
      },
    });
  });

  it('is answered in another process, which does nothing again', async () => {
    await ask(await engine());
    const sources = odd();
    const { skills } = await engine({ sources });
    const done = await skills.resume('r1', { choice: ' b ', by: BY });
    expect(done).toMatchObject({
      status: 'done',
      handoff: null,
      usage: { steps: 2, api_calls: 2 },
      result: {
        value: {
          root_cause: 'gate_broken',
          path: ['look', 'gate'],
          handoffs: [{ at: 'look', trigger: 'low_confidence', choice: 'B', by: BY }],
        },
      },
    });
    expect(sources.asked).toHaveLength(1);
    expect(await skills.show('r1', ANA)).toEqual(done);
  });

  it('is answered by one of several who try at once', async () => {
    const first = await engine();
    await ask(first);
    const second = await engine();
    const outcomes = await Promise.all(
      [first, second, first, second].map(({ skills }) =>
        codeOf(skills.resume('r1', { choice: 'B', by: BY })),
      ),
    );
    expect(outcomes.filter((code) => code === 'resolved')).toHaveLength(1);
    expect(outcomes.filter((code) => code === 'run_not_waiting')).toHaveLength(3);
    expect(await codeOf(first.skills.resume('r1', { choice: 'A', by: BY }))).toBe('run_not_waiting');
  });

  it('takes no answer that it does not offer, and stays open', async () => {
    const { skills } = await engine();
    await ask({ skills });
    await expect(skills.resume('r1', { choice: 'Z', by: BY })).rejects.toMatchObject({
      code: 'choice_unknown',
      message: expect.stringContaining('C (A person takes over)'),
    });
    expect((await skills.resume('r1', { choice: 'A', by: BY })).status).toBe('done');
  });

  it('goes on with the version it began with, after the folder has a newer one', async () => {
    await ask(await engine());
    const newer = door('2.0.0', 'something_else');
    const { skills } = await engine({ packs: [newer] });
    const done = await skills.resume('r1', { choice: 'B', by: BY });
    expect(done).toMatchObject({ skillVersion: '1.0.0', result: { value: { skill_version: '1.0.0' } } });
    const fresh = await skills.run({ skillId: 'door', input: { booking: 'b1' }, caller: ANA });
    expect(fresh.skillVersion).toBe('2.0.0');
  });

  it('goes on with the very files it began with, after somebody edited them in place', async () => {
    await ask(await engine());
    const edited = door('1.0.0', 'edited');
    const { skills } = await engine({ packs: [edited], sources: odd() });
    const done = await skills.resume('r1', { choice: 'B', by: BY });
    expect(done.result).toMatchObject({ value: { root_cause: 'gate_broken' } });
  });

  it('counts what people said of its finding', async () => {
    const { skills, store } = await engine();
    for (const [runId, choice] of [
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ] as const) {
      await skills.run({ skillId: 'door', input: { booking: 'b1' }, caller: ANA, runId });
      await skills.resume(runId, { choice, by: BY });
    }
    expect(await Promise.all(['a', 'b', 'c'].map(async (id) => (await store.get(id))?.correct))).toEqual([
      true,
      null,
      false,
    ]);
  });

  it('is open again where the disk was full when it was answered', async () => {
    await ask(await engine());
    const { store, fill, free } = await fullDisk();
    const sources = odd();
    const { skills } = await engine({ store, sources });
    fill();
    expect(await codeOf(skills.resume('r1', { choice: 'B', by: BY }))).toBe('disk_full');
    expect(await skills.show('r1', ANA)).toMatchObject({ status: 'waiting', handoff: { at: 'look' } });
    free();
    const done = await skills.resume('r1', { choice: 'B', by: BY });
    expect(done.result).toMatchObject({ value: { root_cause: 'gate_broken' } });
    expect(sources.asked).toHaveLength(1);
  });

  it('takes no answer to a question that was never stored', async () => {
    const gate =
      door('1.0.0').files['decision_tree.yaml']?.replace('confidence: 0.9\n', 'confidence: 0.6\n') ?? '';
    const twice = loadPack({ ...door('1.0.0').files, 'decision_tree.yaml': gate });
    await ask(await engine({ packs: [twice] }));
    const { store, fill, free } = await fullDisk();
    const { skills } = await engine({ packs: [twice], store });
    fill();
    expect(await codeOf(skills.resume('r1', { choice: 'B', by: BY }))).toBe('disk_full');
    free();
    // To the first question A is an end; of the second one nobody knows yet.
    const asked = await skills.resume('r1', { choice: 'A', by: BY });
    expect(asked).toMatchObject({ status: 'waiting', handoff: { at: 'gate' } });
    const done = await skills.resume('r1', { choice: 'A', by: BY });
    expect(done.result).toMatchObject({ value: { root_cause: 'gate_broken' } });
  });

  it('does not take an answer to the question before', async () => {
    const { skills, store } = await engine();
    await ask({ skills });
    const question = { ...(await store.get('r1'))?.handoff, question: 'Another one?' } as SkillHandoff;
    // Between reading the question and taking the run, somebody else answered and the run asked anew.
    const slow: SkillRunStore = {
      ...store,
      claim: async (runId, of) => {
        await store.update(runId, { handoff: question });
        return store.claim(runId, of);
      },
    };
    const other = await engine({ store: slow });
    expect(await codeOf(other.skills.resume('r1', { choice: 'A', by: BY }))).toBe('run_not_waiting');
    expect(await skills.show('r1', ANA)).toMatchObject({
      status: 'waiting',
      handoff: { question: 'Another one?' },
    });
  });
});
