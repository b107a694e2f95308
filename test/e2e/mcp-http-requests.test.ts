import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOwnHost } from '../../src/surfaces/mcp/http-routes.js';
import {
  initialize,
  MCP_HEADERS,
  modernCall,
  openSession,
  post,
  programToken,
  request,
  toolCall,
} from '../support/mcp-http.js';
import { openServer, rawRequest, type TestServer } from '../support/server.js';

const ANA = 'ana.souza@example.com';
const PAGE = 'https://desk.example.com';
const FOREIGN = 'https://evil.example';

let server: TestServer;
let token: string;
let session: string;

beforeAll(async () => {
  server = await openServer({
    env: { HUB_CORS_ORIGINS: PAGE, HUB_PUBLIC_URL: 'https://support.example.com' },
  });
  token = await programToken(server, ANA);
  session = await openSession(server.url, token);
});

afterAll(() => server.close());

const CALL = toolCall(1, 'lookup_user');

describe('what is no message', () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${'['.repeat(60)}${']'.repeat(60)}}}`;
  it.each([
    ['no JSON', '{"jsonrpc":', 400, -32_700],
    ['nothing', '', 400, -32_700],
    ['no text', '\u0000\u0001', 400, -32_700],
    ['a batch', [CALL, toolCall(2, 'get_subscription')], 400, -32_600],
    ['an empty batch', [], 400, -32_600],
    ['another protocol', { foo: 1 }, 400, -32_600],
    ['JSON-RPC 1.0', { id: 1, method: 'ping' }, 400, -32_600],
    ['a request without a usable id', { jsonrpc: '2.0', id: null, method: 'ping' }, 400, -32_600],
    ['a number', 7, 400, -32_600],
    ['nested without end', deep, 400, -32_600],
    [
      'too large',
      { ...CALL, params: { name: 'x', arguments: { text: 'x'.repeat(1_100_000) } } },
      413,
      -32_000,
    ],
  ])('[MCH-08] is refused in words of the protocol: %s', async (_what, body, status, code) => {
    for (const options of [{ token }, { token, session }]) {
      const answer = await post(server.url, body, options);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } });
    }
  });

  it.each([
    ['text/plain', { 'content-type': 'text/plain' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['an answer in JSON alone', { accept: 'application/json' }, 406],
    ['an answer as a page', { accept: 'text/html' }, 406],
  ])('[MCH-08] or wants or brings what is not spoken here: %s', async (_what, headers, status) => {
    const modern = modernCall(1, 'lookup_user');
    expect((await post(server.url, CALL, { token, session, headers })).status).toBe(status);
    const answer = await post(server.url, modern.body, { token, headers: { ...modern.headers, ...headers } });
    expect(answer.status).toBe(status);
  });

  it('[MCH-08] or names a version, a session or a method that there is not', async () => {
    const modern = modernCall(1, 'lookup_user');
    const old = { 'mcp-protocol-version': '1999-01-01' };
    expect((await post(server.url, CALL, { token, session, headers: old })).status).toBe(400);
    const meta = {
      ...(modern.body.params._meta as object),
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
    };
    const newer = { ...modern.body, params: { ...modern.body.params, _meta: meta } };
    const headers = { ...modern.headers, 'mcp-protocol-version': '2099-01-01' };
    const answer = await post(server.url, newer, { token, headers });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('2026-07-28');
    expect((await post(server.url, CALL, { token })).status).toBe(400);
    expect((await post(server.url, CALL, { token, session: 'nothing' })).status).toBe(404);
    const unknown = await post(server.url, request(5, 'no/such'), { token, session });
    expect(unknown.message).toMatchObject({ id: 5, error: { code: -32_601 } });
    const nameless = request(6, 'initialize', { capabilities: {} });
    expect((await post(server.url, nameless, { token })).body).toMatchObject({
      id: 6,
      error: { code: -32_602 },
    });
    const put = await server.call('PUT', '/mcp', { token, body: CALL });
    expect({ status: put.status, allow: put.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, HEAD, POST, DELETE',
    });
    expect(
      (await server.call('HEAD', '/mcp', { token, headers: { 'mcp-session-id': session } })).status,
    ).toBe(405);
  });

  it.each([
    ['tools/call', { name: 'lookup_user', arguments: [] }],
    ['tools/list', { cursor: 5 }],
    ['resources/list', { cursor: null }],
    ['resources/read', {}],
    ['prompts/get', { name: 'answer_customer', arguments: { question: 5 } }],
    ['completion/complete', { ref: { type: 'ref/nothing' }, argument: 1 }],
  ])(
    '[MCP-03] or sends what does not fit %s at all, which is called its own fault',
    async (method, params) => {
      const { message } = await post(server.url, request(9, method, params), { token, session });
      expect(message).toMatchObject({
        id: 9,
        error: { code: -32_602, message: expect.stringContaining('Invalid params: params') },
      });
    },
  );

  it('[MCH-08] or calls a tool that there is not, or with what its schema forbids', async () => {
    const unknown = await post(server.url, toolCall(7, 'drop_tables'), { token, session });
    expect(unknown.message).toMatchObject({ id: 7, error: { code: -32_602 } });
    const wrong = await post(server.url, toolCall(8, 'cancel_reservation', { customer_id: 'usr_bruno' }), {
      token,
      session,
    });
    expect(wrong.message).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(wrong.message)).toContain('reservation_id');
  });

  it('[MCH-08] or has parameters of another shape', async () => {
    const shapes = [
      request(1, 'tools/call', { name: 5 }),
      request(2, 'tools/call', { name: 'lookup_user', arguments: [] }),
      request(3, 'resources/read', {}),
      request(4, 'prompts/get', { name: null }),
      request(5, 'tools/list', { cursor: 7 }),
      request(6, 'completion/complete', { ref: {} }),
    ];
    for (const shape of shapes) {
      const { message } = await post(server.url, shape, { token, session });
      expect(message).toMatchObject({
        id: shape.id,
        error: { code: -32_602, message: expect.stringContaining('Invalid params: params.') },
      });
    }
  });

  it('[MCH-13] or comes too often', async () => {
    const busy = await openServer({ env: { HUB_TURNS_PER_MINUTE: '1' } });
    const own = await programToken(busy, ANA);
    const statuses: number[] = [];
    for (let at = 0; at < 60 && statuses.at(-1) !== 429; at += 1) {
      const { body, headers } = modernCall(at, 'lookup_user');
      const answer = await post(busy.url, body, { token: own, headers });
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(answer.body).toMatchObject({ id: at, error: { data: { code: 'rate_limited' } } });
    }
    // Fifty calls for each turn that is allowed.
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.at(-1)).toBe(429);
    const other = modernCall(1, 'lookup_user');
    const bruno = await programToken(busy, 'bruno.lima@example.com');
    expect((await post(busy.url, other.body, { token: bruno, headers: other.headers })).status).toBe(200);
    await busy.close();
  });
});

describe('another host or origin', () => {
  it('[MCH-07] is refused, whatever token it brings', async () => {
    const authorization = `Bearer ${token}`;
    for (const host of ['evil.example', '169.254.169.254', 'localhost.evil.example']) {
      const { status } = await rawRequest(`${server.url}/mcp`, { host, authorization });
      expect([403, 421], host).toContain(status);
      const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp`;
      expect([403, 421], host).toContain((await rawRequest(metadata, { host })).status);
    }
    for (const origin of [FOREIGN, 'null', 'http://localhost:1', `${PAGE}.evil.example`, 'nonsense'])
      for (const body of [initialize(), CALL]) {
        const answer = await post(server.url, body, { token, headers: { origin } });
        expect(answer.status, origin).toBe(403);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
  });

  it('[MCH-07] is let in where it is the own one or a page that may call', async () => {
    for (const origin of [server.url, 'https://support.example.com', PAGE]) {
      const answer = await post(server.url, initialize(), { token, headers: { origin } });
      expect(answer.status, origin).toBe(200);
    }
    const preflight = await server.call('OPTIONS', '/mcp', {
      headers: {
        origin: PAGE,
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'authorization, mcp-session-id, mcp-protocol-version, last-event-id',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(PAGE);
    for (const name of ['authorization', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id'])
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
    const answer = await post(server.url, initialize(), { token, headers: { origin: PAGE } });
    expect(answer.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
    const foreign = { origin: FOREIGN, 'access-control-request-method': 'POST' };
    expect((await server.call('OPTIONS', '/mcp', { headers: foreign })).status).toBe(403);
  });

  it('[MCH-03] names its public address where there is one', async () => {
    const { body } = await server.get('/.well-known/oauth-protected-resource/mcp');
    expect(body.resource).toBe('https://support.example.com/mcp');
    const challenge = (await post(server.url, CALL)).headers.get('www-authenticate');
    expect(challenge).toContain('"https://support.example.com/.well-known/oauth-protected-resource/mcp"');
  });

  it.each([
    [
      '127.0.0.1',
      undefined,
      ['127.0.0.1', 'localhost', '[::1]', 'app.localhost'],
      ['10.0.0.5', 'hub.example'],
    ],
    [
      '0.0.0.0',
      undefined,
      ['127.0.0.1', '10.0.0.5', '[fe80::1]', 'localhost'],
      ['hub.example', 'evil.example'],
    ],
    [
      '10.0.0.5',
      'https://hub.example/x',
      ['10.0.0.5', 'hub.example'],
      ['localhost', '10.0.0.6', 'x.hub.example'],
    ],
    ['::1', undefined, ['[::1]', 'localhost'], ['[::2]', 'hub.example']],
  ])(
    '[MCH-07] is told by the address that is listened on, %s, and the public one',
    (host, publicUrl, own, foreign) => {
      const config = { host, publicUrl };
      for (const name of own) expect(isOwnHost(name, config), name).toBe(true);
      for (const name of foreign) expect(isOwnHost(name, config), name).toBe(false);
    },
  );
});

it('[MCH-08] reads a message whatever the letters of its media type', async () => {
  const headers = { ...MCP_HEADERS, 'content-type': 'Application/JSON; charset=utf-8' };
  expect((await post(server.url, CALL, { token, session, headers })).status).toBe(200);
});
