import { describe, expect, it } from 'vitest';
import type {
  InvestigationResult,
  SkillHandoff,
  SkillResult,
  SkillRun,
} from '../../../../src/core/domain/skill.js';
import { type TestCase, testCaseSchema, treeSchema } from '../../../../src/skills/pack/file-schemas.js';
import { NOTHING_USED } from '../../../../src/skills/run/run-context.js';
import { compare } from '../../../../src/skills/testing/run-test-cases.js';

const FOUND: InvestigationResult = {
  root_cause: 'paid_twice',
  explanation: 'Paid twice.',
  impact: null,
  customer_message: null,
  evidence: [],
  confidence_score: 0.8,
  recommended_action: { action: 'process_refund' },
  time_to_investigate: 3,
  steps_completed: 2,
  path: ['account', 'payments'],
  handoffs: [],
  partial: false,
  skill_id: 'double_charge',
  skill_version: '1.0.0',
};
const run = (over: Partial<SkillRun> = {}): SkillRun => ({
  runId: 'r1',
  skillId: 'double_charge',
  skillVersion: '1.0.0',
  status: 'done',
  result: { kind: 'investigation', value: FOUND },
  handoff: null,
  error: null,
  usage: NOTHING_USED,
  durationMs: 3,
  ...over,
});
const plain = (value: SkillResult['value']): SkillRun =>
  run({ result: { kind: 'plain', value } as SkillResult });
/** What a case expects, read as from its file. */
const expecting = (expect: unknown): TestCase['expect'] =>
  testCaseSchema.parse({ name: 'case', input: {}, expect }).expect;
const QUESTION: SkillHandoff = {
  run_id: 'r1',
  skill_id: 'double_charge',
  at: 'payments',
  trigger: 'critical_decision',
  question: 'Refund?',
  advice: null,
  found: [],
  tried: ['account', 'payments', 'logs'],
  options: [],
  proposal: { root_cause: 'paid_twice', confidence: 0.8, recommended_action: { action: 'process_refund' } },
};

describe('[SKX-01] a test case', () => {
  it('passes where everything it names came out so, and what it does not name does not matter', () => {
    const all = {
      root_cause: 'paid_twice',
      confidence_at_least: 0.8,
      confidence_below: 0.81,
      recommended_action: 'process_refund',
      path: ['account', 'payments'],
      handoff: false,
      status: 'done',
    };
    expect(compare(run(), expecting(all), 0)).toEqual([]);
    expect(compare(run(), expecting({}), 3)).toEqual([]);
  });

  it.each([
    [{ root_cause: 'paid_once' }, 'root_cause: expected "paid_once", got "paid_twice"'],
    [{ root_cause: null }, 'root_cause: expected null, got "paid_twice"'],
    [{ recommended_action: null }, 'recommended_action: expected null, got "process_refund"'],
    [{ path: ['account'] }, 'path: expected ["account"], got ["account","payments"]'],
    [{ path: ['payments', 'account'] }, 'path: expected ["payments","account"], got ["account","payments"]'],
    [{ confidence_at_least: 0.9 }, 'confidence: expected at least 0.9, got 0.8'],
    [{ confidence_below: 0.8 }, 'confidence: expected below 0.8, got 0.8'],
    [{ handoff: true }, 'handoff: expected true, got false'],
    [{ status: 'failed' }, 'status: expected "failed", got "done"'],
  ])('that expects %j says what it got instead', (wanted, difference) => {
    expect(compare(run(), expecting(wanted), 0)).toEqual([difference]);
  });

  it('tells every difference, not the first', () => {
    expect(compare(run(), expecting({ root_cause: 'x', path: [], handoff: true }), 0)).toHaveLength(3);
  });

  it('may end with a question: what is proposed counts as found, and checks are not part of the path', () => {
    const waiting = run({ status: 'waiting', result: null, handoff: QUESTION });
    const wanted = expecting({
      root_cause: 'paid_twice',
      recommended_action: 'process_refund',
      confidence_at_least: 0.8,
      path: ['account', 'payments'],
      handoff: true,
      status: 'waiting',
    });
    const step = { name: 'Step', action: { type: 'ask', question: 'Well?' } };
    const tree = treeSchema.parse({
      entry_point: 'account',
      steps: { account: step, payments: step, logs: step },
      parallel_checks: ['logs'],
    });
    expect(compare(waiting, wanted, 1, tree)).toEqual([]);
    expect(compare(waiting, expecting({ status: 'done' }), 1, tree)).toEqual([
      'status: expected "done", got "waiting"',
    ]);
  });

  it('never passes where the run failed, unless that is expected', () => {
    const failed = run({
      status: 'failed',
      result: null,
      error: { code: 'skill_timeout', message: 'Too slow.' },
    });
    expect(compare(failed, expecting({}), 0)).toEqual([
      'status: expected "done", got "failed"',
      'the run failed: skill_timeout, Too slow.',
    ]);
    expect(compare(failed, expecting({ status: 'failed' }), 0)).toEqual([]);
  });
});

describe('[SKX-01] the output a test case expects', () => {
  it('is a part of what came out', () => {
    const got = plain({ a: 1, list: [{ id: 'x', more: true }], deep: { b: null, c: 'd' } });
    expect(compare(got, expecting({ output: { list: [{ id: 'x' }], deep: { b: null } } }), 0)).toEqual([]);
    // A key that is not there and one that is null say the same, as everywhere in skills.
    expect(compare(got, expecting({ output: { none: null } }), 0)).toEqual([]);
  });

  it.each([
    [{ a: 2 }, 'output.a: expected 2, got 1'],
    [{ a: '1' }, 'output.a: expected "1", got 1'],
    [{ list: [] }, 'output.list: expected 0 entries, got 1'],
    [{ list: [{ id: 'y' }] }, 'output.list[0].id: expected "y", got "x"'],
    [{ list: 'x' }, 'output.list: expected "x", got [{"id":"x"}]'],
    [{ a: [1] }, 'output.a: expected a list, got 1'],
    [{ a: { b: 1 } }, 'output.a: expected an object, got 1'],
    [{ gone: { b: 1 } }, 'output.gone: expected an object, got null'],
  ])('%j is told with its place', (output, difference) => {
    expect(compare(plain({ a: 1, list: [{ id: 'x' }] }), expecting({ output }), 0)).toEqual([difference]);
  });

  it('does not depend on the order of keys where a whole value is named', () => {
    expect(
      compare(plain({ a: { x: 1, y: [2] } }), expecting({ output: { a: { y: [2], x: 1 } } }), 0),
    ).toEqual([]);
  });

  it('of a generation may name the fields that were written', () => {
    const value = {
      success: true,
      data: { reply: 'Hello' },
      attempts: 1,
      timings_ms: { prompt_render: 0, llm_call: 0, validation: 0, total: 0 },
      provider: 'offline',
    } as const;
    const written = run({ result: { kind: 'generation', value } });
    expect(compare(written, expecting({ output: { reply: 'Hello', success: true } }), 0)).toEqual([]);
    expect(compare(written, expecting({ output: { reply: 'Bye' } }), 0)).toEqual([
      'output.reply: expected "Bye", got "Hello"',
    ]);
  });

  it('is missing altogether where nothing came out', () => {
    const waiting = run({ status: 'waiting', result: null, handoff: QUESTION });
    expect(compare(waiting, expecting({ output: { a: 1 } }), 1)).toEqual([
      'output: expected an object, got null',
    ]);
  });

  it('is cut where it is long', () => {
    const [difference = ''] = compare(plain('x'.repeat(5_000)), expecting({ output: 'y' }), 0);
    expect(difference.length).toBeLessThan(300);
  });
});
