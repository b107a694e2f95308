import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAndRepair } from '../../../../src/skills/pack/checked-file.js';
import { FaultList, noteIssues } from '../../../../src/skills/pack/schema-faults.js';
import { readTextFile } from '../../../../src/skills/pack/text-file.js';

const action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('query'), source: z.string(), query_template: z.string() }),
  z.strictObject({ type: z.literal('ask'), question: z.string() }),
]);
const schema = z.strictObject({
  id: z.string(),
  status: z.enum(['poc', 'active', 'deprecated']).default('poc'),
  confidence: z.number().min(0).max(1).optional(),
  tags: z.array(z.string()).default([]),
  steps: z
    .record(z.string().regex(/^[a-z_]+$/, 'must be snake_case'), z.strictObject({ action }))
    .default({}),
  fix: z.union([z.strictObject({ sql: z.string() }), z.strictObject({ file: z.string() })]).optional(),
  handoff: z.strictObject({ action: z.string() }).optional(),
});

function faultsOf(text: string) {
  const { file } = readTextFile('skill.yaml', text);
  const faults = new FaultList('skills/x');
  const { issues } = parseAndRepair(schema, file.value);
  noteIssues(issues, schema, file, faults);
  return faults.list();
}

describe('[SKD-02] what is said of a file that does not fit its keys', () => {
  it.each([
    ['id: x\nstaus: poc', 2, 'unknown_key', 'Unknown key "staus"; did you mean "status"?'],
    ['id: x\nzebra: 1', 2, 'unknown_key', 'remove it. Known keys are: id, status,'],
    ['status: poc', 1, 'missing_key', 'The key "id" is missing. Add it; it must be text.'],
    ['id: 1.0', 1, 'wrong_type', 'id must be text, but is 1. Put it in quotes.'],
    ['id: {order_id}', 1, 'wrong_type', 'Put it in quotes: "{order_id}".'],
    ['id: x\ntags: a', 2, 'wrong_type', 'tags must be a list, but is "a".'],
    ['id: x\ntags:\n  - a\n  - [b]', 4, 'wrong_type', 'tags[1] must be text, but is a list.'],
    ['id: x\nstatus: actve', 2, 'wrong_value', 'Did you mean "active"?'],
    ['id: x\nconfidence: 95', 2, 'wrong_value', 'confidence must be at most 1, but is 95.'],
    [
      'id: x\nsteps:\n  Step-1: { action: { type: ask, question: x } }',
      3,
      'wrong_name',
      'must be snake_case',
    ],
    ['id: x\nsteps:\n  a:\n    action:\n      type: quer\n      source: s', 5, 'wrong_value', 'query, ask'],
    [
      'id: x\nsteps:\n  a:\n    action: { type: ask, questoin: x, question: y }',
      4,
      'unknown_key',
      '"question"',
    ],
    ['id: x\nfix: { fil: a, file: b }', 2, 'unknown_key', 'did you mean "file"'],
    [
      'id: x\nhandoff: { action: Look, and decide. }',
      2,
      'unknown_key',
      'a text with a comma inside { }, put that text in quotes',
    ],
    ['- a', 1, 'wrong_type', 'skill.yaml must hold keys and values, but is a list.'],
    ['', 1, 'wrong_type', 'skill.yaml must hold keys and values, but is empty.'],
  ])('[SKD-02] %j', (text, line, code, says) => {
    const faults = faultsOf(text);
    expect(faults.map((fault) => [fault.line, fault.code])).toEqual([[line, code]]);
    expect(faults[0]?.message).toContain(says);
    expect(faults[0]?.file).toBe('skills/x/skill.yaml');
  });

  it('[SKD-02] all at once, by line', () => {
    const faults = faultsOf('ix: 1\nstatus: 5\nconfidence: -1\ntags: [1, 2]\n');
    expect(faults.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '1 missing_key',
      '1 unknown_key',
      '2 wrong_value',
      '3 wrong_value',
      '4 wrong_type',
      '4 wrong_type',
    ]);
  });
});

describe('[SKD-02] what can be used of a file with faults', () => {
  it('[SKD-02] is all but the faulty', () => {
    const value = { id: 'x', status: 'wrong', other: 1, tags: ['a', 1, 'b', 2], confidence: 0.5 };
    const { data, issues } = parseAndRepair(schema, value);
    expect(data).toMatchObject({ id: 'x', status: 'poc', confidence: 0.5 });
    expect(data?.tags).toEqual(['a', 'b']);
    expect(issues).toHaveLength(4);
  });

  it('[SKD-02] leaves the value itself as it is', () => {
    const value = Object.freeze({ id: 'x', tags: Object.freeze([1]) });
    parseAndRepair(schema, value);
    expect(value).toEqual({ id: 'x', tags: [1] });
  });

  it('[SKD-02] takes stand-ins for what the root lacks', () => {
    expect(parseAndRepair(schema, { tags: ['a'] }, { id: 'unknown' }).data).toMatchObject({
      id: 'unknown',
      tags: ['a'],
    });
  });

  it.each([[null], ['text'], [5], [[1, 2]], [{}]])(
    '[SKB-01] is little or nothing of %j, and never an error',
    (value) => {
      expect(() => parseAndRepair(schema, value)).not.toThrow();
    },
  );
});
