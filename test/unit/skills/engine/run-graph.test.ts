import { describe, expect, it } from 'vitest';
import type { SkillCaller } from '../../../../src/core/domain/skill.js';
import { runToMermaid } from '../../../../src/skills/mermaid.js';
import { answering, loadPack, openEngine } from '../../../support/skill-engine.js';
import { COMPOSITE } from '../pack/rules/pack-files.js';
import { door, echo } from './packs.js';

const OPERATOR: SkillCaller = { kind: 'operator', operatorId: 'op_1' };
const OUTER = loadPack({
  'skill.yaml': `id: outer
version: 1.0.0
title: Outer
description: A composite around another one.
type: composite
input_schema: { type: object, required: [body], properties: { body: { type: string } } }
sub_skills:
  - { name: mail, skill: answer_mail, inputs: { body: "{input.body}" } }
  - { name: note, skill: echo, dependencies: [mail], inputs: { text: "{input.body}" } }
`,
});

async function outer() {
  const { skills } = openEngine({ packs: [OUTER, loadPack(COMPOSITE), echo()] });
  const run = await skills.run({ skillId: 'outer', input: { body: 'Hello "you"' }, caller: OPERATOR });
  if (run.result?.kind !== 'composite') throw new Error(JSON.stringify(run.error));
  return { run, value: run.result.value };
}

describe('what a composite did', () => {
  it('[SKD-50] stands in its trace as data, with the levels of nested ones', async () => {
    const { value } = await outer();
    expect(value.trace[0]).toMatchObject({ level: 0, plan: { mode: 'sequential', parts: ['mail', 'note'] } });
    expect(value.trace[1]).toMatchObject({
      level: 1,
      plan: [
        { step: 1, part: 'mail' },
        { step: 2, part: 'note' },
      ],
    });
    const note = value.trace.filter(({ step }) => step === 'note');
    expect(note.map(({ level }) => level)).toEqual([2, 3]);
    expect(note[0]).toMatchObject({ input: { text: 'Hello "you"' } });
    expect(note[1]).toMatchObject({ output: { text: 'Hello "you"' }, cost_usd: 0 });
    const inner = value.trace.filter(({ step }) => step?.startsWith('mail.') || step === 'mail');
    expect(inner.map(({ level }) => level)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4]));
    expect(inner.some(({ step }) => step === 'mail.sort')).toBe(true);
    expect(value.trace.at(-1)).toMatchObject({ level: 4, output: { user_message: value.user_message } });
  });

  it('[SKD-51] is drawn, nested parts too', async () => {
    const { run } = await outer();
    const drawn = runToMermaid(run);
    expect(drawn).toMatch(/^flowchart TD\n {2}start\(\["outer 1\.0\.0"\]\)/);
    expect(drawn).toContain('mail.sort');
    expect(drawn).not.toContain('Hello "you"');
  });

  it('[SKD-51] of an investigation shows the steps, and who chose what', async () => {
    const sources = answering({ shop: (text) => (text.includes('gates') ? [] : [{ status: 'odd' }]) });
    const { skills } = openEngine({ packs: [door()], sources });
    const waiting = await skills.run({ skillId: 'door', input: { booking: 'b1' }, caller: OPERATOR });
    expect(() => runToMermaid(waiting)).toThrow(/waits for a person/);
    const done = await skills.resume(waiting.runId, { choice: 'A', by: 'operator:op_1' });
    const drawn = runToMermaid(done);
    expect(drawn).toContain('look: odd; operator:op_1 chose A');
    expect(drawn).toContain('odd_booking (0.50)');
  });

  it('[SKD-52] is told without a model by what came of it, in the language of the input', async () => {
    const pack = loadPack({
      'skill.yaml': `id: sorter
version: 1.0.0
title: Sort
description: Sorts.
type: composite
input_schema: { type: object, properties: { language: { type: string } } }
sub_skills: [{ name: sort, skill: category, inputs: { language: "{input.language}" } }]
`,
    });
    const category = loadPack({
      'skill.yaml': `id: category
version: 1.0.0
title: Find the category
description: Says what a mail is.
type: atomic
input_schema: { type: object, properties: { language: { type: string }, category: { type: string, default: spam } } }
implementation: { type: ts_function, handler: pass_through }
`,
    });
    const { skills } = openEngine({ packs: [pack, category] });
    for (const [language, words] of [
      ['en', /^What came of it: Find the category: .*category: spam/],
      ['pt-BR', /^O que resultou: Find the category: .*category: spam/],
    ] as const) {
      const run = await skills.run({ skillId: 'sorter', input: { language }, caller: OPERATOR });
      expect(run.result).toMatchObject({ value: { user_message: expect.stringMatching(words) } });
    }
  });
});
