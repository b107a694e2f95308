import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';
import type { SseEvent } from '../../support/sse.js';
import { until } from '../../support/until.js';
import { ANA, SAMBA } from './support.js';

let at: TestServer;
let ana: string;
let thread: string;
beforeEach(async () => {
  at = await openServer({ heartbeatMs: 100 });
  ana = await at.token(ANA);
  thread = await at.thread(ana);
});
afterEach(() => at.close());

const names = (events: readonly SseEvent[]): readonly string[] => events.map(({ event }) => event);
const order = (id: string | undefined): number => {
  const [stored = '0', live = '0'] = (id ?? '').split('.');
  return Number(stored) * 1_000_000 + Number(live);
};
const messages = () => `/api/threads/${thread}/messages`;

describe('a turn as events', () => {
  it('[HTP-30] tells what happens in order, each with an id, and ends after done', async () => {
    const stream = await at.stream(messages(), {
      token: ana,
      body: { text: 'How do I cancel a reservation?' },
    });
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.response.headers.get('cache-control')).toContain('no-store');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    const events = await stream.all();
    for (const name of ['triage', 'route', 'agent', 'token', 'citation', 'message', 'usage', 'done'])
      expect(names(events), name).toContain(name);
    expect(events.at(-1)?.event).toBe('done');
    const ids = events.map(({ id }) => order(id));
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0))).toBe(true);
    const reply = events.findLast(({ event }) => event === 'message')?.data as {
      readonly content: string;
      readonly message_id: string;
    };
    const told = events
      .filter(({ event }) => event === 'token')
      .map(({ data }) => (data as { text: string }).text);
    expect(told.join('').trim()).toBe(reply.content.trim());
    const stored = (await at.get(`/api/threads/${thread}`, ana)).body.messages as {
      id: string;
      content: string;
    }[];
    expect(stored.at(-1)).toMatchObject({ id: reply.message_id, content: reply.content });
  });

  it('[HTP-30] shows a question as an event, and a yes by its id as another turn', async () => {
    const asked = await (await at.stream(messages(), { token: ana, body: { text: SAMBA } })).all();
    const pending = asked.find(({ event }) => event === 'pending')?.data as { readonly id: string };
    const done = await (
      await at.stream(`/api/threads/${thread}/pending/${pending.id}`, { token: ana, body: { answer: 'yes' } })
    ).all();
    expect(done.find(({ event }) => event === 'tool')?.data).toMatchObject({
      tool: 'cancel_reservation',
      ok: true,
    });
    expect(done.at(-1)?.event).toBe('done');
  });

  it('[HTP-31] the same client_message_id gives the same answer again, as JSON or as events', async () => {
    const body = { text: 'How do I cancel a reservation?', client_message_id: 'once' };
    const first = await at.post(messages(), ana, body);
    const again = await at.post(messages(), ana, body);
    expect(again.body).toEqual(first.body);
    const events = await (await at.stream(messages(), { token: ana, body })).all();
    expect(events.findLast(({ event }) => event === 'message')?.data).toMatchObject({
      message_id: first.body.message_id,
    });
    expect(events.at(-1)?.event).toBe('done');
    expect(await at.post(messages(), ana, { ...body, text: 'Something else' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    const stored = (await at.get(`/api/threads/${thread}`, ana)).body.messages as unknown[];
    expect(stored).toHaveLength(2);
  });

  it('[HTP-31] continues after Last-Event-ID without loss or repeat', async () => {
    const body = { text: 'How do I cancel a reservation?', client_message_id: 'once' };
    const whole = await (await at.stream(messages(), { token: ana, body })).all();
    const kept = whole.filter(({ event }) => event === 'message');
    const lastKept = kept.at(-1);
    const rest = await (
      await at.stream(messages(), { token: ana, body, headers: { 'last-event-id': lastKept?.id ?? '' } })
    ).all();
    expect(rest.filter(({ event }) => event === 'message')).toEqual([]);
    expect(rest.at(-1)?.event).toBe('done');
    for (const id of ['x', '1.2.3', '-1', '1e3'])
      expect((await at.post(messages(), ana, body, { 'last-event-id': id })).status, id).toBe(422);
  });

  it('[HTP-32] goes on when the client is gone in the middle', async () => {
    const stream = await at.stream(messages(), {
      token: ana,
      body: { text: 'How do I cancel a reservation?' },
    });
    await stream.close();
    await until(async () => {
      const stored = (await at.get(`/api/threads/${thread}`, ana)).body.messages as { role: string }[];
      return stored.at(-1)?.role === 'hub';
    });
  });
});

describe('looking on', () => {
  const events = (after = '') => `/api/threads/${thread}/events${after}`;

  it('[HTP-33] shows what others say on the conversation, as it happens', async () => {
    const stream = await at.stream(events(), { token: ana });
    const answer = await at.post(messages(), ana, {
      text: 'How do I cancel a reservation?',
      client_message_id: 'c1',
    });
    const own = await stream.until(({ data }) => (data as { role?: string }).role === 'customer');
    expect(own.data).toMatchObject({ client_message_id: 'c1', content: 'How do I cancel a reservation?' });
    const told = await stream.until(
      ({ event, data }) => event === 'message' && (data as { role?: string }).role === 'hub',
    );
    expect(told.data).toMatchObject({ message_id: answer.body.message_id, content: answer.body.reply });
    await stream.close();
  });

  it('[HTP-33] is the same at the conversation itself, and lives through silence', async () => {
    const stream = await at.stream(`/api/threads/${thread}`, { token: ana });
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await until(async () => stream.comments.length >= 2);
    await stream.close();
  });

  it('[HTP-33] continues where it was, by header or by query, without loss or repeat', async () => {
    const first = await at.stream(events(), { token: ana });
    await at.post(messages(), ana, { text: 'hello' });
    const seen = await first.until(
      ({ event, data }) => event === 'message' && (data as { role?: string }).role === 'hub',
    );
    await first.close();
    await at.post(messages(), ana, { text: 'what are your opening hours?', client_message_id: 'missed' });
    for (const request of [{ headers: { 'last-event-id': seen.id ?? '' } }, { after: `?after=${seen.id}` }]) {
      const again = await at.stream(events(request.after), {
        token: ana,
        ...(request.headers ? { headers: request.headers } : {}),
      });
      const answer = await again.until(
        ({ event, data }) => event === 'message' && (data as { role?: string }).role === 'hub',
      );
      expect(answer.id).not.toBe(seen.id);
      const roles = again.events
        .filter(({ event }) => event === 'message')
        .map(({ data }) => (data as { role: string }).role);
      expect(roles).toEqual(['customer', 'hub']);
      await again.close();
    }
  });

  it('[HTP-34] is for one at a time: the newest wins, the older is told', async () => {
    const older = await at.stream(events(), { token: ana });
    const newer = await at.stream(events(), { token: ana });
    expect((await older.all()).at(-1)?.event).toBe('replaced');
    const bruno = await at.token('bruno.lima@example.com');
    expect((await at.stream(events(), { token: bruno })).response.status).toBe(404);
    await at.post(messages(), ana, { text: 'hello' });
    await newer.until(({ event }) => event === 'message');
    expect(names(newer.events)).not.toContain('replaced');
    await newer.close();
  });

  it('[HTP-36] ends when the server stops, and a turn that runs is answered first', async () => {
    const stream = await at.stream(events(), { token: ana });
    const running = at.post(messages(), ana, { text: 'How do I cancel a reservation?' });
    await stream.until(({ event }) => event === 'triage' || event === 'message');
    await at.server.close();
    expect((await running).status).toBe(200);
    expect((await stream.all()).length).toBeGreaterThan(0);
    await expect(fetch(`${at.url}/healthz`)).rejects.toThrow();
  });
});
