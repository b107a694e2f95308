import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChromaArticleIndex } from '../../../src/adapters/retrieval/chroma-article-index.js';
import { createChromaServer } from '../../../src/adapters/retrieval/chroma-server.js';
import type { IndexedVector } from '../../../src/core/ports/knowledge-store.js';
import { finished, runHere, startCli, untilFileHas } from '../../e2e/cli-process.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';
import { serverPid } from './chroma-processes.js';

const BATCHES = 5;
const VECTORS = BATCHES * 1000;
/** All batches take longer than one may; each takes a quarter of that. */
const BATCH_MS = 4_000;
const WAIT_MS = 15_000;

const vectors: readonly IndexedVector[] = Array.from({ length: VECTORS }, (_, n) => ({
  articleId: `a${n}`,
  vector: [Math.cos(n), Math.sin(n)],
  language: 'en',
  contentHash: `hash-${n}`,
  document: `Article ${n}`,
}));

const root = mkdtempSync(join(tmpdir(), 'hub-indexing-'));
const real = createChromaServer({ dataDir: join(root, 'server'), log: createRecordingLog() });
afterAll(async () => {
  await real.release();
  rmSync(root, { recursive: true, force: true });
});

/**
 * Before a real Chroma: every batch takes its time, and after so many of them no other one is let through. The n-th may be
 * answered with 500, or late.
 */
async function slowServer(home: string, batchMs: number) {
  const target = new URL(await real.url());
  const slow = { batches: 0, atMost: Number.POSITIVE_INFINITY, refused: 0, late: 0 };
  const server = createServer((incoming, answer) => {
    const writes = /\/(?:upsert|add)$/u.test(incoming.url ?? '');
    if (writes && slow.batches >= slow.atMost) return void incoming.socket.destroy();
    if (writes) slow.batches += 1;
    const at = writes ? slow.batches : -1;
    if (at === slow.refused) return void answer.writeHead(500).end('{"error":"InternalError"}');
    const { method, headers, url: path } = incoming;
    const forward = (): void => {
      const to = request({ host: target.hostname, port: target.port, method, headers, path }, (from) => {
        answer.writeHead(from.statusCode ?? 500, from.headers);
        from.pipe(answer);
      });
      to.on('error', () => answer.destroy());
      incoming.pipe(to);
    };
    if (writes) setTimeout(forward, at === slow.late ? WAIT_MS + 500 : batchMs);
    else forward();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = createRecordingLog();
  const index = createChromaArticleIndex({
    server: createChromaServer({ dataDir: join(root, home), log, url }),
    ...{ log, syncTimeoutMs: WAIT_MS },
  });
  const close = async (): Promise<void> => {
    await index.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { slow, index, log, close };
}

// Each waits for most of its time.
describe.concurrent('a slow vector index', () => {
  test('[KB-13] is waited for batch by batch, however many there are', async () => {
    const { index, log, close } = await slowServer('patient', BATCH_MS);
    const seen: number[] = [];
    const begun = performance.now();
    const done = await index.sync('kb', vectors, (written) => seen.push(written));
    expect(performance.now() - begun).toBeGreaterThan(WAIT_MS);
    expect(done).toEqual({ upserted: VECTORS, removed: 0 });
    expect(seen[0]).toBe(VECTORS / BATCHES);
    expect(seen.at(-1)).toBe(VECTORS);
    expect(log.entries.filter(({ action }) => action === 'batch_repeated')).toEqual([]);
    await close();
  });

  test.each(['refused', 'late'] as const)(
    '[KB-13] whose third batch is %s once is sent the rest in smaller batches after a pause',
    async (fault) => {
      const { slow, index, log, close } = await slowServer(fault, 0);
      slow[fault] = 3;
      const seen: number[] = [];
      expect(await index.sync('kb', vectors, (done) => seen.push(done))).toEqual({
        upserted: VECTORS,
        removed: 0,
      });
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      expect(seen.at(-1)).toBe(VECTORS);
      const repeated = log.entries.filter(({ action }) => action === 'batch_repeated');
      // On a busy machine other batches may be slow, and so smaller, as well.
      expect(repeated.length).toBeGreaterThan(0);
      for (const { details } of repeated) expect(details?.next_batch).toBeLessThanOrEqual(500);
      await until(async () => (await index.count('kb')) === VECTORS, 'all are there');
      await close();
    },
  );

  test('[KB-13] that answers no batch is given up after some attempts, each smaller and later than the one before', async () => {
    const { slow, index, close } = await slowServer('dead', 0);
    slow.atMost = 1;
    await expect(index.sync('kb', vectors)).rejects.toMatchObject({ code: 'index_unavailable' });
    expect(slow.batches).toBe(1);
    await close();
  });

  test('[KB-13] that goes away keeps what it has, and is given only the rest', async () => {
    const { slow, index, close } = await slowServer('gone', 0);
    slow.atMost = 2;
    await expect(index.sync('kb', vectors)).rejects.toMatchObject({ code: 'index_unavailable' });
    slow.atMost = Number.POSITIVE_INFINITY;
    const { upserted } = await index.sync('kb', vectors);
    expect(upserted).toBeGreaterThan(0);
    expect(upserted).toBeLessThan(VECTORS);
    await until(async () => (await index.count('kb')) === VECTORS, 'all are there');
    await close();
  });
});

describe('npm run kb -- index', () => {
  const ARTICLES = 3_000;
  const dataDir = join(root, 'hub');
  const file = join(root, 'articles.jsonl');
  const logFile = join(dataDir, 'hub.log');
  /** Details of what the log says of an action. */
  const logged = (action: string): readonly Record<string, unknown>[] =>
    (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')
      .split('\n')
      .filter((line) => line.includes(`"${action}"`))
      .map((line) => (JSON.parse(line) as { details: Record<string, unknown> }).details);

  beforeAll(() => {
    const lines = Array.from({ length: ARTICLES }, (_, n) =>
      JSON.stringify({ article_id: `k${n}`, title: `Care of lamp ${n}`, content: `Wipe lamp ${n}.` }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
  });
  afterAll(async () => {
    await until(() => serverPid(dataDir) === null, 'its server is gone');
  });

  test('[KB-13] goes on where it was killed, and a terminal shows how far it is', async () => {
    const killed = startCli('kb', ['index', file], { dataDir });
    await untilFileHas(logFile, (text) => text.includes(`"of":${ARTICLES}`), killed);
    killed.kill('SIGKILL');
    expect((await finished(killed)).err).not.toContain('\u001b');
    const before = logged('index_progress').length;
    const again = await runHere('kb', ['index', file], { dataDir, terminal: true });
    expect(again, again.err).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^3000 articles indexed: 0 embedded/u),
    });
    const rest = logged('index_progress')[before];
    expect(rest?.of).toBeGreaterThan(0);
    expect(rest?.of).toBeLessThan(ARTICLES);
    expect(again.err).toMatch(/\r\u001b\[K\[#+\.*\] writing \d+ of [12]000 articles/u);
    expect(again.err).toMatch(/\r\u001b\[K$/u);
  });
});
