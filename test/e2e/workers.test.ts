import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSse, type SseReader } from '../support/sse.js';
import { until } from '../support/until.js';
import { type Finished, finished, makeFolder, runCli, startCli } from './cli-process.js';
import { figure, holderOf, isAlive, workersOf } from './worker-processes.js';

const ANA = 'ana.souza@example.com';
const OTHERS = [
  'bruno.lima',
  'carla.mendes',
  'diego.ferreira',
  'elisa.rocha',
  'felipe.araujo',
  'beatriz.fonseca',
].map((name) => `${name}@example.com`);
/** Nobody listens at Chroma's address: articles are found by their words. */
const ENV = { PORT: '0', HUB_WORKERS: '2', CHROMA_URL: 'http://127.0.0.1:9', HUB_STOP_SECONDS: '25' };

interface Running {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcessWithoutNullStreams;
  readonly end: Promise<Finished>;
  /** Everything it wrote on standard error so far. */
  said(): string;
}

const folders: ReturnType<typeof makeFolder>[] = [];
const newFolder = () => {
  const folder = makeFolder();
  folders.push(folder);
  return folder;
};
const children: ChildProcessWithoutNullStreams[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  for (const folder of folders.splice(0)) folder.remove();
});

/** A provider that takes requests and lets them wait, and then knows of nothing but faults. */
let provider: { readonly server: Server; readonly url: string; asked: number; fail(): void };
beforeEach(async () => {
  let failing = false;
  const waiting: (() => void)[] = [];
  const server = createServer((_request, response) => {
    provider.asked += 1;
    const fail = (): void => void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    if (failing) fail();
    else waiting.push(fail);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  const fail = (): void => {
    failing = true;
    for (const answer of waiting) answer();
  };
  provider = { server, url, asked: 0, fail };
});
afterEach(() => {
  provider.server.closeAllConnections();
  provider.server.close();
});

const slowModel = (): Readonly<Record<string, string>> => ({
  HUB_MODEL_PROVIDER: 'openai',
  OPENAI_BASE_URL: provider.url,
  HUB_EMBEDDING_PROVIDER: 'local',
  HUB_MODEL_RETRIES: '0',
});

async function start(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const child = startCli('serve', [], { dataDir, env: { ...ENV, ...env } });
  children.push(child);
  const end = finished(child);
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (piece: string) => {
      said += piece;
      const found = /chat (http:\S+)\//.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.on('close', () => reject(new Error(`it ended: ${said}`)));
  });
  return { url, pid: child.pid ?? 0, child, end, said: () => said };
}

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(url: string, path: string, token?: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

const signIn = async (url: string, email = ANA): Promise<string> =>
  String((await call(url, '/api/session', undefined, { email })).body.token);
const openThread = async (url: string, token: string): Promise<string> =>
  String((await call(url, '/api/threads', token, {})).body.thread_id);

async function follow(url: string, thread: string, token: string, after?: string): Promise<SseReader> {
  const abort = new AbortController();
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
    ...(after === undefined ? {} : { 'last-event-id': after }),
  };
  return readSse(
    await fetch(`${url}/api/threads/${thread}/events`, { headers, signal: abort.signal }),
    abort,
  );
}

describe('several workers', () => {
  test('[WRK-01] count limits together, follow a conversation once, and give one set of figures', async () => {
    const { dataDir } = newFolder();
    const { url, child, end } = await start(dataDir, { HUB_TURNS_PER_MINUTE: '6' });
    const twelveOf = async (email: string) => {
      const token = await signIn(url, email);
      const threads = await Promise.all(Array.from({ length: 12 }, () => openThread(url, token)));
      const ask = (thread: string) =>
        call(url, `/api/threads/${thread}/messages`, token, { text: 'How many visits do I have left?' });
      const statuses = (await Promise.all(threads.map(ask))).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      return { token, threads, answered: statuses.filter((status) => status === 200).length };
    };
    let [asked, answered] = [await twelveOf(ANA), 0];
    // A worker whose primary is held up for seconds counts by itself, so that nobody waits: then it is tried with others.
    // Workers that never counted together would answer all twelve of everybody.
    for (const email of OTHERS) {
      if (asked.answered === 6) break;
      answered += asked.answered;
      asked = await twelveOf(email);
    }
    expect(asked.answered).toBe(6);
    answered += asked.answered;
    const { token, threads } = asked;

    // Each question comes on a new connection, and connections go to the workers in turns.
    const turns = 'hub_turns_total{provider="offline",channel="http",outcome="answered"}';
    const told = await Promise.all(Array.from({ length: 4 }, () => figure(url, turns)));
    expect(told).toEqual(told.map(() => answered));
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text.match(/^hub_process_resident_memory_bytes\{worker="\d+"\}/gm)).toHaveLength(2);
    expect(text.match(/^hub_approvals_open /gm)).toHaveLength(1);

    const [thread = ''] = threads;
    const streams: SseReader[] = [];
    for (let count = 0; count < 4; count += 1) streams.push(await follow(url, thread, token));
    const other = await follow(url, threads[1] ?? '', token);
    const [last, ...older] = streams.reverse();
    for (const stream of older) expect((await stream.all()).map(({ event }) => event)).toEqual(['replaced']);
    await until(
      async () =>
        (await figure(url, 'hub_event_streams_open{audience="customer"}')) === 2 ? true : undefined,
      'two streams are open',
    );
    expect(last?.events).toEqual([]);
    await Promise.all([last?.close(), other.close()]);
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 0, out: '' });
  });

  test('[WRK-02] of which one is killed in the middle of a turn, answer soon, once', async () => {
    const { dataDir } = newFolder();
    const { url, pid, said } = await start(dataDir, slowModel());
    const before = workersOf(pid);
    expect(before).toHaveLength(2);
    const token = await signIn(url);
    const thread = await openThread(url, token);
    // One stream with each worker; only the one whose worker dies breaks.
    const bystander = await openThread(url, token);
    const streams = [await follow(url, thread, token), await follow(url, bystander, token)] as const;
    const path = `/api/threads/${thread}/messages`;
    const message = { text: 'How do I pause my subscription?', client_message_id: 'm1' };
    const lost = call(url, path, token, message).catch(() => null);
    const holder = await until(() => holderOf(dataDir, thread), 'a worker has the turn');
    await until(() => (provider.asked > 0 ? true : undefined), 'the model is asked');
    expect(before).toContain(holder);
    const requests = await figure(
      url,
      'hub_http_requests_total{method="POST",route="/api/threads",status="201"}',
    );
    expect(requests).toBe(2);

    process.kill(holder, 'SIGKILL');
    provider.fail();
    await lost;
    const reply = await until(async () => {
      const { body } = await call(url, `/api/threads/${thread}`, token).catch(() => ({ body: {} }));
      const { messages = [] } = body as { messages?: readonly { role: string }[] };
      return messages.some(({ role }) => role === 'hub') ? messages : undefined;
    }, 'the message is answered');
    expect(reply.map(({ role }) => role)).toEqual(['customer', 'hub']);
    expect(await call(url, path, token, message)).toMatchObject({
      status: 200,
      body: { reply: expect.stringMatching(/pause/i) },
    });

    // Whoever followed goes on where the stream broke, if it did, and hears everything once.
    await Promise.all(streams.map((stream) => stream.close()));
    const heard = [...streams[0].events];
    if (!heard.some(({ event }) => event === 'done')) {
      const again = await follow(url, thread, token, heard.findLast(({ id }) => id)?.id ?? '0.0');
      await again.until(({ event }) => event === 'done');
      heard.push(...again.events);
      await again.close();
    }
    const ofHub = heard.filter(
      ({ event, data }) => event === 'message' && (data as { role: string }).role === 'hub',
    );
    expect(ofHub).toHaveLength(1);
    await until(async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return text.includes('worker="3"') ? true : undefined;
    }, 'another worker serves');
    expect(workersOf(pid)).toHaveLength(2);
    expect(said()).toContain('A worker has ended with SIGKILL; another one starts.');
    // What the dead worker had counted is not lost.
    expect(await figure(url, 'hub_worker_restarts_total')).toBe(1);
    expect(
      await figure(url, 'hub_http_requests_total{method="POST",route="/api/threads",status="201"}'),
    ).toBe(2);

    // Workers do not outlive their primary.
    const left = workersOf(pid);
    process.kill(pid, 'SIGKILL');
    await until(() => (left.some(isAlive) ? undefined : true), 'all are gone');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  test('[WRK-03] that are stopped let turns end', async () => {
    const { dataDir } = newFolder();
    const { url, pid, child, end } = await start(dataDir, slowModel());
    const token = await signIn(url);
    const thread = await openThread(url, token);
    const stream = await follow(url, thread, token);
    const answer = call(url, `/api/threads/${thread}/messages`, token, {
      text: 'How do I pause my subscription?',
    });
    await until(() => (provider.asked > 0 ? true : undefined), 'the model is asked');
    const workers = workersOf(pid);
    child.kill('SIGTERM');
    await until(
      () =>
        // A connection that was let in by a worker that then ended may stay without an answer.
        fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) }).then(
          ({ status }) => (status === 503 ? true : undefined),
          () => true,
        ),
      'nobody is let in',
    );
    provider.fail();
    expect(await answer).toMatchObject({ status: 200, body: { reply: expect.stringMatching(/pause/i) } });
    expect(await end).toMatchObject({ code: 0, out: '' });
    await stream.all();
    expect(workers.some(isAlive)).toBe(false);
  });

  test('[WRK-04] that cannot begin are one clear line', async () => {
    const { dataDir } = newFolder();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, out, err } = await runCli('serve', [], { dataDir, env: { ...ENV, PORT: String(port) } });
    taken.close();
    expect([code, out]).toEqual([2, '']);
    const line = `error: Port ${port} of 127.0.0.1 cannot be listened on: it is in use; set PORT to another one.`;
    expect(err.split('\n').filter((each) => each.startsWith('error'))).toEqual([line]);
    expect(err.trim().endsWith(line)).toBe(true);

    for (const [env, wrong] of [
      [{ HUB_WORKERS: '65' }, /^error: HUB_WORKERS is "65"; allowed: a whole number from 1 to 64$/],
      [{ HUB_CHECKPOINTER: 'memory' }, /^error: HUB_WORKERS is above 1, but HUB_CHECKPOINTER is memory/],
    ] as const) {
      const done = await runCli('serve', [], { dataDir, env: { ...ENV, ...env } });
      expect([done.code, done.err.trim()]).toEqual([2, expect.stringMatching(wrong)]);
    }
  });
});
