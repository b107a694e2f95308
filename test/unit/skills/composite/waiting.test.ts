import { describe, expect, it } from 'vitest';
import type { SkillAnswer } from '../../../../src/core/domain/skill.js';
import { HubError } from '../../../../src/core/errors.js';
import { asks, compositeOf, handoffOf, PartRunner, type PartWork } from '../../../support/part-runner.js';
import { createScriptedSkillModel } from '../../../support/scripted-skill-model.js';
import { letOthersRun } from '../../../support/until.js';
import { composite, statuses } from './support.js';

const answer = (choice: string): SkillAnswer => ({ choice, by: 'operator:ana' });

/** Asks once, then gives what was chosen. */
const asking: PartWork = (_, { part, answer: given }) =>
  given === null ? asks('step_3') : { [part]: given.choice };

describe('[SKC-05] a composite whose parts wait for a person', () => {
  it('waits with the question of the part, and goes on without running again what was done', async () => {
    const pack = composite([{ name: 'before' }, { name: 'ask' }, { name: 'after', dependencies: ['ask'] }]);
    const runner = new PartRunner({ work: { before: () => ({}), ask: asking, after: () => ({ ok: true }) } });
    const handoff = handoffOf(await runner.run(pack, {}));
    expect(handoff).toMatchObject({ run_id: 'run-1', at: 'step_3', trigger: 'question' });
    expect(runner.began).toEqual(['before', 'ask']);
    const result = compositeOf(await runner.run(pack, {}, { answer: answer('B') }));
    expect(runner.began).toEqual(['before', 'ask', 'ask', 'after']);
    expect(result.detailed_results[1]?.output).toEqual({ ask: 'B' });
  });

  it('lets independent parts come to their end meanwhile, and puts one question after the other', async () => {
    const pack = composite([{ name: 'first' }, { name: 'second' }, { name: 'free' }], {
      routing: { strategy: 'parallel' },
    });
    const work: Record<string, PartWork> = {
      first: asking,
      second: (input, run) => (run.answer === null ? asks('other') : asking(input, run)),
      free: () => ({}),
    };
    const runner = new PartRunner({ work });
    expect(handoffOf(await runner.run(pack, {})).at).toBe('step_3');
    expect(runner.began).toEqual(['first', 'second', 'free']);
    expect(handoffOf(await runner.run(pack, {}, { answer: answer('A') })).at).toBe('other');
    expect(runner.began.slice(3)).toEqual(['first']);
    const result = compositeOf(await runner.run(pack, {}, { answer: answer('B') }));
    expect(runner.began.slice(4)).toEqual(['second']);
    expect(result.detailed_results.map(({ output }) => output)).toEqual([
      { first: 'A' },
      { second: 'B' },
      {},
    ]);
  });

  it('puts the same question again where it is run without an answer', async () => {
    const pack = composite([{ name: 'ask' }]);
    const runner = new PartRunner({ work: { ask: asking } });
    const first = handoffOf(await runner.run(pack, {}));
    expect(handoffOf(await runner.run(pack, {}))).toEqual(first);
    expect(runner.began).toEqual(['ask']);
  });

  it('asks once where two identical calls wait', async () => {
    const shared = composite([], { id: 'shared', sub_skills: [], type: 'atomic' });
    const pack = composite(
      [
        { name: 'one', skill: 'shared', inputs: { x: 1 } },
        { name: 'two', skill: 'shared', inputs: { x: 1 } },
      ],
      { routing: { strategy: 'parallel' } },
    );
    const runner = new PartRunner({ work: { shared: asking }, catalog: [shared] });
    handoffOf(await runner.run(pack, {}));
    const result = compositeOf(await runner.run(pack, {}, { answer: answer('A') }));
    expect(runner.began).toEqual(['one', 'one']);
    expect(result.detailed_results.map(({ output, cached }) => [output, cached])).toEqual([
      [{ one: 'A' }, false],
      [{ one: 'A' }, true],
    ]);
  });

  it('decides nothing twice: the plan of the model stands after the pause', async () => {
    const pack = composite([{ name: 'a' }, { name: 'ask' }], { routing: { strategy: 'dynamic' } });
    const model = createScriptedSkillModel([{ skills: ['ask'], reason: 'Only this.', confidence: 1 }]);
    const runner = new PartRunner({ work: { ask: asking }, model });
    handoffOf(await runner.run(pack, { text: 'x' }));
    const result = compositeOf(await runner.run(pack, { text: 'x' }, { answer: answer('A') }));
    expect(statuses(result)).toEqual({ a: 'skipped', ask: 'done' });
    expect(result.trace[0]).toMatchObject({ by: 'model', reason: 'Only this.' });
    model.finish();
  });

  it('hands the answer down to the part of a nested composite', async () => {
    const inner = composite([{ name: 'before' }, { name: 'ask' }], { id: 'inner' });
    const pack = composite([{ name: 'inner' }, { name: 'after', dependencies: ['inner'] }], {}, { inner });
    const runner = new PartRunner({ work: { before: () => ({}), ask: asking, after: (input) => input } });
    expect(handoffOf(await runner.run(pack, {}))).toMatchObject({ run_id: 'run-1', at: 'step_3' });
    const result = compositeOf(await runner.run(pack, {}, { answer: answer('B') }));
    expect(runner.began).toEqual(['inner', 'before', 'ask', 'inner', 'ask', 'after']);
    expect(result.output).toEqual({ ask: 'B' });
  });

  it('waits in a loop, and goes on in the same round', async () => {
    const pack = composite([{ name: 'draft' }, { name: 'check', dependencies: ['draft'] }], {
      routing: { loops: [{ when: 'check.output.good == false', after: 'check', back_to: 'draft' }] },
    });
    let checks = 0;
    const runner = new PartRunner({
      work: {
        draft: (input, run) => (run.part === 'draft' ? { text: 'one' } : asking(input, run)),
        check: () => ({ good: ++checks > 1 }),
      },
    });
    handoffOf(await runner.run(pack, {}));
    const result = compositeOf(await runner.run(pack, {}, { answer: answer('A') }));
    expect(runner.began).toEqual(['draft', 'check', 'draft#2', 'draft#2', 'check#2']);
    expect(result.detailed_results[0]?.output).toEqual({ 'draft#2': 'A' });
  });

  it('goes on with the try that waited', async () => {
    let tries = 0;
    const pack = composite([{ name: 'flaky' }], { execution: { retry_on_failure: 2 } });
    const runner = new PartRunner({
      work: {
        flaky: (input, run) => (++tries === 1 ? Promise.reject(new Error('once')) : asking(input, run)),
      },
    });
    handoffOf(await runner.run(pack, {}));
    const result = compositeOf(await runner.run(pack, {}, { answer: answer('A') }));
    expect(runner.began).toEqual(['flaky', 'flaky.try2', 'flaky.try2']);
    expect(result.detailed_results[0]).toMatchObject({ attempts: 2, output: { 'flaky.try2': 'A' } });
  });

  it('goes on after a crash where the journal left it, and leaves nothing running behind', async () => {
    const pack = composite([{ name: 'a' }, { name: 'b' }, { name: 'slow' }], {
      routing: { strategy: 'parallel' },
    });
    let crash = true;
    let slowEnded = false;
    let crashed = (): void => undefined;
    const crashing = new Promise<void>((resolve) => {
      crashed = resolve;
    });
    const runner = new PartRunner({
      work: {
        a: () => ({ a: 1 }),
        b: () => ({ b: 1 }),
        slow: async () => {
          await crashing;
          await letOthersRun();
          slowEnded = true;
          return {};
        },
      },
      onWrite(key) {
        if (!crash || key !== 'step:b') return;
        crashed();
        throw new HubError('database_failed', 'The disk is gone.');
      },
    });
    await expect(runner.run(pack, {})).rejects.toMatchObject({ code: 'database_failed' });
    expect(slowEnded).toBe(true);
    crash = false;
    const result = compositeOf(await runner.run(pack, {}));
    expect(statuses(result)).toEqual({ a: 'done', b: 'done', slow: 'done' });
    expect(runner.began.filter((part) => part === 'a' || part === 'slow')).toEqual(['a', 'slow']);
  });

  it('does not take what stands in its journal for more than it is', async () => {
    const pack = composite([{ name: 'ask' }]);
    const runner = new PartRunner({ work: { ask: asking } });
    runner.journalOf('run-1').plan = { intent: 'everything', plan: null };
    runner.journalOf('run-1')['step:ask'] = { status: 'done' };
    expect(handoffOf(await runner.run(pack, {})).at).toBe('step_3');
  });
});
