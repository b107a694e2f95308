import { afterAll, describe, expect, it } from 'vitest';
import { createFixtureSources, type Fixture } from '../../../../src/adapters/sources/fixture-sources.js';
import { createSqliteProcesses } from '../../../../src/adapters/sources/sqlite-processes.js';
import type { JsonValue } from '../../../../src/core/domain/json.js';
import type { HttpRequest, SourceSpec } from '../../../../src/core/ports/data-source.js';
import { faultOf, OPERATOR } from './support.js';

const SHOP: SourceSpec = { name: 'shop', kind: 'sqlite', database: 'shop' };
const WAREHOUSE: SourceSpec = { name: 'warehouse', kind: 'postgres', url: 'env:WAREHOUSE_URL' };
const LOGS: SourceSpec = { name: 'logs', kind: 'clickhouse', url: 'env:CLICKHOUSE_URL' };
const PARTNER: SourceSpec = {
  name: 'partner',
  kind: 'http',
  endpoint: 'env:PARTNER_URL',
  auth: 'bearer',
  credentials: 'env:X',
};
const NOW = '2026-03-11T15:00:00.000Z';

describe('[SKS-01] the sources of a test case', () => {
  const processes = createSqliteProcesses();
  afterAll(() => processes.close());
  const files = {
    'fixtures/shop.sql': "CREATE TABLE items (id, name); INSERT INTO items VALUES (1, 'Box')",
    'test_cases/more.sql': "INSERT INTO items VALUES (2, 'Bag')",
  };
  const open = (fixtures: Readonly<Record<string, readonly Fixture[]>>) => {
    const sources = createFixtureSources(fixtures, { id: 'demo', files }, { now: NOW, processes });
    const options = (mapping?: string) => ({
      signal: new AbortController().signal,
      maxRows: 100,
      ...(mapping === undefined ? {} : { mapping }),
    });
    return {
      sources,
      async rows(spec: SourceSpec, sql: string, values: readonly JsonValue[] = [], mapping?: string) {
        const source = await sources.open(spec, OPERATOR);
        if (source.answers !== 'query') throw new Error('answers no SQL');
        return (await source.query({ segments: sql.split('?'), values }, options(mapping))).rows;
      },
      async request(request: Partial<HttpRequest>) {
        const source = await sources.open(PARTNER, OPERATOR);
        if (source.answers !== 'request') throw new Error('answers no requests');
        return await source.request({ method: 'GET', path: '/', ...request }, options());
      },
    };
  };

  it('[SKS-01] are made of SQL and files, in their order', async () => {
    const { rows } = open({
      shop: [
        { file: 'fixtures/shop.sql' },
        { file: 'more.sql' },
        { sql: "UPDATE items SET name = 'Bin' WHERE id = 1" },
      ],
    });
    expect(await rows(SHOP, 'SELECT name FROM items WHERE id <= ? ORDER BY id', [2])).toEqual([
      { name: 'Bin' },
      { name: 'Bag' },
    ]);
    expect(await faultOf(rows(SHOP, 'DELETE FROM items'))).toMatchObject({ code: 'source_rejected' });
  });

  it('[SKS-01] are apart for each case, also in the same process', async () => {
    const one = open({ shop: [{ sql: 'CREATE TABLE t (x); INSERT INTO t VALUES (1)' }] });
    const two = open({ shop: [{ sql: 'CREATE TABLE t (x); INSERT INTO t VALUES (2)' }] });
    expect(await Promise.all([one, two].map(({ rows }) => rows(SHOP, 'SELECT x FROM t')))).toEqual([
      [{ x: 1 }],
      [{ x: 2 }],
    ]);
  });

  it('[SKS-01] speak enough of PostgreSQL and ClickHouse', async () => {
    const { rows } = open({
      warehouse: [
        {
          sql: "CREATE TABLE dwh.shipments (id, at); INSERT INTO dwh.shipments VALUES ('SHP', '2026-03-11T14:30:00Z')",
        },
      ],
      logs: [
        {
          sql: "CREATE TABLE signoz.logs (body, level); INSERT INTO signoz.logs VALUES ('Failed ::text', 'ERROR'), ('ok', 'INFO')",
        },
      ],
    });
    expect(
      await rows(
        WAREHOUSE,
        "SELECT id::varchar(10) AS id, date_trunc('day', at) AS day, greatest(1, 3, 2) AS most, now() AS now FROM dwh.shipments WHERE id ILIKE ?::text AND at < now()",
        ['shp'],
      ),
    ).toEqual([{ id: 'SHP', day: '2026-03-11T00:00:00.000Z', most: 3, now: NOW }]);
    expect(
      await rows(
        LOGS,
        "SELECT toString(countIf(level = 'ERROR')) AS errors, count() AS total, positionCaseInsensitive(max(body), 'OK') AS at FROM signoz.logs FINAL WHERE body <> 'x::text'",
      ),
    ).toEqual([{ errors: '1', total: 2, at: 1 }]);
  });

  it('[SKS-01] give the canned rows of a mapping, whatever its SQL', async () => {
    const { rows } = open({ logs: [{ mapping: 'errors', rows: [{ errors: 3 }] }] });
    expect(await rows(LOGS, 'SELECT quantile(0.9)(x) FROM y', [], 'errors')).toEqual([{ errors: 3 }]);
    expect(await faultOf(rows(LOGS, 'SELECT quantile(0.9)(x) FROM y', [], 'others'))).toMatchObject({
      code: 'source_rejected',
    });
  });

  it('[SKS-01] answer requests by method, path and query', async () => {
    const { request } = open({
      partner: [
        {
          request: { method: 'GET', path: '/orders?state=open' },
          response: { status: 200, body: [{ id: 1 }] },
        },
        {
          request: { method: 'GET', path: '/orders', query: { state: 'closed' } },
          response: { status: 200, body: [] },
        },
        { request: { method: 'GET', path: '/orders/a b' }, response: { status: 404 } },
        { request: { method: 'POST', path: '/orders' }, response: { status: 201, body: { id: 2 } } },
        { request: { method: 'GET', path: '/broken' }, response: { status: 503 } },
      ],
    });
    expect(await request({ path: '/orders', query: { state: 'open', page: '1' } })).toEqual({
      status: 200,
      body: [{ id: 1 }],
    });
    expect(await request({ path: 'orders/?state=closed' })).toEqual({ status: 200, body: [] });
    expect(await request({ path: '/orders/a%20b' })).toEqual({ status: 404, body: null });
    expect(await request({ method: 'POST', path: '/orders' })).toEqual({ status: 201, body: { id: 2 } });
    expect(await faultOf(request({ path: '/broken' }))).toMatchObject({ code: 'source_unavailable' });
    expect(await faultOf(request({ path: '/orders', query: { state: 'lost' } }))).toMatchObject({
      code: 'source_unavailable',
      message: expect.stringContaining(
        'no answer of partner to GET /orders?state=lost; it has answers to: GET /orders?state=open',
      ),
    });
  });

  it('[SKB-02] can be down', async () => {
    const { rows, request } = open({ shop: [{ down: true }], partner: [{ down: true }] });
    expect(await faultOf(rows(SHOP, 'SELECT 1'))).toMatchObject({ code: 'source_unavailable' });
    expect(await faultOf(request({}))).toMatchObject({
      message: 'partner cannot be reached: the test case has it down.',
    });
  });

  it('[SKB-02] say what is missing: fixtures, a file, a table', async () => {
    const { rows } = open({ warehouse: [{ file: 'nowhere.sql' }], logs: [{ sql: 'CREATE TABLE a (b' }] });
    expect(await faultOf(rows(SHOP, 'SELECT 1'))).toMatchObject({
      code: 'source_unavailable',
      message: expect.stringContaining('no fixtures for the source shop of demo'),
    });
    expect(await faultOf(rows(WAREHOUSE, 'SELECT 1'))).toMatchObject({
      code: 'skill_invalid',
      message: 'The pack demo has no file nowhere.sql, which fixtures.warehouse names.',
    });
    expect(await faultOf(rows(LOGS, 'SELECT 1'))).toMatchObject({
      message: expect.stringContaining('the fixture cannot be run'),
    });
  });

  it('[SKB-02] stop a statement without end', async () => {
    const { rows } = open({ shop: [{ sql: 'CREATE TABLE t (x)' }] });
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT 1 FROM c) SELECT count(*) FROM c';
    expect(await faultOf(rows({ ...SHOP, timeoutMs: 500 }, endless))).toMatchObject({
      code: 'source_unavailable',
    });
    expect(await rows(SHOP, 'SELECT count(*) AS n FROM t')).toEqual([{ n: 0 }]);
  });
});
