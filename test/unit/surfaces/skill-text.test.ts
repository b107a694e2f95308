import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { SkillResult, SkillRun } from '../../../src/core/domain/skill.js';
import { readSkillInput } from '../../../src/surfaces/cli/skill/run-skill.js';
import { formatResume, formatRun } from '../../../src/surfaces/cli/skill/run-text.js';
import { formatFaults, formatTests } from '../../../src/surfaces/cli/skill/skill-text.js';

const RUN: SkillRun = {
  runId: 'run_1',
  skillId: 'double_charge',
  skillVersion: '1.0.0',
  status: 'done',
  result: null,
  handoff: null,
  error: null,
  usage: { steps: 1, api_calls: 2, llm_calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_usd: 0 },
  durationMs: 12.4,
};
const done = (result: SkillResult): string => formatRun({ ...RUN, result });

describe('[SKX-01] a run in words', () => {
  it('says what was found, what is advised and what the customer may be told', () => {
    const text = done({
      kind: 'investigation',
      value: {
        root_cause: 'booking_paid_twice',
        explanation: 'Two payments\nof R$ 60.00',
        impact: 'high',
        customer_message: { en: 'You paid twice.' },
        evidence: [
          { step: 'look', name: 'Look', decision: 'twice', finding: 'Two payments', confidence: 0.9 },
          {
            step: 'logs',
            name: 'Logs',
            decision: null,
            finding: '',
            confidence: 0,
            error: { code: 'source_unavailable', message: 'logs is down.' },
          },
        ],
        confidence_score: 0.93,
        recommended_action: {
          action: 'process_refund',
          priority: 'high',
          human_approval_required: true,
          arguments: { payment_id: 'pay_1' },
        },
        time_to_investigate: 3,
        steps_completed: 2,
        path: ['look'],
        handoffs: [{ at: 'look', trigger: 'low_confidence', choice: 'B', by: 'operator:op_1' }],
        partial: true,
        skill_id: 'double_charge',
        skill_version: '1.0.0',
      },
    });
    for (const part of [
      'booking_paid_twice (confidence 0.93)',
      'Two payments of R$ 60.00',
      'process_refund (high, a person must approve) {"payment_id":"pay_1"}',
      'Two payments (0.90)',
      'not checked, source_unavailable: logs is down.',
      'operator:op_1 chose B',
      'not the whole story',
      'en: You paid twice.',
      '12 ms, 1 step, 2 calls to sources',
    ])
      expect(text).toContain(part);
  });

  it('shows what the steps of a composite came to, and a review’s issues', () => {
    const composite = done({
      kind: 'composite',
      value: {
        summary: 'Half of it is done.',
        detailed_results: [
          {
            step: 'draft',
            skill_id: 'draft_reply',
            status: 'done',
            duration_ms: 3,
            attempts: 1,
            cached: true,
          },
          {
            step: 'review',
            skill_id: 'review_reply',
            status: 'failed',
            error: { code: 'skill_timeout', message: 'Too slow.' },
            duration_ms: 9,
            attempts: 2,
            cached: false,
          },
        ],
        user_message: 'Hello\nthere',
        next_actions: ['call the customer'],
        success_rate: 0.5,
        conflicts: [
          {
            about: 'root_cause',
            said: [
              { step: 'a', value: 'x' },
              { step: 'b', value: 'y' },
            ],
          },
        ],
        partial_failures: [],
        trace: [],
        output: { reply: 'x' },
        skill_id: 'resolve_ticket',
        skill_version: '1.0.0',
      },
    });
    expect(composite).toMatch(/draft \(draft_reply\): done, 3 ms, cached/);
    expect(composite).toMatch(/review \(review_reply\): failed, skill_timeout: Too slow\./);
    expect(composite).toMatch(/50 %[\s\S]* {2}Hello\n {2}there[\s\S]*call the customer/);
    const review = done({
      kind: 'review',
      value: {
        pass: false,
        issues: ['promises a refund'],
        suggested_fixes: ['do not'],
        indeterminate: ['tone'],
        score: 0.25,
        timings_ms: { evaluation: 1, total: 1 },
        provider: 'offline',
      },
    });
    expect(review).toMatch(
      /not passed, score 0\.25 \(offline\)[\s\S]*promises a refund[\s\S]*do not[\s\S]*tone/,
    );
  });

  it('gives the exact command for each option, with the values that are missing', () => {
    const waiting: SkillRun = {
      ...RUN,
      status: 'waiting',
      handoff: {
        run_id: 'run_1',
        skill_id: 'double_charge',
        at: 'draft',
        trigger: 'missing_parameter',
        question: 'Which?',
        advice: null,
        found: [],
        tried: [],
        options: [
          { id: 'A', label: 'Go on' },
          { id: 'C', label: 'Take over' },
        ],
        proposal: null,
        fields: ['language'],
      },
    };
    expect(formatResume(waiting)).toBe(
      'To go on:\n' +
        `  npm run skill -- run --resume run_1 --choose A --input '{"language":"..."}'\n` +
        '  npm run skill -- run --resume run_1 --choose C\n',
    );
    expect(formatRun(waiting)).toMatch(/Asks +Which\?[\s\S]*A +Go on/);
    expect(formatResume(RUN)).toBe('');
  });

  it('[SKB-03] lets nothing through that would steer a terminal', () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007red\u202e';
    const text = [
      done({ kind: 'plain', value: { [evil]: evil } }),
      formatRun({ ...RUN, status: 'failed', error: { code: 'skill_failed', message: evil } }),
      formatFaults([{ file: evil, line: 1, code: 'x', message: evil }]),
      formatTests([
        {
          skillId: 'a',
          version: '1.0.0',
          name: evil,
          file: evil,
          passed: false,
          differences: [evil],
          run: null,
        },
      ]),
    ].join('');
    expect(text).toContain('red');
    expect(text).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});

describe('[SKX-01] the input of a skill', () => {
  const stdin = (text: string) => Readable.from([text]);

  it('is JSON, a file, or standard input', async () => {
    expect(await readSkillInput('{"a": 1}', stdin(''))).toEqual({ a: 1 });
    expect(await readSkillInput('-', stdin('\uFEFF{"a": [1]}'))).toEqual({ a: [1] });
    expect(await readSkillInput('@package.json', stdin(''))).toMatchObject({ name: 'uda-hub' });
  });

  it.each([
    ['{', /--input is no JSON/],
    ['[1]', /--input must be a JSON object/],
    ['"text"', /--input must be a JSON object/],
    ['null', /--input must be a JSON object/],
    ['@/nowhere/input.json', /\/nowhere\/input\.json cannot be read/],
    ['@', /cannot be read/],
    ['-', /standard input is no JSON/],
  ])('[SKB-03] %s is refused as wrong usage', async (given, words) => {
    const refused = readSkillInput(given, stdin('nothing'));
    await expect(refused).rejects.toMatchObject({ code: 'usage' });
    await expect(refused).rejects.toThrow(words);
  });

  it('[SKB-03] is refused where it is larger than any skill takes', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield 'x'.repeat(1_000_000);
      })(),
    );
    await expect(readSkillInput('-', endless)).rejects.toMatchObject({ code: 'usage' });
  });
});
