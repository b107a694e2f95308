import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SourceSpec } from '../../../../src/core/ports/data-source.js';
import { freePort } from '../../../support/free-port.js';
import { startPostgres, type TestPostgres } from '../../../support/postgres.js';
import { until } from '../../../support/until.js';
import { faultOf, openTestSources, type TestSources } from './support.js';

describe('[SKS-01] a PostgreSQL source', () => {
  let server: TestPostgres;
  let sources: TestSources;
  const warehouse: SourceSpec = {
    name: 'warehouse',
    kind: 'postgres',
    url: 'env:WAREHOUSE_URL',
    timeoutMs: 120_000,
  };

  beforeAll(async () => {
    server = await startPostgres();
    await server.exec(`
      CREATE TABLE shipments (id text PRIMARY KEY, boxes int, booked_at timestamptz, weight numeric);
      INSERT INTO shipments VALUES ('SHP-1', 3, '2026-03-01T10:00:00-03:00', 12.5), ('SHP-2', 0, NULL, NULL);
      CREATE ROLE reader LOGIN PASSWORD 'r:w@1'; GRANT SELECT ON shipments TO reader;`);
    sources = openTestSources({
      WAREHOUSE_URL: server.url,
      READER: 'reader:r:w@1',
      WRONG: 'reader:wrong',
      DOWN_URL: `postgres://tester:x@127.0.0.1:${await freePort()}/postgres`,
    });
  });

  afterAll(async () => {
    await sources.close();
    await server.close();
  });

  it('[SKS-01] binds values and takes none for SQL', async () => {
    const sql = 'SELECT id, boxes FROM shipments WHERE id = ? AND boxes >= ?';
    expect(await sources.rows(warehouse, sql, ['SHP-1', 2])).toEqual([{ id: 'SHP-1', boxes: 3 }]);
    expect(await sources.rows(warehouse, sql, ["' OR 1=1; DROP TABLE shipments; --", 0])).toEqual([]);
    expect(
      await sources.rows(warehouse, 'SELECT id FROM shipments WHERE booked_at IS NULL AND ?::text IS NULL', [
        null,
      ]),
    ).toEqual([{ id: 'SHP-2' }]);
    expect(await sources.rows(warehouse, 'SELECT count(*) AS n FROM shipments')).toEqual([{ n: 2 }]);
  });

  it('[SKS-01] gives every type as JSON', async () => {
    const [row] = await sources.rows(
      warehouse,
      `SELECT true AS yes, 42::int8 AS wide, 9007199254740993::int8 AS wider, 12.50::numeric AS price,
        123456789012345678.9::numeric AS exact, 1.5::float8 AS half, 'NaN'::float8 AS nan,
        timestamptz '2026-03-01T10:00:00-03:00' AS at, timestamp '2026-03-01 10:00:00.25' AS plain, date '2026-03-01' AS day,
        '{"a": [1, null]}'::jsonb AS doc, ARRAY[1, NULL, 2] AS list, ARRAY['a,b', 'c"d'] AS texts,
        ARRAY[timestamptz '2026-03-01T00:00:00Z'] AS times, '\\x0102'::bytea AS raw, interval '90 minutes' AS span,
        'infinity'::timestamptz AS never, NULL AS nothing`,
    );
    expect(row).toEqual({
      yes: true,
      wide: 42,
      wider: '9007199254740993',
      price: 12.5,
      exact: '123456789012345678.9',
      half: 1.5,
      nan: 'NaN',
      at: '2026-03-01T13:00:00.000Z',
      plain: '2026-03-01T10:00:00.250Z',
      day: '2026-03-01',
      doc: { a: [1, null] },
      list: [1, null, 2],
      texts: ['a,b', 'c"d'],
      times: ['2026-03-01T00:00:00.000Z'],
      raw: '\\x0102',
      span: '01:30:00',
      never: 'infinity',
      nothing: null,
    });
  });

  it('[SKB-02] takes a thousand of rows without end, and leaves the rest unmade', async () => {
    const { rows, truncated } = await sources.query(
      warehouse,
      'SELECT generate_series(1, 9000000000000000000) AS n',
      [],
      {
        maxRows: 1_000,
      },
    );
    expect([rows.length, truncated]).toEqual([1_000, true]);
    const exact = await sources.query(warehouse, 'SELECT n FROM generate_series(1, 1000) n', [], {
      maxRows: 1_000,
    });
    expect([exact.rows.length, exact.truncated]).toEqual([1_000, false]);
  });

  it('[SKB-02] stops at the limit of bytes, and refuses a single row that is larger', async () => {
    const wide = "SELECT repeat('x', 1000) AS t FROM generate_series(1, 500)";
    const { rows, truncated } = await sources.query(warehouse, wide, [], { maxBytes: 20_000 });
    expect(truncated).toBe(true);
    expect(rows.length).toBeLessThan(20);
    expect(await faultOf(sources.query(warehouse, wide, [], { maxBytes: 100 }))).toMatchObject({
      code: 'source_bad_answer',
    });
    expect(await sources.rows(warehouse, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['WITH gone AS (DELETE FROM shipments RETURNING id) SELECT * FROM gone', /read-only transaction/],
    ['SELECT 1; DROP TABLE shipments', /multiple commands|cannot insert multiple/],
    ["SELECT setval('nothing', 1)", /rejects the statement/],
    ['SELECT * FROM nowhere', /relation "nowhere" does not exist/],
    ['SELECT FROM WHERE', /syntax error/],
    ['SELECT 1 / 0', /division by zero/],
    ['DROP TABLE shipments', /must begin with SELECT/],
    ['COMMIT', /must begin with SELECT/],
    ["COPY shipments TO PROGRAM 'cat'", /must begin with SELECT/],
  ])('[SKS-01] refuses %s', async (sql, why) => {
    const fault = await faultOf(sources.query(warehouse, sql));
    expect(fault.code).toBe('source_rejected');
    expect(fault.message).toMatch(why);
    expect(await sources.rows(warehouse, 'SELECT count(*) AS n FROM shipments')).toEqual([{ n: 2 }]);
  });

  it('[SKS-01] keeps to the tables that the pack declares', async () => {
    const spec = { ...warehouse, tables: ['shipments'] };
    await expect(
      sources.query(spec, 'SELECT * FROM public.shipments s JOIN shipments USING (id)'),
    ).resolves.toBeDefined();
    const functions =
      "SELECT extract(year FROM booked_at), trim(BOTH 'x' FROM id), substring(id FROM 1 FOR 2) FROM shipments, unnest(ARRAY[1]) n";
    await expect(sources.query(spec, functions)).resolves.toBeDefined();
    for (const sql of [
      'SELECT 1 UNION TABLE pg_user',
      'SELECT * FROM shipments WHERE extract(year FROM (SELECT now() FROM pg_user)) > 1',
    ]) {
      expect((await faultOf(sources.query(spec, sql))).message).toContain('pg_user is not declared');
    }
    expect(await faultOf(sources.query(spec, 'SELECT * FROM shipments, pg_catalog.pg_user'))).toMatchObject({
      code: 'source_rejected',
      message: expect.stringContaining('pg_catalog.pg_user is not declared'),
    });
  });

  /** How many statements that begin like this one the server works on. */
  const atWork = async (sql: string): Promise<unknown> => {
    const query = `SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '${sql}%'`;
    return (await sources.rows(warehouse, query))[0]?.n;
  };

  it('[SKB-02] stops a statement that takes too long, on the server as well', async () => {
    const fault = await faultOf(sources.query({ ...warehouse, timeoutMs: 150 }, 'SELECT pg_sleep(3000)'));
    expect(fault).toMatchObject({
      code: 'source_unavailable',
      message: 'warehouse took longer than 0.15 s to answer, and was stopped.',
    });
    await until(async () => (await atWork('SELECT pg_sleep(3000)')) === 0);
  });

  it('[SKB-02] stops the server when the run is stopped', async () => {
    const stop = new AbortController();
    const asked = faultOf(
      sources.query({ ...warehouse, timeoutMs: 600_000 }, 'SELECT pg_sleep(2000) AS marked', [], {
        signal: stop.signal,
      }),
    );
    await until(async () => (await atWork('SELECT pg_sleep(2000)')) === 1);
    stop.abort();
    expect(await asked).toMatchObject({ code: 'skill_timeout' });
    await until(async () => (await atWork('SELECT pg_sleep(2000)')) === 0);
  });

  it('[SKS-01] answers more questions at once than it has connections', async () => {
    const asked = Array.from({ length: 20 }, (_, n) => n);
    const answers = await Promise.all(asked.map((n) => sources.rows(warehouse, 'SELECT ?::int AS n', [n])));
    expect(answers.map(([row]) => row?.n)).toEqual(asked);
  });

  it('[SKS-01] takes user and password from a variable', async () => {
    const spec = { ...warehouse, credentials: 'env:READER' };
    expect(await sources.rows(spec, 'SELECT current_user AS who')).toEqual([{ who: 'reader' }]);
    const fault = await faultOf(sources.query({ ...warehouse, credentials: 'env:WRONG' }, 'SELECT 1'));
    expect(fault).toMatchObject({
      code: 'source_rejected',
      message: expect.stringContaining('refuses the connection'),
    });
    expect(fault.message).not.toContain('wrong');
  });

  it('[SKB-02] says what is missing, and gives up on a server that is not there', async () => {
    expect(await faultOf(sources.query({ ...warehouse, url: 'env:NOT_SET' }, 'SELECT 1'))).toMatchObject({
      code: 'source_misconfigured',
      message: 'The source warehouse takes its url from the environment variable NOT_SET, which is not set.',
    });
    expect(await faultOf(sources.query({ ...warehouse, url: 'mysql://x/y' }, 'SELECT 1'))).toMatchObject({
      code: 'source_misconfigured',
    });
    const down = await faultOf(sources.query({ ...warehouse, url: 'env:DOWN_URL', retries: 1 }, 'SELECT 1'));
    expect(down.code).toBe('source_unavailable');
    expect(down.message).toMatch(/^warehouse cannot be reached: .*ECONNREFUSED.* \(2 attempts\)\.$/);
  });

  it('[SKB-02] survives a restart of the server: connections that broke are made again', async () => {
    expect(await sources.rows(warehouse, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    await server.restart();
    expect(await sources.rows(warehouse, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
