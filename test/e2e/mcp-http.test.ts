import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERAS } from '../support/mcp.js';
import {
  connectHttp,
  followSession,
  modernCall,
  openSession,
  post,
  postStream,
  programToken,
  toolCall,
} from '../support/mcp-http.js';
import { openServer, type TestServer } from '../support/server.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CANCEL = { reservation_id: 'res_002' };

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await openServer();
  token = await programToken(server, ANA);
});

afterAll(() => server.close());

const statusOf = (reservation: string): unknown =>
  server.hub.query('cultpass', 'SELECT status FROM reservations WHERE reservation_id = ?', reservation)[0]
    ?.status;

describe.each(ERAS)('over HTTP, a client of the %s protocol', (era) => {
  it('[MCH-01] lists the tools and calls one as the customer of its token', async () => {
    const talk = await connectHttp(server.url, token, { era });
    const { tools } = await talk.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search_knowledge', 'cancel_reservation']),
    );
    const { isError, data } = await talk.call('lookup_user');
    expect({ isError, text: JSON.stringify(data) }).toEqual({
      isError: false,
      text: expect.stringContaining(ANA),
    });
    await talk.close();
  });

  it('[MCH-01] has its user asked before anything is changed, and nothing is changed on a no', async () => {
    const elicit = () => ({ action: 'accept' as const, content: { confirm: false } });
    const talk = await connectHttp(server.url, token, { era, elicit });
    expect(await talk.call('cancel_reservation', CANCEL)).toMatchObject({ isError: true });
    expect(talk.questions).toEqual([expect.stringContaining('Samba Night')]);
    expect(statusOf('res_002')).toBe('reserved');
    await talk.close();
  });

  it('[MCH-01] is told how far a skill has come', async () => {
    const talk = await connectHttp(server.url, token, { era });
    const told: number[] = [];
    const { isError } = await talk.client.callTool(
      { name: 'cannot_reserve', arguments: { message: "I can't book anything" } },
      { onprogress: ({ progress }) => void told.push(progress) },
    );
    expect(isError ?? false).toBe(false);
    expect(told.length).toBeGreaterThan(0);
    await talk.close();
  });
});

describe('the token', () => {
  const METADATA =
    /resource_metadata="(http:\/\/127\.0\.0\.1:\d+\/\.well-known\/oauth-protected-resource\/mcp)"/;

  it('[MCH-02] is asked for, with where to get one', async () => {
    const answer = await post(server.url, toolCall(1, 'lookup_user'));
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(answer.status).toBe(401);
    expect(challenge).toMatch(/^Bearer realm="uda-hub"/);
    expect(challenge).not.toContain('error=');
    expect(challenge).toContain('scope="account:read action:write skill:run"');
    const metadata = await fetch(METADATA.exec(challenge)?.[1] ?? '');
    expect(await metadata.json()).toMatchObject({ resource: `${server.url}/mcp` });
  });

  it.each([
    ['forged', (good: string) => `${good.slice(0, -4)}AAAA`],
    ['no token at all', () => 'nonsense'],
  ])('[MCH-02] is refused where it is %s, for every method', async (_what, spoil) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const init = method === 'POST' ? { body: JSON.stringify(toolCall(1, 'lookup_user')) } : {};
      const headers = { authorization: `Bearer ${spoil(token)}`, 'content-type': 'application/json' };
      const response = await fetch(`${server.url}/mcp`, { method, headers, ...init });
      expect(response.status, method).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  it('[MCH-03] has its metadata for whoever asks, from any page', async () => {
    for (const path of ['', '/mcp']) {
      const answer = await server.get(`/.well-known/oauth-protected-resource${path}`, undefined, {
        origin: 'https://client.example',
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.body).toMatchObject({
        resource: `${server.url}/mcp`,
        scopes_supported: ['account:read', 'action:write', 'skill:run'],
        bearer_methods_supported: ['header'],
      });
      expect(answer.body).not.toHaveProperty('authorization_servers');
    }
  });

  it.each([
    ['cancel_reservation', CANCEL, 'action:write'],
    ['get_subscription', {}, 'account:read'],
    ['cannot_reserve', { message: 'hello' }, 'skill:run'],
  ] as const)(
    '[MCH-04] of a person’s chat is good for general questions, not for %s',
    async (name, args, scope) => {
      const chat = await server.token(ANA);
      const session = await openSession(server.url, chat);
      const before = server.hub.dump('udahub');
      const modern = modernCall(2, name, args);
      const answers = [
        await post(server.url, toolCall(1, name, args), { token: chat, session }),
        await post(server.url, modern.body, { token: chat, headers: modern.headers }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(403);
        const challenge = answer.headers.get('www-authenticate');
        expect(challenge).toContain('error="insufficient_scope"');
        expect(challenge).toContain(`scope="${scope}"`);
        expect(challenge).toMatch(METADATA);
      }
      expect(server.hub.dump('udahub')).toEqual(before);
      const search = toolCall(3, 'search_knowledge', { query: 'pause' });
      const general = await post(server.url, search, { token: chat, session });
      expect(general.message).toMatchObject({ result: { structuredContent: { mode: 'hybrid' } } });
    },
  );

  it('[MCH-04] with too little may not answer what was asked on behalf of one with more', async () => {
    const session = await openSession(server.url, token, { elicitation: {} });

    const call = await postStream(server.url, toolCall(5, 'cancel_reservation', CANCEL), { token, session });
    const asked = await call.until(
      ({ data }) => (data as { method?: string } | null)?.method === 'elicitation/create',
    );
    const { id } = asked.data as { id: number };
    const yes = { jsonrpc: '2.0', id, result: { action: 'accept', content: { confirm: true } } };
    const lesser = await programToken(server, ANA, ['account:read']);
    // The SDK takes whatever reads like the number of its question.
    for (const alike of [String(id), ` ${id} `, `0x${id.toString(16)}`, `${id}.0`]) {
      const answer = await post(server.url, { ...yes, id: alike }, { token: lesser, session });
      expect(answer.status, alike).toBe(403);
    }
    const refused = await post(server.url, yes, { token: lesser, session });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    const foreign = await post(server.url, yes, { token: await programToken(server, BRUNO), session });
    expect(foreign.status).toBe(404);
    expect(statusOf('res_002')).toBe('reserved');
    const no = { jsonrpc: '2.0', id, result: { action: 'decline' } };
    expect((await post(server.url, no, { token, session })).status).toBe(202);
    await call.all();
    expect(statusOf('res_002')).toBe('reserved');
  });

  it('[MCH-04] with too little is not given once more what one with more was answered', async () => {
    const session = await openSession(server.url, token);
    const call = await postStream(server.url, toolCall(6, 'lookup_user'), { token, session });
    const [{ id = '' } = {}] = await call.all();
    const headers = { 'last-event-id': id };
    for (const scopes of [['skill:run'], ['account:read', 'skill:run']] as const) {
      const lesser = await programToken(server, ANA, scopes);
      const { response } = await followSession(server.url, { token: lesser, session, headers });
      expect(response.status).toBe(403);
      expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    }
    const again = await followSession(server.url, {
      token: await programToken(server, ANA),
      session,
      headers,
    });
    const answer = await again.until(({ data }) => (data as { id?: number } | null)?.id === 6);
    expect(JSON.stringify(answer.data)).toContain(ANA);
    await again.close();
  });
});
