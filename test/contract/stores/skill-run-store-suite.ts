import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SkillRunRecord } from '../../../src/core/ports/skills.js';
import { type RunStoreWorld, runRecord, storeAsking } from './skill-run-records.js';
import type { HubWorld, OpenHubWorld } from './world.js';

const USED = {
  steps: 4,
  api_calls: 3,
  llm_calls: 2,
  prompt_tokens: 100,
  completion_tokens: 20,
  cost_usd: 0.5,
};

/** What every SkillRunStore must do. */
export function skillRunStoreSuite(name: string, open: () => Promise<RunStoreWorld>): void {
  describe(`SkillRunStore: ${name}`, () => {
    let world: RunStoreWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const store = () => world.stores.skillRuns;
    const record = (runId: string, over: Partial<SkillRunRecord> = {}) => runRecord(world, runId, over);
    const asking = (runId: string, over: Partial<SkillRunRecord> = {}) => storeAsking(world, runId, over);

    it('[SKX-04] stores a run once and gives it back as it was', async () => {
      expect(await store().create(record('r1'))).toBe(true);
      expect(await store().get('r1')).toEqual(record('r1'));
      expect(await store().create(record('r1', { skillId: 'other' }))).toBe(false);
      expect((await store().get('r1'))?.skillId).toBe('entry_denied');
      expect(await store().get('none')).toBeNull();
    });

    it('[SKX-04] changes what an update names and leaves the rest, also what is set back to nothing', async () => {
      const made = record('r1');
      await asking('r1');
      world.clock.advance({ minutes: 1 });
      const result = { kind: 'plain', value: { ok: true } } as const;
      await store().update('r1', { status: 'done', result, handoff: null, usage: USED, durationMs: 12.5 });
      expect(await store().get('r1')).toEqual({
        ...made,
        status: 'done',
        result,
        usage: USED,
        durationMs: 12.5,
        updatedAt: world.clock.now().toISOString(),
      });
      await store().update('r1', { correct: true });
      expect(await store().get('r1')).toMatchObject({ correct: true, status: 'done', result });
      await store().update('none', { correct: true });
    });

    it('[SKX-04] keeps what it was given, whatever becomes of that later', async () => {
      const input = { text: 'as it was' };
      await store().create(record('r1', { input }));
      input.text = 'changed';
      expect((await store().get('r1'))?.input).toEqual({ text: 'as it was' });
    });

    it('[SKC-03] writes the journal key by key, whatever a key is called', async () => {
      await store().create(record('r1', { journal: { begun: true } }));
      await store().writeJournal('r1', 'step:draft#2', { output: ['a', null, 1.5] });
      await store().writeJournal('r1', 'a.b[0]"c\'', 'odd');
      await store().writeJournal('r1', 'step:draft#2', { output: [] });
      expect((await store().get('r1'))?.journal).toEqual({
        begun: true,
        'step:draft#2': { output: [] },
        'a.b[0]"c\'': 'odd',
      });
    });

    it('[SKT-04] lets exactly one of several take a waiting run, also over two connections', async () => {
      await asking('r1');
      const other = (await world.another()).skillRuns;
      const taken = await Promise.all([
        store().claim('r1'),
        other.claim('r1'),
        store().claim('r1'),
        other.claim('r1'),
      ]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await other.get('r1'))?.status).toBe('running');
      expect(await store().claim('none')).toBe(false);
    });

    it('[SKT-04] takes only what waits', async () => {
      await store().create(record('r1'));
      expect(await store().claim('r1')).toBe(false);
      await store().update('r1', { status: 'done' });
      expect(await store().claim('r1')).toBe(false);
      expect(await store().claim('r1', 'running')).toBe(false);
      await store().update('r1', { status: 'failed' });
      expect(await store().claim('r1')).toBe(false);
    });

    it('[SKH-02] lists the runs of a ticket, oldest first, without their parts', async () => {
      await store().create(record('r1', { ticketId: 'tkt_1' }));
      await store().create(record('r1.part', { ticketId: 'tkt_1', parentRunId: 'r1' }));
      await store().create(record('r2', { ticketId: 'tkt_2' }));
      await store().create(record('r3', { ticketId: 'tkt_1' }));
      const runs = await store().listByTicket('tkt_1');
      expect(runs.map(({ runId }) => runId)).toEqual(['r1', 'r3']);
    });

    it('[SKT-04] keeps the files of a pack under their hash', async () => {
      const files = { 'skill.yaml': 'id: x\n', 'prompts/a.txt': 'Olá “você”' };
      await store().savePack('h1', files);
      await store().savePack('h1', { 'skill.yaml': 'other' });
      expect(await store().getPack('h1')).toEqual(files);
      expect(await store().getPack('h2')).toBeNull();
    });
  });
}

/** What the store of the hub's own database does besides, for people who look at runs. */
export function skillRunHistorySuite(name: string, open: OpenHubWorld): void {
  describe(`SkillRunHistory: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const store = () => world.stores.skillRuns;
    const record = (runId: string, over: Partial<SkillRunRecord> = {}) => runRecord(world, runId, over);
    const asking = (runId: string, over: Partial<SkillRunRecord> = {}) => storeAsking(world, runId, over);

    it('[SKX-04] lists what waits, oldest first, without parts of other runs', async () => {
      await asking('r1');
      await asking('r1.draft', { parentRunId: 'r1' });
      await asking('r2');
      await store().create(record('r3'));
      const ids = async (limit: number) => (await store().listWaiting(limit)).map(({ runId }) => runId);
      expect(await ids(10)).toEqual(['r1', 'r2']);
      expect(await ids(1)).toEqual(['r1']);
      await store().update('r1', { status: 'done', handoff: null });
      expect(await ids(10)).toEqual(['r2']);
    });

    it('[SKX-04 SKD-30] adds up what each version of a skill took; test cases are told apart', async () => {
      const done = { status: 'done', usage: USED, durationMs: 10, handoffs: 1, correct: true } as const;
      await store().create(record('r1', done));
      await store().create(record('r2', { ...done, durationMs: 30, correct: false, handoffs: 0 }));
      await store().create(
        record('r3', { status: 'failed', usage: { ...USED, steps: 0 }, durationMs: 9_999 }),
      );
      await store().create(record('r4', { skillVersion: '2.0.0' }));
      await store().create(record('t1', { ...done, caller: 'test', usage: USED, durationMs: 5_000 }));
      await store().create(record('t2', { ...done, caller: 'test', correct: true }));
      const [first, second] = await store().stats();
      expect(first).toEqual({
        skillId: 'entry_denied',
        skillVersion: '1.0.0',
        uses: 3,
        failed: 1,
        handoffs: 1,
        meanDurationMs: 20,
        meanSteps: 4,
        apiCalls: 9,
        llmCalls: 6,
        tokens: 360,
        costUsd: 1.5,
        cacheHitRate: null,
        accuracy: 0.5,
        falsePositives: 1,
        repeatUse: 1,
        satisfaction: null,
        testsPassed: 1,
        lastUsedAt: world.clock.now().toISOString(),
      });
      expect(second).toMatchObject({
        skillVersion: '2.0.0',
        uses: 1,
        failed: 0,
        accuracy: null,
        repeatUse: 0,
      });
    });
  });
}
