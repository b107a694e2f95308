import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SourceSpec } from '../../../../src/core/ports/data-source.js';
import { faultOf, openTestSources, type TestSources } from './support.js';

const SHOP: SourceSpec = { name: 'shop', kind: 'sqlite', database: 'shop' };
const ENDLESS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT 1 FROM c) SELECT count(*) AS n FROM c';

describe('[SKS-01] a SQLite source', () => {
  let dataDir: string;
  let sources: TestSources;

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'hub-sqlite-'));
    fill(join(dataDir, 'shop.db'), 'first');
    sources = openTestSources({}, dataDir);
  });

  afterAll(async () => {
    await sources.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('[SKS-01] binds values with their types', async () => {
    const sql = 'SELECT typeof(?) AS i, typeof(?) AS r, typeof(?) AS t, typeof(?) AS b, typeof(?) AS n';
    expect(await sources.rows(SHOP, sql, [5, 5.5, 'x', true, null])).toEqual([
      { i: 'integer', r: 'real', t: 'text', b: 'integer', n: 'null' },
    ]);
    expect(await sources.rows(SHOP, 'SELECT id FROM items WHERE code = ? LIMIT ?', [5, 1])).toEqual([
      { id: 1 },
    ]);
  });

  it('[SKS-01] takes a value for a value, whatever it says', async () => {
    const evil = "x' OR '1'='1'; DROP TABLE items; --";
    expect(await sources.rows(SHOP, 'SELECT id FROM items WHERE name = ?', [evil])).toEqual([]);
    expect(await sources.rows(SHOP, 'SELECT count(*) AS n FROM items')).toEqual([{ n: 3 }]);
  });

  it('[SKS-01] gives JSON: wide integers as text, bytes as base64, no infinity', async () => {
    const [row] = await sources.rows(
      SHOP,
      "SELECT 9007199254740993 AS wide, 42 AS small, x'0102' AS raw, 9e999 AS inf",
    );
    expect(row).toEqual({ wide: '9007199254740993', small: 42, raw: 'AQI=', inf: null });
  });

  it('[SKB-02] stops rows without end at the limit, without making them', async () => {
    const all = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
    const { rows, truncated } = await sources.query({ ...SHOP, timeoutMs: 120_000 }, all, [], {
      maxRows: 1_000,
    });
    expect([rows.length, truncated]).toEqual([1_000, true]);
    const exact = await sources.query(SHOP, 'SELECT id FROM items', [], { maxRows: 3 });
    expect([exact.rows.length, exact.truncated]).toEqual([3, false]);
  });

  it('[SKB-02] stops at the limit of bytes, and refuses a single row that is larger', async () => {
    const wide =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 50) SELECT printf('%.*c', 1000, 'x') AS t FROM c";
    const { rows, truncated } = await sources.query(SHOP, wide, [], { maxBytes: 10_000 });
    expect(truncated).toBe(true);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.length).toBeLessThan(10);
    const fault = await faultOf(sources.query(SHOP, wide, [], { maxBytes: 100 }));
    expect(fault).toMatchObject({
      code: 'source_bad_answer',
      message: expect.stringContaining('a single row'),
    });
  });

  it('[SKB-02] stops a statement without end, and answers the next one', async () => {
    const fault = await faultOf(sources.query({ ...SHOP, timeoutMs: 200 }, ENDLESS));
    expect(fault).toMatchObject({
      code: 'source_unavailable',
      message: 'shop took longer than 0.2 s to answer, and was stopped.',
    });
    expect(await sources.rows(SHOP, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('[SKB-02] keeps the hub and other questions going while a statement does not end', async () => {
    const stop = new AbortController();
    const endless = faultOf(sources.query(SHOP, ENDLESS, [], { signal: stop.signal }));
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 5);
    const answers = await Promise.all([1, 2, 3].map((n) => sources.rows(SHOP, 'SELECT ? AS n', [n])));
    clearInterval(ticking);
    expect(answers.flat().map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(ticks).toBeGreaterThan(1);
    stop.abort();
    expect(await endless).toMatchObject({ code: 'skill_timeout' });
  });

  it('[SKS-01] answers many questions at once, each with its own answer', async () => {
    const asked = Array.from({ length: 40 }, (_, n) => n);
    const answers = await Promise.all(asked.map((n) => sources.rows(SHOP, 'SELECT ? AS n', [n])));
    expect(answers.map(([row]) => row?.n)).toEqual(asked);
  });

  it.each([
    'DELETE FROM items',
    'UPDATE items SET name = 1',
    'PRAGMA table_info(items)',
    "ATTACH ':memory:' AS other",
    "VACUUM INTO '/tmp/stolen.db'",
    '/* reads */ INSERT INTO items VALUES (9, 9, 9)',
    '',
    ';',
  ])('[SKS-01] refuses what is not reading: %s', async (sql) => {
    const fault = await faultOf(sources.query(SHOP, sql));
    expect(fault).toMatchObject({
      code: 'source_rejected',
      message: expect.stringContaining('must begin with SELECT'),
    });
  });

  it.each([
    ['WITH gone AS (SELECT 1) DELETE FROM items', 'reads'],
    ['WITH gone AS (SELECT 1) DELETE FROM items RETURNING id', 'reads'],
    ['SELECT 1; DROP TABLE items', 'more than one statement'],
    ["SELECT load_extension('/tmp/evil.so')", 'not authorized'],
    ['SELECT * FROM nowhere', 'no such table: nowhere'],
    ['SELECT FROM WHERE', 'syntax error'],
  ])('[SKB-02] says what is wrong with %s', async (sql, why) => {
    const fault = await faultOf(sources.query(SHOP, sql));
    expect(fault.code).toBe('source_rejected');
    expect(fault.message).toContain('shop: ');
    expect(fault.message).toContain(why);
    expect(await sources.rows(SHOP, 'SELECT count(*) AS n FROM items')).toEqual([{ n: 3 }]);
  });

  it('[SKS-01] keeps to the tables that the pack declares, however they are spelled', async () => {
    const items = { ...SHOP, tables: ['items'] };
    const allowed = [
      'SELECT i.name FROM items i JOIN main."items" j ON i.id = j.id',
      'WITH cheap AS (SELECT id FROM items) SELECT cheap.id FROM cheap, cheap AS again',
      "SELECT value FROM items, json_each('[1]') WHERE name IS DISTINCT FROM code",
      "SELECT 'from users' AS text, id FROM items -- from users",
      'SELECT id, (SELECT max(id) FROM items WHERE id IN (1, 2)) FROM items ORDER BY id, name',
    ];
    for (const sql of allowed) await expect(sources.query(items, sql)).resolves.toBeDefined();
    const refused = [
      'SELECT * FROM users',
      'SELECT * FROM items, users',
      'SELECT * FROM items LEFT JOIN "USERS" u ON 1 = 1',
      'SELECT id FROM items WHERE id IN (SELECT id FROM main.users)',
      'SELECT id FROM items UNION SELECT id FROM [users]',
      'SELECT * FROM (items CROSS JOIN `users`)',
      'SELECT i.id FROM items i JOIN items j ON i.id = j.id, users',
      'WITH one AS (SELECT * FROM users) SELECT * FROM one',
    ];
    for (const sql of refused) {
      const fault = await faultOf(sources.query(items, sql));
      expect(fault.message, sql).toMatch(
        /the table (main\.)?users is not declared in data_sources\.shop\.tables/,
      );
    }
  });

  it('[SKS-01] sees what was written a moment ago, and a file that took the place of another', async () => {
    const path = join(dataDir, 'other.db');
    const other: SourceSpec = { name: 'other', kind: 'sqlite', database: 'other' };
    fill(path, 'first');
    expect(await sources.rows(other, 'SELECT name FROM items WHERE id = 1')).toEqual([{ name: 'first' }]);
    exec(path, "UPDATE items SET name = 'changed' WHERE id = 1");
    expect(await sources.rows(other, 'SELECT name FROM items WHERE id = 1')).toEqual([{ name: 'changed' }]);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    fill(path, 'replaced');
    expect(await sources.rows(other, 'SELECT name FROM items WHERE id = 1')).toEqual([{ name: 'replaced' }]);
  });

  it('[SKB-02] names a database that is not there, and finds it once it is', async () => {
    const late: SourceSpec = { name: 'late', kind: 'sqlite', database: 'late' };
    expect(await faultOf(sources.query(late, 'SELECT 1'))).toMatchObject({
      code: 'source_unavailable',
      message: 'late: there is no late.db in the data directory.',
    });
    fill(join(dataDir, 'late.db'), 'first');
    expect(await sources.rows(late, 'SELECT count(*) AS n FROM items')).toEqual([{ n: 3 }]);
    const outside = { ...SHOP, database: '../shop' };
    expect(await faultOf(sources.query(outside, 'SELECT 1'))).toMatchObject({ code: 'source_misconfigured' });
  });

  it('[SKB-02] tells a damaged file from a wrong statement', async () => {
    writeFileSync(
      join(dataDir, 'broken.db'),
      'this is not a database, though it is long enough to be looked at'.repeat(20),
    );
    const broken: SourceSpec = { name: 'broken', kind: 'sqlite', database: 'broken' };
    expect(await faultOf(sources.query(broken, 'SELECT * FROM a'))).toMatchObject({
      code: 'source_unavailable',
    });
  });

  it('[SKB-02] takes no questions once it is closed', async () => {
    const closing = openTestSources({}, dataDir);
    const running = faultOf(closing.query(SHOP, ENDLESS));
    // It runs by the time another one, asked after it, is answered.
    await closing.rows(SHOP, 'SELECT 1');
    await closing.close();
    expect(await running).toMatchObject({ code: 'source_unavailable' });
    expect(await faultOf(closing.query(SHOP, 'SELECT 1'))).toMatchObject({ code: 'source_unavailable' });
  });
});

function fill(path: string, name: string): void {
  exec(
    path,
    `CREATE TABLE items (id INTEGER, code TEXT, name TEXT);
     CREATE TABLE users (id INTEGER);
     INSERT INTO items VALUES (1, '5', '${name}'), (2, '6', 'b'), (3, '7', 'c');`,
  );
}

function exec(path: string, sql: string): void {
  const db = new BetterSqlite3(path);
  db.pragma('journal_mode = WAL');
  db.exec(sql);
  db.close();
}
