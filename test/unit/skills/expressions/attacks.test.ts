import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HubError } from '../../../../src/core/errors.js';
import {
  compileCondition,
  compileFormula,
  type Scope,
} from '../../../../src/skills/expressions/expression.js';
import { EXPLOSION_S, processorSeconds } from '../../../support/processor-time.js';
import { holds, scope, thrown } from './scope.js';

describe('[SKE-01] an expression that attacks', () => {
  it.each([
    'constructor',
    'constructor.constructor',
    '__proto__.polluted',
    'result.constructor',
    'result.__proto__',
    'result.toString',
    'result.rows.constructor',
    "result['constructor']",
    "result['__proto__']",
    "result.status['constructor']",
    'result.rows.length',
    'process.env',
    'globalThis',
    'toString',
  ])('[SKE-01] finds nothing outside its data: %s', (name) => {
    const outcome = attempt(() => compileFormula(name).value({ result: { status: 'a', rows: [] } }));
    expect([null, undefined, 'refused']).toContain(outcome);
  });

  it.each([
    "cel.bind(t, 'x', t)",
    "result.constructor('return process')()",
    "b'{}'.json()",
    'hub_tick()',
    'optional.none()',
    "result.status.replace('a', 'b')",
  ])('[SKE-01] calls nothing but the functions of conditions: %s', (text) => {
    expect(thrown(() => compileCondition(text)).code).toBe('expression_invalid');
  });

  it('[SKE-01] sees own fields of the data only, also where they are called like a prototype', () => {
    const hostile = JSON.parse('{"input":{"__proto__":{"admin":true},"constructor":"mine"}}') as Scope;
    expect(holds('input.admin == true', hostile)).toBe(false);
    expect(holds("input.constructor == 'mine'", hostile)).toBe(true);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('[SKE-01] stops a pattern that would run for years', () => {
    const condition = compileCondition("text.matches('^(a+)+$')");
    let judged: ReturnType<typeof condition.judge> | undefined;
    const spent = processorSeconds(() => {
      judged = condition.judge({ text: `${'a'.repeat(40)}b` });
    });
    expect(judged).toMatchObject({ holds: false, note: expect.stringContaining('takes too long') });
    expect(spent).toBeLessThan(EXPLOSION_S);
  });

  it('[SKE-01] stops lists within lists when the time is up, and refuses a third level', () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ id: index, text: 'x'.repeat(50) }));
    const heavy = 'rows.all(a, rows.all(b, a.text + b.text + a.text + b.text + a.text != b.text))';
    expect(compileCondition(heavy).judge({ rows }).note).toContain('it takes longer than 250 ms');
    expect(() => compileCondition('a.all(x, b.all(y, c.all(z, true)))')).toThrow(/lists within lists/);
  });

  it('[SKE-01] looks at the first thousand entries of a list', () => {
    const rows = Array.from({ length: 1_000_000 }, (_, index) => index);
    expect(holds('size(rows) == 1000 && !(5000 in rows)', { rows })).toBe(true);
  });

  it('[SKE-01] reads any text without hanging, crashing or throwing anything but its own error', () => {
    const word = fc.constantFrom(
      ...[
        'result',
        '.',
        'count',
        '==',
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        "'",
        '"',
        'is',
        'null',
        'not',
        'has',
        ',',
      ],
      ...[
        'exists',
        'r',
        '1',
        '0x',
        '&&',
        '!',
        '?',
        ':',
        '-',
        '\\',
        '//',
        '\n',
        '😀',
        'b',
        'in',
        '1.5',
        'type',
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(' ')),
        ),
        (text) => {
          const outcome = attempt(() => typeof compileCondition(text).holds(scope));
          expect(['boolean', 'refused']).toContain(outcome);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('[SKE-01] compares any text with itself, whatever signs it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(holds('input.value == value && value in [value]', { input: { value }, value })).toBe(true);
      }),
    );
  });
});

/** What it gives; `refused` where that is our own error. Anything else thrown fails the test. */
function attempt<T>(work: () => T): T | 'refused' {
  try {
    return work();
  } catch (error) {
    if (error instanceof HubError && error.code === 'expression_invalid') return 'refused';
    throw error;
  }
}
