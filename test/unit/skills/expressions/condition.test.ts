import { describe, expect, it } from 'vitest';
import { compileCondition, compileFormula } from '../../../../src/skills/expressions/expression.js';
import { holds, scope, thrown } from './scope.js';

describe('[SKE-01] conditions', () => {
  it.each([
    ['result.count == 0', true],
    ['result.count == 0.0', true],
    ['result.count > 1.0', false],
    ['result.amount > 10', true],
    ['result.amount > 10.5', false],
    ['result.amount_cents / 2 == 50', true],
    ['result.amount_cents / 2.0 == 50.5', true],
    ['result.price + 0.5 == 10.5', true],
    ['result.amount * 2 == 21', true],
    ['result.amount_cents % 2 == 1', true],
    ['steps.step_1.count >= 2', true],
    ['-result.amount < 0', true],
  ])('[SKE-01] compares numbers as an author reads them: %s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  it.each([
    ["result.status in ['reserved', 'paid']", true],
    ["result.status.startsWith('res') && !result.status.contains('x')", true],
    ["(result.count == 0 ? 'none' : 'some') == 'none'", true],
    ['size(result.rows) > 2 && result.rows.size() == 3', true],
    ["result.rows.exists(r, r.note == 'late')", true],
    ["result.rows.all(r, r.status == 'paid')", false],
    ['result.rows.filter(r, r.status == null).size() == 2', true],
    ["result.rows.map(r, r.status)[0] == 'paid'", true],
    ['result.rows.exists_one(r, has(r.note))', true],
    ["customer.visits[1] == 1 && customer['blocked'] == false", true],
    ["'blocked' in customer", true],
    ["result.status.matches('^re.*ed$')", true],
    ['type(result.count) == int', true],
    ["type == 'refund'", true],
    ['// a comment\nresult.count == 0', true],
    ["r'\\d' == '\\\\d'", true],
  ])('[SKE-01] understands CEL: %s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  it.each([
    ["timestamp(result.created_at) > now - duration('48h')", true],
    ["timestamp(result.created_at) > now - duration('1h')", false],
    ['timestamp(result.stored_at) == timestamp(result.created_at)', true],
    ["timestamp(result.postgres_at) - timestamp(result.created_at) < duration('1s')", true],
    ['timestamp(result.day) < now', true],
    ['now.getFullYear() == 2026', true],
    ['timestamp(result.ended_at) < now', false],
  ])('[SKE-01] reads times however a database writes them: %s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  it('[SKE-01] takes now as text as well', () => {
    expect(holds("now > timestamp('2026-01-01T00:00:00Z')", { now: '2026-03-12T00:00:00Z' })).toBe(true);
  });
});

describe('[SKE-01] names that are missing', () => {
  it.each([
    ['nothing == null', true],
    ['nothing.at.all == null', true],
    ['result.nothing is null', true],
    ['result.status.length is null', true],
    ['result.ended_at.year is null', true],
    ['result.rows[9].status is null', true],
    ['result.rows[2].status is null', true],
    ["result.nothing == 'reserved'", false],
    ["result.nothing != 'reserved'", true],
    ['result.nothing > 5', false],
    ['!result.nothing', false],
    ['has(result.status)', true],
    ['has(result.ended_at)', true],
    ['has(result.nothing)', false],
    ['has(nothing.at.all)', false],
    ['has(result.rows[2].note)', true],
    ['has(result.rows[0].note)', false],
    ['result == null', false],
    ['result.nothing == null && result != null && result.count == 0', true],
  ])('[SKE-01] reads what is missing as null: %s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  it('[SKE-01] says why where types do not compare', () => {
    const { holds: does, note } = compileCondition('result.nothing > 5').judge(scope);
    expect(does).toBe(false);
    expect(note).toBe('"result.nothing > 5": no such overload: null > int');
  });

  it('[SKE-01] says nothing where it is simply false', () => {
    expect(compileCondition('result.count == 7').judge(scope)).toEqual({ holds: false });
  });

  it('[SKE-01] accepts is null and is not null as another spelling, but not inside a text', () => {
    expect(holds('result.ended_at is null && result.status IS NOT NULL')).toBe(true);
    expect(holds("text == 'x is null'", { text: 'x is null' })).toBe(true);
    expect(holds(`text == "it's is not null"`, { text: "it's is not null" })).toBe(true);
  });

  it('[SKE-01] names what it looks at, without the variables of its macros', () => {
    const { names } = compileCondition(
      'result.rows.exists(r, r.status == customer.status) && steps.step_1.count > 0 && has(result.zip)',
    );
    expect([...names].sort()).toEqual(['customer.status', 'result.rows', 'result.zip', 'steps.step_1.count']);
  });
});

describe('[SKE-01] an expression that is wrong', () => {
  it.each([
    ['result.count ==', 16, 'Unexpected token: EOF'],
    ['result.count === 1', 16, 'Unexpected character: ='],
    ["'unterminated", 1, 'Unterminated string'],
    ['frobnicate(result.count)', 1, 'there is no function frobnicate; there is: has, size'],
    ['result.status.reverse()', 15, 'there is no function reverse'],
    ['a && result.count.frobnicate() > 1', 19, 'there is no function frobnicate'],
    ['has(result)', 1, 'has() takes a field'],
    ["'a' < 5", 1, 'no such overload: string < int'],
    ['x is null and y', 11, 'Unexpected character'],
    ['result.?status == 1', 8, 'Expected IDENTIFIER'],
    ['', 1, 'Unexpected token: EOF'],
  ])('[SKE-01] is refused with its place: %s', (text, position, why) => {
    const error = thrown(() => compileCondition(text));
    expect(error).toMatchObject({ code: 'expression_invalid', fields: { position } });
    expect(error.message).toContain(why);
    expect(error.message).toContain(`"${text}"`);
    expect(error.message.split('\n')).toHaveLength(1);
  });

  it.each(['size(result.rows)', "'yes'", 'result.rows.map(r, r.status)', '{"a": 1}'])(
    '[SKE-01] is refused where it cannot be true or false: %s',
    (text) => {
      expect(thrown(() => compileCondition(text)).message).toMatch(/it gives .*, not true or false/);
    },
  );

  it('[SKE-01] is refused where it is too long, too deep or too wide', () => {
    const long = Array.from({ length: 400 }, (_, index) => `a${index} == 1`).join(' || ');
    const deep = `${'('.repeat(60)}true${')'.repeat(60)}`;
    const wide = `x in [${'1,'.repeat(200)}1]`;
    for (const text of [long, deep, wide]) {
      expect(thrown(() => compileCondition(text)).code).toBe('expression_invalid');
    }
  });
});

describe('[SKE-01] formulas', () => {
  it.each([
    ['result.count + 1', 1],
    ["result.status + '!'", 'reserved!'],
    ['result.rows.map(r, r.status)', ['paid', null, null]],
    ["result.nothing == null ? null : 'x'", null],
    ["{'id': result.amount_cents, 'list': [1, 'a']}", { id: 101, list: [1, 'a'] }],
    ['now', '2026-03-12T00:00:00.000Z'],
    ["duration('90m')", 5400],
    ['result.nothing', null],
    ['result.nothing + 1', undefined],
  ])('[SKE-01] give JSON: %s', (text, expected) => {
    expect(compileFormula(text).value({ ...scope, now: '2026-03-12T00:00:00Z' } as never)).toEqual(expected);
  });
});
