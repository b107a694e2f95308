import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import { callSource } from '../../../../src/skills/sources/call-source.js';
import { json, startHttpServer, type TestHttpServer } from '../../../support/http-server.js';
import { type SeededDir, seedDataDir } from '../../../support/seeded-stores.js';
import { mapCache, packOf, type TestContextOptions, testContext } from '../../../support/skill-context.js';
import { customer, faultOf, openTestSources, type TestSources } from './support.js';

describe('[SKS-04] the result of a step that asks a source', () => {
  let server: TestHttpServer;
  let data: SeededDir;
  let sources: TestSources;

  beforeAll(async () => {
    server = await startHttpServer();
    data = await seedDataDir();
    sources = openTestSources({ PARTNER_URL: server.url }, data.path);
  });

  afterAll(async () => {
    await sources.close();
    await server.close();
    data.remove();
  });

  /** @param timeout seconds: a net, but where it is what is tried */
  const pack = (mappings: JsonObject = {}, timeout = 120) =>
    packOf(
      {
        data_sources: {
          cultpass: { kind: 'sqlite', database: 'cultpass', access: 'read' },
          partner: { kind: 'http', endpoint: 'env:PARTNER_URL', timeout, retries: 0 },
        },
      },
      mappings,
    );
  const context = (options: TestContextOptions = {}) => testContext({ sources, ...options });
  const query = (query_template: string, scope: JsonObject = {}, options?: TestContextOptions) =>
    callSource(pack(), { type: 'query', source: 'cultpass', query_template }, scope, context(options));
  const get = (path: string, scope: JsonObject = {}) =>
    callSource(pack(), { type: 'api', source: 'partner', path }, scope, context());

  describe('of SQL', () => {
    it('[SKS-04] has count, rows and the columns of a single row', async () => {
      const result = await query('SELECT user_id, is_blocked FROM users WHERE user_id = {customer.id}', {
        customer: { id: 'usr_001' },
      });
      const row = { user_id: 'usr_001', is_blocked: 0 };
      expect(result).toEqual({ ...row, count: 1, rows: [row], truncated: false });
      expect(await query('SELECT user_id FROM users WHERE user_id = {customer.id}')).toEqual({
        count: 0,
        rows: [],
        truncated: false,
      });
      const many = await query('SELECT user_id FROM users LIMIT 3');
      expect(many).toMatchObject({ count: 3 });
      expect(many).not.toHaveProperty('user_id');
    });

    it('[SKS-04] takes a column called count for what its author counts', async () => {
      expect(await query('SELECT count(*) AS count FROM users WHERE 1 = 0')).toMatchObject({ count: 0 });
      expect(await query('SELECT count(*) AS count, 7 AS rows FROM users')).toMatchObject({
        count: 30,
        rows: [{ count: 30, rows: 7 }],
      });
    });

    it('[SKS-04] binds what an attacker writes, and refuses a placeholder in quotes', async () => {
      const evil = { id: "usr_001' OR '1'='1" };
      expect(await query('SELECT * FROM users WHERE user_id = {id}', evil)).toMatchObject({ count: 0 });
      const fault = await faultOf(query("SELECT * FROM users WHERE user_id = '{id}'", evil));
      expect(fault.code).toBe('expression_invalid');
    });

    it('[SKB-02] cuts a million rows at a thousand, and says so in the log', async () => {
      const run = context();
      const sql =
        'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000000) SELECT x FROM c';
      const result = await callSource(
        pack(),
        { type: 'query', source: 'cultpass', query_template: sql },
        {},
        run,
      );
      expect(result).toMatchObject({ count: 1_000, truncated: true });
      expect(run.log.entries.at(-1)).toMatchObject({
        level: 'warn',
        details: { outcome: 'truncated', source: 'cultpass' },
      });
    });

    it('[SKS-04] shows a customer the own rows only', async () => {
      const sql = 'SELECT DISTINCT user_id FROM payments';
      expect(await query(sql, {}, { caller: customer('usr_002') })).toMatchObject({
        count: 1,
        user_id: 'usr_002',
      });
      expect((await query(sql)).count).toBeGreaterThan(5);
    });
  });

  describe('of HTTP', () => {
    it('[SKS-04] has status, body and the fields of the body', async () => {
      server.answer((_, response) => json(response, { state: 'sent', status: 'open' }));
      expect(await get('/orders/{order}', { order: 'a/b?c' })).toEqual({
        status: 200,
        count: 1,
        state: 'sent',
        rows: [{ state: 'sent', status: 'open' }],
        body: { state: 'sent', status: 'open' },
      });
      expect(server.requests[0]?.url).toBe('/orders/a%2Fb%3Fc');
    });

    it('[SKS-04] counts a list, and nothing found as none', async () => {
      server.answer((_, response) => json(response, [{ id: 1 }, { id: 2 }]));
      expect(await get('/orders')).toMatchObject({ status: 200, count: 2, rows: [{ id: 1 }, { id: 2 }] });
      server.answer((_, response) => json(response, { why: 'unknown' }, 404));
      expect(await get('/orders')).toMatchObject({ status: 404, count: 0, rows: [], why: 'unknown' });
      server.answer((_, response) => response.writeHead(204).end());
      expect(await get('/orders')).toMatchObject({ status: 204, count: 0, body: null });
      server.answer((_, response) => json(response, { count: 9, rows: [1] }));
      expect(await get('/orders')).toMatchObject({ count: 9, rows: [1] });
    });

    it('[SKS-04] is a fault where our credentials are refused', async () => {
      for (const status of [401, 403]) {
        server.answer((_, response) => json(response, {}, status));
        const fault = await faultOf(get('/orders'));
        expect(fault).toMatchObject({
          code: 'source_rejected',
          message: expect.stringContaining(`HTTP ${status}`),
        });
      }
    });

    it('[SKB-02] lets no value leave the endpoint', async () => {
      server.answer((_, response) => json(response, {}));
      for (const evil of ['..', '.', '']) {
        expect(await faultOf(get('/orders/{order}/items', { order: evil }))).toMatchObject({
          code: 'input_invalid',
        });
      }
      await get('/orders/{order}/items', { order: '%2e%2e' });
      expect(server.requests.map(({ url }) => url)).toEqual(['/orders/%252e%252e/items']);
    });
  });

  describe('by a mapping', () => {
    const mappings: JsonObject = {
      user: {
        source: 'cultpass',
        query:
          'SELECT user_id, full_name FROM users WHERE user_id = {user_id} AND coalesce({name}, full_name) = full_name',
        params: { required: ['user_id'], optional: ['name'] },
        response_schema: {
          type: 'object',
          required: ['user_id'],
          properties: { user_id: { type: 'string' } },
        },
      },
      order: {
        source: 'partner',
        method: 'POST',
        path: '/orders/{order_id}',
        query: { lang: '{language}', page: '{page}' },
        headers: { 'x-note': 'for {order_id}' },
        body: { id: '{order_id}', text: 'Order {order_id}', deep: [{ n: '{amount}' }] },
        params: { required: ['order_id'] },
        response_schema: {
          type: 'object',
          required: ['state'],
          properties: { state: { enum: ['open', 'sent'] } },
        },
      },
    };
    const ask = (mapping: string, scope: JsonObject, params?: JsonObject, run = context()) =>
      callSource(
        pack(mappings),
        {
          type: mapping === 'order' ? 'api' : 'query',
          mapping,
          ...(params && { params: params as Record<string, string> }),
        },
        scope,
        run,
      );

    it('[SKS-04] takes parameters from the step, else from the input by name', async () => {
      expect(await ask('user', { user_id: 'usr_002' })).toMatchObject({ user_id: 'usr_002' });
      expect(await ask('user', { input: { user_id: 'usr_003' } })).toMatchObject({ user_id: 'usr_003' });
      const scope = { user_id: 'usr_002', steps: { one: { id: 'usr_004' } } };
      expect(await ask('user', scope, { user_id: '{steps.one.id}' })).toMatchObject({ user_id: 'usr_004' });
    });

    it.each([{}, { user_id: null }, { user_id: '' }])(
      '[SKB-02] names a required parameter without a value: %o',
      async (scope) => {
        expect(await faultOf(ask('user', scope))).toMatchObject({
          code: 'input_invalid',
          message: expect.stringContaining('The mapping user (api_mappings.yaml of demo) needs user_id'),
          fields: { field: 'user_id' },
        });
      },
    );

    it('[SKS-04] fills path, query, headers and body, each in its own way', async () => {
      server.answer((_, response) => json(response, { state: 'open' }));
      await ask('order', { order_id: 'A&1', language: 'pt-BR', amount: 5 });
      const [request] = server.requests;
      expect(request).toMatchObject({
        method: 'POST',
        url: '/orders/A%261?lang=pt-BR',
        headers: { 'x-note': 'for A&1' },
      });
      expect(JSON.parse(request?.body ?? '')).toEqual({ id: 'A&1', text: 'Order A&1', deep: [{ n: 5 }] });
    });

    it('[SKB-02] checks the answer, and names mapping and field', async () => {
      server.answer((_, response) => json(response, { state: 'lost' }));
      const fault = await faultOf(ask('order', { order_id: '1' }));
      expect(fault.code).toBe('source_bad_answer');
      expect(fault.message).toContain(
        'The answer of partner does not fit response_schema of the mapping order (api_mappings.yaml of demo)',
      );
      expect(fault.message).toContain('/state');
      server.answer((_, response) => json(response, { why: 'unknown' }, 404));
      expect(await ask('order', { order_id: '1' })).toMatchObject({ status: 404 });
    });

    it('[SKB-02] says which mapping or source there is not', async () => {
      expect(await faultOf(ask('nothing', {}))).toMatchObject({
        code: 'skill_invalid',
        message: 'api_mappings.yaml of demo has no mapping nothing; it has: user, order.',
      });
      const action = { type: 'query', source: 'elsewhere', query_template: 'SELECT 1' } as const;
      expect(await faultOf(callSource(pack(), action, {}, context()))).toMatchObject({
        code: 'skill_invalid',
        message: 'skill.yaml of demo declares no source elsewhere in data_sources.',
      });
    });

    it.each([
      [{ type: 'array', minItems: 2 }, 'must NOT have fewer than 2 items'],
      [{ type: 'object', properties: { rows: { minItems: 2 } } }, '/rows'],
      [{ type: 'object', properties: { user_id: { type: 'integer' } } }, '/user_id'],
    ])('[SKS-04] checks SQL as a list, as a whole, or row by row: %o', async (response_schema, why) => {
      const strict = pack({
        one: { source: 'cultpass', query: 'SELECT user_id FROM users LIMIT 1', response_schema },
      });
      const fault = await faultOf(callSource(strict, { type: 'query', mapping: 'one' }, {}, context()));
      expect(fault.code).toBe('source_bad_answer');
      expect(fault.message).toContain(why);
    });
  });

  describe('that may be kept', () => {
    const kept = pack({
      price: { source: 'partner', path: '/price/{id}', params: { required: ['id'] }, cache_ttl: 60 },
      fresh: { source: 'partner', path: '/price/{id}', params: { required: ['id'] } },
    });
    const ask = (mapping: string, id: string, run: ReturnType<typeof testContext>) =>
      callSource(kept, { type: 'api', mapping }, { id }, run);

    it('[SKS-04] is asked for once for the same values and caller, and counted once', async () => {
      server.answer((_, response, attempt) => json(response, { attempt }));
      const cache = mapCache();
      const mine = context({ cache, caller: customer('usr_001') });
      const theirs = context({ cache, caller: customer('usr_002') });
      const seen: unknown[] = [];
      for (const [id, run] of [
        ['a', mine],
        ['a', mine],
        ['b', mine],
        ['a', theirs],
        ['a', theirs],
      ] as const) {
        seen.push((await ask('price', id, run)).attempt);
      }
      expect(seen).toEqual([1, 1, 2, 3, 3]);
      expect([mine.counted.apiCalls, theirs.counted.apiCalls]).toEqual([2, 1]);
      const fresh = context({ cache });
      expect((await ask('fresh', 'a', fresh)).attempt).toBe(4);
      expect((await ask('fresh', 'a', fresh)).attempt).toBe(5);
    });

    it('[SKS-04] is not kept where it failed', async () => {
      server.answer((_, response, attempt) => json(response, { attempt }, attempt === 1 ? 500 : 200));
      const run = context();
      expect(await faultOf(ask('price', 'a', run))).toMatchObject({ code: 'source_unavailable' });
      expect(await ask('price', 'a', run)).toMatchObject({ attempt: 2 });
    });
  });

  it('[SKB-02] ends when the run is stopped, with the reason of the run', async () => {
    const stop = new AbortController();
    server.answer(() => stop.abort());
    const run = context({ signal: stop.signal });
    const asked = faultOf(callSource(pack(), { type: 'api', source: 'partner', path: '/slow' }, {}, run));
    expect(await asked).toMatchObject({ code: 'skill_timeout' });
  });

  it('[SKB-02] gives up on a slow source after its time-out, and writes no value to the log', async () => {
    server.answer(() => undefined);
    const run = context();
    const action = { type: 'api', source: 'partner', path: '/slow/{secret}' } as const;
    const fault = await faultOf(callSource(pack({}, 0.5), action, { secret: 'hunter2' }, run));
    expect(fault.message).toContain('no answer within 0.5 s');
    expect(run.log.entries).toMatchObject([
      { level: 'warn', action: 'source_called', details: { outcome: 'source_unavailable' } },
    ]);
    expect(JSON.stringify(run.log.entries)).not.toContain('hunter2');
  });
});
