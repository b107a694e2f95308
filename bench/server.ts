import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { barred, type Measure, plain, spread } from './report.js';
import { type Conversation, firstEventMs, holdStream, openConversations } from './server-client.js';
import { type ServerProcess, startServerProcess } from './server-process.js';

const CONNECTIONS = 50;
const STREAMS = 2_000;
const OPENING_AT_ONCE = 100;
const QUESTIONS = ['How many visits do I have left?', 'Show me my bookings', 'How do I pause my plan?'];
/** No limit but the machine. */
const UNLIMITED = { HUB_TURNS_PER_MINUTE: '0', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '0' };

/**
 * The real server in its own process, with the load generator on the same machine: turns a second, time to the first
 * event, open streams, memory. Beside it what a bare route and a bare graph reach.
 */
export async function server(quick: boolean): Promise<readonly Measure[]> {
  const answering = await withServer(async (hub) => [
    ...(await turns(hub, quick)),
    ...(await firstEvents(hub, quick)),
  ]);
  // What one process holds.
  const holding = await withServer((hub) => openStreams(hub, quick));
  return [...answering, ...holding, ...(await bare(quick))];
}

/** A server of its own on new data, without limits of rate, for as long as the work takes. */
export async function withServer<T>(work: (hub: ServerProcess, dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const env = {
    HUB_DATA_DIR: dataDir,
    HUB_MODEL_PROVIDER: 'offline',
    PORT: '0',
    HUB_DEMO: '1',
    ...UNLIMITED,
  };
  const hub = await startServerProcess('scripts/serve.ts', env);
  try {
    return await work(hub, dataDir);
  } finally {
    await hub.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function turns(hub: ServerProcess, quick: boolean): Promise<readonly Measure[]> {
  const conversations = await openConversations(hub.url, CONNECTIONS);
  await load(hub.url, conversations, { duration: quick ? 3 : 15 });
  const memory: number[] = [];
  const sample = setInterval(() => memory.push(hub.memoryMb()), 500);
  const { requests, latency, errors, timeouts, non2xx, duration } = await load(hub.url, conversations, {
    duration: quick ? 5 : 60,
  });
  clearInterval(sample);
  const failed = errors + timeouts + non2xx;
  const half = Math.floor(memory.length / 2);
  const growth = spread(memory.slice(half)).median - spread(memory.slice(0, half)).median;
  return [
    barred(`server: offline turns, ${CONNECTIONS} connections`, requests.total / duration, 'turns/s', {
      atLeast: 150,
    }),
    barred('server: errors under that load', failed, '', { atMost: 0 }, `${requests.total} turns`),
    plain('server: turn under load, median', latency.p50, 'ms'),
    plain('server: turn under load, p99', latency.p99, 'ms'),
    plain('server: memory under load, highest', Math.max(...memory), 'MB'),
    plain('server: memory, second half of the load against the first', growth, 'MB', `${duration} s`),
  ];
}

/**
 * Asks on all conversations at once, each time the last answer has come.
 * @param until so many seconds, or so many turns of all together
 * @param onAnswer hears how long each answer took
 */
export function load(
  url: string,
  conversations: readonly Conversation[],
  until: { readonly duration: number } | { readonly amount: number },
  onAnswer: (ms: number) => void = () => undefined,
) {
  let next = 0;
  return autocannon({
    url,
    connections: conversations.length,
    ...until,
    timeout: 120,
    setupClient(client) {
      const { threadId, headers } = conversations[next++ % conversations.length] as Conversation;
      const path = `/api/threads/${threadId}/messages`;
      client.setRequests(
        QUESTIONS.map((text) => ({ method: 'POST', path, headers, body: JSON.stringify({ text }) })),
      );
      client.on('response', (_status, _bytes, ms) => onAnswer(ms));
    },
  });
}

async function firstEvents(hub: ServerProcess, quick: boolean): Promise<readonly Measure[]> {
  const conversations = await openConversations(hub.url, 5);
  const times: number[] = [];
  for (let turn = 0; turn < (quick ? 20 : 100); turn += 1) {
    const conversation = conversations[turn % conversations.length] as Conversation;
    times.push(await firstEventMs(hub.url, conversation, QUESTIONS[turn % QUESTIONS.length] ?? ''));
  }
  const { median, p95 } = spread(times);
  return [
    barred(
      'server: first event of a turn, median',
      median,
      'ms',
      { atMost: 30 },
      'offline: no model to wait for',
    ),
    plain('server: first event of a turn, p95', p95, 'ms'),
  ];
}

async function openStreams(hub: ServerProcess, quick: boolean): Promise<readonly Measure[]> {
  const count = quick ? 200 : STREAMS;
  const conversations = await openConversations(hub.url, count);
  const ends: (() => void)[] = [];
  for (let at = 0; at < count; at += OPENING_AT_ONCE) {
    const batch = conversations.slice(at, at + OPENING_AT_ONCE);
    ends.push(...(await Promise.all(batch.map((conversation) => holdStream(hub.url, conversation)))));
  }
  const first = conversations[0] as Conversation;
  const answered = await firstEventMs(hub.url, first, QUESTIONS[0] ?? '');
  const measures = [
    barred('server: event streams held open by one process', ends.length, '', { atLeast: count }),
    barred('server: memory with them', hub.memoryMb(), 'MB', { atMost: 1_024 }),
    plain('server: first event of a turn with them open', answered, 'ms'),
  ];
  for (const end of ends) end();
  return measures;
}

/** What the server framework, and the graph library behind it, reach by themselves. */
async function bare(quick: boolean): Promise<readonly Measure[]> {
  const process = await startServerProcess('bench/bare-server.ts', {});
  const rate = async (path: string): Promise<number> => {
    const request = {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: '{"text":"hello"}',
    };
    const { requests, duration } = await autocannon({
      url: process.url,
      connections: CONNECTIONS,
      duration: quick ? 3 : 10,
      setupClient: (client) => client.setRequests([request]),
    });
    return requests.total / duration;
  };
  try {
    return [
      plain('a bare route of the same framework', await rate('/bare'), 'requests/s', 'for comparison'),
      plain('a bare graph of the same shape behind it', await rate('/graph'), 'turns/s', 'for comparison'),
    ];
  } finally {
    await process.stop();
  }
}
