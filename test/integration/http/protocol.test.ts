import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { headerPairs, openServer, rawRequest, type TestServer } from '../../support/server.js';
import { ANA } from './support.js';

let at: TestServer;
let ana: string;
beforeAll(async () => {
  at = await openServer();
  ana = await at.token(ANA);
});
afterAll(() => at.close());

/** Sends bytes as they are and gives back the head of the answer and what comes with it. */
function talk(bytes: string): Promise<string> {
  const { hostname, port } = new URL(at.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    const done = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (piece) => {
      text += piece.toString();
      if (text.includes('\r\n\r\n')) done();
    });
    socket.on('close', done).on('error', done);
  });
}

describe('an error', () => {
  it('[HTP-10] is a problem: of a path, a method, JSON, a media type, an Accept, a size', async () => {
    const cases = [
      ['GET', '/api/nothing', {}, 404, 'not_found'],
      ['GET', '/nothing', {}, 404, 'not_found'],
      ['DELETE', '/api/threads', {}, 405, 'method_not_allowed'],
      ['PUT', '/healthz', {}, 405, 'method_not_allowed'],
      ['POST', '/api/threads/t/messages', { body: '{"text": ' }, 400, 'input_invalid'],
      ['POST', '/api/threads/t/messages', { body: new Uint8Array([123, 255, 125]) }, 400, 'input_invalid'],
      [
        'POST',
        '/api/threads/t/messages',
        { body: `${'['.repeat(5_000)}${']'.repeat(5_000)}` },
        400,
        'input_invalid',
      ],
      [
        'POST',
        '/api/threads/t/messages',
        { body: 'x', headers: { 'content-type': 'text/plain' } },
        415,
        'unsupported_media_type',
      ],
      ['POST', '/api/threads/t/messages', { body: { text: 7 } }, 422, 'input_invalid'],
      ['POST', '/api/session', { body: { email: 'x'.repeat(70_000) } }, 413, 'input_too_large'],
      ['GET', '/api/threads', { headers: { accept: 'image/png' } }, 406, 'not_acceptable'],
      ['GET', '/api/threads?limit=0', {}, 422, 'input_invalid'],
      ['GET', '/api/threads?limit=1&limit=2', {}, 422, 'input_invalid'],
      ['GET', '/api/articles/..%2f..%2fetc', {}, 404, 'not_found'],
    ] as const;
    for (const [method, path, request, status, code] of cases) {
      const answer = await at.call(method, path, { token: ana, ...request });
      const what = `${method} ${path} ${JSON.stringify(request).slice(0, 60)}`;
      expect(answer, what).toMatchObject({
        status,
        body: { status, code, type: `urn:uda-hub:problem:${code}` },
      });
      expect(answer.headers.get('content-type'), what).toBe('application/problem+json');
      expect(String(answer.body.detail).length, what).toBeGreaterThan(5);
    }
  });

  it('[HTP-10] names the methods that are allowed, and the fields that are wrong', async () => {
    const wrongMethod = await at.call('PATCH', '/api/session', { token: ana });
    expect(wrongMethod.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    const wrongField = await at.post('/api/threads/t/rating', ana, { helpful: 'yes' });
    expect(wrongField.body.errors).toEqual([{ field: 'helpful', message: expect.any(String) }]);
  });

  it('[HTP-10] carries the id of its request, and keeps one that a client gives', async () => {
    const given = await at.get('/api/nothing', ana, { 'x-request-id': 'abc-123' });
    expect(given.headers.get('x-request-id')).toBe('abc-123');
    const made = await at.get('/api/nothing', ana, { 'x-request-id': 'a b<script>' });
    expect(made.headers.get('x-request-id')).toMatch(/^[\w-]{20,}$/);
  });

  it('[HTP-11] answers what is no HTTP at all, and lives on', async () => {
    expect(await talk('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/);
    expect(await talk(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431/,
    );
    expect(await talk('GET /a\\b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400/,
    );
    expect(await talk('GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    const smuggled =
      'POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await talk(smuggled)).toMatch(/^HTTP\/1\.1 400/);
    expect((await at.get('/healthz')).status).toBe(200);
  });

  it('[HTP-11] stops reading a body that is too long, whether it says so or not', async () => {
    const head = 'POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    expect(await talk(`${head}Content-Length: 999999999\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 413/);
    const chunk = `${(0x4000).toString(16)}\r\n${'a'.repeat(0x4000)}\r\n`;
    expect(await talk(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(8)}0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413/,
    );
  });
});

describe('headers', () => {
  it('[HTP-12] let a browser run, load and frame nothing it was not given', async () => {
    const api = await at.get('/api/session', ana);
    expect(api.headers.get('content-security-policy')).toMatch(/^default-src 'none'; frame-ancestors 'none'/);
    expect(api.headers.get('cache-control')).toBe('no-store');
    for (const { headers } of [api, await at.get('/'), await at.get('/api/nothing')]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    }
    const page = (await at.get('/')).headers.get('content-security-policy') ?? '';
    expect(page).toContain("script-src 'self';");
    expect(page).toContain("frame-ancestors 'self';");
    expect(page).not.toMatch(/unsafe|\*|data:/);
  });

  it('[HTP-12] answer to no foreign name while the demo is on', async () => {
    const foreign = await rawRequest(`${at.url}/api/config`, { host: 'rebound.example.com' });
    expect(foreign.status).toBe(421);
    expect((await rawRequest(`${at.url}/api/config`, { host: 'localhost:99' })).status).toBe(200);
  });

  it('[HTP-12] a preflight from elsewhere is answered with nothing that opens the door', async () => {
    const answer = await at.call('OPTIONS', '/api/threads', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(405);
    expect(headerPairs(answer.headers).filter(([name]) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('settings', () => {
  let other: TestServer | null = null;
  afterEach(() => other?.close());

  it('[HTP-13] open exact origins for scripts and frames, and only those', async () => {
    other = await openServer({
      env: {
        HUB_CORS_ORIGINS: 'https://app.example.com',
        HUB_EMBED_ORIGINS: 'https://www.example.com, https://shop.example.com',
        HUB_LINK_HOSTS: 'cdn.example.com',
      },
    });
    const from = async (origin: string) => (await other?.get('/api/config', undefined, { origin }))?.headers;
    expect((await from('https://app.example.com'))?.get('access-control-allow-origin')).toBe(
      'https://app.example.com',
    );
    expect(
      (await from('https://app.example.com.evil.example'))?.get('access-control-allow-origin'),
    ).toBeNull();
    const policy = (await other.get('/')).headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'self' https://www.example.com https://shop.example.com;");
    expect(policy).toContain("img-src 'self' blob: https://cdn.example.com;");
    expect((await other.get('/api/config')).body.link_hosts).toEqual(['cdn.example.com']);
    expect((await other.get('/desk')).headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self';",
    );
  });

  it('[HTP-13] believe a proxy only where one is said to be there', async () => {
    other = await openServer({ env: { HUB_TRUST_PROXY: '1' } });
    const https = await other.get('/healthz', undefined, { 'x-forwarded-proto': 'https' });
    expect(https.headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
    expect(
      (await at.get('/healthz', undefined, { 'x-forwarded-proto': 'https' })).headers.has(
        'strict-transport-security',
      ),
    ).toBe(false);
    const attempt = async (forwarded: string) =>
      (
        await other?.post(
          '/api/session',
          undefined,
          { email: ANA, code: '000000' },
          { 'x-forwarded-for': forwarded },
        )
      )?.status;
    for (let index = 0; index < 10; index += 1) await attempt(`6.6.6.${index}, 10.0.0.1`);
    expect(await attempt('6.6.6.99, 10.0.0.1')).toBe(429);
    expect(await attempt('10.0.0.2')).toBe(401);
  });
});

describe('health', () => {
  it('[HTP-14] names each part', async () => {
    expect((await at.get('/healthz')).body).toEqual({ status: 'ok' });
    const ready = await at.get('/readyz');
    expect(ready.status).toBe(200);
    const parts = ready.body.parts as readonly { readonly name: string; readonly status: string }[];
    expect(parts.map(({ name }) => name)).toEqual([
      'cultpass_db',
      'udahub_db',
      'checkpoints',
      'signing',
      'chroma',
      'model_provider',
    ]);
    expect(parts.every(({ status }) => status === 'ok')).toBe(true);
  });

  it('[HTP-14] is degraded without the index, and not ready without a database', async () => {
    const broken = await openServer({
      overrides: {
        wrapCompany: (backend) => ({
          ...backend,
          customers: {
            ...backend.customers,
            get: () => Promise.reject(new Error('no disk at /secret/path')),
          },
        }),
      },
    });
    try {
      const answer = await broken.get('/readyz');
      expect(answer).toMatchObject({ status: 503, body: { ready: false } });
      expect(answer.text).toContain('"name":"cultpass_db","status":"failed"');
      expect(answer.text).not.toContain('secret');
      expect((await broken.get('/healthz')).status).toBe(200);
    } finally {
      await broken.close();
    }
  });

  it('[HTP-15] metrics are for whoever has their token, where there is one', async () => {
    expect((await at.get('/metrics')).headers.get('content-type')).toMatch(/^text\/plain/);
    const guarded = await openServer({ env: { HUB_METRICS_TOKEN: 'the-metrics-token' } });
    try {
      expect((await guarded.get('/metrics')).status).toBe(401);
      expect((await guarded.get('/metrics', 'the-metrics-tokem')).status).toBe(401);
      expect((await guarded.get('/metrics', 'the-metrics-token')).status).toBe(200);
    } finally {
      await guarded.close();
    }
  });
});

describe('what pages ask for', () => {
  it('[HTP-16 SHF-17] is there before anybody has signed in', async () => {
    const { body } = await at.get('/api/config');
    expect(body).toMatchObject({ demo: true, locale: 'en', max_message_chars: 20_000 });
    expect(body.demo_customers).toContainEqual({ email: ANA, name: 'Ana Souza', blocked: false, notes: [] });
    // Whom it is worth to be: blocked, paused, in debt.
    const demo = body.demo_customers as readonly { email: string; blocked: boolean; notes: string[] }[];
    const special = new Map(demo.map(({ email, blocked, notes }) => [email.split('@')[0], [blocked, notes]]));
    expect(special.get('elisa.rocha')?.[0]).toBe(true);
    expect(special.get('carla.mendes')?.[1]).toContain('Subscription: Paused');
    expect(special.get('diego.ferreira')?.[1]).not.toEqual([]);
    expect(body.support_hours).toMatchObject({ opens: '09:00', closes: '18:00', weekdays: [1, 2, 3, 4, 5] });
  });

  it('[HTP-16] an article is for whoever has signed in', async () => {
    const [article] = await at.hub.app.kb.list();
    const path = `/api/articles/${article?.articleId}`;
    expect((await at.get(path)).status).toBe(401);
    expect((await at.get(path, ana)).body).toMatchObject({
      article_id: article?.articleId,
      title: article?.title,
    });
    expect((await at.get(path, await at.operator())).status).toBe(200);
    expect((await at.get('/api/articles/none', ana)).status).toBe(404);
  });
});
