import { afterEach, describe, expect, it } from 'vitest';
import {
  followSession,
  initialize,
  openSession,
  post,
  postStream,
  programToken,
  request,
} from '../../support/mcp-http.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { ANA, BRUNO } from './support.js';

const V1 = { 'a2a-version': '1.0' };

let at: TestServer;
afterEach(() => at.close());

const idOf = (token: string): string =>
  String(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti);

describe('the tokens of programs', () => {
  it('[ATK-13] are listed for their owner alone, with when they were used, and never themselves', async () => {
    at = await openServer();
    const [ana, bruno] = [await at.token(ANA), await at.token(BRUNO)];
    const [hers, his] = [await programToken(at, ANA, ['account:read']), await programToken(at, BRUNO)];
    const shown = await at.get('/api/session/tokens', ana);
    expect(shown.body.tokens).toEqual([
      {
        token_id: idOf(hers),
        scopes: ['account:read'],
        created_at: '2026-03-11T15:00:00.000Z',
        expires_at: '2026-03-11T23:00:00.000Z',
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    at.hub.clock.advance({ minutes: 5 });
    expect((await at.get('/api/session', hers)).status).toBe(200);
    const [used] = (await at.get('/api/session/tokens', ana)).body.tokens as readonly object[];
    expect(used).toMatchObject({ last_used_at: '2026-03-11T15:05:00.000Z' });
    expect(shown.text).not.toContain(hers.split('.')[2]);
    expect((await at.call('DELETE', `/api/session/tokens/${idOf(his)}`, { token: ana })).status).toBe(404);
    expect((await at.get('/api/session', his)).status).toBe(200);
    const operator = await at.operator();
    expect((await at.get('/api/session/tokens', operator)).body.tokens).toEqual([]);
    at.hub.clock.advance({ hours: 8 });
    expect((await at.get('/api/session/tokens', await at.token(BRUNO))).body.tokens).toEqual([]);
    expect((await at.get('/api/session/tokens', bruno)).status).toBe(401);
  });

  it('[ATK-13] are revoked one by one, and refused from the next request on', async () => {
    at = await openServer();
    const ana = await at.token(ANA);
    const [one, other] = [await programToken(at, ANA), await programToken(at, ANA)];
    const path = `/api/session/tokens/${idOf(one)}`;
    // No program revokes what it was not given for.
    expect((await at.call('DELETE', path, { token: other })).status).toBe(403);
    expect((await at.call('DELETE', path, { token: ana })).status).toBe(204);
    expect(await at.get('/api/session', one)).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
    expect((await post(at.url, initialize(), { token: one })).status).toBe(401);
    expect((await at.get('/api/session', other)).status).toBe(200);
    expect((await at.call('DELETE', path, { token: ana })).status).toBe(404);
    const unknown = await at.hub.another();
    unknown.exec('udahub', 'DELETE FROM program_tokens');
    expect((await at.get('/api/session', other)).status).toBe(401);
  });

  it('[ATK-13] revoked by another process: open streams and MCP sessions end', async () => {
    at = await openServer();
    const [token, other] = [await programToken(at, ANA), await programToken(at, ANA)];
    const session = await openSession(at.url, token);
    const kept = await openSession(at.url, other);
    const followed = await followSession(at.url, { token, session });
    const also = await followSession(at.url, { token: other, session: kept });
    const asked = await at.post(
      '/a2a',
      token,
      request(1, 'SendMessage', {
        message: {
          messageId: 'm1',
          role: 'ROLE_USER',
          parts: [{ text: 'cancel my samba night booking' }],
        },
      }),
      V1,
    );
    const { id } = (asked.body.result as { readonly task: { readonly id: string } }).task;
    const task = await at.stream('/a2a', {
      token,
      body: request(2, 'SubscribeToTask', { id }),
      headers: V1,
    });
    expect([followed.response.status, also.response.status, task.response.status]).toEqual([200, 200, 200]);
    const process = await at.hub.another();
    await process.app.sessions.revokeToken(idOf(token));
    await followed.all();
    await task.all();
    const ping = request(3, 'ping');
    await until(async () => (await post(at.url, ping, { token: other, session })).status === 404);
    expect((await post(at.url, ping, { token: other, session: kept })).status).toBe(200);
    const last = await postStream(at.url, ping, { token: other, session: kept });
    await last.all();
    await also.close();
  });
});
