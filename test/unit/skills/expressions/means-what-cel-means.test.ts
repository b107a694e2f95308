import { evaluate } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileCondition, type Verdict } from '../../../../src/skills/expressions/expression.js';

const data = {
  n: 3,
  d: 1.5,
  s: 'abc',
  b: true,
  o: { n: 2, s: 'x y' },
  l: [1, 2, 3],
  r: [{ n: 1 }, { n: 4 }],
};
/** The same as CEL itself takes it: whole numbers are bigints there. */
const asCel = JSON.parse(JSON.stringify(data), (_key, value) =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value,
);

/** Right CEL over data that is all there, put together at random. */
const { bool } = fc.letrec<{ int: string; text: string; list: string; bool: string }>((tie) => ({
  int: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('n', 'o.n', "o['n']", '7', 'size(s)', 'size(l)', 'l[0]', 'r[1].n', 's.size()', '(n)'),
    fc.tuple(tie('int'), fc.constantFrom('+', '-', '*'), tie('int')).map((parts) => `(${parts.join(' ')})`),
    fc.tuple(tie('bool'), tie('int'), tie('int')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
  text: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      's',
      'o.s',
      "'abc'",
      '"x is null"',
      "r'a\\b'",
      "'it\\'s'",
      '"[{(.?"',
      "l.map(v, string(v)).join('.')",
    ),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a}+${b})`),
  ),
  list: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      'l',
      '[1, 2]',
      'r.map(x, x.n)',
      'l.filter(x, x > 1)',
      'r.filter(x, has(x.n)).map(n, n.n)',
    ),
    fc.tuple(tie('list'), tie('int')).map(([a, b]) => `${a}.map(y, y + ${b})`),
  ),
  bool: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('b', '!b', 'has(o.n)', 'has(o.q)', "'n' in o", 'd > 1', "s.startsWith('a')", 'true'),
    fc.tuple(tie('int'), fc.constantFrom('==', '!=', '<', '>='), tie('int')).map((parts) => parts.join('')),
    fc.tuple(tie('text'), fc.constantFrom('==', '!='), tie('text')).map((parts) => parts.join(' ')),
    fc.tuple(tie('int'), tie('list')).map(([a, b]) => `${a} in ${b}`),
    fc
      .tuple(tie('list'), fc.constantFrom('all', 'exists', 'exists_one'), tie('int'))
      .map(([a, name, b]) => `${a}.${name}(n, n < ${b} && b)`),
    fc.tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool')).map((parts) => `(${parts.join('\n')})`),
  ),
}));

it('[SKE-01] a condition over data that is all there means what CEL itself makes of it', () => {
  let compared = 0;
  fc.assert(
    fc.property(bool, (text) => {
      fc.pre(text.length < 500);
      let expected: unknown;
      try {
        expected = evaluate(text, asCel);
      } catch {
        // What CEL refuses for its types is not what is compared here.
        return;
      }
      const verdict = judged(text);
      if (verdict === null) return;
      compared += 1;
      expect(verdict).toEqual({ holds: expected });
    }),
    { numRuns: 2_000 },
  );
  expect(compared).toBeGreaterThan(500);
});

/** Null where it is larger than conditions may be. */
function judged(text: string): Verdict | null {
  try {
    return compileCondition(text).judge(data);
  } catch (error) {
    if (error instanceof Error && /lists within lists|Exceeded max/.test(error.message)) return null;
    throw error;
  }
}
