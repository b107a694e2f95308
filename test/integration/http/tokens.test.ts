import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/core/domain/customer.js';
import { MAX_TOKEN_MINUTES } from '../../../src/core/ports/sign-in.js';
import { outsideCaller } from '../../../src/surfaces/http/client.js';
import { openServer, SECRET, type TestServer } from '../../support/server.js';
import { ANA, forge } from './support.js';

const ELISA = 'elisa.rocha@example.com';

let at: TestServer;
beforeAll(async () => {
  at = await openServer();
});
afterAll(() => at.close());

/** A token for a program, made without the limit on requests from one address. */
const made = async (email: string, scopes: readonly (typeof SCOPES)[number][]): Promise<string> =>
  (await at.hub.app.sessions.issueFor({ email }, { scopes })).token;

/** Who a token is for MCP and A2A. */
const outside = (token: string) =>
  outsideCaller(`Bearer ${token}`, at.hub.app.sessions, 'mcp', { anonymous: false });

describe('POST /api/session/tokens', () => {
  it('[SCP-01] makes a token for a program, in the name of whoever asks and within the scopes', async () => {
    const session = await at.token(ANA);
    const wish = { scopes: ['skill:run', 'account:read', 'skill:run'], minutes: 30 };
    const answer = await at.post('/api/session/tokens', session, wish);
    expect(answer).toMatchObject({
      status: 201,
      body: { role: 'customer', scopes: ['account:read', 'skill:run'] },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const end = at.hub.clock.now().getTime() + 30 * 60_000;
    expect(Date.parse(String(answer.body.expires_at))).toBe(end);
    const token = String(answer.body.token);
    expect(await outside(token)).toMatchObject({
      identity: { kind: 'customer', email: ANA },
      scopes: ['account:read', 'skill:run'],
    });
    expect((await at.get('/api/session', token)).body).toMatchObject({
      email: ANA,
      scopes: ['account:read', 'skill:run'],
      expires_at: answer.body.expires_at,
    });
    expect((await at.get('/api/session', session)).body).not.toHaveProperty('scopes');
  });

  it('[SCP-01] makes one for an operator, as long as a session where nothing is said', async () => {
    const answer = await at.post('/api/session/tokens', await at.operator(), { scopes: ['skill:run'] });
    expect(answer).toMatchObject({ status: 201, body: { role: 'operator', scopes: ['skill:run'] } });
    const end = at.hub.clock.now().getTime() + 480 * 60_000;
    expect(Date.parse(String(answer.body.expires_at))).toBe(end);
    expect(await outside(String(answer.body.token))).toMatchObject({
      identity: { kind: 'anonymous' },
      operator: { operatorId: 'demo-olga', name: 'Olga' },
      scopes: ['skill:run'],
    });
  });

  it('[SCP-02] names the field of a wish that cannot be, makes nothing without a session', async () => {
    const calm = await openServer();
    try {
      const session = await calm.token(ANA);
      const wrong: readonly (readonly [string, unknown])[] = [
        ['scopes', {}],
        ['scopes', { scopes: [] }],
        ['scopes', { scopes: 'account:read' }],
        ['scopes.0', { scopes: ['account:write'] }],
        ['scopes.0', { scopes: ['ACCOUNT:READ'] }],
        ['scopes.1', { scopes: ['account:read', null] }],
        ['minutes', { scopes: ['account:read'], minutes: 0 }],
        ['minutes', { scopes: ['account:read'], minutes: 1.5 }],
        ['minutes', { scopes: ['account:read'], minutes: '60' }],
        ['minutes', { scopes: ['account:read'], minutes: MAX_TOKEN_MINUTES + 1 }],
      ];
      for (const [field, body] of wrong) {
        const answer = await calm.post('/api/session/tokens', session, body);
        expect(answer, JSON.stringify(body)).toMatchObject({ status: 422, body: { code: 'input_invalid' } });
        const [first] = answer.body.errors as readonly { readonly field: string }[];
        expect(first?.field, JSON.stringify(body)).toBe(field);
      }
      const wish = { scopes: ['account:read'] };
      expect((await calm.post('/api/session/tokens', undefined, wish)).status).toBe(401);
      const { issueFor } = calm.hub.app.sessions;
      for (const minutes of [0, -1, 1.5, Number.NaN, MAX_TOKEN_MINUTES + 1])
        await expect(issueFor({ email: ANA }, { scopes: ['account:read'], minutes })).rejects.toMatchObject({
          code: 'input_invalid',
        });
      await expect(issueFor({ email: ANA }, { scopes: [] })).rejects.toMatchObject({ code: 'input_invalid' });
      const longest = { scopes: SCOPES, minutes: MAX_TOKEN_MINUTES };
      expect((await calm.post('/api/session/tokens', session, longest)).status).toBe(201);
    } finally {
      await calm.close();
    }
  });

  it('[SCP-02] is limited as signing in is, and leaves no token in the database', async () => {
    const busy = await openServer();
    try {
      const session = await busy.token(ANA);
      const statuses = [];
      const tokens: string[] = [];
      for (let attempt = 0; attempt < 11; attempt += 1) {
        const headers = { 'idempotency-key': 'the same key' };
        const answer = await busy.post(
          '/api/session/tokens',
          session,
          { scopes: ['account:read'], minutes: attempt + 1 },
          headers,
        );
        statuses.push(answer.status);
        if (answer.status === 201) tokens.push(String(answer.body.token));
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
      expect(new Set(tokens).size).toBe(10);
      const kept = JSON.stringify([busy.hub.dump('udahub'), busy.hub.log.entries]);
      for (const token of tokens) expect(kept).not.toContain(token.split('.')[2]);
      expect(busy.hub.log.entries.filter(({ action }) => action === 'token_issued')).toHaveLength(10);
    } finally {
      await busy.close();
    }
  });
});

describe('a token with scopes', () => {
  it('[SCP-03] opens nothing of the API but the question whom it speaks for', async () => {
    const document = (await at.get('/openapi.json')).body as {
      paths: Record<string, Record<string, { security: readonly unknown[] }>>;
    };
    const customer = await made(ANA, [...SCOPES]);
    const operator = (
      await at.hub.app.sessions.issueFor(
        { operator: { operatorId: 'op_olga', name: 'Olga' } },
        { scopes: SCOPES },
      )
    ).token;
    // That a token was used is noted once a minute.
    for (const token of [customer, operator]) await at.get('/api/session', token);
    const before = at.hub.dump('udahub');
    const guarded = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => path.startsWith('/api/') && security.length > 0)
        .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'x') })),
    );
    expect(guarded.length).toBeGreaterThan(20);
    for (const token of [customer, operator])
      for (const { method, path } of guarded) {
        const body = method === 'GET' ? {} : { body: {} };
        const answer = await at.call(method, path, { token, ...body });
        const isOpen = method === 'GET' && path === '/api/session';
        expect(answer.status, `${method} ${path}`).toBe(isOpen ? 200 : 403);
        if (!isOpen) expect(answer.body.code, `${method} ${path}`).toBe('token_not_for_api');
      }
    for (const path of ['/api/session/', '/api/nothing', '/API/threads'])
      expect([403, 404], path).toContain((await at.get(path, customer)).status);
    expect(at.hub.dump('udahub')).toEqual(before);
  });

  it('[SCP-04] is held to what it names, whoever made it and however it is written', async () => {
    const base = { iss: 'uda-hub', aud: 'uda-hub', email: ANA, role: 'customer', exp: 4e9 };
    const held: readonly (readonly [string, object, readonly string[]])[] = [
      ['a text', { scope: 'openid account:read email' }, ['account:read']],
      ['a list', { scope: ['openid', 'account:read', 7, null] }, ['account:read']],
      ['the short name', { scp: 'skill:run' }, ['skill:run']],
      ['a list under the short name', { scp: ['action:write'] }, ['action:write']],
      ['both names', { scope: 'openid', scp: ['account:read'] }, ['account:read']],
      ['line breaks and tabs', { scope: 'account:read\n\taction:write' }, ['account:read', 'action:write']],
    ];
    for (const [what, claims, scopes] of held) {
      const token = forge({ alg: 'HS256' }, { ...base, ...claims }, SECRET);
      expect((await outside(token)).scopes, what).toEqual(scopes);
      expect(await at.get('/api/threads', token), what).toMatchObject({
        status: 403,
        body: { code: 'token_not_for_api' },
      });
    }
  });

  it('[SCP-04] of a company that speaks of other things is still the session of a person', async () => {
    const claims: readonly object[] = [
      {},
      { scope: 'openid profile email' },
      { scope: ['openid', 'profile'] },
      { scope: '' },
      { scope: [] },
      { scope: 7 },
      { scp: 'Account:Read account:readonly xaccount:read' },
      { iss: 'uda-hub', aud: 'uda-hub', sub: 'usr_001', scope: 'openid profile email' },
    ];
    const named = { iss: 'https://id.example.com', aud: 'support' };
    const company = await openServer({
      env: {
        HUB_AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks',
        HUB_AUTH_ISSUER: named.iss,
        HUB_AUTH_AUDIENCE: named.aud,
      },
    });
    try {
      for (const more of claims) {
        const token = forge(
          { alg: 'HS256' },
          { ...named, email: ANA, role: 'customer', exp: 4e9, ...more },
          SECRET,
        );
        expect((await company.get('/api/threads', token)).status, JSON.stringify(more)).toBe(200);
        const { sessions } = company.hub.app;
        const caller = await outsideCaller(`Bearer ${token}`, sessions, 'mcp', { anonymous: false });
        expect(caller.scopes, JSON.stringify(more)).toEqual([]);
      }
    } finally {
      await company.close();
    }
  });

  it('[SCP-04] that the hub would have emptied may do nothing, and a changed one is none', async () => {
    const own = { iss: 'uda-hub', aud: 'uda-hub', sub: 'usr_001', email: ANA, role: 'customer', exp: 4e9 };
    for (const scope of ['', ' ', ['']]) {
      const token = forge({ alg: 'HS256' }, { ...own, scope }, SECRET);
      expect((await outside(token)).scopes).toEqual([]);
      expect((await at.get('/api/threads', token)).status).toBe(403);
    }
    const [head, , signature] = (await made(ANA, ['account:read'])).split('.');
    for (const scope of ['account:read action:write skill:run', 'openid']) {
      const claims = Buffer.from(JSON.stringify({ ...own, scope })).toString('base64url');
      const forged = `${head}.${claims}.${signature}`;
      expect(await at.get('/api/session', forged)).toMatchObject({
        status: 401,
        body: { code: 'token_invalid' },
      });
      await expect(outside(forged)).rejects.toMatchObject({ code: 'token_invalid' });
    }
  });

  it('[SCP-05] ends with its time, and with the data of its customer', async () => {
    const other = await openServer();
    try {
      const { sessions } = other.hub.app;
      const short = await sessions.issueFor({ email: ANA }, { scopes: ['account:read'], minutes: 2 });
      const long = await sessions.issueFor({ email: ANA }, { scopes: ['account:read'], minutes: 600 });
      await expect(
        sessions.issueFor({ email: ANA, customerId: 'usr_002' }, { scopes: ['account:read'] }),
      ).rejects.toMatchObject({ code: 'customer_unknown' });
      await expect(sessions.identify(short.token)).resolves.toMatchObject({ scopes: ['account:read'] });
      other.hub.clock.advance({ minutes: 3 });
      await expect(sessions.identify(short.token)).rejects.toMatchObject({ code: 'token_expired' });
      await expect(sessions.identify(long.token)).resolves.toMatchObject({ role: 'customer' });
      other.hub.exec('udahub', `INSERT INTO erased_customers VALUES ('usr_001', '2026-03-11T15:00:00.000Z')`);
      await expect(sessions.identify(long.token)).rejects.toMatchObject({ code: 'token_invalid' });
      await expect(sessions.issueFor({ email: ANA }, { scopes: ['account:read'] })).rejects.toMatchObject({
        code: 'customer_unknown',
      });
    } finally {
      await other.close();
    }
  });

  it('[SCP-05] of a blocked customer may be made: asking is allowed, and the rules refuse the rest', async () => {
    expect(await outside(await made(ELISA, ['account:read', 'action:write']))).toMatchObject({
      identity: { kind: 'customer', email: ELISA },
    });
  });
});
