import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { HubError } from '../../../src/core/errors.js';
import { createTokenWatch, type HubEnv } from '../../../src/surfaces/http/client.js';
import { createEventStreams, type EventStream } from '../../../src/surfaces/http/event-streams.js';
import { until } from '../../support/until.js';

const LONG = { event: 'token', data: { text: 'x'.repeat(10_000) } };

/** Streams behind one route; what was opened is kept. */
function makeApp(heartbeatMs?: number) {
  const counts: number[] = [];
  const streams = createEventStreams({ streams: (_kind, open) => counts.push(open) }, heartbeatMs);
  const opened: EventStream[] = [];
  const app = new Hono<HubEnv>().get('/:key', (c) => {
    const stream = streams.open(c, { kind: 'customer', key: c.req.param('key') });
    opened.push(stream);
    return stream.response();
  });
  return { app, streams, opened, counts };
}

describe('an event stream', () => {
  it('[HTP-35] whose client reads nothing is dropped with what waits for it, in bounded memory', async () => {
    const { app, streams, opened, counts } = makeApp();
    const response = await app.request('/deaf');
    const stream = opened[0] as EventStream;
    let sent = 0;
    while (!stream.signal.aborted && sent < 1_000) {
      stream.send(LONG);
      sent += 1;
    }
    expect(sent).toBeLessThan(110);
    expect(streams.size).toBe(0);
    expect(counts).toEqual([1, 0]);
    await expect(response.text()).rejects.toThrow();
    expect(() => stream.send(LONG)).not.toThrow();
  });

  it('[HTP-35] that does not move between two heartbeats is dropped, one that is read is not', async () => {
    const { app, streams, opened } = makeApp(20);
    const [deaf, heard] = [await app.request('/deaf'), await app.request('/heard')];
    const reading = heard.text();
    const aborted = (stream: EventStream | undefined) =>
      new Promise((resolve) => stream?.signal.addEventListener('abort', resolve));
    await aborted(opened[0]);
    expect(opened[1]?.signal.aborted).toBe(false);
    streams.closeAll();
    expect(await reading).toContain(': still here');
    await expect(deaf.text()).rejects.toThrow();
  });

  it('[HTP-35] over a socket nobody reads from ends with its connection', async () => {
    const { app, streams, opened } = makeApp(50);
    const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write('GET /deaf HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => opened.length > 0);
    const stream = opened[0] as EventStream;
    // The system's own buffers take some megabytes before anything piles up here.
    for (let sent = 0; !stream.signal.aborted && sent < 5_000; sent += 1) {
      stream.send(LONG);
      if (sent % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stream.signal.aborted).toBe(true);
    expect(streams.size).toBe(0);
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('[HTP-34] with the key of an older one takes its place', async () => {
    const { app, streams } = makeApp();
    const older = await app.request('/a');
    await app.request('/b');
    await app.request('/a');
    expect(await older.text()).toMatch(/event: replaced\ndata: \{\}\n\n$/);
    expect(streams.size).toBe(2);
  });

  it('[HTP-33] asked for with HEAD leaves nothing open', async () => {
    const { app, streams } = makeApp();
    const response = await app.request('/a', { method: 'HEAD' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(streams.size).toBe(0);
  });
});

describe('what stays open', () => {
  it('[PAGE-06] ends when its session has ended by time, though nothing was revoked', async () => {
    let ended = false;
    let looks = 0;
    const sessions = {
      revision: async () => '1',
      identify: async (token: string) => {
        looks += 1;
        if (ended) throw new HubError('token_expired', 'The session has ended.');
        return { token } as never;
      },
    };
    const watch = createTokenWatch(sessions, { error: () => {} }, 1);
    const over: string[] = [];
    watch.follow(
      () => 'Bearer hers',
      () => over.push('hers'),
    );
    await until(() => looks > 0);
    ended = true;
    await until(() => over.length > 0);
    watch.stop();
    expect(over).toEqual(['hers']);
  });

  it('[MCH-02] ends no session whose token has expired, which goes on with a newer one, but one whose token is revoked', async () => {
    let looks = 0;
    let code: 'token_expired' | 'token_invalid' = 'token_expired';
    const sessions = {
      revision: async () => code,
      identify: async () => {
        looks += 1;
        throw new HubError(code, 'No more.');
      },
    };
    const watch = createTokenWatch(sessions, { error: () => {} }, 1);
    const over: string[] = [];
    watch.follow(
      () => 'Bearer his',
      () => over.push('stream'),
    );
    watch.follow(
      () => 'Bearer hers',
      () => over.push('session'),
      true,
    );
    await until(() => over.includes('stream') && looks > 3);
    expect(over).toEqual(['stream']);
    code = 'token_invalid';
    await until(() => over.length > 1);
    watch.stop();
    expect(over).toEqual(['stream', 'session']);
  });
});
