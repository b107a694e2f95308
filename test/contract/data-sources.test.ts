import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSources } from '../../src/adapters/sources/data-sources.js';
import { createFixtureSources } from '../../src/adapters/sources/fixture-sources.js';
import type { JsonValue } from '../../src/core/domain/json.js';
import type { SkillCaller } from '../../src/core/domain/skill.js';
import type { DataSources, SourceSpec } from '../../src/core/ports/data-source.js';
import { json, startHttpServer, type TestHttpServer } from '../support/http-server.js';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { createRecordingLog } from '../support/recording-log.js';

const OPERATOR: SkillCaller = { kind: 'operator', operatorId: 'op_1' };
const TABLES = `CREATE TABLE items (id INTEGER, name TEXT, price NUMERIC);
  INSERT INTO items VALUES (1, 'Box', 2.5), (2, 'Bag', NULL), (3, 'Bin', 7);`;
const PARTNER: SourceSpec = { name: 'partner', kind: 'http', endpoint: 'env:PARTNER_URL', retries: 0 };

let dataDir: string;
let server: TestPostgres;
let api: TestHttpServer;
let real: DataSources;
let fixtures: DataSources;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-sources-'));
  const db = new BetterSqlite3(join(dataDir, 'shop.db'));
  db.exec(TABLES);
  db.close();
  server = await startPostgres();
  await server.exec(TABLES);
  api = await startHttpServer((request, response) => {
    if (request.url === '/items/1') json(response, { id: 1 });
    else json(response, { why: 'unknown' }, 404);
  });
  const env: Record<string, string> = { WAREHOUSE_URL: server.url, PARTNER_URL: api.url };
  real = createDataSources({ dataDir, secret: (name) => env[name], log: createRecordingLog(), scopes: {} });
  const request = { method: 'GET', path: '/items/1' };
  fixtures = createFixtureSources(
    {
      shop: [{ sql: TABLES }],
      partner: [
        { request, response: { status: 200, body: { id: 1 } } },
        { request: { ...request, path: '/items/2' }, response: { status: 404, body: { why: 'unknown' } } },
      ],
    },
    { id: 'demo', files: {} },
  );
});

afterAll(async () => {
  await real.close();
  await fixtures.close();
  await server.close();
  await api.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const SHOP: SourceSpec = { name: 'shop', kind: 'sqlite', database: 'shop' };
const WAREHOUSE: SourceSpec = { name: 'warehouse', kind: 'postgres', url: 'env:WAREHOUSE_URL' };

describe.each([
  ['SQLite', SHOP, () => real],
  ['PostgreSQL', WAREHOUSE, () => real],
  ['the fixtures of a test case', SHOP, () => fixtures],
] as const)('[SKS-01] a source that answers SQL: %s', (_, spec, sources) => {
  const query = async (sql: string, values: readonly JsonValue[] = [], more: object = {}) => {
    const source = await sources().open(spec, OPERATOR);
    if (source.answers !== 'query') throw new Error('answers no SQL');
    const options = { signal: new AbortController().signal, maxRows: 100, ...more };
    return await source.query({ segments: sql.split('?'), values }, options);
  };

  it('[SKS-01] binds values and gives rows of JSON', async () => {
    const sql = 'SELECT id, name, price FROM items WHERE name = ? OR id = ? ORDER BY id';
    expect(await query(sql, ['Box', 2])).toEqual({
      rows: [
        { id: 1, name: 'Box', price: 2.5 },
        { id: 2, name: 'Bag', price: null },
      ],
      truncated: false,
    });
    expect(await query(sql, ["' OR 1=1 --", -1])).toEqual({ rows: [], truncated: false });
  });

  it('[SKS-01] gives no more rows than are wanted, and says that there were more', async () => {
    expect(await query('SELECT id FROM items ORDER BY id', [], { maxRows: 2 })).toEqual({
      rows: [{ id: 1 }, { id: 2 }],
      truncated: true,
    });
    expect(await query('SELECT id FROM items', [], { maxRows: 3 })).toMatchObject({ truncated: false });
  });

  it('[SKB-02] reads, and does nothing else', async () => {
    for (const sql of ['DELETE FROM items', 'SELECT 1; DELETE FROM items', 'SELECT * FROM nowhere']) {
      await expect(query(sql), sql).rejects.toMatchObject({ code: 'source_rejected' });
    }
    expect((await query('SELECT id FROM items')).rows).toHaveLength(3);
  });

  it('[SKB-02] stops with the run', async () => {
    const stop = new AbortController();
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT 1 FROM c) SELECT count(*) FROM c';
    const asked = query(endless, [], { signal: stop.signal });
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: 'skill_timeout' });
    await expect(query('SELECT 1', [], { signal: stop.signal })).rejects.toMatchObject({
      code: 'skill_timeout',
    });
  });
});

describe.each([
  ['an API', () => real],
  ['the fixtures of a test case', () => fixtures],
] as const)('[SKS-01] a source that answers requests: %s', (_, sources) => {
  const request = async (path: string, signal = new AbortController().signal) => {
    const source = await sources().open(PARTNER, OPERATOR);
    if (source.answers !== 'request') throw new Error('answers no requests');
    return await source.request({ method: 'GET', path }, { signal, maxRows: 100 });
  };

  it('[SKS-01] gives status and body, also of a 4xx', async () => {
    expect(await request('/items/1')).toEqual({ status: 200, body: { id: 1 } });
    expect(await request('/items/2')).toEqual({ status: 404, body: { why: 'unknown' } });
  });

  it('[SKB-02] does not ask for a run that was stopped', async () => {
    await expect(request('/items/1', AbortSignal.abort())).rejects.toMatchObject({ code: 'skill_timeout' });
  });
});
