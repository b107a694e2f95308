import { EventEmitter } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { MemoryArticleIndex } from '../../../src/adapters/retrieval/memory-article-index.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import type { CommandHost } from '../../../src/surfaces/command.js';
import { runServer } from '../../../src/surfaces/http/run-server.js';
import { makeTempDir } from '../../support/hub.js';
import { SECRET } from '../../support/server.js';
import { until } from '../../support/until.js';

/** Asks again and again. `end` says what was refused, and that it was asked often. */
function askingAlways(url: string) {
  const refused: unknown[] = [];
  let [goesOn, times] = [true, 0];
  const asking = (async () => {
    for (; goesOn; times += 1)
      await fetch(url).then(
        ({ ok, status }) => (ok ? undefined : refused.push(status)),
        (error: unknown) => refused.push(error),
      );
  })();
  return {
    async end(): Promise<readonly unknown[]> {
      goesOn = false;
      await asking;
      expect(times).toBeGreaterThan(20);
      return refused;
    },
  };
}

it('[BYO-16 COF-06] takes a changed company while it runs, keeps what was asked, refuses nobody meanwhile, and does not take a broken one', async () => {
  const room = makeTempDir();
  const folder = join(room, 'velo');
  writeNewCompany(folder, {
    ...{ name: 'Velo', about: 'a shop for cyclists', languages: ['en'] },
    ...{ currency: 'EUR', time_zone: 'Europe/Lisbon' },
  });
  const signals = new EventEmitter();
  let told = '';
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const host: CommandHost = {
    env: {
      ...{ HUB_COMPANY: folder, HUB_DATA_DIR: join(room, 'data'), PORT: '0' },
      ...{ HUB_MODEL_PROVIDER: 'offline', HUB_AUTH_SECRET: SECRET, HUB_STOP_SECONDS: '2' },
    },
    ...{ stdin: Readable.from([]), stdout: silent },
    stderr: new Writable({
      write(chunk, _encoding, done) {
        told += String(chunk);
        done();
      },
    }),
    on(name: string, handler: (...args: never[]) => void) {
      signals.on(name, handler as () => void);
      return process;
    },
    off(name: string, handler: (...args: never[]) => void) {
      signals.off(name, handler as () => void);
      return process;
    },
    exit: () => undefined,
    overrides: async () => ({ index: new MemoryArticleIndex() }),
  };
  const starts = (): readonly string[] =>
    [...told.matchAll(/chat (http\S+?)\/ /g)].map(([, url = '']) => url);
  const logged = () => readFileSync(join(room, 'data', 'hub.log'), 'utf8');
  const served = runServer(host);
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${starts().at(-1)}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
  try {
    await until(() => starts().length === 1);
    const signIn = async () => String((await post('/api/session', { email: 'ana@example.com' })).token);
    const token = await signIn();
    const busy = askingAlways(`${starts()[0]}/healthz`);
    const thread = `/api/threads/${(await post('/api/threads', {}, token)).thread_id}/messages`;
    const asked = await post(thread, { text: 'cancel my blue backpack' }, token);
    expect(asked.pending).toMatchObject({ tool: 'cancel_order' });

    const file = join(folder, 'actions', 'cancel_order.yaml');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('refund_cents: order.total_cents', 'refund_cents: order.('));
    signals.emit('SIGHUP');
    await until(() => told.includes('was not taken'));
    expect(told).toMatch(/cancel_order\.yaml:\d+: /);
    expect(logged()).toContain('company_refused');
    expect(starts()).toHaveLength(1);
    expect(await signIn()).not.toBe('undefined');

    writeFileSync(file, before.replace("en: 'Done: ", "en: 'All set: "));
    writeFileSync(
      join(folder, 'intents', 'utterances.en.jsonl'),
      `${JSON.stringify({ text: 'where the heck is my stuff', intent: 'list_order' })}\n`,
    );
    signals.emit('SIGHUP');
    await until(() => told.includes('Fitting the language layer of the changed company'));
    expect(await signIn()).not.toBe('undefined');
    await until(() => starts().length === 2);
    expect(told.match(/Fitting/g)).toHaveLength(2);
    const done = await post(thread, { text: 'yes' }, token);
    expect(done.reply).toMatch(/^All set: /);

    const operator = async (name: string) =>
      String((await post('/api/session', { operator: true, name })).token);
    const [olga, rui] = [await operator('Olga'), await operator('Rui')];
    const path = 'actions/cancel_order.yaml';
    const [standing, text] = [readFileSync(file, 'utf8'), before.replace("en: 'Done: ", "en: 'There: ")];
    const changes = '/api/desk/company/changes';
    const proposed = await post(changes, { path, before: standing, text }, olga);
    const approve = () => post(`${changes}/${proposed.change_id}`, { decision: 'approve' }, rui);
    // Refused until the check has ended.
    expect(await until(async () => (await approve()).status === 'approved')).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(text);
    await until(() => starts().length === 3);
    const shown = await fetch(`${starts().at(-1)}/api/desk/company`, {
      headers: { authorization: `Bearer ${rui}` },
    });
    expect(await shown.json()).toMatchObject({ reloads: true, outdated: false });
    expect(await busy.end()).toEqual([]);
  } finally {
    signals.emit('SIGTERM');
    await served;
    rmSync(room, { recursive: true, force: true });
  }
});
