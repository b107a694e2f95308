import { EventEmitter } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { MemoryArticleIndex } from '../../../src/adapters/retrieval/memory-article-index.js';
import type { CommandHost } from '../../../src/surfaces/command.js';
import { runServer } from '../../../src/surfaces/http/run-server.js';
import { makeTempDir } from '../../support/hub.js';
import { SECRET } from '../../support/server.js';
import { openShopLine } from '../../support/shop.js';
import { until } from '../../support/until.js';

it('[BYO-16] takes a changed company while it runs, keeps what was asked, and does not take a broken one', async () => {
  const room = makeTempDir();
  const folder = join(room, 'shop');
  cpSync('companies/shop', folder, { recursive: true });
  const shop = await openShopLine(room);
  const signals = new EventEmitter();
  let told = '';
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const host: CommandHost = {
    env: {
      ...{ HUB_COMPANY: folder, HUB_DATA_DIR: join(room, 'data'), SHOP_URL: shop.url, PORT: '0' },
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
    const token = String((await post('/api/session', { email: 'mia@example.com' })).token);
    const thread = `/api/threads/${(await post('/api/threads', {}, token)).thread_id}/messages`;
    const asked = await post(thread, { text: 'cancel my order with the mug' }, token);
    expect(asked.pending).toMatchObject({ tool: 'cancel_order' });

    const file = join(folder, 'actions', 'cancel_order.yaml');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('refund_cents: order.total_cents', 'refund_cents: order.('));
    signals.emit('SIGHUP');
    await until(() => told.includes('was not taken'));
    expect(told).toContain('cancel_order.yaml');
    expect(starts()).toHaveLength(1);

    writeFileSync(file, before.replace("en: 'Done: your order of", "en: 'All set: your order of"));
    signals.emit('SIGHUP');
    await until(() => starts().length === 2);
    const done = await post(thread, { text: 'yes' }, token);
    expect(done.reply).toMatch(/^All set: your order of/);
  } finally {
    signals.emit('SIGTERM');
    await served;
    await shop.close();
    rmSync(room, { recursive: true, force: true });
  }
});
