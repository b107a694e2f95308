import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { ROOT } from '../architecture/cruise.js';
import { until } from '../support/until.js';
import { call, cliEnvironment, makeFolder, runCli, type Serving, serving, startCli } from './cli-process.js';

const ANA = 'ana.souza@example.com';
/** Nobody listens there: articles are found by their words, and no test waits for an index. */
const ENV = { PORT: '0', CHROMA_URL: 'http://127.0.0.1:9', HUB_STOP_SECONDS: '5' };

const folder = makeFolder();
const children: ChildProcessWithoutNullStreams[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

/** Starts the server and waits until it says where it is. */
async function start(env: Readonly<Record<string, string>> = {}, dataDir = folder.dataDir): Promise<Serving> {
  return untilServing(startCli('serve', [], { dataDir, env: { ...ENV, ...env } }));
}

const untilServing = (child: ChildProcessWithoutNullStreams): Promise<Serving> => {
  children.push(child);
  return serving(child);
};

/** Waits until the hub has taken a message of the conversation. */
async function untilTaken(thread: string): Promise<void> {
  const db = new BetterSqlite3(join(folder.dataDir, 'udahub.db'), { readonly: true });
  try {
    const taken = db.prepare('SELECT 1 FROM thread_inbox WHERE thread_id = ?');
    await until(() => taken.get(thread), 'the message is taken');
  } finally {
    db.close();
  }
}

const signIn = async (url: string): Promise<string> =>
  String((await call(url, '/api/session', { email: ANA })).body.token);

describe('npm start', () => {
  test('[HTP-80] serves from an empty directory, and a restart loses nothing', async () => {
    // As npm does; all others from the files that the tests have built.
    const options = { cwd: ROOT, env: cliEnvironment({ dataDir: folder.dataDir, env: ENV }) };
    const first = await untilServing(spawn(process.execPath, ['scripts/run.mjs', 'serve'], options));
    // Where the machine has much to do a part is late at first.
    await expect.poll(() => call(first.url, '/readyz')).toMatchObject({ status: 200, body: { ready: true } });
    const token = await signIn(first.url);
    const thread = (await call(first.url, '/api/threads', {}, token)).body.thread_id;
    const path = `/api/threads/${thread}/messages`;
    const asked = await call(
      first.url,
      path,
      { text: 'cancel my samba night booking', client_message_id: 'a' },
      token,
    );
    expect(asked.body.pending).toMatchObject({ kind: 'confirmation' });
    first.child.kill('SIGTERM');
    expect(await first.end).toMatchObject({ code: 0, out: '' });

    const second = await start();
    const again = await call(
      second.url,
      path,
      { text: 'cancel my samba night booking', client_message_id: 'a' },
      token,
    );
    expect(again.body).toEqual(asked.body);
    const { id } = asked.body.pending as { readonly id: string };
    const done = await call(second.url, `/api/threads/${thread}/pending/${id}`, { answer: 'yes' }, token);
    expect(done.body.reply).toMatch(/^Done/);
    second.child.kill('SIGINT');
    expect(await second.end).toMatchObject({ code: 0 });
  });

  test('[HTP-81] killed in the middle of a turn, answers the message after the restart, once', async () => {
    const first = await start();
    const token = await signIn(first.url);
    const thread = (await call(first.url, '/api/threads', {}, token)).body.thread_id;
    const path = `/api/threads/${thread}/messages`;
    const message = { text: 'How do I pause my subscription?', client_message_id: 'm1' };
    const lost = call(first.url, path, message, token).catch(() => null);
    await untilTaken(String(thread));
    first.child.kill('SIGKILL');
    await Promise.all([lost, first.end]);

    const second = await start();
    const reply = await call(second.url, path, message, token);
    expect(reply).toMatchObject({ status: 200, body: { reply: expect.stringMatching(/pause/i) } });
    const { messages } = (await call(second.url, `/api/threads/${thread}`, undefined, token)).body as {
      readonly messages: readonly { readonly role: string }[];
    };
    expect(messages.map(({ role }) => role)).toEqual(['customer', 'hub']);
    second.child.kill('SIGTERM');
    await second.end;
  });

  test('[HTP-82] a port in use is one clear line', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { readonly port: number };
    const { code, out, err } = await runCli('serve', [], { ...folder, env: { ...ENV, PORT: String(port) } });
    taken.close();
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err.trim().split('\n').at(-1)).toBe(
      `error: Port ${port} of 127.0.0.1 cannot be listened on: it is in use; set PORT to another one.`,
    );
  });

  test('[HTP-83] where strangers can connect there is no demo, and two processes agree on the secret', async () => {
    const [one, two] = await Promise.all([start({ HUB_HOST: '0.0.0.0' }), start()]);
    const local = one.url.replace('localhost', '127.0.0.1');
    expect((await call(local, '/api/config')).body).toMatchObject({ demo: false });
    expect((await call(local, '/api/session', { operator: true })).status).toBe(403);
    const token = await signIn(two.url);
    expect((await call(local, '/api/session', undefined, token)).body).toMatchObject({
      email: ANA,
      demo: false,
    });
    const file = join(folder.dataDir, 'auth-secret');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const secret = readFileSync(file, 'utf8').trim();
    expect(secret.length).toBeGreaterThanOrEqual(32);
    const log = readFileSync(join(folder.dataDir, 'hub.log'), 'utf8');
    expect(log).not.toContain(secret);
    expect(log).not.toContain(token);
    for (const { child, end } of [one, two]) {
      child.kill('SIGTERM');
      expect((await end).code).toBe(0);
    }
  });

  test('[HTP-82] a setting that contradicts another is one clear line', async () => {
    for (const [env, line] of [
      [{ HUB_AUTH_JWKS_URL: 'https://id.example.com/keys' }, /^error: HUB_AUTH_AUDIENCE is not set/],
      [{ HUB_SMTP_URL: 'smtp://u:secret-word@mail.example.com' }, /^error: HUB_MAIL_FROM is not set/],
      [
        { HUB_CORS_ORIGINS: 'https://a.example/' },
        /^error: HUB_CORS_ORIGINS is "https:\/\/a.example\/"; allowed: an origin/,
      ],
      [{ HUB_METRICS_TOKEN: 'short' }, /^error: HUB_METRICS_TOKEN is \(set\)/],
    ] as const) {
      const { code, err } = await runCli('serve', [], { ...folder, env: { ...ENV, ...env } });
      expect([code, err]).toEqual([2, expect.stringMatching(line)]);
      expect(err).not.toContain('secret-word');
    }
  });
});
