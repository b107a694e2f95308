import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../../src/core/domain/customer.js';
import { GatedIndex } from '../../support/gated-index.js';
import { openServer, SECRET, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { ANA, BRUNO, forge, tokenOf } from './support.js';

const index = new GatedIndex();
let at: TestServer;
beforeAll(async () => {
  at = await openServer({ overrides: { index } });
});
afterAll(() => at.close());

const visit = async (): Promise<string> =>
  tokenOf(await at.post('/api/session', undefined, { visitor: true }));
const say = (thread: string, token: string, text: string) =>
  at.post(`/api/threads/${thread}/messages`, token, { text });
const adopt = (thread: string, token: string, visitor: string) =>
  at.post(`/api/threads/${thread}/adopt`, token, { visitor_token: visitor });
const threadsOf = async (token: string): Promise<readonly string[]> =>
  ((await at.get('/api/threads', token)).body.threads as { thread_id: string }[]).map((row) => row.thread_id);
const PLANS = 'How many visits does the basic plan include?';
const OWN = 'What are my upcoming reservations?';
/** What only Ana may read. */
const ANAS = /Samba|Candlelight|Elis/;

describe('a visitor of the chat', () => {
  it('[SHF-29] asks before anybody is asked who it is, and is offered to sign in where an account is asked for', async () => {
    const visitor = await visit();
    expect((await at.get('/api/session', visitor)).body).toMatchObject({ role: 'visitor', name: '' });
    const thread = await at.thread(visitor);
    const answer = await say(thread, visitor, PLANS);
    expect(answer.body).toMatchObject({ needs_sign_in: false, reply: expect.stringContaining('2 visits') });
    const own = await say(thread, visitor, OWN);
    expect(own.body).toMatchObject({ needs_sign_in: true, reply: expect.stringContaining('signed in') });
    const ana = await at.token(ANA);
    const signedIn = await say(await at.thread(ana), ana, OWN);
    expect(signedIn.body).toMatchObject({ needs_sign_in: false });
    expect(await threadsOf(visitor)).toEqual([thread]);
  });

  it('[SHF-29] finds nothing at the conversations of others, and others nothing at its own', async () => {
    const [visitor, stranger, ana] = [await visit(), await visit(), await at.token(ANA)];
    const [own, anas] = [await at.thread(visitor), await at.thread(ana)];
    const nobodys = (await at.hub.app.conversations.create(ANONYMOUS)).threadId;
    const missing = `${own.slice(0, -4)}zzzz`;
    const paths = (thread: string) =>
      [
        ['GET', `/api/threads/${thread}`],
        ['GET', `/api/threads/${thread}/events`],
        ['POST', `/api/threads/${thread}/messages`, { text: 'hello' }],
        ['POST', `/api/threads/${thread}/stop`, {}],
        ['POST', `/api/threads/${thread}/rating`, { helpful: true }],
        ['POST', `/api/threads/${thread}/pending/pnd_1`, { answer: 'yes' }],
        ['POST', `/api/threads/${thread}/pending/pnd_1/withdraw`, {}],
      ] as const;
    for (const [token, foreign] of [
      [stranger, own],
      [visitor, anas],
      [visitor, nobodys],
      [ana, own],
    ] as const)
      for (const [place, [method, path, body]] of paths(foreign).entries()) {
        const [, absent = ''] = paths(missing)[place] ?? [];
        const [seen, none] = [
          await at.call(method, path, { token, body }),
          await at.call(method, absent, { token, body }),
        ];
        expect(seen.status, path).toBe(404);
        expect(seen.text.replaceAll(foreign, missing)).toBe(none.text);
      }
    expect(await threadsOf(stranger)).toEqual([]);
    // The terminal and other programs are visitors without a session of the chat.
    const { conversations } = at.hub.app;
    await expect(conversations.show(ANONYMOUS, own)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[SHF-29] may do nothing but talk: no desk, no tokens, no other door, and no token of its own making', async () => {
    const visitor = await visit();
    expect((await at.get('/api/desk/tickets', visitor)).status).toBe(403);
    for (const [method, path] of [
      ['POST', '/api/session/tokens'],
      ['GET', '/api/session/tokens'],
      ['DELETE', '/api/session/tokens/tok_1'],
      ['GET', '/agents/hub/tasks'],
    ] as const)
      expect(
        (
          await at.call(method, path, {
            token: visitor,
            body: method === 'POST' ? { scopes: ['account:read'] } : undefined,
          })
        ).status,
        path,
      ).toBe(401);
    const claims = { role: 'visitor', sub: 'vis_x', iss: 'uda-hub', aud: 'uda-hub' };
    const forged = [
      forge({ alg: 'HS256' }, { ...claims, exp: 4e9 }, 'not the secret of the tests at all'),
      forge({ alg: 'HS256' }, { ...claims, iss: 'elsewhere', exp: 4e9 }, SECRET),
      forge({ alg: 'HS256' }, { ...claims, sub: undefined, exp: 4e9 }, SECRET),
    ];
    for (const token of forged) expect((await at.get('/api/threads', token)).body.code).toBe('token_invalid');
    const ended = forge({ alg: 'HS256' }, { ...claims, exp: 1_000 }, SECRET);
    expect((await at.get('/api/threads', ended)).body.code).toBe('token_expired');
  });

  it('[SHF-29] counts by its network, however many sessions it opens', async () => {
    const few = await openServer({
      env: { HUB_TURNS_PER_MINUTE: '1', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '2' },
    });
    const statuses: number[] = [];
    for (let visits = 0; visits < 3; visits += 1) {
      const token = tokenOf(await few.post('/api/session', undefined, { visitor: true }));
      const thread = await few.thread(token);
      statuses.push((await few.post(`/api/threads/${thread}/messages`, token, { text: PLANS })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    let refused = 0;
    for (let opened = 0; opened < 10; opened += 1)
      refused += Number((await few.post('/api/session', undefined, { visitor: true })).status === 429);
    expect(refused).toBeGreaterThan(0);
    await few.close();
  });
});

describe('a visitor who signs in', () => {
  it('[SHF-30] goes on in the same conversation as that customer, and no longer as the visitor', async () => {
    const [visitor, ana] = [await visit(), await at.token(ANA)];
    const [thread, left] = [await at.thread(visitor), await at.thread(visitor)];
    await say(thread, visitor, OWN);
    const watching = await at.stream(`/api/threads/${thread}/events`, { token: visitor });
    const adopted = await adopt(thread, ana, visitor);
    expect(adopted).toMatchObject({ status: 200, body: { thread_id: thread } });
    expect(adopted.body.messages).toHaveLength(2);
    const answer = await say(thread, ana, OWN);
    expect(answer.body).toMatchObject({ needs_sign_in: false, reply: expect.stringMatching(ANAS) });
    // The page that looked on as the visitor is told none of it.
    const events = await watching.all();
    expect(JSON.stringify(events)).not.toMatch(ANAS);
    expect((await at.get(`/api/threads/${thread}`, visitor)).status).toBe(404);
    expect(await threadsOf(visitor)).toEqual([left]);
    expect(await threadsOf(ana)).toContain(thread);
    const tickets = at.hub.query(
      'udahub',
      `SELECT DISTINCT customer_id FROM tickets WHERE thread_id = '${thread}'`,
    );
    expect(tickets).toEqual(
      at.hub.query('cultpass', `SELECT user_id AS customer_id FROM users WHERE email = '${ANA}'`),
    );
  });

  it('[SHF-30] gives it to one customer only: again, for another, two at once, and with the wrong proof', async () => {
    const [visitor, other, ana, bruno] = [
      await visit(),
      await visit(),
      await at.token(ANA),
      await at.token(BRUNO),
    ];
    const thread = await at.thread(visitor);
    for (const [token, proof, status] of [
      [visitor, visitor, 403],
      [await at.operator(), visitor, 403],
      [ana, other, 404],
      [ana, ana, 404],
      [ana, bruno, 404],
      [ana, 'guess', 401],
    ] as const)
      expect((await adopt(thread, token, proof)).status).toBe(status);
    const both = await Promise.all([adopt(thread, ana, visitor), adopt(thread, bruno, visitor)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const [winner, loser] = both[0].status === 200 ? [ana, bruno] : [bruno, ana];
    expect((await adopt(thread, winner, visitor)).status).toBe(200);
    expect((await adopt(thread, loser, visitor)).status).toBe(404);
    expect((await adopt(thread, loser, winner)).status).toBe(404);
    expect((await at.get(`/api/threads/${thread}`, loser)).status).toBe(404);
    // What was a customer's from the beginning is no visitor's to give.
    const own = await at.thread(winner);
    expect((await adopt(own, loser, visitor)).status).toBe(404);
  });

  it('[SHF-30] is answered as a visitor what was sent as one, though the conversation changes hands meanwhile', async () => {
    const [visitor, ana] = [await visit(), await at.token(ANA)];
    const thread = await at.thread(visitor);
    index.hold();
    const running = say(thread, visitor, PLANS);
    await until(() => index.waiting > 0);
    const [adopting, queued] = [adopt(thread, ana, visitor), say(thread, visitor, OWN)];
    index.release();
    expect((await running).body.reply).toContain('2 visits');
    const [adopted, late] = [await adopting, await queued];
    expect([200, 409, 503]).toContain(adopted.status);
    expect(late.text).not.toMatch(ANAS);
    expect((await adopt(thread, ana, visitor)).status).toBe(200);
  });
});
