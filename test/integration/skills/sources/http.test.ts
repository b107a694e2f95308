import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SourceSpec } from '../../../../src/core/ports/data-source.js';
import { freePort } from '../../../support/free-port.js';
import { json, startHttpServer, type TestHttpServer } from '../../../support/http-server.js';
import { faultOf, openTestSources, type TestSources } from './support.js';

describe('[SKS-03] an HTTP source', () => {
  let server: TestHttpServer;
  let elsewhere: TestHttpServer;
  let sources: TestSources;
  let api: SourceSpec;

  beforeAll(async () => {
    server = await startHttpServer();
    elsewhere = await startHttpServer();
    sources = openTestSources({
      PARTNER_URL: `${server.url}/v1`,
      PARTNER_KEY: 'k-123',
      PARTNER_LOGIN: 'ana:p:w',
      EMPTY: ' ',
      LINES: 'a\r\nx-evil: 1',
    });
    api = { name: 'partner', kind: 'http', endpoint: `${server.url}/v1`, auth: 'none', timeoutMs: 120_000 };
  });

  afterAll(async () => {
    await sources.close();
    await server.close();
    await elsewhere.close();
  });

  it('[SKS-03] asks below its endpoint and gives the parsed answer', async () => {
    server.answer((_, response) => json(response, { id: 7 }));
    const answer = await sources.request(api, { path: '/orders/a%2Fb?x=1', query: { 'a b': 'ç&=', x: '2' } });
    expect(answer).toEqual({ status: 200, body: { id: 7 } });
    expect(server.requests[0]?.url).toBe('/v1/orders/a%2Fb?x=2&a+b=%C3%A7%26%3D');
    expect(server.requests[0]?.headers).toMatchObject({ accept: 'application/json' });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('[SKS-03] sends a body as JSON, and headers of the mapping', async () => {
    server.answer((request, response) => json(response, JSON.parse(request.body)));
    const body = { text: '"quoted"', n: 1 };
    expect(
      await sources.request(api, { method: 'POST', path: 'echo', body, headers: { 'X-Trace': 't' } }),
    ).toEqual({
      status: 200,
      body,
    });
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/echo',
      headers: { 'content-type': 'application/json', 'x-trace': 't' },
    });
  });

  it.each([
    [{ auth: 'bearer', credentials: 'env:PARTNER_KEY' }, { authorization: 'Bearer k-123' }],
    [{ auth: 'api_key', credentials: 'env:PARTNER_KEY' }, { 'x-api-key': 'k-123' }],
    [{ auth: 'api_key', credentials: 'env:PARTNER_KEY', header: 'X-Token' }, { 'x-token': 'k-123' }],
    [{ auth: 'basic', credentials: 'env:PARTNER_LOGIN' }, { authorization: `Basic ${btoa('ana:p:w')}` }],
  ] as const)('[SKS-02] authenticates with %o', async (auth, header) => {
    server.answer((_, response) => json(response, {}));
    const spec = { ...api, endpoint: 'env:PARTNER_URL', ...auth };
    await sources.request(spec, {
      path: '/x',
      headers: { Authorization: 'of the pack', 'x-api-key': 'of the pack' },
    });
    expect(server.requests[0]?.headers).toMatchObject(header);
  });

  it.each([
    [
      { auth: 'bearer', credentials: 'env:NOT_SET' },
      /^The source partner takes its credentials from the environment variable NOT_SET, which is not set\.$/,
    ],
    [{ auth: 'bearer', credentials: 'env:EMPTY' }, /EMPTY, which is not set/],
    [{ auth: 'bearer' }, /has no credentials/],
    [{ auth: 'basic', credentials: 'env:PARTNER_KEY' }, /user:password/],
    [{ auth: 'bearer', credentials: 'env:LINES' }, /no HTTP header can carry/],
    [{ endpoint: 'env:NOWHERE' }, /takes its endpoint from the environment variable NOWHERE/],
    [{ endpoint: 'ftp://example.test' }, /no http or https address/],
  ] as const)('[SKS-03] says what is missing in %o', async (wrong, message) => {
    const fault = await faultOf(sources.request({ ...api, ...wrong }, {}));
    expect(fault.code).toBe('source_misconfigured');
    expect(fault.message).toMatch(message);
    expect(fault.message).not.toContain('k-123');
  });

  it('[SKS-03] opens a source once its variable is there: a failed opening is not kept', async () => {
    const env: Record<string, string> = {};
    const later = openTestSources(env);
    const spec = { ...api, endpoint: 'env:LATER_URL' };
    expect(await faultOf(later.request(spec, {}))).toMatchObject({ code: 'source_misconfigured' });
    env.LATER_URL = server.url;
    server.answer((_, response) => json(response, 1));
    expect(await later.request(spec, {})).toEqual({ status: 200, body: 1 });
    await later.close();
  });

  it.each([
    '/../admin',
    '/a/../../admin',
    '/a/%2e%2E/%2e%2e/admin',
    '//evil.test/x',
    '/\\evil.test',
    '/a\\..\\b',
    '/..',
  ])('[SKS-03] does not leave its endpoint by the path %s', async (path) => {
    server.answer((_, response) => json(response, {}));
    const answer = await sources.request(api, { path }).catch((error: { code?: string }) => error);
    expect(answer).toMatchObject({ code: 'source_rejected' });
    expect(server.requests).toEqual([]);
  });

  it('[SKS-03] tries again after a 5xx, and stays calm about it', async () => {
    server.answer((_, response, attempt) => json(response, { attempt }, attempt < 3 ? 503 : 200));
    expect(await sources.request(api, { path: '/x' })).toEqual({ status: 200, body: { attempt: 3 } });
    server.answer((_, response) => json(response, {}, 500));
    const fault = await faultOf(sources.request({ ...api, retries: 1 }, { path: '/x' }));
    expect(fault).toMatchObject({
      code: 'source_unavailable',
      message: 'partner cannot be reached: it answers HTTP 500 (2 attempts).',
    });
    expect(server.requests).toHaveLength(2);
  });

  it.each([400, 401, 404, 409, 422])(
    '[SKS-03] gives a %i as it is, and does not ask again',
    async (status) => {
      server.answer((_, response) => json(response, { why: 'no' }, status));
      expect(await sources.request(api, { path: '/x' })).toEqual({ status, body: { why: 'no' } });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('[SKS-03] waits as long as a 429 asks for, within reason', async () => {
    server.answer((_, response, attempt) => {
      if (attempt > 1) json(response, { ok: true });
      else response.writeHead(429, { 'retry-after': '0.4' }).end();
    });
    const began = performance.now();
    expect(await sources.request(api, { path: '/x' })).toEqual({ status: 200, body: { ok: true } });
    expect(performance.now() - began).toBeGreaterThan(390);
  });

  it.each(['POST', 'PATCH'])('[SKS-03] does not repeat a %s, which might do it twice', async (method) => {
    server.answer((_, response) => json(response, {}, 500));
    expect(await faultOf(sources.request(api, { method, path: '/x', body: {} }))).toMatchObject({
      code: 'source_unavailable',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('[SKB-02] tries again where the connection breaks, before and within the answer', async () => {
    server.answer((_, response, attempt) => {
      if (attempt === 1) response.socket?.destroy();
      else if (attempt === 2) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"half":', () => response.socket?.destroy());
      } else json(response, { whole: true });
    });
    expect(await sources.request(api, { path: '/x' })).toEqual({ status: 200, body: { whole: true } });
  });

  it('[SKB-02] gives up on a server that is not there', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const fault = await faultOf(sources.request({ ...api, endpoint, retries: 1 }, { path: '/x' }));
    expect(fault.code).toBe('source_unavailable');
    expect(fault.message).toMatch(/^partner cannot be reached: .*ECONNREFUSED.* \(2 attempts\)\.$/);
  });

  it('[SKB-02] gives up on a server that is silent, and on one that drips', async () => {
    const impatient = { ...api, timeoutMs: 120, retries: 0 };
    server.answer(() => undefined);
    expect(await faultOf(sources.request(impatient, { path: '/x' }))).toMatchObject({
      code: 'source_unavailable',
      message: 'partner cannot be reached: no answer within 0.12 s (one attempt).',
    });
    // One whose drops counted as an answer would be waited for without end.
    server.answer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await faultOf(sources.request(impatient, { path: '/x' }))).toMatchObject({
      code: 'source_unavailable',
    });
  });

  it('[SKB-02] stops at once when the run is stopped', async () => {
    const stop = new AbortController();
    // It is stopped when it has arrived, and what others asked before may still arrive: only its own are counted.
    server.answer((request) => {
      if (request.url?.endsWith('/stopped')) stop.abort();
    });
    const asked = faultOf(
      sources.request({ ...api, timeoutMs: 600_000 }, { path: '/stopped' }, { signal: stop.signal }),
    );
    expect(await asked).toMatchObject({ code: 'skill_timeout' });
    expect(server.requests.filter(({ url }) => url?.endsWith('/stopped'))).toHaveLength(1);
  });

  it('[SKB-02] does not take in an answer that is too large, told or not', async () => {
    const big = JSON.stringify('x'.repeat(1_100_000));
    server.answer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(big));
    const fault = await faultOf(sources.request(api, { path: '/x' }));
    expect(fault).toMatchObject({
      code: 'source_bad_answer',
      message: 'The answer of partner is larger than 1000000 bytes.',
    });
    expect(server.requests).toHaveLength(1);
    server.answer((_, response) => {
      const flood = setInterval(() => response.write('x'.repeat(100_000)), 1);
      response.on('close', () => clearInterval(flood));
    });
    expect(await faultOf(sources.request(api, { path: '/x' }))).toMatchObject({ code: 'source_bad_answer' });
  });

  it.each([
    ['application/json', '{"half":', /broken JSON/],
    ['application/json', 'null null', /broken JSON/],
    ['text/html', '<!doctype html><p>Please log in', /a web page/],
    ['application/json', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, /nested without end/],
  ])('[SKB-02] refuses nonsense (%s %s)', async (type, text, why) => {
    server.answer((_, response) => response.writeHead(200, { 'content-type': type }).end(text));
    const fault = await faultOf(sources.request(api, { path: '/x' }));
    expect(fault.code).toBe('source_bad_answer');
    expect(fault.message).toMatch(why);
  });

  it('[SKS-03] gives plain text as text and nothing as null', async () => {
    server.answer((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('OK'));
    expect(await sources.request(api, { path: '/health' })).toEqual({ status: 200, body: 'OK' });
    server.answer((_, response) => response.writeHead(204).end());
    expect(await sources.request(api, { method: 'DELETE', path: '/x' })).toEqual({ status: 204, body: null });
    server.answer((_, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>gone'),
    );
    expect(await sources.request(api, { path: '/x' })).toEqual({ status: 404, body: '<html>gone' });
  });

  it('[SKS-02] follows a redirect on the same address, with its credentials', async () => {
    server.answer((request, response) => {
      if (request.url === '/v1/old') response.writeHead(302, { location: '/v2/new' }).end();
      else json(response, { key: request.headers.authorization });
    });
    const spec = { ...api, auth: 'bearer', credentials: 'env:PARTNER_KEY' } as const;
    expect(await sources.request(spec, { path: '/old' })).toEqual({
      status: 200,
      body: { key: 'Bearer k-123' },
    });
  });

  it('[SKS-02] follows no redirect to another address, so that credentials never travel', async () => {
    elsewhere.answer((_, response) => json(response, {}));
    const spec = { ...api, auth: 'bearer', credentials: 'env:PARTNER_KEY' } as const;
    for (const location of [`${elsewhere.url}/x`, `//${elsewhere.url.slice('http://'.length)}/x`]) {
      server.answer((_, response) => response.writeHead(307, { location }).end());
      const fault = await faultOf(sources.request(spec, { path: '/x' }));
      expect(fault.code).toBe('source_bad_answer');
      expect(fault.message).toContain(elsewhere.url);
    }
    expect(elsewhere.requests).toEqual([]);
  });

  it('[SKB-02] does not run in circles, nor post twice', async () => {
    server.answer((_, response) => response.writeHead(302, { location: '/v1/x' }).end());
    expect(await faultOf(sources.request(api, { path: '/x' }))).toMatchObject({ code: 'source_bad_answer' });
    expect(server.requests.length).toBeLessThan(10);
    server.answer((_, response) => response.writeHead(308, { location: '/v1/y' }).end());
    expect(await faultOf(sources.request(api, { method: 'POST', path: '/x' }))).toMatchObject({
      code: 'source_bad_answer',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('[SKB-02] says what cannot be asked, without trying', async () => {
    server.answer((_, response) => json(response, {}));
    const wrong = [{ headers: { 'x-note': 'a\r\nx-evil: 1' } }, { method: 'GET', body: { a: 1 } }];
    for (const request of wrong) {
      expect(await faultOf(sources.request(api, { path: '/x', ...request }))).toMatchObject({
        code: 'source_rejected',
      });
    }
    expect(server.requests).toEqual([]);
  });
});
