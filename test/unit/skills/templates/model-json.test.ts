import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readModelJson } from '../../../../src/skills/templates/model-session.js';
import { EXPLOSION_S, processorSeconds } from '../../../support/processor-time.js';

describe("[SKG-01] reading a model's JSON", () => {
  it.each([
    ['JSON alone', '{"a": 1}'],
    ['with space around', '\n\n {"a": 1}\n'],
    ['in a code fence', '```json\n{"a": 1}\n```'],
    ['in a fence without a language', '```\n{"a": 1}\n```'],
    ['with words around', 'Sure! Here it is:\n{"a": 1}\nLet me know.'],
    ['with words and a fence', 'I chose {this} one:\n```json\n{"a": 1}\n```\nDone.'],
    ['after thinking aloud', '<think>maybe {"a": 2}?</think>\n{"a": 1}'],
  ])('takes it %s', (_, reply) => {
    expect(readModelJson(reply)).toEqual({ value: { a: 1 } });
  });

  it('is not misled by braces and fences inside strings', () => {
    const value = { text: 'a } b { c "quoted" ```json\n{}\n``` \\' };
    expect(readModelJson(`Here: ${JSON.stringify(value)} bye`)).toEqual({ value });
    expect(readModelJson(`\`\`\`json\n${JSON.stringify(value)}\n\`\`\``)).toEqual({ value });
  });

  it.each([
    ['nothing', '  ', 'it is empty'],
    ['a list', '[1, 2]', 'not an object'],
    ['a bare string', '"yes"', 'not an object'],
    ['words', 'I cannot do that.', 'no complete JSON object'],
    ['an object that was cut off', '{"a": {"b": 1}, "c": "un', 'no complete JSON object'],
    ['an object with a trailing comma', '{"a": {"b": 1},}', 'no complete JSON object'],
    ['two objects', '{"a": 1}\n{"a": 2}', 'it holds 2 JSON objects'],
    ['two fences', '```\n{"a": 1}\n```\n```\n{"a": 2}\n```', 'it holds 2 JSON objects'],
  ])('refuses %s', (_, reply, problem) => {
    expect(readModelJson(reply)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('is not kept busy by a reply that is nothing but braces', () => {
    const spent = processorSeconds(() => {
      expect(readModelJson('{'.repeat(500_000))).toHaveProperty('problem');
      expect(readModelJson('x'.repeat(2_000_000))).toHaveProperty('problem');
    });
    expect(spent).toBeLessThan(EXPLOSION_S);
  });

  it('reads any object back, alone, fenced or among words', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const text = JSON.stringify(object);
        const value = JSON.parse(text) as object;
        for (const reply of [text, `\`\`\`json\n${text}\n\`\`\``, `Here you go: ${text}\nDone.`])
          expect(readModelJson(reply)).toEqual({ value });
      }),
      { numRuns: 200 },
    );
  });
});
