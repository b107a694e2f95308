import { afterEach, describe, expect, it } from 'vitest';
import { openServer, SECRET, type TestServer } from '../../support/server.js';
import { ANA, BRUNO, forge, tokenOf } from './support.js';

let at: TestServer;
afterEach(() => at.close());

/** The code of the newest mail in the log. */
function mailedCode(): string {
  const mail = at.hub.log.entries.findLast(({ action }) => action === 'mail_logged');
  return /\b\d{6}\b/.exec(String(mail?.details?.text))?.[0] ?? '';
}

const wrongCode = (right: string): string => String((Number(right) + 1) % 1_000_000).padStart(6, '0');

describe('signing in to a demo', () => {
  it('[HTP-01] opens a session for a seeded customer and for the demo operator', async () => {
    at = await openServer();
    const customer = await at.post('/api/session', undefined, { email: ANA.toUpperCase() });
    expect(customer).toMatchObject({ status: 200, body: { role: 'customer' } });
    const who = await at.get('/api/session', tokenOf(customer));
    expect(who.body).toMatchObject({ role: 'customer', email: ANA, demo: true });
    expect(who.body.expires_at).toBe(customer.body.expires_at);
    const operator = await at.post('/api/session', undefined, { operator: true });
    expect(operator.body).toMatchObject({ role: 'operator' });
    expect((await at.get('/api/session', tokenOf(operator))).body).toMatchObject({
      role: 'operator',
      name: 'Demo operator',
    });
  });

  it('[HTP-01] two names are two operators, and the same name is the same one', async () => {
    at = await openServer();
    const ids = [];
    for (const name of ['Bia', 'Caio', 'Bia', 'Zoë', 'Zoe', '李']) {
      const session = await at.post('/api/session', undefined, { operator: true, name });
      ids.push((await at.get('/api/session', tokenOf(session))).body.operator_id);
    }
    expect(ids[0]).toBe(ids[2]);
    expect(new Set(ids).size).toBe(5);
  });

  it('[HTP-01] refuses a stranger, and a body that is neither', async () => {
    at = await openServer();
    expect((await at.post('/api/session', undefined, { email: 'nobody@example.com' })).body.code).toBe(
      'customer_unknown',
    );
    for (const body of [{}, { operator: false }, { email: 7 }, { operator: 'true' }, [], null, 'x']) {
      const answer = await at.post('/api/session', undefined, JSON.stringify(body));
      expect(answer.status, JSON.stringify(body)).toBe(422);
    }
  });

  it('[HTP-02 SHF-29] is off where HUB_DEMO=0, and for visitors where HUB_CHAT_VISITORS=0', async () => {
    at = await openServer({ env: { HUB_DEMO: '0', HUB_CHAT_VISITORS: '0' } });
    for (const body of [{ email: ANA }, { operator: true }, { visitor: true }])
      expect(await at.post('/api/session', undefined, body)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    expect((await at.get('/api/config')).body).toMatchObject({
      demo: false,
      visitors: false,
      demo_customers: [],
    });
  });
});

describe('a session token', () => {
  const forgeries: readonly (readonly [string, () => string | Promise<string>])[] = [
    ['no token at all', () => ''],
    ['words', () => 'let me in'],
    ['alg none', () => forge({ alg: 'none' }, { role: 'operator', sub: 'x', exp: 4e9 }, null)],
    [
      'alg NONE with a signature',
      () => forge({ alg: 'None' }, { role: 'operator', sub: 'x', exp: 4e9 }, SECRET),
    ],
    [
      'another key',
      () =>
        forge(
          { alg: 'HS256' },
          { role: 'operator', sub: 'x', exp: 4e9 },
          'not the secret of the tests at all',
        ),
    ],
    ['an empty key', () => forge({ alg: 'HS256' }, { role: 'operator', sub: 'x', exp: 4e9 }, '')],
    [
      'another audience',
      () => forge({ alg: 'HS256' }, { role: 'operator', sub: 'x', exp: 4e9, aud: 'payroll' }, SECRET),
    ],
    [
      'another issuer',
      () => forge({ alg: 'HS256' }, { role: 'operator', sub: 'x', exp: 4e9, iss: 'payroll' }, SECRET),
    ],
    ['no end', () => forge({ alg: 'HS256' }, { role: 'operator', sub: 'x' }, SECRET)],
    [
      'an end that is no number',
      () => forge({ alg: 'HS256' }, { role: 'operator', sub: 'x', exp: 'never' }, SECRET),
    ],
    [
      'a role that does not exist',
      () => forge({ alg: 'HS256' }, { role: 'admin', sub: 'x', email: ANA, exp: 4e9 }, SECRET),
    ],
    [
      'an address nobody checked',
      () => forge({ alg: 'HS256' }, { email: ANA, email_verified: false, exp: 4e9 }, SECRET),
    ],
    [
      'an unknown critical header',
      () => forge({ alg: 'HS256', crit: ['x'], x: 1 }, { email: ANA, exp: 4e9 }, SECRET),
    ],
    [
      'a customer that does not exist',
      () => forge({ alg: 'HS256' }, { email: 'nobody@example.com', exp: 4e9 }, SECRET),
    ],
    [
      "one customer's id with another's address",
      () => forge({ alg: 'HS256' }, { iss: 'uda-hub', sub: 'u_other', email: ANA, exp: 4e9 }, SECRET),
    ],
    ['RS256 signed with the secret', () => forge({ alg: 'RS256' }, { email: ANA, exp: 4e9 }, SECRET)],
    ['ten thousand characters', () => 'a'.repeat(10_000)],
  ];

  it('[HTP-03] is refused where it was forged, whatever way', async () => {
    at = await openServer();
    for (const [what, make] of forgeries) {
      const answer = await at.get('/api/threads', undefined, { authorization: `Bearer ${await make()}` });
      expect(answer, what).toMatchObject({ status: 401, body: { status: 401 } });
      expect(answer.headers.get('www-authenticate'), what).toMatch(/^Bearer/);
    }
  });

  it('[HTP-03] says nothing when a claim was changed after signing', async () => {
    at = await openServer();
    const [head, , signature] = (await at.token(ANA)).split('.');
    const claims = Buffer.from(JSON.stringify({ role: 'operator', sub: 'x', exp: 4e9 })).toString(
      'base64url',
    );
    expect(await at.get('/api/desk/tickets', `${head}.${claims}.${signature}`)).toMatchObject({
      status: 401,
    });
  });

  it('[HTP-03] ends, and says that it has ended', async () => {
    at = await openServer({ env: { HUB_SESSION_MINUTES: '30' } });
    const token = await at.token(ANA);
    at.hub.clock.advance({ minutes: 29 });
    expect((await at.get('/api/session', token)).status).toBe(200);
    at.hub.clock.advance({ minutes: 2 });
    expect(await at.get('/api/session', token)).toMatchObject({
      status: 401,
      body: { code: 'token_expired' },
    });
  });

  it('[HTP-03] counts only in its header, and there only as a bearer', async () => {
    at = await openServer();
    const token = await at.token(ANA);
    expect((await at.get(`/api/session?access_token=${token}&token=${token}`)).status).toBe(401);
    expect((await at.get('/api/session', undefined, { cookie: `token=${token}` })).status).toBe(401);
    expect((await at.get('/api/session', undefined, { authorization: `Basic ${token}` })).status).toBe(401);
    expect((await at.get('/api/session', undefined, { authorization: `bearer ${token}` })).status).toBe(200);
  });

  it('[HTP-04] of a customer opens nothing of the operators, and the other way round', async () => {
    at = await openServer();
    const [customer, operator] = [await at.token(ANA), await at.operator()];
    for (const path of [
      '/api/desk/tickets',
      '/api/desk',
      '/api/desk/approvals',
      '/API/desk/tickets',
      '/api/desk/nothing',
    ])
      expect([403, 404], path).toContain((await at.get(path, customer)).status);
    expect(await at.get('/api/desk/tickets', customer)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect(await at.get('/api/threads', operator)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  it('[HTP-03] is worth nothing once its customer is gone', async () => {
    at = await openServer();
    const [ana, bruno] = [await at.token(ANA), await at.token(BRUNO)];
    at.hub.exec('cultpass', `UPDATE users SET email = 'other@example.com' WHERE email = '${ANA}'`);
    at.hub.exec('cultpass', `UPDATE users SET email = '${ANA}' WHERE email = '${BRUNO}'`);
    expect((await at.get('/api/session', ana)).status).toBe(401);
    expect((await at.get('/api/session', bruno)).status).toBe(401);
  });
});

describe('a one-time code', () => {
  it('[HTP-05] is mailed and opens one session', async () => {
    at = await openServer({ env: { HUB_DEMO: '0' } });
    expect(await at.post('/api/session/code', undefined, { email: ` ${ANA.toUpperCase()} ` })).toMatchObject({
      status: 202,
      body: { sent: true },
    });
    const code = mailedCode();
    const session = await at.post('/api/session', undefined, { email: ANA, code });
    expect((await at.get('/api/session', tokenOf(session))).body).toMatchObject({ email: ANA, demo: false });
    expect(await at.post('/api/session', undefined, { email: ANA, code })).toMatchObject({
      status: 401,
      body: { code: 'code_invalid' },
    });
  });

  it('[HTP-05] is kept as a hash, beside a hash of the address', async () => {
    at = await openServer();
    await at.post('/api/session/code', undefined, { email: ANA });
    const kept = JSON.stringify(at.hub.query('udahub', 'SELECT * FROM sign_in_codes'));
    expect(kept).toMatch(/[0-9a-f]{64}/);
    expect(kept).not.toContain(mailedCode());
    expect(kept.toLowerCase()).not.toContain(ANA.split('@')[0]);
  });

  it('[HTP-05] dies with the fifth wrong attempt of whoever asked for it, and after ten minutes', async () => {
    at = await openServer();
    const { challenge } = (await at.post('/api/session/code', undefined, { email: ANA })).body;
    const first = mailedCode();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const wrong = { email: ANA, code: wrongCode(first), challenge };
      expect((await at.post('/api/session', undefined, wrong)).status).toBe(401);
    }
    const { sessions } = at.hub.app;
    const right = { email: ANA, code: first, challenge: String(challenge) };
    await expect(sessions.useCode({ ...right, network: '10.0.0.9' })).rejects.toMatchObject({
      code: 'code_invalid',
    });
    at.hub.clock.advance({ minutes: 2 });
    const again = await sessions.requestCode({ email: ANA, network: '10.0.0.1' });
    const second = mailedCode();
    at.hub.clock.advance({ minutes: 11 });
    await expect(
      sessions.useCode({ email: ANA, code: second, network: '10.0.0.1', ...again }),
    ).rejects.toMatchObject({ code: 'code_invalid' });
  });

  it('[HTP-05] raced by ten requests opens one session', async () => {
    at = await openServer();
    const who = { email: ANA, network: '10.0.0.1' };
    const { challenge } = await at.hub.app.sessions.requestCode(who);
    const guess = { ...who, code: mailedCode(), challenge };
    const other = await at.hub.another();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? at.hub : other).app.sessions.useCode(guess)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('[HTP-05] answers the same for an address nobody has', async () => {
    at = await openServer();
    const answers = [];
    for (const email of [ANA, 'nobody@example.com'])
      answers.push(await at.post('/api/session/code', undefined, { email }));
    const shapes = answers.map(({ body }) => ({ ...body, challenge: String(body.challenge).length }));
    expect(shapes[0]).toEqual(shapes[1]);
    for (const email of [ANA, 'nobody@example.com'])
      expect((await at.post('/api/session/code', undefined, { email })).status, email).toBe(429);
    expect(at.hub.log.entries.filter(({ action }) => action === 'mail_logged')).toHaveLength(1);
  });

  it('[HTP-06] is guessed at three times from an address, then after a wait', async () => {
    at = await openServer();
    const statuses = [];
    for (let attempt = 0; attempt < 5; attempt += 1)
      statuses.push((await at.post('/api/session', undefined, { email: ANA, code: '000000' })).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('[HTP-06] is asked for and tried ten times a minute from an address, whatever accounts', async () => {
    at = await openServer();
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const guess = { email: `nobody${attempt}@example.com`, code: '000000' };
      statuses.push((await at.post('/api/session', undefined, guess)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });
});
