import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.js';
import { rowsIn, startPostgres, type TestPostgres } from '../support/postgres.js';
import { readSse, type SseEvent, type SseReader } from '../support/sse.js';
import { until } from '../support/until.js';
import { call, makeFolder, type Serving, serving, startCli } from './cli-process.js';

const ANA = 'ana.souza@example.com';
/** Each server has a directory of its own, as on a machine of its own. */
const folders: ReturnType<typeof makeFolder>[] = [];
let postgres: TestPostgres;
let model: OpenAiServer;
let [one, other]: Serving[] = [];
const started: Serving[] = [];

/** A server in a process of its own; all have the same database and secret, and nothing else in common. */
async function start(env: Readonly<Record<string, string>> = {}): Promise<Serving> {
  const folder = makeFolder();
  folders.push(folder);
  const secret = { HUB_AUTH_SECRET: 'the same secret for all servers of one hub' };
  const common = { PORT: '0', CHROMA_URL: 'http://127.0.0.1:9', HUB_STOP_SECONDS: '5', ...secret };
  const options = { dataDir: folder.dataDir, env: { ...common, HUB_DATABASE_URL: postgres.url, ...env } };
  const server = await serving(startCli('serve', [], options));
  started.push(server);
  return server;
}

beforeAll(async () => {
  [postgres, model] = await Promise.all([startPostgres(), startOpenAiServer()]);
  one = await start();
  other = await start();
});
afterAll(async () => {
  for (const { child, end } of started) {
    child.kill('SIGKILL');
    await end;
  }
  await model.close();
  await postgres.close();
  for (const folder of folders) folder.remove();
});

const servers = (): readonly [Serving, Serving] => {
  if (!one || !other) throw new Error('no servers');
  return [one, other];
};
const signIn = async ({ url }: Serving): Promise<string> =>
  String((await call(url, '/api/session', { email: ANA })).body.token);
const newThread = async ({ url }: Serving, token: string): Promise<string> =>
  String((await call(url, '/api/threads', {}, token)).body.thread_id);

/** Sends a message, again where it is kept because the ones before it take long on a machine with much to do. */
async function tell({ url }: Serving, path: string, message: object, token: string) {
  for (;;) {
    const answer = await call(url, path, message, token);
    if (answer.body.code !== 'thread_busy') return answer;
  }
}

interface Message {
  readonly role: string;
  readonly content: string;
}
async function messagesOf({ url }: Serving, thread: string, token: string): Promise<readonly Message[]> {
  return (await call(url, `/api/threads/${thread}`, undefined, token)).body.messages as readonly Message[];
}

async function follow(
  { url }: Serving,
  thread: string,
  token: string,
  more: { readonly after?: string | undefined; readonly body?: unknown } = {},
): Promise<SseReader> {
  const abort = new AbortController();
  const path = more.body === undefined ? 'events' : 'messages';
  const query = more.after === undefined ? '' : `?after=${more.after}`;
  const response = await fetch(`${url}/api/threads/${thread}/${path}${query}`, {
    method: more.body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: more.body === undefined ? null : JSON.stringify(more.body),
    signal: abort.signal,
  });
  return readSse(response, abort);
}

const bare = ({ id, event, data }: SseEvent) => ({ id, event, data });

describe('two servers on one database', () => {
  test('[PGS-08] answer messages of one conversation that come to both at once in order, one turn at a time', async () => {
    const [a, b] = servers();
    const token = await signIn(a);
    const thread = await newThread(a, token);
    const say = (server: Serving, text: string, client_message_id: string) =>
      tell(server, `/api/threads/${thread}/messages`, { text, client_message_id }, token);
    const asked = ['How do I pause my subscription?', 'What is my plan?', 'thanks'];
    for (const [at, text] of asked.entries()) {
      const replies = await Promise.all([say(a, `${text} (a)`, `a${at}`), say(b, `${text} (b)`, `b${at}`)]);
      for (const { status, body } of replies) {
        expect(status, JSON.stringify(body)).toBe(200);
        expect(body.reply).toEqual(expect.stringMatching(/./));
      }
    }
    // Of two messages that come at once, the one that is numbered first may be stored last, and answered second.
    const turns = await rowsIn<{ first: number; last: number; began: string; ended: string }>(
      postgres.url,
      `SELECT min(right(client_message_id, 1))::int AS first, max(right(client_message_id, 1))::int AS last,
         max(started_at) AS began, max(answered_at) AS ended
       FROM udahub.thread_inbox WHERE thread_id = $1 GROUP BY outcome::json ->> 'turnId' ORDER BY ended`,
      [thread],
    );
    expect(turns.length).toBeGreaterThanOrEqual(asked.length);
    for (const [at, { first, last, began }] of turns.entries()) {
      const before = turns[at - 1];
      expect(last).toBe(first);
      if (!before) continue;
      expect(first).toBeGreaterThanOrEqual(before.last);
      expect(began >= before.ended, `${began} after ${before.ended}`).toBe(true);
    }
    const messages = await messagesOf(b, thread, token);
    expect(messages.filter(({ role }) => role === 'customer')).toHaveLength(2 * asked.length);
    expect(messages.filter(({ role }) => role === 'hub')).toHaveLength(turns.length);
    expect(await messagesOf(a, thread, token)).toEqual(messages);
  });

  test('[PGS-09] show on one the whole of a turn that the other runs, and from any event on', async () => {
    const [a, b] = servers();
    const token = await signIn(b);
    const thread = await newThread(b, token);
    const watched = await follow(b, thread, token);
    const isDone = ({ event }: SseEvent): boolean => event === 'done';
    const sent = await follow(a, thread, token, { body: { text: 'How do I pause my subscription?' } });
    const own = await sent.all();
    await watched.until(isDone);
    const seen = watched.events.map(bare);
    // Its page also hears of the message itself; the sender of it need not.
    for (const event of own.map(bare)) expect(seen).toContainEqual(event);
    const names = seen.map(({ event }) => event);
    for (const event of ['agent', 'triage', 'route', 'tool', 'token', 'message', 'done'])
      expect(names).toContain(event);
    expect(names.indexOf('token')).toBeLessThan(names.lastIndexOf('message'));
    const said = seen.flatMap(({ event, data }) =>
      event === 'token' ? [(data as { readonly text: string }).text] : [],
    );
    const last = seen.findLast(({ event }) => event === 'message')?.data as { readonly reply: string };
    expect(said.join('')).toBe(last.reply);
    const middle = Math.floor(seen.length / 2);
    const resumed = await follow(a, thread, token, { after: seen[middle]?.id });
    await resumed.until(isDone);
    expect(resumed.events.map(bare)).toEqual(seen.slice(middle + 1));
    await Promise.all([watched.close(), resumed.close()]);
  });

  test('[PGS-11] confirm and approve on one what the other asked, and perform it once', async () => {
    const [a, b] = servers();
    const token = await signIn(a);
    const thread = await newThread(a, token);
    const path = `/api/threads/${thread}/messages`;
    const asked = await call(a.url, path, { text: 'cancel my reservation res_001' }, token);
    expect(asked.body.pending).toMatchObject({ kind: 'confirmation' });
    const waits = await call(b.url, path, { text: 'yes' }, token);
    expect(waits.body.pending).toMatchObject({ kind: 'approval' });
    const { id } = waits.body.pending as { readonly id: string };
    const operator = String((await call(b.url, '/api/session', { operator: true })).body.token);
    const watched = await follow(a, thread, token);
    const decide = ({ url }: Serving) =>
      call(url, `/api/desk/approvals/${id}`, { decision: 'approve' }, operator);
    const decisions = await Promise.all([decide(b), decide(a), decide(b)]);
    expect(decisions.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    await watched.until(({ event }) => event === 'message');
    await watched.close();
    expect(await rowsIn(postgres.url, 'SELECT tool FROM cultpass.action_ledger')).toHaveLength(1);
    const told = (await messagesOf(a, thread, token)).filter(
      ({ role, content }) => role === 'hub' && /cancelled/.test(content),
    );
    expect(told).toHaveLength(1);
  });

  test.each([
    ['an operator told, before it is done', 'cultpass.action_ledger', 'res_004'],
    ['a customer told, when it is done and not yet spoken of', 'udahub.audit_log', 'res_003'],
  ])('[PGS-17] move money once where one is killed that %s', async (_when, table, reservation) => {
    const [a, b] = servers();
    const dying = await start();
    const token = await signIn(a);
    const thread = await newThread(a, token);
    const path = `/api/threads/${thread}/messages`;
    await call(a.url, path, { text: `cancel my reservation ${reservation}` }, token);
    const yes = { text: 'yes', client_message_id: 'yes' };
    let decide = () => call(dying.url, path, yes, token);
    if (table === 'cultpass.action_ledger') {
      const { body } = await call(b.url, path, yes, token);
      const { id } = body.pending as { readonly id: string };
      const operator = String((await call(b.url, '/api/session', { operator: true })).body.token);
      decide = () => call(dying.url, `/api/desk/approvals/${id}`, { decision: 'approve' }, operator);
    }
    const held = new pg.Client({ connectionString: postgres.url });
    await held.connect();
    await held.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const lost = decide().catch(() => null);
    const waits = 'SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass';
    await until(async () => (await rowsIn(postgres.url, waits, [table])).length > 0, 'the effect');
    dying.child.kill('SIGKILL');
    await held.query('ROLLBACK');
    await held.end();
    await lost;
    const told = async () =>
      (await messagesOf(b, thread, token)).filter(
        ({ role, content }) => role === 'hub' && /is cancelled/.test(content),
      ).length;
    await until(async () => (await told()) > 0, 'the answer of another server');
    const done = `SELECT count(*)::int AS n FROM cultpass.action_ledger WHERE outcome LIKE '%' || $1 || '%'`;
    expect(await rowsIn(postgres.url, done, [reservation])).toEqual([{ n: 1 }]);
    expect((await tell(a, path, { text: 'thanks' }, token)).status).toBe(200);
    expect(await told()).toBe(1);
  });

  test('[PGS-10] finish what one that was killed had begun, waited for or not, once', async () => {
    const [a, b] = servers();
    // Its model never answers, so that it dies in the middle of its turns.
    model.fault({ kind: 'hang' }, { times: 2 });
    const dying = await start({
      HUB_MODEL_PROVIDER: 'openai',
      HUB_EMBEDDING_PROVIDER: 'local',
      OPENAI_API_KEY: 'test',
      OPENAI_BASE_URL: model.url,
    });
    const token = await signIn(dying);
    const thread = await newThread(dying, token);
    const path = `/api/threads/${thread}/messages`;
    const message = { text: 'How do I pause my subscription?', client_message_id: 'm1' };
    const watched = await follow(b, thread, token);
    const unwatched = await newThread(a, token);
    const lost = [path, `/api/threads/${unwatched}/messages`].map((to) =>
      call(dying.url, to, message, token).catch(() => null),
    );
    await until(() => model.requests.length > 1);
    // These wait on the other one, which is not told of the death.
    const waiting = tell(b, path, message, token);
    const second = tell(b, path, { text: 'thanks', client_message_id: 'm2' }, token);
    dying.child.kill('SIGKILL');
    const [answered, thanked] = await Promise.all([waiting, second, ...lost]);
    expect(answered).toMatchObject({ status: 200, body: { reply: expect.stringMatching(/pause/i) } });
    expect(thanked?.status).toBe(200);
    expect((await call(b.url, path, message, token)).body).toEqual(answered?.body);
    await watched.until(({ event }) => event === 'done');
    const messages = await messagesOf(b, thread, token);
    expect(messages.filter(({ role }) => role === 'customer')).toHaveLength(2);
    const rolesOf = (said: readonly Message[]) =>
      said.filter(({ content }) => /pause/i.test(content)).map(({ role }) => role);
    expect(rolesOf(messages)).toEqual(['customer', 'hub']);
    await watched.close();

    const answer = async () => (await messagesOf(b, unwatched, token)).some(({ role }) => role === 'hub');
    await until(answer, 'the answer that nobody waits for');
    expect(rolesOf(await messagesOf(a, unwatched, token))).toEqual(['customer', 'hub']);
  });
});
