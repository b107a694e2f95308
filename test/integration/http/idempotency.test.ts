import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';
import { ANA, BRUNO, SAMBA } from './support.js';

let at: TestServer;
let ana: string;
beforeEach(async () => {
  at = await openServer();
  ana = await at.token(ANA);
});
afterEach(() => at.close());

const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });
const countOf = (table: string): number => at.hub.query('udahub', `SELECT * FROM ${table}`).length;

describe('Idempotency-Key', () => {
  it('[HTP-40] the same key and request get the same answer, and one effect', async () => {
    const before = countOf('threads');
    const first = await at.post('/api/threads', ana, {}, keyed('k1'));
    const again = await at.post('/api/threads', ana, {}, keyed('k1'));
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(countOf('threads')).toBe(before + 1);
  });

  it('[HTP-40] another body, path or method with the same key is a conflict', async () => {
    const thread = await at.thread(ana);
    await at.post(`/api/threads/${thread}/messages`, ana, { text: 'hello' });
    await at.post(`/api/threads/${thread}/rating`, ana, { helpful: true }, keyed('k'));
    for (const [path, body] of [
      [`/api/threads/${thread}/rating`, { helpful: false }],
      [`/api/threads/${thread}/rating?x=1`, { helpful: true }],
      ['/api/threads', { helpful: true }],
    ] as const)
      expect(await at.post(path, ana, body, keyed('k'))).toMatchObject({
        status: 409,
        body: { code: 'idempotency_conflict' },
      });
    expect((await at.post(`/api/threads/${thread}/rating`, ana, { helpful: true }, keyed('k'))).status).toBe(
      204,
    );
  });

  it('[HTP-40] of another caller is another key', async () => {
    const bruno = await at.token(BRUNO);
    const [mine, theirs] = [
      await at.post('/api/threads', ana, {}, keyed('same')),
      await at.post('/api/threads', bruno, {}, keyed('same')),
    ];
    expect(mine.body.thread_id).not.toBe(theirs.body.thread_id);
    expect(theirs.headers.get('idempotent-replayed')).toBeNull();
  });

  it('[HTP-41] sent ten times at once, also to two processes, has one effect', async () => {
    const thread = await at.thread(ana);
    const asked = await at.post(`/api/threads/${thread}/messages`, ana, { text: SAMBA });
    const { id } = asked.body.pending as { readonly id: string };
    const other = await openServer({ dataDir: at.hub.dataDir, clock: at.hub.clock });
    try {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 ? at : other).post(
            `/api/threads/${thread}/pending/${id}`,
            ana,
            { answer: 'yes' },
            keyed('yes'),
          ),
        ),
      );
      const given = answers.filter(({ status }) => status === 200);
      expect(given.length).toBeGreaterThan(0);
      expect(new Set(given.map(({ text }) => text)).size).toBe(1);
      for (const { status, body, headers } of answers)
        if (status !== 200) {
          expect([status, body.code]).toEqual([409, 'thread_busy']);
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        }
      const later = await at.post(
        `/api/threads/${thread}/pending/${id}`,
        ana,
        { answer: 'yes' },
        keyed('yes'),
      );
      expect(later.text).toBe(given[0]?.text);
      const refunds = `SELECT reservation_id FROM refunds WHERE idempotency_key NOT LIKE 'seed:%'`;
      expect(at.hub.query('cultpass', refunds)).toEqual([{ reservation_id: 'res_002' }]);
    } finally {
      await other.close();
    }
  });

  it('[HTP-41] of a stream gives its answer again, as events or as JSON', async () => {
    const thread = await at.thread(ana);
    const path = `/api/threads/${thread}/messages`;
    const body = { text: 'How do I cancel a reservation?' };
    const events = await (await at.stream(path, { token: ana, body, headers: keyed('s') })).all();
    const told = events.findLast(({ event }) => event === 'message')?.data as { readonly message_id: string };
    const json = await at.post(path, ana, body, keyed('s'));
    expect(json).toMatchObject({ status: 200, body: { message_id: told.message_id } });
    expect(json.headers.get('idempotent-replayed')).toBe('true');
    const again = await (await at.stream(path, { token: ana, body, headers: keyed('s') })).all();
    expect(again.map(({ event }) => event)).toEqual(['message', 'done']);
    expect(again[0]?.data).toMatchObject({ message_id: told.message_id });
    expect((await at.get(`/api/threads/${thread}`, ana)).body.messages).toHaveLength(2);
  });

  it('[HTP-42] whose answer was lost in a crash finds the same message again', async () => {
    const thread = await at.thread(ana);
    const path = `/api/threads/${thread}/messages`;
    const first = await at.post(path, ana, { text: 'hello' }, keyed('lost'));
    at.hub.exec('udahub', 'DELETE FROM idempotency_keys');
    const again = await at.post(path, ana, { text: 'hello' }, keyed('lost'));
    expect(again.body.message_id).toBe(first.body.message_id);
    expect((await at.get(`/api/threads/${thread}`, ana)).body.messages).toHaveLength(2);
  });

  it('[HTP-43] keeps a refusal that is certain, and no fault', async () => {
    const refused = await at.post('/api/threads/thr_none/rating', ana, { helpful: true }, keyed('r'));
    expect(refused.status).toBe(404);
    const again = await at.post('/api/threads/thr_none/rating', ana, { helpful: true }, keyed('r'));
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([404, 'true']);

    let broken = true;
    const faulty = await openServer({
      overrides: {
        wrapStores: (stores) => ({
          ...stores,
          threads: {
            ...stores.threads,
            put: (record) => (broken ? Promise.reject(new Error('disk')) : stores.threads.put(record)),
          },
        }),
      },
    });
    try {
      const token = await faulty.token(ANA);
      expect((await faulty.post('/api/threads', token, {}, keyed('f'))).status).toBe(500);
      broken = false;
      expect((await faulty.post('/api/threads', token, {}, keyed('f'))).status).toBe(201);
    } finally {
      await faulty.close();
    }
  });

  it('[HTP-43] has 1 to 200 printable characters, and means nothing on a read', async () => {
    for (const key of ['k'.repeat(201), '   ', 'tab\tkey'])
      expect((await at.post('/api/threads', ana, {}, keyed(key))).status, key).toBe(422);
    expect((await at.post('/api/threads', ana, {}, keyed('k'.repeat(200)))).status).toBe(201);
    expect((await at.get('/api/threads', ana, keyed('k'.repeat(201)))).status).toBe(200);
  });

  it('[HTP-43] keeps no session token', async () => {
    const [first, second] = [
      await at.post('/api/session', undefined, { email: ANA }, keyed('login')),
      await at.post('/api/session', undefined, { email: BRUNO }, keyed('login')),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(JSON.stringify(at.hub.query('udahub', 'SELECT * FROM idempotency_keys'))).not.toContain('eyJ');
  });
});
