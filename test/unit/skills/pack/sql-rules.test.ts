import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqlFaults } from '../../../../src/skills/pack/sql-rules.js';
import { EXPLOSION_S, processorSeconds } from '../../../support/processor-time.js';

const codesOf = (sql: string, limits?: Parameters<typeof sqlFaults>[1]) =>
  sqlFaults(sql, limits).map(({ code }) => code);

describe('[SKE-02] SQL that a pack may not have', () => {
  it.each([
    ["SELECT a FROM t WHERE x = '{name}'", 'quoted_placeholder'],
    ["SELECT a FROM t WHERE x LIKE '%{name}%'", 'quoted_placeholder'],
    ["SELECT a FROM t WHERE x = 'it''s {name}'", 'quoted_placeholder'],
    ["SELECT a FROM t WHERE x = '{{name}}'", 'quoted_placeholder'],
    [`SELECT a FROM t WHERE x = '\${name}'`, 'quoted_placeholder'],
    ['SELECT $$ {name} $$ FROM t', 'quoted_placeholder'],
    ['SELECT $q$ {name} $q$ FROM t', 'quoted_placeholder'],
    ['SELECT a FROM t -- {name}', 'quoted_placeholder'],
    ['SELECT a /* {name} */ FROM t', 'quoted_placeholder'],
    ['SELECT "{name}" FROM t', 'pasted_placeholder'],
    ['SELECT `{name}` FROM t', 'pasted_placeholder'],
    ['SELECT a FROM {name}', 'pasted_placeholder'],
    ['SELECT a FROM t, {name}', 'pasted_placeholder'],
    ['SELECT a FROM t JOIN {name} ON true', 'pasted_placeholder'],
    ['SELECT a FROM shop.{name}', 'pasted_placeholder'],
    ['SELECT a FROM t_{name}', 'pasted_placeholder'],
    ['SELECT {name}.a FROM t', 'pasted_placeholder'],
    ['SELECT a FROM t ORDER BY {name}', 'pasted_placeholder'],
    ['SELECT a FROM t ORDER BY a, {name} DESC', 'pasted_placeholder'],
    ['SELECT a FROM t ORDER BY a {name}', 'pasted_placeholder'],
    ['SELECT a FROM t ORDER BY t.a {name} LIMIT 3', 'pasted_placeholder'],
    ['SELECT a, count(*) FROM t GROUP BY {name}', 'pasted_placeholder'],
    ['SELECT {{name}} FROM t', 'pasted_placeholder'],
    [`SELECT \${name} FROM t`, 'pasted_placeholder'],
    ['SELECT a FROM t WHERE x = {name:String}', 'pasted_placeholder'],
    ['DELETE FROM t', 'not_a_read'],
    ['update t set a = {name}', 'not_a_read'],
    ['PRAGMA table_info(t)', 'not_a_read'],
    ["ATTACH 'x.db' AS x", 'not_a_read'],
    ['', 'not_a_read'],
    ['-- nothing but a comment', 'not_a_read'],
    ['WITH gone AS (DELETE FROM t RETURNING a) SELECT * FROM gone', 'not_a_read'],
    ['WITH s AS (SELECT 1) UPDATE t SET a = 1', 'not_a_read'],
    ['SELECT a INTO copy FROM t', 'not_a_read'],
    ['SELECT 1; DROP TABLE t', 'several_statements'],
    ['SELECT 1; -- more\nSELECT 2', 'several_statements'],
    ['SELECT a FROM t WHERE x = {name|money}', 'invalid_query'],
    ['SELECT a FROM t WHERE x = { }', 'invalid_query'],
  ])('[SKE-02] refuses %j as %s', (sql, code) => {
    expect(codesOf(sql)).toEqual([code]);
  });

  it('[SKE-02] tells all faults at once, each with what to do', () => {
    const faults = sqlFaults("SELECT a FROM secrets WHERE x = '{name}' ORDER BY {column}; SELECT 2", {
      tables: ['orders'],
    });
    expect(faults.map(({ code }) => code).sort()).toEqual([
      'pasted_placeholder',
      'quoted_placeholder',
      'several_statements',
      'unknown_table',
    ]);
    expect(faults.find(({ code }) => code === 'quoted_placeholder')?.message).toContain(
      'Write {name} without the quotes',
    );
  });

  it("[SKE-02] knows ClickHouse's backslash, which ends no text there", () => {
    const sql = "SELECT a FROM t WHERE x = 'it\\'s {name}'";
    expect(codesOf(sql, { kind: 'clickhouse' })).toEqual(['quoted_placeholder']);
  });

  it('[SKE-02] never throws, whatever the text, and takes no long time over it', () => {
    const pieces = fc.constantFrom(
      "'",
      '"',
      '`',
      '{',
      '}',
      '{a}',
      '$',
      '$$',
      '(',
      ')',
      '--',
      '/*',
      ';',
      ' ',
      '\n',
      'select',
      'from',
      'with',
      'x',
      ',',
      'order by',
      '.',
      'é',
      '\0',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.array(fc.string()), (words, tables) => {
        expect(Array.isArray(sqlFaults(words.join(''), { tables }))).toBe(true);
      }),
    );
    for (const text of ["'", '(', '{', '$$', '/*', '{a}', 'from x,', '"'])
      expect(
        processorSeconds(() => void sqlFaults(text.repeat(20_000))),
        text,
      ).toBeLessThan(EXPLOSION_S);
  });
});

describe('[SKE-02] SQL that a pack may have', () => {
  it.each([
    'SELECT a FROM t WHERE x = {customer.user_id}',
    "SELECT a FROM t WHERE x LIKE '%' || {name} || '%'",
    "SELECT a FROM t WHERE x ~ '^[a-z]{3}$'",
    `SELECT '{"a": 1}' AS json FROM t`,
    'SELECT {name}::uuid AS id FROM t',
    'SELECT a FROM t WHERE day > now() - INTERVAL {days} DAY LIMIT {count};',
    'SELECT a FROM t WHERE x IN ({one}, {two}) ORDER BY coalesce(a, {one})',
    'SELECT a FROM t ORDER BY CASE WHEN a = {name} THEN 0 ELSE 1 END, b = {name} DESC',
    'SELECT substring(a FROM {start}) FROM t',
    'WITH recent AS (SELECT a FROM t WHERE a > {name}) SELECT a FROM recent',
    '(SELECT 1) UNION (SELECT 2)',
    'VALUES (1), (2)',
    'SELECT "into", t.update, replace(a, {one}, {two}) FROM t',
    "SELECT 'DELETE FROM t; SELECT' AS text FROM t",
    'SELECT a -- a note\nFROM t',
  ])('[SKE-02] takes %j', (sql) => {
    expect(sqlFaults(sql)).toEqual([]);
  });
});

describe('[SKE-02] the tables of a source', () => {
  const limits = { tables: ['orders', 'shop.parcels'] };

  it.each([
    'SELECT a FROM orders',
    'SELECT a FROM ORDERS o JOIN shop.parcels p ON p.a = o.a',
    'SELECT a FROM public.orders',
    'SELECT a FROM "orders"',
    'WITH recent AS (SELECT a FROM orders) SELECT a FROM recent, orders',
    'SELECT extract(year FROM day) FROM orders WHERE a IS NOT DISTINCT FROM b',
    'SELECT value FROM orders, json_each(orders.list)',
    'SELECT a FROM (SELECT a FROM orders) AS inner_orders',
  ])('[SKE-02] are all that %j reads', (sql) => {
    expect(sqlFaults(sql, limits)).toEqual([]);
  });

  it.each([
    'SELECT a FROM users',
    'SELECT a FROM orders, users',
    'SELECT a FROM orders LEFT JOIN users ON true',
    'SELECT a FROM orders WHERE x IN (SELECT x FROM users)',
    'SELECT a FROM orders UNION SELECT a FROM users',
    'SELECT a FROM "users"',
    "SELECT a FROM pg_read_file('/etc/passwd')",
    "SELECT a FROM url('http://127.0.0.1/')",
  ])('[SKE-02] are not all that %j reads', (sql) => {
    expect(codesOf(sql, limits)).toEqual(['unknown_table']);
  });

  it('[SKE-02] are named where one is misspelt', () => {
    expect(sqlFaults('SELECT a FROM ordres', limits)[0]?.message).toContain('Did you mean "orders"?');
  });
});
