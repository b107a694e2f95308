import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import type { SkillAnswer } from '../../../../src/core/domain/skill.js';
import { compositeOf, handoffOf, PartRunner } from '../../../support/part-runner.js';
import { createScriptedSkillModel } from '../../../support/scripted-skill-model.js';
import { composite, statuses } from './support.js';

const answer = (choice: string, input?: JsonObject): SkillAnswer => ({
  choice,
  by: 'operator:ana',
  ...(input === undefined ? {} : { input }),
});

const schema = (required: readonly string[], properties: JsonObject): JsonObject => ({
  input_schema: { type: 'object', required, properties },
});

const echo = { find: (input: JsonObject) => input, tell: (input: JsonObject) => input, look: () => ({}) };

describe('[SKC-05] where a step gets its inputs from', () => {
  it('takes them as the pack says, from the input of the same name, from earlier steps, and from defaults', async () => {
    const pack = composite(
      [
        { name: 'look' },
        {
          name: 'tell',
          dependencies: ['look'],
          inputs: {
            mapped: '{input.customer.name}',
            text: 'Hello {input.customer.name}: {look.output.found}',
            nested: { list: ['{look.output.count}', 'literal'] },
            optional: '{input.nothing}',
          },
        },
      ],
      {},
      {
        tell: schema(['mapped', 'same', 'found', 'tone'], {
          mapped: { type: 'string' },
          text: { type: 'string' },
          nested: { type: 'object' },
          same: { type: 'string' },
          found: { type: 'string' },
          tone: { type: 'string', default: 'plain' },
          optional: { type: 'string' },
          absent: { type: 'string' },
        }),
      },
    );
    const model = createScriptedSkillModel();
    const runner = new PartRunner({
      work: { look: () => ({ found: 'a key', count: 3 }), tell: (input) => input },
      model,
    });
    const result = compositeOf(await runner.run(pack, { customer: { name: 'Ana' }, same: 'yes' }));
    expect(result.output).toEqual({
      mapped: 'Ana',
      text: 'Hello Ana: a key',
      nested: { list: [3, 'literal'] },
      same: 'yes',
      found: 'a key',
      tone: 'plain',
    });
    const level2 = result.trace.find(({ level, decided }) => level === 2 && decided.startsWith('tell'));
    expect(level2).toMatchObject({ by: 'rule' });
    expect(level2?.decided).toContain('found from look');
    expect(level2?.decided).toContain('tone default');
    model.finish();
  });

  it('takes nothing from a step it does not depend on, nor a value that does not fit', async () => {
    const pack = composite(
      [{ name: 'look' }, { name: 'tell' }],
      { routing: { strategy: 'parallel' } },
      {
        tell: schema([], { found: { type: 'string' }, language: { enum: ['en'] } }),
      },
    );
    const runner = new PartRunner({ work: { look: () => ({ found: 'x' }), tell: (input) => input } });
    const result = compositeOf(await runner.run(pack, { language: 'pt-BR' }));
    expect(result.output).toEqual({ look: { found: 'x' }, tell: {} });
  });

  it('does not read what is inherited', async () => {
    const pack = composite([{ name: 'tell', inputs: { a: '{input.constructor}', b: '{input.__proto__}' } }]);
    const runner = new PartRunner({ work: { tell: (input) => input } });
    expect(compositeOf(await runner.run(pack, {})).output).toEqual({});
  });

  const pack = composite(
    [{ name: 'find' }, { name: 'tell', dependencies: ['find'] }],
    {},
    {
      find: schema(['order_id'], {
        order_id: { type: 'string', pattern: '^A[0-9]+$', description: 'The number of the order' },
      }),
      tell: schema([], {}),
    },
  );

  it('has the model infer what nothing gives, and goes on where it is sure enough', async () => {
    const model = createScriptedSkillModel([
      { values: [{ field: 'order_id', value: 'A17', confidence: 0.7, reason: 'It is in the text.' }] },
    ]);
    const runner = new PartRunner({ work: { ...echo, tell: () => ({ message: 'ok' }) }, model });
    const result = compositeOf(await runner.run(pack, { text: 'my order A17' }));
    expect(runner.calls[0]?.input).toEqual({ order_id: 'A17' });
    expect(result.trace.find(({ level, by }) => level === 2 && by === 'model')?.reason).toContain(
      'It is in the text.',
    );
    model.finish();
  });

  it.each([
    ['is not sure', { values: [{ field: 'order_id', value: 'A17', confidence: 0.69 }] }, true],
    [
      'gives a value that does not fit',
      { values: [{ field: 'order_id', value: 'B1', confidence: 1 }] },
      false,
    ],
    ['gives another field', { values: [{ field: 'admin', value: true, confidence: 1 }] }, false],
    ['gives nothing', { values: [] }, false],
  ])('asks a person where the model %s', async (_, scripted, guessed) => {
    const model = createScriptedSkillModel([scripted]);
    const runner = new PartRunner({ work: echo, model });
    const handoff = handoffOf(await runner.run(pack, { text: 'hm' }));
    expect(handoff).toMatchObject({
      run_id: 'run-1',
      skill_id: 'whole',
      at: 'find',
      trigger: 'missing_parameter',
      fields: ['order_id'],
      options: [{ id: 'A' }, { id: 'C' }],
    });
    expect(handoff.question).toContain('order_id (The number of the order)');
    expect(handoff.question.includes('"A17" (confidence 0.69)')).toBe(guessed);
    expect(runner.calls).toEqual([]);
    model.finish();
  });

  it('asks a person offline, goes on with the value given, and asks no model again', async () => {
    const runner = new PartRunner({ work: { ...echo, tell: () => ({ message: 'ok' }) } });
    expect(handoffOf(await runner.run(pack, {})).trigger).toBe('missing_parameter');
    const result = compositeOf(
      await runner.run(pack, {}, { answer: answer('a', { order_id: 'A5', admin: true }) }),
    );
    expect(runner.calls[0]?.input).toEqual({ order_id: 'A5' });
    expect(statuses(result)).toEqual({ find: 'done', tell: 'done' });
    expect(result.trace.some(({ level, reason }) => level === 2 && reason === 'operator:ana answered.')).toBe(
      true,
    );
  });

  it('goes on with what was guessed where the person agrees', async () => {
    const model = createScriptedSkillModel([
      { values: [{ field: 'order_id', value: 'A17', confidence: 0.5 }] },
      { summary: 's', user_message: 'm' },
    ]);
    const runner = new PartRunner({ work: echo, model });
    handoffOf(await runner.run(pack, {}));
    compositeOf(await runner.run(pack, {}, { answer: answer('A') }));
    expect(runner.calls[0]?.input).toEqual({ order_id: 'A17' });
    model.finish();
  });

  it('asks again for a value that does not fit, and says why', async () => {
    const runner = new PartRunner({ work: echo });
    handoffOf(await runner.run(pack, {}));
    const again = handoffOf(await runner.run(pack, {}, { answer: answer('A', { order_id: 'nonsense' }) }));
    expect(again.question).toMatch(/^That does not fit: order_id .*pattern/);
    compositeOf(await runner.run(pack, {}, { answer: answer('A', { order_id: 'A1' }) }));
    expect(runner.calls[0]?.input).toEqual({ order_id: 'A1' });
  });

  it('leaves the step out where the person goes on without the value', async () => {
    const runner = new PartRunner({ work: echo });
    handoffOf(await runner.run(pack, {}));
    const result = compositeOf(await runner.run(pack, {}, { answer: answer('A') }));
    expect(statuses(result)).toEqual({ find: 'failed', tell: 'skipped' });
    expect(result.partial_failures).toEqual([
      { step: 'find', code: 'input_invalid', message: 'It needs order_id, and nobody gave it.' },
    ]);
  });

  it('begins nothing more where a person takes over', async () => {
    const runner = new PartRunner({ work: echo });
    const three = composite(
      [{ name: 'look' }, { name: 'find' }, { name: 'tell' }],
      {},
      { find: pack.parts.get('find') ?? {} },
    );
    handoffOf(await runner.run(three, {}));
    const result = compositeOf(await runner.run(three, {}, { answer: answer('c') }));
    expect(statuses(result)).toEqual({ look: 'done', find: 'skipped', tell: 'skipped' });
    expect(result.detailed_results[1]?.reason).toBe('A person has taken over.');
    expect(runner.began).toEqual(['look']);
  });

  it('plans with the model in a dynamic skill where the data flow is unclear, and takes no circle', async () => {
    const dynamic = composite(
      [
        { name: 'give', triggers: ['order'] },
        { name: 'take', triggers: ['order'] },
      ],
      { routing: { strategy: 'dynamic' } },
      { give: schema([], { text: { type: 'string' } }), take: schema(['id'], { id: { type: 'string' } }) },
    );
    const model = createScriptedSkillModel([
      {
        steps: [
          { part: 'give', depends_on: ['take'] },
          { part: 'take', depends_on: ['give'] },
        ],
        confidence: 0.9,
      },
      {
        steps: [{ part: 'give' }, { part: 'take', inputs: { id: '{give.output.number}', admin: 'true' } }],
        reason: 'The number is the id.',
        confidence: 0.9,
      },
    ]);
    const runner = new PartRunner({
      work: { give: () => ({ number: 'N1' }), take: (input) => input },
      model,
    });
    const result = compositeOf(await runner.run(dynamic, { text: 'an order' }));
    expect(model.calls[1]?.prompt).toContain('which is a circle');
    expect(runner.began).toEqual(['give', 'take']);
    expect(runner.calls[1]?.input).toEqual({ id: 'N1' });
    expect(result.trace.find(({ level }) => level === 1)).toMatchObject({
      by: 'model',
      reason: 'The number is the id.',
    });
  });
});
