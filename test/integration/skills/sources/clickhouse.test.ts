import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SourceSpec } from '../../../../src/core/ports/data-source.js';
import { type ClickhouseServer, startClickhouse } from '../../../support/clickhouse-server.js';
import { faultOf, openTestSources, type TestSources } from './support.js';

const ACCOUNT = { user: 'reader', password: 'p:w' };

describe('[SKS-01] a ClickHouse source', () => {
  let server: ClickhouseServer;
  let narrow: ClickhouseServer;
  let sources: TestSources;
  let logs: SourceSpec;

  beforeAll(async () => {
    server = await startClickhouse(ACCOUNT);
    narrow = await startClickhouse({ ...ACCOUNT, readonly: true });
    sources = openTestSources({
      CLICKHOUSE_URL: `${server.url}/?database=signoz`,
      CLICKHOUSE_LOGIN: 'reader:p:w',
      CLICKHOUSE_TOKEN: 'tok-1',
      WITH_USER: server.url.replace('//', '//reader:p%3Aw@'),
    });
    logs = {
      name: 'logs',
      kind: 'clickhouse',
      url: 'env:CLICKHOUSE_URL',
      credentials: 'env:CLICKHOUSE_LOGIN',
      timeoutMs: 120_000,
    };
  });

  afterAll(async () => {
    await sources.close();
    await server.close();
    await narrow.close();
  });

  const table = (names: readonly string[], types: readonly string[], rows: readonly (readonly unknown[])[]) =>
    server.respond(() => ({ names, types, rows }));

  it('[SKS-01] sends values as typed parameters, and the statement only reads', async () => {
    table(['n'], ['UInt8'], [[1]]);
    const values = [
      "x'}) OR 1=1; DROP TABLE logs --",
      7,
      1.5,
      true,
      null,
      'tab\t\\line\n{p1:String}',
      'it\\N',
    ];
    await sources.query(logs, 'SELECT 1 AS n WHERE ? = a AND ? AND ? AND ? AND ? AND ? AND ?;', values);
    expect(server.last.values).toEqual(values);
    expect(server.last.sql).toBe(
      'SELECT 1 AS n WHERE {p1:String} = a AND {p2:Int64} AND {p3:Float64} AND {p4:Bool} AND {p5:Nullable(String)} AND {p6:String} AND {p7:String}',
    );
    expect(Object.fromEntries(server.last.settings)).toMatchObject({
      database: 'signoz',
      readonly: '1',
      max_result_rows: '1001',
      result_overflow_mode: 'break',
      max_execution_time: '120',
    });
  });

  it('[SKS-01] gives rows with the types of JSON: wide integers are numbers where they fit', async () => {
    table(
      ['id', 'count', 'big', 'price', 'name', 'at', 'tags', 'none'],
      [
        'String',
        'UInt64',
        'Nullable(Int64)',
        'Decimal(10, 2)',
        'LowCardinality(String)',
        'DateTime',
        'Array(String)',
        'Nullable(String)',
      ],
      [['42', '42', '9007199254740993', 12.5, 'a', '2026-03-01T10:00:00Z', ['x'], null]],
    );
    expect(await sources.rows(logs, 'SELECT * FROM t')).toEqual([
      {
        id: '42',
        count: 42,
        big: '9007199254740993',
        price: 12.5,
        name: 'a',
        at: '2026-03-01T10:00:00Z',
        tags: ['x'],
        none: null,
      },
    ]);
  });

  it('[SKB-02] stops at the limit of rows and of bytes', async () => {
    const million = Array.from({ length: 5_000 }, (_, n) => [n, 'x'.repeat(50)]);
    table(['n', 't'], ['UInt32', 'String'], million);
    const { rows, truncated } = await sources.query(logs, 'SELECT n, t FROM numbers', [], { maxRows: 1_000 });
    expect([rows.length, truncated]).toEqual([1_000, true]);
    const short = await sources.query(logs, 'SELECT n, t FROM numbers', [], {
      maxRows: 1_000,
      maxBytes: 1_000,
    });
    expect(short.truncated).toBe(true);
    expect(short.rows.length).toBeLessThan(20);
    table([], [], []);
    expect(await sources.query(logs, 'SELECT 1 WHERE 0')).toEqual({ rows: [], truncated: false });
  });

  it('[SKS-01] takes credentials as user and password, as a token, or from the address', async () => {
    table(['n'], ['UInt8'], [[1]]);
    const { credentials: _, ...open } = logs;
    expect(await sources.rows({ ...open, url: 'env:WITH_USER' }, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    const refused = await faultOf(
      sources.query({ ...logs, credentials: 'env:CLICKHOUSE_TOKEN' }, 'SELECT 1'),
    );
    expect(refused).toMatchObject({
      code: 'source_rejected',
      message: 'logs refuses our credentials (HTTP 403).',
    });
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer tok-1');
    expect(await faultOf(sources.query({ ...logs, credentials: 'env:NOT_SET' }, 'SELECT 1'))).toMatchObject({
      code: 'source_misconfigured',
      message:
        'The source logs takes its credentials from the environment variable NOT_SET, which is not set.',
    });
  });

  it('[SKS-01] asks a user without settings again without them', async () => {
    narrow.respond(() => ({ names: ['n'], types: ['UInt8'], rows: [[1]] }));
    expect(await sources.rows({ ...logs, url: narrow.url }, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(narrow.last.settings.has('readonly')).toBe(false);
  });

  it.each([
    [62, 400, 'Syntax error', 'source_rejected', 1],
    [60, 404, 'Table default.nowhere does not exist', 'source_rejected', 1],
    [159, 500, 'Timeout exceeded', 'source_unavailable', 1],
    [202, 500, 'Too many simultaneous queries', 'source_unavailable', 2],
    [241, 500, 'Memory limit exceeded', 'source_rejected', 1],
  ])('[SKB-02] says what exception %i means', async (code, status, message, expected, attempts) => {
    server.respond(() => ({ code, status, message }));
    const before = server.requests.length;
    const fault = await faultOf(sources.query({ ...logs, retries: 1 }, 'SELECT 1'));
    expect(fault.code).toBe(expected);
    expect(fault.message).toContain(message);
    expect(server.requests.length - before).toBe(attempts);
  });

  it('[SKB-02] refuses what is not rows', async () => {
    table(['n'], ['UInt8'], [[1]]);
    expect(await faultOf(sources.query(logs, 'SELECT 1 FORMAT CSV'))).toMatchObject({
      code: 'source_rejected',
      message: expect.stringContaining('FORMAT clause'),
    });
    expect(await faultOf(sources.query(logs, 'INSERT INTO t VALUES (1)'))).toMatchObject({
      code: 'source_rejected',
    });
    table(['n', 'm'], ['UInt8', 'UInt8'], [[1]]);
    expect(await faultOf(sources.query(logs, 'SELECT 1'))).toMatchObject({ code: 'source_bad_answer' });
  });

  it('[SKB-02] keeps to the tables that the pack declares, table functions included', async () => {
    table(['n'], ['UInt8'], [[1]]);
    const spec = { ...logs, tables: ['signoz.logs'] };
    await expect(
      sources.query(spec, "SELECT a['from x'] AS n FROM signoz.logs AS l WHERE b = 'it\\'s, from y'"),
    ).resolves.toBeDefined();
    for (const sql of [
      "SELECT * FROM url('http://x')",
      'SELECT * FROM system.users',
      'SELECT 1 FROM signoz.logs, file(1)',
    ]) {
      expect((await faultOf(sources.query(spec, sql))).message).toContain(
        'is not declared in data_sources.logs.tables',
      );
    }
  });
});
