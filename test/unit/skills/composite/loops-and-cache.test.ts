import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import type { SkillResult } from '../../../../src/core/domain/skill.js';
import { compositeOf, PartRunner } from '../../../support/part-runner.js';
import { composite, statuses } from './support.js';

const timings_ms = { prompt_render: 0, llm_call: 0, validation: 0, evaluation: 0, total: 0 };
const generated = (data: JsonObject): SkillResult => ({
  kind: 'generation',
  value: { success: true, data, attempts: 1, provider: 'offline', timings_ms },
});
const reviewed = (pass: boolean): SkillResult => ({
  kind: 'review',
  value: {
    pass,
    issues: pass ? [] : ['It promises.'],
    suggested_fixes: pass ? [] : ['Leave the promise out.'],
    indeterminate: [],
    score: pass ? 1 : 0,
    timings_ms,
    provider: 'offline',
  },
});

describe('[SKC-02] loops', () => {
  const pack = composite(
    [
      { name: 'facts' },
      {
        name: 'draft',
        dependencies: ['facts'],
        inputs: { from: '{facts.output.found}', issues: '{review.output.issues}' },
      },
      { name: 'review', inputs: { reply: '{draft.output.reply}' }, dependencies: ['draft'] },
      { name: 'send', dependencies: ['draft'], inputs: { reply: '{draft.output.reply}' } },
    ],
    {
      routing: {
        strategy: 'parallel',
        loops: [{ when: 'review.output.pass == false', after: 'review', back_to: 'draft', max: 2 }],
      },
      execution: { cache_ttl: 60 },
    },
    {
      draft: {
        input_schema: {
          required: ['from'],
          properties: { from: { type: 'string' }, issues: { type: 'array' } },
        },
      },
      review: { input_schema: { required: ['reply'], properties: { reply: { type: 'string' } } } },
    },
  );
  const runnerThat = (passesAt: number) => {
    let reviews = 0;
    return new PartRunner({
      work: {
        facts: () => ({ found: 'it' }),
        draft: ({ issues }, { part }) =>
          generated({ reply: `${part} ${issues === undefined ? 'fresh' : 'mended'}` }),
        review: () => reviewed(++reviews >= passesAt),
        send: (input) => input,
      },
    });
  };

  it('does not go back where the condition does not hold', async () => {
    const runner = runnerThat(1);
    const result = compositeOf(await runner.run(pack, {}));
    expect(runner.began).toEqual(['facts', 'draft', 'review', 'send']);
    expect(result.output).toEqual({ reply: 'draft fresh' });
  });

  it('runs the steps of the loop again with what the reviewer said, and the later outputs replace the earlier', async () => {
    const runner = runnerThat(2);
    const result = compositeOf(await runner.run(pack, {}));
    expect(runner.began).toEqual(['facts', 'draft', 'review', 'draft#2', 'review#2', 'send']);
    expect(runner.calls[3]?.input).toEqual({ from: 'it', issues: ['It promises.'] });
    expect(runner.calls[4]?.input).toEqual({ reply: 'draft#2 mended' });
    expect(runner.calls[5]?.input).toEqual({ reply: 'draft#2 mended' });
    expect(statuses(result)).toEqual({ facts: 'done', draft: 'done', review: 'done', send: 'done' });
    expect(result.trace.map(({ decided }) => decided)).toContain('back to draft (1 of 2)');
    expect(result.trace.filter(({ level }) => level === 3).map(({ decided }) => decided)).toEqual(
      expect.arrayContaining(['draft: done', 'draft#2: done', 'review: done', 'review#2: done']),
    );
  });

  it('ends after max times, and a text that never passed its review is not given to anybody', async () => {
    const runner = runnerThat(99);
    const result = compositeOf(await runner.run(pack, {}));
    expect(runner.began.filter((part) => part.startsWith('review'))).toEqual([
      'review',
      'review#2',
      'review#3',
    ]);
    expect(result.user_message).toBe(
      'The answer did not pass its review. A person needs to look at it first.',
    );
    expect(result.next_actions).toEqual(['Leave the promise out.']);
  });

  it('of a sequential skill take in all that lies between, declared or not', async () => {
    let turns = 0;
    const sequential = composite([{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }], {
      routing: { loops: [{ when: 'c.output.n < 2', after: 'c', back_to: 'a' }] },
    });
    const runner = new PartRunner({
      work: { a: () => ({}), b: () => ({}), c: () => ({ n: ++turns }), d: () => ({}) },
    });
    await runner.run(sequential, {});
    expect(runner.began).toEqual(['a', 'b', 'c', 'a#2', 'b#2', 'c#2', 'd']);
  });

  it('do not begin where the step they look at failed', async () => {
    const runner = new PartRunner({
      work: { facts: () => ({ found: 'it' }), draft: () => generated({ reply: 'x' }), send: () => ({}) },
    });
    const result = compositeOf(await runner.run(pack, {}));
    expect(statuses(result)).toMatchObject({ draft: 'done', review: 'failed', send: 'done' });
    expect(runner.began.filter((part) => part.startsWith('draft'))).toEqual(['draft']);
  });
});

describe('[SKC-06] identical calls', () => {
  const parts = [
    { name: 'one', skill: 'look_up', inputs: { id: '{input.id}' } },
    { name: 'two', skill: 'look_up', inputs: { id: '{input.id}' } },
    { name: 'other', skill: 'look_up', inputs: { id: 'x' } },
  ];
  const world = (cache_ttl: number, effect = 'read') => {
    const lookUp = composite([], { id: 'look_up', sub_skills: [], type: 'atomic', policy: { effect } });
    const pack = composite(parts, { routing: { strategy: 'parallel' }, execution: { cache_ttl } });
    const runner = new PartRunner({
      work: {
        look_up: ({ id }) => new Promise((resolve) => setImmediate(() => resolve({ id: id ?? null }))),
      },
      catalog: [lookUp],
    });
    return { pack, runner };
  };

  it('are made once in a run, even where they are made at the same time', async () => {
    const { pack, runner } = world(0);
    const result = compositeOf(await runner.run(pack, { id: '7' }));
    expect(runner.began).toEqual(['one', 'other']);
    expect(result.detailed_results.map(({ cached, attempts }) => [cached, attempts])).toEqual([
      [false, 1],
      [true, 0],
      [false, 1],
    ]);
    expect(result.detailed_results[1]?.output).toEqual({ id: '7' });
  });

  it('are made again in the next run without cache_ttl, and not with it', async () => {
    const fresh = world(0);
    await fresh.runner.run(fresh.pack, { id: '7' });
    await fresh.runner.run(fresh.pack, { id: '7' }, { runId: 'run-2' });
    expect(fresh.runner.began).toEqual(['one', 'other', 'one', 'other']);
    const kept = world(60);
    await kept.runner.run(kept.pack, { id: '7' });
    const again = compositeOf(await kept.runner.run(kept.pack, { id: '7' }, { runId: 'run-2' }));
    expect(kept.runner.began).toEqual(['one', 'other']);
    expect(again.detailed_results.every(({ cached }) => cached)).toBe(true);
  });

  it('of another caller are other calls', async () => {
    const { pack, runner } = world(60);
    await runner.run(pack, { id: '7' });
    runner.caller = { kind: 'customer', customerId: 'op-1' };
    await runner.run(pack, { id: '7' }, { runId: 'run-2' });
    expect(runner.began).toEqual(['one', 'other', 'one', 'other']);
  });

  it('of a skill that changes something are all made', async () => {
    const { pack, runner } = world(60, 'write');
    await runner.run(pack, { id: '7' });
    expect(runner.began).toEqual(['one', 'two', 'other']);
  });
});
