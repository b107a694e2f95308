import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/config.js';
import { createHttpDeps } from '../../src/surfaces/http/server.js';
import { mcpRoutes } from '../../src/surfaces/mcp/http-routes.js';
import { GatedIndex } from '../support/gated-index.js';
import {
  connectHttp,
  followSession,
  initialize,
  MCP_HEADERS,
  modernCall,
  OLD_VERSION,
  openSession,
  post,
  postStream,
  programToken,
  toolCall,
} from '../support/mcp-http.js';
import { openServer, type TestServer } from '../support/server.js';
import { readSse } from '../support/sse.js';
import { until } from '../support/until.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const SEARCH = { query: 'How do I pause my plan?' };
const CANCEL = { reservation_id: 'res_002' };

const index = new GatedIndex();
let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await openServer({ overrides: { index, measure: true } });
  token = await programToken(server, ANA);
});

afterEach(() => index.release());
afterAll(() => server.close());

const streamsOpen = async (hub: TestServer): Promise<number> => {
  const { text } = await hub.hub.app.metrics.render();
  return Number(/hub_event_streams_open\{audience="program"\} (\d+)/.exec(text)?.[1] ?? '0');
};
const messageOf = ({ data }: { readonly data: unknown }): Record<string, unknown> =>
  (data ?? {}) as Record<string, unknown>;

describe('a session', () => {
  it('[MCH-05] is known to whoever opened it, and to nobody else', async () => {
    const session = await openSession(server.url, token);
    for (const other of [await programToken(server, BRUNO), await server.operator()]) {
      const call = await post(server.url, toolCall(1, 'lookup_user'), { token: other, session });
      const unknown = await post(server.url, toolCall(1, 'lookup_user'), {
        token: other,
        session: 'nothing',
      });
      expect({ status: call.status, text: call.text }).toEqual({ status: 404, text: unknown.text });
      expect((await followSession(server.url, { token: other, session })).response.status).toBe(404);
      const headers = { 'mcp-session-id': session };
      expect((await server.call('DELETE', '/mcp', { token: other, headers })).status).toBe(404);
    }
    const again = await post(server.url, toolCall(2, 'lookup_user'), {
      token: await programToken(server, ANA),
      session,
    });
    expect(again.status).toBe(200);
    expect(JSON.stringify(again.message)).toContain(ANA);
  });

  it('[MCH-05] ends where its client says so', async () => {
    const session = await openSession(server.url, token);
    const stream = await followSession(server.url, { token, session });
    const headers = { 'mcp-session-id': session };
    expect((await server.call('DELETE', '/mcp', { token, headers })).status).toBe(200);
    await stream.all();
    expect((await post(server.url, toolCall(1, 'lookup_user'), { token, session })).status).toBe(404);
  });

  it('[MCH-02] outlives its token for whoever brings a new one, and for nobody else', async () => {
    const short = await programToken(server, ANA, ['account:read'], 1);
    const session = await openSession(server.url, short);
    server.hub.clock.advance({ minutes: 2 });
    const late = await post(server.url, toolCall(1, 'lookup_user'), { token: short, session });
    expect(late.status).toBe(401);
    expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const fresh = await post(server.url, toolCall(1, 'lookup_user'), { token, session });
    expect(fresh.status).toBe(200);
  });

  it('[MCH-10] gives what its client missed when the connection broke', async () => {
    const session = await openSession(server.url, token);
    index.hold();
    const call = await postStream(server.url, toolCall(7, 'search_knowledge', SEARCH), { token, session });
    const { id = '' } = await call.until(({ id: event }) => event !== undefined);
    await call.close();
    index.release();
    const resumed = await followSession(server.url, { token, session, headers: { 'last-event-id': id } });
    const answer = await resumed.until((event) => messageOf(event).id === 7);
    expect(messageOf(answer)).toMatchObject({ result: { structuredContent: { mode: 'hybrid' } } });
    const unknown = await followSession(server.url, { token, session, headers: { 'last-event-id': '9999' } });
    expect(unknown.response.status).toBe(400);
  });

  it('[MCH-09] ends a call that its client has called back, and takes no second one with the same id', async () => {
    const session = await openSession(server.url, token);
    index.hold();
    const call = await postStream(server.url, toolCall(3, 'search_knowledge', SEARCH), { token, session });
    const twice = await post(server.url, toolCall(3, 'lookup_user'), { token, session });
    expect(twice.body).toMatchObject({ id: 3, error: { code: -32_600 } });
    const params = { requestId: 3, reason: 'changed their mind' };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    expect((await post(server.url, cancelled, { token, session })).status).toBe(202);
    const events = await call.all();
    expect(events.map(messageOf).filter(({ id }) => id === 3)).toEqual([
      { jsonrpc: '2.0', id: 3, error: { code: -32_000, message: 'The request was cancelled.' } },
    ]);
    index.release();
    expect((await post(server.url, toolCall(3, 'lookup_user'), { token, session })).status).toBe(200);
  });

  it('[MCH-09] and clients that vanish leave nothing behind', async () => {
    const own = await openServer({
      overrides: { index, measure: true },
      env: { HUB_STOP_SECONDS: '120' },
    });
    const anas = await programToken(own, ANA);
    const session = await openSession(own.url, anas);
    index.hold();
    const { body, headers } = modernCall(1, 'search_knowledge', SEARCH);
    const abort = new AbortController();
    const gone = fetch(`${own.url}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${anas}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
      signal: abort.signal,
    }).catch(() => null);
    const call = await postStream(own.url, toolCall(1, 'search_knowledge', SEARCH), { token: anas, session });
    const stream = await followSession(own.url, { token: anas, session });
    await until(async () => (await streamsOpen(own)) === 2);
    abort.abort();
    await gone;
    await Promise.all([call.close(), stream.close()]);
    await until(async () => (await streamsOpen(own)) === 0);
    // The index still holds both calls; the one of the old protocol may be continued, and is waited for.
    const closing = own.server.close();
    await until(() =>
      fetch(`${own.url}/healthz`).then(
        ({ status }) => status === 503,
        () => true,
      ),
    );
    index.release();
    expect(await closing).toBe(0);
    await own.close();
  });
});

describe('a stop of the server', () => {
  it('[MCH-11] lets calls end, waits for no user, and ends streams', async () => {
    const own = await openServer({ overrides: { index }, env: { HUB_STOP_SECONDS: '120' } });
    const anas = await programToken(own, ANA);
    const [asking, working] = [
      await openSession(own.url, anas, { elicitation: {} }),
      await openSession(own.url, anas),
    ];
    const question = await postStream(own.url, toolCall(1, 'cancel_reservation', CANCEL), {
      token: anas,
      session: asking,
    });
    await question.until((event) => messageOf(event).method === 'elicitation/create');
    index.hold();
    const search = await postStream(own.url, toolCall(2, 'search_knowledge', SEARCH), {
      token: anas,
      session: working,
    });
    const quiet = await followSession(own.url, { token: anas, session: working });
    const closing = own.server.close();
    await question.all();
    index.release();
    const answer = await search.until((event) => messageOf(event).id === 2);
    expect(messageOf(answer)).toHaveProperty('result');
    await quiet.all();
    expect(await closing).toBe(0);
    const [row] = own.hub.query(
      'cultpass',
      "SELECT status FROM reservations WHERE reservation_id = 'res_002'",
    );
    expect(row).toEqual({ status: 'reserved' });
    await own.close();
  });
});

describe('very many clients', () => {
  it('[MCH-12] hold a hundred sessions at once, and each gets its own answers', async () => {
    const bruno = await programToken(server, BRUNO);
    const talks = await Promise.all(
      Array.from({ length: 100 }, (_, at) => connectHttp(server.url, at % 2 === 0 ? token : bruno)),
    );
    await until(async () => (await streamsOpen(server)) >= 100);
    const answers = await Promise.all(talks.map(({ call }) => call('lookup_user')));
    expect(answers.map(({ data }) => JSON.stringify(data).includes(ANA))).toEqual(
      talks.map((_, at) => at % 2 === 0),
    );
    await Promise.all(talks.map(({ close }) => close()));
    await until(async () => (await streamsOpen(server)) < 10);
  });
});

describe('a client that holds all the streams it may', () => {
  it('[MCH-09] can still answer what it is asked, take calls back and end its session', async () => {
    const env = { HUB_DATA_DIR: server.hub.dataDir, HUB_MODEL_PROVIDER: 'offline' };
    const deps = createHttpDeps(server.hub.app, parseConfig(env));
    const routes = mcpRoutes(deps, 3);
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${token}`, host: '127.0.0.1' };
    const ask = (body: unknown, session = {}) =>
      routes.request('/mcp', {
        method: 'POST',
        headers: { ...headers, ...session },
        body: JSON.stringify(body),
      });
    const greeting = await ask(initialize({ elicitation: {} }));
    const session = {
      'mcp-session-id': greeting.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': OLD_VERSION,
    };
    await greeting.text();
    await ask({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    const call = readSse(
      await ask(toolCall(1, 'cancel_reservation', CANCEL), session),
      new AbortController(),
    );
    const question = await call.until((event) => messageOf(event).method === 'elicitation/create');
    index.hold();
    const held = await Promise.all(
      [2, 3].map((at) => ask(toolCall(at, 'search_knowledge', SEARCH), session)),
    );
    expect(held.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask(toolCall(4, 'lookup_user'), session)).status).toBe(429);
    const no = { jsonrpc: '2.0', id: messageOf(question).id, result: { action: 'decline' } };
    expect((await ask(no, session)).status).toBe(202);
    const answer = await call.until((event) => messageOf(event).id === 1);
    expect(messageOf(answer)).toMatchObject({ result: { isError: true } });
    await call.all();
    held.push(await ask(toolCall(5, 'search_knowledge', SEARCH), session));
    expect(held.at(-1)?.status).toBe(200);
    expect((await ask(toolCall(6, 'lookup_user'), session)).status).toBe(429);
    const params = { requestId: 2 };
    expect((await ask({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, session)).status).toBe(
      202,
    );
    const gone = await routes.request('/mcp', { method: 'DELETE', headers: { ...headers, ...session } });
    expect(gone.status).toBe(200);
    await deps.stop.stop();
  });
});
