import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replySchema, threadSchema, threadSummarySchema } from '../../../src/surfaces/http/schemas.js';
import { type Answer, headerPairs, openServer, type TestServer } from '../../support/server.js';
import { ANA, BRUNO, SAMBA } from './support.js';

let at: TestServer;
let ana: string;
beforeEach(async () => {
  at = await openServer();
  ana = await at.token(ANA);
});
afterEach(() => at.close());

describe('a conversation over HTTP', () => {
  it('[HTP-20] begins, is answered like `chat --json`, and is read again', async () => {
    const created = await at.post('/api/threads', ana, {});
    expect(created.status).toBe(201);
    const empty = threadSchema.parse(created.body);
    expect(empty).toMatchObject({ owner: 'hub', operator: null, pending: null, messages: [] });
    const path = `/api/threads/${empty.thread_id}`;

    const answer = await at.post(`${path}/messages`, ana, {
      text: 'How do I cancel a reservation?',
      client_message_id: 'm1',
    });
    expect(answer.status).toBe(200);
    const reply = replySchema.parse(answer.body);
    expect(reply.agents).toContain('knowledge');
    expect(reply.citations.length).toBeGreaterThan(0);

    const thread = threadSchema.parse((await at.get(path, ana)).body);
    expect(thread.messages.map(({ role }) => role)).toEqual(['customer', 'hub']);
    expect(thread.messages[0]).toMatchObject({
      content: 'How do I cancel a reservation?',
      client_message_id: 'm1',
    });
    expect(thread.messages[1]).toMatchObject({
      id: reply.message_id,
      content: reply.reply,
      citations: reply.citations,
    });

    const listed = async () =>
      ((await at.get('/api/threads', ana)).body.threads as unknown[])
        .map((row) => threadSummarySchema.parse(row))
        .find(({ thread_id }) => thread_id === empty.thread_id);
    expect(await listed()).toMatchObject({
      title: 'How do I cancel a reservation?',
      owner: 'hub',
      unread: 1,
    });
    await at.post(`${path}/read`, ana, { message_id: reply.message_id });
    expect(await listed()).toMatchObject({ unread: 0 });
  });

  it('[HTP-20] begins without a body too, and with an empty one', async () => {
    expect((await at.call('POST', '/api/threads', { token: ana })).status).toBe(201);
    expect((await at.post('/api/threads', ana, '')).status).toBe(201);
    expect((await at.post('/api/threads', ana, { title: 'ignored' })).status).toBe(201);
  });

  it('[HTP-21] asks before it changes anything, and a yes does it once', async () => {
    const thread = await at.thread(ana);
    const asked = await at.post(`/api/threads/${thread}/messages`, ana, { text: SAMBA });
    const pending = asked.body.pending as { readonly id: string };
    expect(asked.body.pending).toMatchObject({ kind: 'confirmation', tool: 'cancel_reservation' });
    expect((await at.get(`/api/threads/${thread}`, ana)).body.pending).toMatchObject({ id: pending.id });
    const path = `/api/threads/${thread}/pending/${pending.id}`;
    for (const answer of ['maybe', '', true, null])
      expect((await at.post(path, ana, { answer })).status).toBe(422);

    const answers = await Promise.all(Array.from({ length: 5 }, () => at.post(path, ana, { answer: 'yes' })));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const refunds = `SELECT reservation_id, amount_cents FROM refunds WHERE idempotency_key NOT LIKE 'seed:%'`;
    expect(at.hub.query('cultpass', refunds)).toEqual([{ reservation_id: 'res_002', amount_cents: 6_000 }]);
    expect(await at.post(path, ana, { answer: 'no' })).toMatchObject({
      status: 409,
      body: { code: 'pending_decided' },
    });
    expect((await at.get(`/api/threads/${thread}`, ana)).body.pending).toBeNull();
  });

  it('[HTP-22] is rated, and a later rating replaces the earlier', async () => {
    const thread = await at.thread(ana);
    const path = `/api/threads/${thread}/rating`;
    expect((await at.post(path, ana, { helpful: true })).status).toBe(404);
    await at.post(`/api/threads/${thread}/messages`, ana, { text: 'How do I cancel a reservation?' });
    expect(await at.post(path, ana, { helpful: true })).toMatchObject({ status: 204, text: '' });
    expect((await at.post(path, ana, { helpful: false, comment: 'too slow' })).status).toBe(204);
    expect((await at.post(path, ana, { comment: 'x' })).status).toBe(422);
    expect((await at.post(path, ana, { helpful: true, comment: 'x'.repeat(2_001) })).status).toBe(422);
  });

  it('[HTP-23] takes a message of the longest length in any script, and no longer one', async () => {
    const path = `/api/threads/${await at.thread(ana)}/messages`;
    expect((await at.post(path, ana, { text: `${'漢'.repeat(19_998)}é?` })).status).toBe(200);
    expect(await at.post(path, ana, { text: 'x'.repeat(20_001) })).toMatchObject({
      status: 413,
      body: { code: 'input_too_large' },
    });
    expect(await at.post(path, ana, { text: ' \n ' })).toMatchObject({
      status: 422,
      body: { code: 'input_invalid' },
    });
  });
});

describe("another customer's conversation", () => {
  it('[HTP-24] looks, byte for byte, like one that does not exist, on every path and method', async () => {
    const bruno = await at.token(BRUNO);
    const thread = await at.thread(bruno);
    const asked = await at.post(`/api/threads/${thread}/messages`, bruno, { text: SAMBA });
    const missing = `${thread.slice(0, -4)}zzzz`;
    const before = [
      at.hub.query('udahub', 'SELECT * FROM ticket_messages'),
      at.hub.query('cultpass', 'SELECT * FROM reservations'),
    ];
    const pending = String((asked.body.pending as { id?: string } | null)?.id ?? 'pnd_0000000000000000');
    const requests: readonly (readonly [string, string, unknown?, string?])[] = [
      ['GET', ''],
      ['HEAD', ''],
      ['GET', '', undefined, 'text/event-stream'],
      ['GET', '/events'],
      ['HEAD', '/events'],
      ['GET', '/events', undefined, 'text/event-stream'],
      ['GET', '/events?after=1.0', undefined, 'text/event-stream'],
      ['POST', '/messages', { text: 'hello' }],
      ['POST', '/messages', { text: 'hello' }, 'text/event-stream'],
      ['POST', '/messages', { text: '' }],
      ['POST', '/messages', { text: 'x'.repeat(20_001) }],
      ['POST', '/messages', { words: 1 }],
      ['POST', `/pending/${pending}`, { answer: 'yes' }],
      ['POST', `/pending/${pending}`, { answer: 'no' }, 'text/event-stream'],
      ['POST', '/pending/pnd_1', { answer: 'yes' }],
      ['POST', '/rating', { helpful: true }],
      ['POST', '/rating', { helpful: 1 }],
      ['PUT', ''],
      ['DELETE', ''],
    ];
    const plain = ({ status, headers, text }: Answer, id: string) => ({
      status,
      text: text.replaceAll(id, 'ID'),
      headers: headerPairs(headers)
        .filter(([name]) => name !== 'date' && name !== 'x-request-id')
        .map(([name, value]) => [name, value.replaceAll(id, 'ID')]),
    });
    for (const [method, path, body, accept] of requests) {
      const ask = async (id: string) =>
        plain(
          await at.call(method, `/api/threads/${id}${path}`, {
            token: ana,
            body,
            headers: accept ? { accept } : {},
          }),
          id,
        );
      const theirs = await ask(thread);
      expect(theirs.status, `${method} ${path}`).toBeGreaterThanOrEqual(404);
      expect(theirs, `${method} ${path}`).toEqual(await ask(missing));
    }
    expect([
      at.hub.query('udahub', 'SELECT * FROM ticket_messages'),
      at.hub.query('cultpass', 'SELECT * FROM reservations'),
    ]).toEqual(before);
    expect((await at.get('/api/threads', ana)).text).not.toContain(thread);
  });

  it('[HTP-24] is not reached by what a body, a query or a header says about who is calling', async () => {
    const thread = await at.thread(ana);
    const claims = {
      customer_id: 'usr_002',
      user_email: BRUNO,
      identity: { customerId: 'usr_002' },
      role: 'operator',
    };
    await at.post(
      `/api/threads/${thread}/messages?customer_id=usr_002`,
      ana,
      { text: 'which reservations do I have?', ...claims },
      {
        'x-user-email': BRUNO,
        'x-customer-id': 'usr_002',
      },
    );
    const [ticket] = at.hub.query('udahub', 'SELECT customer_id FROM tickets WHERE thread_id = ?', thread);
    expect(ticket).toEqual({ customer_id: 'usr_001' });
  });
});
