import { type JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { createRunningWork } from '../../../src/core/signals.js';
import type { HubContext, HubEnv } from '../../../src/surfaces/http/client.js';
import type { Authorised } from '../../../src/surfaces/mcp/http-auth.js';
import {
  createMcpSessions,
  type McpSessions,
  SESSION_LIMITS,
} from '../../../src/surfaces/mcp/http-sessions.js';
import { createOpenStreams, createSessionEvents } from '../../../src/surfaces/mcp/http-streams.js';
import { initialize, MCP_HEADERS } from '../../support/mcp-http.js';
import { until } from '../../support/until.js';

const made: McpSessions[] = [];
afterEach(async () => {
  for (const sessions of made.splice(0)) await sessions.closeAll();
});

function sessionsWith(limits: Partial<typeof SESSION_LIMITS>, isStillGood = async () => true): McpSessions {
  const parts = {
    factory: () => new McpServer({ name: 'test', version: '1' }),
    streams: createOpenStreams(() => undefined),
    work: createRunningWork(),
    onError: () => undefined,
  };
  const sessions = createMcpSessions(parts, isStillGood, { ...SESSION_LIMITS, ...limits });
  made.push(sessions);
  return sessions;
}

function caller(owner: string): Authorised {
  return {
    owner,
    token: `token of ${owner}`,
    caller: { identity: { kind: 'anonymous' }, scopes: [], channel: 'mcp' },
    authInfo: { token: '', clientId: owner, scopes: [] },
  };
}

/** Answers one request with what this makes of it. */
async function within(init: RequestInit, answer: (c: HubContext) => Promise<Response>): Promise<Response> {
  const app = new Hono<HubEnv>();
  app.all('*', answer);
  app.onError((error, c) => c.text(error.message, 500));
  return app.request('http://localhost/mcp', init);
}

/** Opens a session the way a client does. @returns its id */
async function open(sessions: McpSessions, owner: string): Promise<string> {
  const response = await within({ method: 'POST', headers: MCP_HEADERS, body: '{}' }, async (c) => {
    const session = await sessions.open(c, caller(owner));
    return session.handle(c, caller(owner), initialize() as JSONRPCMessage);
  });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

/** Opens the stream of a session, and holds it. */
function listen(sessions: McpSessions, id: string, owner: string): Promise<Response> {
  const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
  return within({ headers }, async (c) => {
    const session = sessions.find(id, owner);
    if (session === undefined) throw new Error('no such session');
    return session.handle(c, caller(owner));
  });
}

describe('the sessions of a server', () => {
  it('[MCH-06] are so many for each caller, and the one that is longest unused makes room', async () => {
    const sessions = sessionsWith({ perOwner: 2, spareMs: 0 });
    const [first, second] = [await open(sessions, 'ana'), await open(sessions, 'ana')];
    expect(sessions.find(first, 'ana')).toBeDefined();
    const third = await open(sessions, 'ana');
    expect([first, second, third].map((id) => sessions.find(id, 'ana') !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    expect(await open(sessions, 'bruno')).not.toBe('');
  });

  it('[MCH-06] are refused where all are in use, and one that is listened on is', async () => {
    const busy = sessionsWith({ perOwner: 1, spareMs: 60_000 });
    await open(busy, 'ana');
    await expect(open(busy, 'ana')).resolves.toBe('');
    expect(busy.size).toBe(1);
    const listened = sessionsWith({ total: 1, spareMs: 0 });
    const id = await open(listened, 'ana');
    const stream = await listen(listened, id, 'ana');
    await expect(open(listened, 'bruno')).resolves.toBe('');
    await stream.body?.cancel();
    await until(async () => (await open(listened, 'bruno')) !== '');
    expect(listened.find(id, 'ana')).toBeUndefined();
  });

  it('[MCH-06] are taken from whoever has the most where somebody else finds no room', async () => {
    const sessions = sessionsWith({ total: 4, spareMs: 60_000 });
    const anas = [await open(sessions, 'ana'), await open(sessions, 'ana'), await open(sessions, 'ana')];
    const streams = await Promise.all(anas.map((id) => listen(sessions, id, 'ana')));
    const bruno = await open(sessions, 'bruno');
    const carla = await open(sessions, 'carla');
    expect(carla).not.toBe('');
    expect(await streams[0]?.text()).not.toContain('data: {');
    // Two of ana's are left, and nobody with fewer gives way to her or to bruno.
    expect(await open(sessions, 'bruno')).toBe('');
    expect(await open(sessions, 'ana')).toBe('');
    expect(sessions.find(bruno, 'bruno')).toBeDefined();
    expect(sessions.find(carla, 'carla')).toBeDefined();
    expect(sessions.size).toBe(4);
  });

  it('[MCH-06] end when nobody has used them for long, and those that are listened on when the token ends', async () => {
    let good = true;
    const sessions = sessionsWith({ idleMs: 40, sweepMs: 10 }, async () => good);
    const [left, listened] = [await open(sessions, 'ana'), await open(sessions, 'bruno')];
    const stream = await listen(sessions, listened, 'bruno');
    await until(async () => sessions.size === 1);
    expect(sessions.find(left, 'ana')).toBeUndefined();
    // One that came later has been looked at and ended, too.
    const later = await open(sessions, 'carla');
    await until(async () => sessions.find(later, 'carla') === undefined);
    expect(sessions.find(listened, 'bruno')).toBeDefined();
    good = false;
    await until(async () => sessions.size === 0);
    expect(await stream.text()).not.toContain('data: {');
  });
});

describe('what is kept for a broken stream', () => {
  const message = (id: number, text = ''): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: { text } });
  const replay = async (events: ReturnType<typeof createSessionEvents>, after: string): Promise<number[]> => {
    const sent: number[] = [];
    await events.replayEventsAfter(after, {
      send: async (_id, kept) => void sent.push(Number('id' in kept ? kept.id : 0)),
    });
    return sent;
  };

  it('[MCH-10] is what came after on the same stream, without what only opened it', async () => {
    const events = createSessionEvents({ used: 0, most: 1_000_000 });
    const first = await events.storeEvent('a', {} as JSONRPCMessage);
    await events.storeEvent('b', message(1));
    await events.storeEvent('a', message(2));
    await events.storeEvent('a', message(3));
    expect(await replay(events, first)).toEqual([2, 3]);
    expect(await events.getStreamIdForEventId?.('nothing')).toBeUndefined();
    await expect(replay(events, 'nothing')).rejects.toThrow();
  });

  it('[MCH-10] is not lost to somebody whose sessions keep all that there is room for', async () => {
    const memory = { used: 0, most: 100_000 };
    const [greedy, modest] = [createSessionEvents(memory), createSessionEvents(memory)];
    for (let at = 0; at < 10; at += 1) await greedy.storeEvent('a', message(at, 'x'.repeat(30_000)));
    const first = await modest.storeEvent('b', {} as JSONRPCMessage);
    await modest.storeEvent('b', message(7, 'x'.repeat(5_000)));
    expect(await replay(modest, first)).toEqual([7]);
    for (let at = 0; at < 20; at += 1) await modest.storeEvent('b', message(at, 'x'.repeat(5_000)));
    expect(memory.used).toBeLessThanOrEqual(100_000 + 16 * 1_024);
  });

  it('[MCH-10] is bounded, for one session and for all', async () => {
    const memory = { used: 0, most: 400_000 };
    const [one, other] = [createSessionEvents(memory), createSessionEvents(memory)];
    const ids: string[] = [];
    for (let at = 0; at < 300; at += 1) ids.push(await one.storeEvent('a', message(at)));
    expect(await one.getStreamIdForEventId?.(ids[0] ?? '')).toBeUndefined();
    expect(await one.getStreamIdForEventId?.(ids[150] ?? '')).toBe('a');
    for (let at = 0; at < 20; at += 1) await one.storeEvent('a', message(at, 'x'.repeat(50_000)));
    expect(memory.used).toBeLessThanOrEqual(256 * 1_024);
    for (let at = 0; at < 20; at += 1) await other.storeEvent('a', message(at, 'x'.repeat(50_000)));
    expect(memory.used).toBeLessThanOrEqual(400_000);
    one.clear();
    other.clear();
    expect(memory.used).toBe(0);
  });
});

describe('a client that does not read', () => {
  it('[MCH-09] is dropped, and one large answer alone is no reason', async () => {
    const chunk = new Uint8Array(3 * 1_024 * 1_024);
    const counts: number[] = [];
    const streams = createOpenStreams((open) => void counts.push(open));
    const answer = (chunks: number): { response: Response; isCancelled: () => boolean } => {
      let cancelled = false;
      let left = chunks;
      const body = new ReadableStream<Uint8Array>({
        pull(to) {
          left -= 1;
          to.enqueue(chunk);
          if (left === 0) to.close();
        },
        cancel: () => {
          cancelled = true;
        },
      });
      const headers = { 'content-type': 'text/event-stream' };
      return { response: new Response(body, { headers }), isCancelled: () => cancelled };
    };
    await within({}, async (c) => {
      const endless = answer(1_000);
      const dropped = streams.follow(c, endless.response, 'ana');
      await dropped.ended;
      expect(endless.isCancelled()).toBe(true);
      await expect(dropped.response.arrayBuffer()).rejects.toThrow();
      const read = streams.follow(c, answer(2).response, 'ana');
      expect((await read.response.arrayBuffer()).byteLength).toBe(2 * chunk.length);
      await read.ended;
      return new Response();
    });
    expect(counts).toEqual([1, 0, 1, 0]);
    expect(streams.size).toBe(0);
  });
});
