import { MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import type { SkillCaller } from '../../../../src/core/domain/skill.js';
import { HubError } from '../../../../src/core/errors.js';
import type { SkillRunStore } from '../../../../src/core/ports/index.js';
import { createMemoryRunStore } from '../../../../src/skills/run/detached-runs.js';
import { answering, loadPack, openEngine } from '../../../support/skill-engine.js';
import { GENERATION, REVIEW } from '../pack/rules/pack-files.js';
import { scriptedModel } from '../templates/support.js';
import { both, door, echo } from './packs.js';

const OPERATOR: SkillCaller = { kind: 'operator', operatorId: 'op_1' };
const CALL = { skillId: 'door', input: { booking: 'b1' }, caller: OPERATOR, runId: 'r1' } as const;
const odd = () => answering({ shop: (text) => (text.includes('gates') ? [] : [{ status: 'odd' }]) });
const LOOK = '  - { name: look, skill: door, inputs: { booking: "{input.booking}" } }';

describe('a template that gave nothing usable', () => {
  const UNUSABLE = 'no JSON at all';

  it.each([
    ['generation', GENERATION, { topic: 'rain' }, 'model_bad_output'],
    ['review', REVIEW, { note: 'It rains.' }, 'model_bad_output'],
  ])('[SKD-22] a %s is a run that failed, and keeps its result', async (kind, files, input, code) => {
    const store = createMemoryRunStore();
    const pack = loadPack(files);
    const { skills } = openEngine({ packs: [pack], store, model: scriptedModel(UNUSABLE, UNUSABLE) });
    const run = await skills.run({ skillId: pack.id, input, caller: OPERATOR });
    expect(run).toMatchObject({ status: 'failed', error: { code }, result: { kind } });
    expect(await skills.show(run.runId, OPERATOR)).toMatchObject({
      status: 'failed',
      result: { value: { error: { code } } },
    });
  });
});

describe('[SKB-02] a fault of the storage', () => {
  const failing = (method: keyof SkillRunStore): SkillRunStore => ({
    ...createMemoryRunStore(),
    [method]: () => Promise.reject(new HubError('disk_full', 'The disk is full.')),
  });

  it.each(['create', 'update', 'savePack'] as const)(
    'in %s is thrown, and no result is given out',
    async (method) => {
      const { skills } = openEngine({ packs: [door()], sources: odd(), store: failing(method) });
      await expect(skills.run(CALL)).rejects.toMatchObject({ code: 'disk_full' });
    },
  );

  it('of a part leaves what the others found, as any failure of a part does', async () => {
    const stored = createMemoryRunStore();
    const store: SkillRunStore = {
      ...stored,
      update: (runId, update) =>
        runId === 'r1.look'
          ? Promise.reject(new HubError('database_failed', 'The database is locked.'))
          : stored.update(runId, update),
    };
    const parts = `  - { name: say, skill: echo, inputs: { text: "{input.booking}" } }\n${LOOK}`;
    const { skills } = openEngine({
      packs: [both(parts), echo(), door()],
      sources: answering({ shop: [] }),
      store,
    });
    const run = await skills.run({ ...CALL, skillId: 'both' });
    expect(run).toMatchObject({
      status: 'done',
      result: {
        value: {
          success_rate: 0.5,
          partial_failures: [{ step: 'look', code: 'database_failed' }],
          detailed_results: [
            { step: 'say', status: 'done', output: { text: 'b1' } },
            { step: 'look', status: 'failed' },
          ],
        },
      },
    });
  });

  it('leaves nothing behind that keeps the next try from running', async () => {
    const stored = createMemoryRunStore();
    let full = true;
    const store: SkillRunStore = {
      ...stored,
      update: (runId, update) =>
        full ? Promise.reject(new HubError('disk_full', 'The disk is full.')) : stored.update(runId, update),
    };
    const { skills } = openEngine({ packs: [door()], sources: answering({ shop: [] }), store });
    await expect(skills.run(CALL)).rejects.toMatchObject({ code: 'disk_full' });
    full = false;
    expect(await skills.run(CALL)).toMatchObject({ status: 'done' });
  });
});

describe('[SKX-05] a run that waits, whose pack', () => {
  const asked = async (packs = [door()]) => {
    const store = createMemoryRunStore();
    const checkpointer = new MemorySaver();
    const first = openEngine({ packs, sources: odd(), store, checkpointer });
    const run = await first.skills.run({ ...CALL, skillId: packs[0]?.id ?? '' });
    expect(run.status).toBe('waiting');
    return { store, checkpointer };
  };

  it('was taken out of the folder, goes on with its stored files', async () => {
    const { store, checkpointer } = await asked();
    const { skills } = openEngine({ packs: [], sources: odd(), store, checkpointer });
    expect(await skills.resume('r1', { choice: 'B', by: 'operator:op_1' })).toMatchObject({
      status: 'done',
      skillVersion: '1.0.0',
      result: { value: { root_cause: 'gate_broken' } },
    });
  });

  it('is gone from the storage too, says so and stays open', async () => {
    const { store, checkpointer } = await asked();
    const without: SkillRunStore = { ...store, getPack: async () => null };
    const { skills } = openEngine({ packs: [], sources: odd(), store: without, checkpointer });
    const answer = skills.resume('r1', { choice: 'B', by: 'operator:op_1' });
    await expect(answer).rejects.toMatchObject({
      code: 'skill_unknown',
      message: expect.stringMatching(/door 1\.0\.0/),
    });
    expect(await skills.show('r1', OPERATOR)).toMatchObject({ status: 'waiting' });
  });

  it('has a part that is newer by now, goes on with the part it asked about', async () => {
    const { store, checkpointer } = await asked([both(LOOK), echo(), door()]);
    const newer = [both(LOOK), door('2.0.0', 'something_else')];
    const { skills } = openEngine({ packs: newer, sources: odd(), store, checkpointer });
    const done = await skills.resume('r1', { choice: 'A', by: 'operator:op_1' });
    expect(done).toMatchObject({
      status: 'done',
      result: { value: { output: { root_cause: 'odd_booking', skill_version: '1.0.0' } } },
    });
    expect(done.usage).toMatchObject({ steps: 1, api_calls: 1 });
  });
});
