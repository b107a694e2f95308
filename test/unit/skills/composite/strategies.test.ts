import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import { compositeOf, PartRunner } from '../../../support/part-runner.js';
import { createScriptedSkillModel } from '../../../support/scripted-skill-model.js';
import { letOthersRun, until } from '../../../support/until.js';
import { composite, statuses } from './support.js';

/** Work that lets everything else that can run do so before it ends. */
const yields =
  (value: JsonObject = {}) =>
  async () => {
    await letOthersRun();
    return value;
  };

/** Work of several parts, none of which ends before all of them have begun. */
function together(parts: number): () => Promise<JsonObject> {
  let begun = 0;
  return async () => {
    begun += 1;
    await until(() => begun >= parts, 'all parts have begun');
    return {};
  };
}

describe('[SKC-02] the strategies of a composite', () => {
  it('sequential: one after the other, in the order of the pack, and data flow by name', async () => {
    const pack = composite(
      [{ name: 'read' }, { name: 'count' }, { name: 'tell' }],
      {},
      {
        count: { input_schema: { required: ['words'], properties: { words: { type: 'array' } } } },
        tell: { input_schema: { required: ['total'], properties: { total: { type: 'integer' } } } },
      },
    );
    const runner = new PartRunner({
      work: {
        read: async ({ text }) => ({ words: String(text).split(' ') }),
        count: ({ words }) => ({ total: (words as string[]).length }),
        tell: ({ total }) => ({ message: `There are ${String(total)}.` }),
      },
    });
    const result = compositeOf(await runner.run(pack, { text: 'three little words' }));
    expect(runner.began).toEqual(['read', 'count', 'tell']);
    expect(
      runner.calls.every((call, place) => place === 0 || call.from >= (runner.calls[place - 1]?.until ?? 0)),
    ).toBe(true);
    expect(result).toMatchObject({
      success_rate: 1,
      output: { message: 'There are 3.' },
      partial_failures: [],
    });
  });

  it('sequential: a part listed before what it depends on waits for it', async () => {
    const pack = composite([{ name: 'second', dependencies: ['first'] }, { name: 'first' }]);
    const runner = new PartRunner({ work: { first: () => ({}), second: () => ({}) } });
    await runner.run(pack, {});
    expect(runner.began).toEqual(['first', 'second']);
  });

  it('parallel: independent parts run at the same time, dependent ones after them', async () => {
    const pack = composite(
      [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'join', dependencies: ['a', 'b', 'c'] }],
      { routing: { strategy: 'parallel' } },
    );
    const work = together(3);
    const runner = new PartRunner({ work: { a: work, b: work, c: work, join: () => ({ ok: true }) } });
    const result = compositeOf(await runner.run(pack, {}));
    const [a, b, c, join] = ['a', 'b', 'c', 'join'].map((name) =>
      runner.calls.find((call) => call.part === name),
    );
    expect(Math.max(a?.from ?? 0, b?.from ?? 0, c?.from ?? 0)).toBeLessThan(
      Math.min(a?.until ?? 0, b?.until ?? 0, c?.until ?? 0),
    );
    expect(join?.from).toBeGreaterThanOrEqual(Math.max(a?.until ?? 0, b?.until ?? 0, c?.until ?? 0));
    expect(result.output).toEqual({ ok: true });
  });

  it('parallel: allow_parallel false runs them one after the other', async () => {
    const pack = composite([{ name: 'a' }, { name: 'b' }], {
      routing: { strategy: 'parallel' },
      execution: { allow_parallel: false },
    });
    const runner = new PartRunner({ work: { a: yields(), b: yields() } });
    const result = compositeOf(await runner.run(pack, {}));
    expect(runner.calls[1]?.from).toBeGreaterThanOrEqual(runner.calls[0]?.until ?? Infinity);
    expect(result.trace[0]?.decided).toContain('sequential: a, b');
  });

  it('parallel: a part that needs what another is known to give waits for it without saying so', async () => {
    const pack = composite(
      [{ name: 'reply' }, { name: 'sort' }],
      { routing: { strategy: 'parallel' } },
      {
        sort: { output_schema: { properties: { category: { type: 'string' } } } },
        reply: { input_schema: { required: ['category'], properties: { category: { type: 'string' } } } },
      },
    );
    const runner = new PartRunner({
      work: { sort: yields({ category: 'order' }), reply: (input) => input },
    });
    expect(compositeOf(await runner.run(pack, {})).output).toEqual({ category: 'order' });
  });

  describe('conditional', () => {
    const pack = composite(
      [
        { name: 'classify' },
        { name: 'responder', dependencies: ['classify'] },
        { name: 'archiver', dependencies: ['classify'] },
        { name: 'log_it', dependencies: ['responder', 'archiver'] },
        { name: 'thank', dependencies: ['responder'] },
      ],
      {
        routing: {
          strategy: 'conditional',
          // biome-ignore lint/suspicious/noThenProperty: the pack format names it so
          conditions: [{ if: 'step_1.output.urgent == true', then: ['responder'], else: ['archiver'] }],
        },
      },
    );
    const work = {
      responder: () => ({ r: 1 }),
      archiver: () => ({ a: 1 }),
      log_it: () => ({}),
      thank: () => ({}),
    };

    it.each([
      [true, { responder: 'done', archiver: 'skipped', log_it: 'done', thank: 'done' }],
      [false, { responder: 'skipped', archiver: 'done', log_it: 'done', thank: 'skipped' }],
      [null, { responder: 'skipped', archiver: 'done', log_it: 'done', thank: 'skipped' }],
    ])(
      'urgent %s takes the one way and skips the other, with what only follows it',
      async (urgent, expected) => {
        const runner = new PartRunner({ work: { classify: () => ({ urgent }), ...work } });
        const result = compositeOf(await runner.run(pack, {}));
        expect(statuses(result)).toEqual({ classify: 'done', ...expected });
        expect(result.success_rate).toBe(1);
        const skipped = result.detailed_results.find(
          (step) => step.status === 'skipped' && step.step !== 'thank',
        );
        expect(skipped?.reason).toContain('step_1.output.urgent == true');
      },
    );

    it('takes neither way where the part it looks at failed', async () => {
      const runner = new PartRunner({
        work: { classify: () => Promise.reject(new Error('no')), ...work },
      });
      const result = compositeOf(await runner.run(pack, {}));
      expect(statuses(result)).toEqual({
        classify: 'failed',
        responder: 'skipped',
        archiver: 'skipped',
        log_it: 'skipped',
        thank: 'skipped',
      });
      expect(result.success_rate).toBe(0);
    });
  });

  describe('dynamic', () => {
    const parts = [
      { name: 'money', triggers: ['charged', 'cobrança'] },
      { name: 'door', description: 'Was turned away' },
      { name: 'base' },
      { name: 'tail', triggers: ['invoice'], dependencies: ['base'] },
    ];
    const pack = composite(
      parts,
      { routing: { strategy: 'dynamic' } },
      { door: { triggers: { keywords: ['museum'] } } },
    );
    const work = Object.fromEntries(parts.map(({ name }) => [name, () => ({ [name]: true })]));

    it('runs the parts whose triggers stand in the input, and asks no model', async () => {
      const model = createScriptedSkillModel();
      const runner = new PartRunner({ work, model });
      const result = compositeOf(await runner.run(pack, { message: 'Duas COBRANÇAS!' }));
      expect(runner.began).toEqual(['money']);
      expect(result.trace[0]).toMatchObject({
        level: 0,
        by: 'rule',
        reason: 'Triggers match: money ("cobrança").',
      });
      expect(statuses(result)).toEqual({ money: 'done', door: 'skipped', base: 'skipped', tail: 'skipped' });
      model.finish();
    });

    it("goes by the keywords of the part's own skill too, in any text of the input", async () => {
      const runner = new PartRunner({ work });
      await runner.run(pack, { ticket: { title: 'x', lines: ['at the museum'] } });
      expect(runner.began).toEqual(['door']);
    });

    it('runs what a chosen part depends on before it', async () => {
      const runner = new PartRunner({ work });
      await runner.run(pack, { message: 'the invoice' });
      expect(runner.began).toEqual(['base', 'tail']);
    });

    it('has the model pick the smallest set where no trigger matches, and drops what it invents', async () => {
      const model = createScriptedSkillModel([
        { skills: ['door', 'hack'], mode: 'sequential', complexity: 3, reason: 'A door.', confidence: 0.9 },
      ]);
      const runner = new PartRunner({ work, model });
      const result = compositeOf(await runner.run(pack, { message: 'nobody opened' }));
      expect(runner.began).toEqual(['door']);
      expect(result.trace[0]).toMatchObject({ level: 0, by: 'model', reason: 'A door.' });
      expect(result.trace[0]?.decided).toContain('complexity 3');
      expect(model.calls[0]?.prompt).toContain('- door: door. Was turned away');
      expect(runner.modelCalls).toBe(1);
      model.finish();
    });

    it.each([
      ['talks nonsense', ['yes', '{"skills": ["none of them"], "confidence": 1}']],
      ['is not sure', [{ skills: ['door'], confidence: 0.4 }]],
      ['is down', [new Error('down')]],
    ])('runs all parts in order where the model %s, and says so', async (_, answers) => {
      const model = createScriptedSkillModel([...answers, { summary: 's', user_message: 'm' }]);
      const runner = new PartRunner({ work, model });
      const result = compositeOf(await runner.run(pack, { message: 'hm' }));
      expect(runner.began).toEqual(['money', 'door', 'base', 'tail']);
      expect(result.trace[0]).toMatchObject({ by: 'fallback' });
      expect(result.trace[0]?.reason).toContain('all parts run in order');
      model.finish();
    });

    it('runs all parts in order offline', async () => {
      const runner = new PartRunner({ work });
      const result = compositeOf(await runner.run(pack, { message: 'hm' }));
      expect(runner.began).toEqual(['money', 'door', 'base', 'tail']);
      expect(result.trace[0]).toMatchObject({ by: 'fallback' });
    });

    it('leaves out a part whose own conditions do not hold over the input', async () => {
      const guarded = composite(
        parts.slice(0, 2),
        { routing: { strategy: 'dynamic' } },
        {
          door: { triggers: { conditions: ["tier == 'gold'", 'elsewhere.known == true'] } },
        },
      );
      const runner = new PartRunner({ work });
      await runner.run(guarded, { tier: 'iron', message: 'hm' });
      expect(runner.began).toEqual(['money']);
    });
  });
});
