import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import { HubError } from '../../../../src/core/errors.js';
import { compositeOf, PartRunner } from '../../../support/part-runner.js';
import { packOf } from '../../../support/skill-packs.js';
import { composite, statuses } from './support.js';

const down = () => Promise.reject(new HubError('source_unavailable', 'The source is down.'));

describe('[SKC-04] a composite whose parts fail', () => {
  it('gives a partial result, keeps the code, and skips what depends on the failure, with the reason', async () => {
    const pack = composite([
      { name: 'good' },
      { name: 'bad' },
      { name: 'after_bad', dependencies: ['bad'] },
      { name: 'last', dependencies: ['after_bad'] },
      { name: 'free' },
    ]);
    const runner = new PartRunner({ work: { good: () => ({ x: 1 }), bad: down, free: () => ({}) } });
    const result = compositeOf(await runner.run(pack, {}));
    expect(statuses(result)).toEqual({
      good: 'done',
      bad: 'failed',
      after_bad: 'skipped',
      last: 'skipped',
      free: 'done',
    });
    expect(result.detailed_results[2]?.reason).toBe('It needs bad, which failed.');
    expect(result.partial_failures).toEqual([
      { step: 'bad', code: 'source_unavailable', message: 'The source is down.' },
    ]);
    expect(result.success_rate).toBeCloseTo(2 / 3, 2);
    expect(result.summary).toContain('2 of 3 steps succeeded');
    expect(result.summary).toContain('Failed: bad (The source is down.)');
    expect(result.next_actions).toEqual(['Look at the failed step bad: The source is down.']);
  });

  it.each([
    ['an error', () => Promise.reject(new Error('boom')), 'internal', 'boom'],
    ['a text', () => Promise.reject('just text'), 'internal', 'just text'],
    ['nothing', () => Promise.reject(undefined), 'internal', 'undefined'],
  ])('takes %s that a part throws for a failed step', async (_, work, code, message) => {
    const result = compositeOf(
      await new PartRunner({ work: { only: work } }).run(composite([{ name: 'only' }]), {}),
    );
    expect(result.partial_failures).toEqual([{ step: 'only', code, message }]);
    expect(result.success_rate).toBe(0);
    expect(result.user_message).toBe(
      'This could not be finished automatically. A person needs to look at it.',
    );
  });

  it('takes a result that is no JSON for a failure', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const runner = new PartRunner({ work: { odd: () => circle as JsonObject, next: () => ({}) } });
    const result = compositeOf(await runner.run(composite([{ name: 'odd' }, { name: 'next' }]), {}));
    expect(statuses(result)).toEqual({ odd: 'failed', next: 'done' });
  });

  it('tries again what may pass, each time under a name of its own', async () => {
    let tries = 0;
    const pack = composite([{ name: 'flaky' }], { execution: { retry_on_failure: 2 } });
    const runner = new PartRunner({ work: { flaky: () => (++tries < 3 ? down() : { ok: true }) } });
    const result = compositeOf(await runner.run(pack, {}));
    expect(runner.began).toEqual(['flaky', 'flaky.try2', 'flaky.try3']);
    expect(result.detailed_results[0]).toMatchObject({ status: 'done', attempts: 3 });
  });

  it('gives up after retry_on_failure more tries', async () => {
    const pack = composite([{ name: 'bad' }], { execution: { retry_on_failure: 1 } });
    const runner = new PartRunner({ work: { bad: down } });
    expect(compositeOf(await runner.run(pack, {})).detailed_results[0]).toMatchObject({
      status: 'failed',
      attempts: 2,
    });
  });

  it.each([
    'input_invalid',
    'skill_unknown',
    'skill_invalid',
    'source_misconfigured',
    'command_not_allowed',
  ] as const)('does not try again what cannot pass: %s', async (code) => {
    const pack = composite([{ name: 'bad' }], { execution: { retry_on_failure: 3 } });
    const runner = new PartRunner({
      work: { bad: () => Promise.reject(new HubError(code, 'It is wrong.')) },
    });
    await runner.run(pack, {});
    expect(runner.began).toEqual(['bad']);
  });

  it('tries a skill that changes something only once', async () => {
    const pack = composite(
      [{ name: 'pay' }],
      { execution: { retry_on_failure: 3 } },
      { pay: { policy: { effect: 'write' } } },
    );
    const runner = new PartRunner({ work: { pay: down } });
    await runner.run(pack, {});
    expect(runner.began).toEqual(['pay']);
  });

  it('takes a generation that did not succeed for a failure, and tries it again', async () => {
    const timings_ms = { prompt_render: 0, llm_call: 0, validation: 0, total: 0 };
    const failed = {
      success: false,
      attempts: 2,
      provider: 'openai' as const,
      timings_ms,
      validationErrors: ['/reply is missing'],
    };
    const pack = composite([{ name: 'write' }], { execution: { retry_on_failure: 1 } });
    const runner = new PartRunner({
      work: { write: () => ({ kind: 'generation' as const, value: failed }) },
    });
    const result = compositeOf(await runner.run(pack, {}));
    expect(runner.began).toHaveLength(2);
    expect(result.partial_failures[0]).toMatchObject({ code: 'model_bad_output' });
    expect(result.partial_failures[0]?.message).toContain('/reply is missing');
  });

  it('stops a part after timeout_per_skill, also one that does not listen, and goes on with the others', async () => {
    let told = false;
    const pack = composite([{ name: 'deaf' }, { name: 'polite' }, { name: 'good' }], {
      routing: { strategy: 'parallel' },
      execution: { timeout_per_skill: 0.05 },
    });
    const runner = new PartRunner({
      work: {
        deaf: () => new Promise<null>(() => undefined),
        polite: (_, { signal }) =>
          new Promise<null>((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              told = true;
              reject(signal.reason);
            });
          }),
        good: () => ({ ok: true }),
      },
    });
    const result = compositeOf(await runner.run(pack, {}));
    expect(statuses(result)).toEqual({ deaf: 'failed', polite: 'failed', good: 'done' });
    expect(result.partial_failures.map(({ code }) => code)).toEqual(['skill_timeout', 'skill_timeout']);
    expect(result.partial_failures[0]?.message).toContain('0.05 s');
    expect(told).toBe(true);
  });

  it('comes to an end with what it has where its own time is up', async () => {
    const stop = new AbortController();
    const pack = composite([{ name: 'quick' }, { name: 'slow' }, { name: 'never' }]);
    const runner = new PartRunner({
      work: {
        quick: () => ({ ok: true }),
        slow: () => {
          stop.abort(new HubError('skill_timeout', 'The run is out of time.'));
          return new Promise<null>(() => undefined);
        },
      },
    });
    const result = compositeOf(await runner.run(pack, {}, { signal: stop.signal }));
    expect(statuses(result)).toEqual({ quick: 'done', slow: 'failed', never: 'skipped' });
    expect(result.detailed_results[2]?.reason).toBe('The run is out of time.');
  });

  it('fails the part whose skill there is not, and runs the others', async () => {
    const pack = composite([{ name: 'lost', skill: 'nowhere' }, { name: 'here' }]);
    const result = compositeOf(await new PartRunner({ work: { here: () => ({}) } }).run(pack, {}));
    expect(statuses(result)).toEqual({ lost: 'failed', here: 'done' });
    expect(result.partial_failures[0]).toMatchObject({ code: 'skill_unknown' });
  });

  it('fails parts that wait for each other in a circle, and runs the others', async () => {
    const pack = composite([
      { name: 'a', dependencies: ['b'] },
      { name: 'b', dependencies: ['a'] },
      { name: 'c' },
    ]);
    const result = compositeOf(await new PartRunner({ work: { c: () => ({}) } }).run(pack, {}));
    expect(statuses(result)).toEqual({ a: 'failed', b: 'failed', c: 'done' });
    expect(result.partial_failures[0]?.message).toContain('wait for each other in a circle');
  });

  it('fails a part that is nested deeper than max_depth', async () => {
    const inner = composite([{ name: 'leaf' }], { id: 'inner' });
    const middle = composite([{ name: 'inner' }], { id: 'middle' }, { inner });
    const run = (max_depth: number) =>
      new PartRunner({ work: { leaf: () => ({ leaf: true }) } }).run(
        composite([{ name: 'middle' }], { routing: { max_depth } }, { middle }),
        {},
      );
    expect(compositeOf(await run(3)).output).toEqual({ leaf: true });
    expect(compositeOf(await run(2)).partial_failures[0]).toMatchObject({ code: 'skill_too_deep' });
  });

  it('does not follow a skill that contains itself', async () => {
    const self = packOf({ id: 'ouroboros', sub_skills: [{ name: 'again', skill: 'ouroboros' }] });
    const runner = new PartRunner({ work: {}, catalog: [self] });
    expect(compositeOf(await runner.run(self, {})).partial_failures[0]).toMatchObject({
      code: 'skill_too_deep',
    });
  });

  it('looks through a thicket of skills in a moment', async () => {
    const levels = Array.from({ length: 9 }, (_, level) =>
      packOf({
        id: `level_${level}`,
        routing: { strategy: 'parallel', max_depth: 10 },
        sub_skills: Array.from({ length: 9 }, (_unused, part) => ({
          name: `part_${part}`,
          skill: `level_${level + 1}`,
        })),
      }),
    );
    const top = packOf({
      id: 'top',
      routing: { max_depth: 1 },
      sub_skills: [{ name: 'down', skill: 'level_0' }],
    });
    // Nine levels of nine parts each are 387 million ways down: looked at one by one they would take hours.
    const result = compositeOf(await new PartRunner({ work: {}, catalog: levels }).run(top, {}));
    expect(result.partial_failures[0]).toMatchObject({ code: 'skill_too_deep' });
  });

  it('takes a nested composite of which nothing succeeded for a failed part', async () => {
    const inner = composite([{ name: 'bad' }], { id: 'inner' });
    const pack = composite([{ name: 'inner' }, { name: 'next', dependencies: ['inner'] }], {}, { inner });
    const result = compositeOf(await new PartRunner({ work: { bad: down } }).run(pack, {}));
    expect(statuses(result)).toEqual({ inner: 'failed', next: 'skipped' });
    expect(result.partial_failures[0]).toMatchObject({
      code: 'source_unavailable',
      message: 'bad: The source is down.',
    });
  });
});
