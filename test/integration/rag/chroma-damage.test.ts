import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChromaClient } from 'chromadb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createChromaArticleIndex } from '../../../src/adapters/retrieval/chroma-article-index.js';
import { putBack, setAside } from '../../../src/adapters/retrieval/chroma-process.js';
import { createChromaServer } from '../../../src/adapters/retrieval/chroma-server.js';
import { MemoryArticleIndex } from '../../../src/adapters/retrieval/memory-article-index.js';
import { type App, createApp } from '../../../src/app/app.js';
import { readResources } from '../../../src/app/resources.js';
import { parseConfig } from '../../../src/config/config.js';
import type { ArticleIndex, Embedder } from '../../../src/core/ports/knowledge-store.js';
import { sharedResources } from '../../support/company.js';
import { openHub } from '../../support/hub.js';
import { createRecordingLog, type RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';
import { serverPid } from './chroma-processes.js';

/** As many as make the server write its graph to files. */
const ARTICLES = 1_050;
const NARROW = 96;
const SUBJECTS = [
  'lamp',
  'vase',
  'carpet',
  'window',
  'garden',
  'kettle',
  'violin',
  'ladder',
  'mirror',
  'basket',
];
const articles = Array.from({ length: ARTICLES }, (_, i) => ({
  articleId: `kb-${i}`,
  title: `Care of the ${SUBJECTS[i % 10]} number ${i}`,
  content: `Clean the ${SUBJECTS[i % 10]} of kind ${i} with water.`,
  tags: [],
  language: 'en' as const,
}));
const QUESTION = 'How do I clean the violin of kind 456?';
const WANTED = 'kb-456';

const root = mkdtempSync(join(tmpdir(), 'hub-damage-'));
/** The path is a part of the collection's name: copies of the whole come back to it. */
const dataDir = join(root, 'data');
const kept = join(root, 'kept');
const files = join(dataDir, 'chroma');
const database = join(files, 'chroma.sqlite3');
const opened: App[] = [];

async function open(
  log = createRecordingLog(),
  env: Readonly<Record<string, string>> = {},
  index?: ArticleIndex,
): Promise<App> {
  const config = parseConfig({ HUB_DATA_DIR: dataDir, HUB_MODEL_PROVIDER: 'offline', ...env });
  const shared = await sharedResources(config);
  const { resources = await readResources(config) } = shared;
  const embedder = narrowed(resources.articleReader().local);
  const overrides = { resources, embedder, log, checkpointer: 'memory', ...(index && { index }) } as const;
  const app = await createApp(config, overrides);
  opened.push(app);
  return app;
}

/** Folds the vectors: what they hold is no matter here, and a server takes ten times as long for those of full length. */
function narrowed(whole: Embedder): Embedder {
  const fold = (vector: readonly number[]): number[] => {
    const folded = new Array<number>(NARROW).fill(0);
    for (const [at, value] of vector.entries()) folded[at % NARROW] = (folded[at % NARROW] ?? 0) + value;
    const length = Math.hypot(...folded);
    return folded.map((value) => value / length);
  };
  return {
    id: `${whole.id}-narrow`,
    dimensions: NARROW,
    embedDocuments: async (texts) => (await whole.embedDocuments(texts)).map(fold),
    embedQuery: async (text) => fold(await whole.embedQuery(text)),
  };
}

/** Every search finds the article, by its words at least, until the vectors are asked again and give it. */
async function answersAgain(app: App): Promise<void> {
  await until(async () => {
    const { hits, mode } = await app.kb.search(QUESTION, { topK: 3 });
    expect(hits.map(({ articleId }) => articleId)).toContain(WANTED);
    return mode === 'hybrid';
  }, 'both searches find it');
  const { hits } = await app.kb.search('clean the carpet of kind 222', { topK: 3 });
  expect(hits.map(({ articleId }) => articleId)).toContain('kb-222');
}

const within = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function garble(path: string, from = 0): void {
  const descriptor = openSync(path, 'r+');
  const length = statSync(path).size - from;
  writeSync(descriptor, Buffer.alloc(length, 0x5a), 0, length, from);
  closeSync(descriptor);
}

/** Does it to every file of the graph. */
const each = (work: (path: string) => void): void => {
  const found = within(files).filter((path) => path.endsWith('.bin'));
  expect(found.length).toBeGreaterThan(3);
  for (const path of found) work(path);
};

const DAMAGES: Readonly<Record<string, () => void>> = {
  'a database cut off': () => truncateSync(database, 8_192),
  'an empty database': () => truncateSync(database, 0),
  'a database whose head is garbled': () => garble(database),
  'a database garbled behind its first page': () => garble(database, 4_096),
  'garbled segments': () => each((path) => garble(path)),
  'segments cut off': () => each((path) => truncateSync(path, 10)),
  'segments that are gone': () => each((path) => rmSync(path)),
  'a folder that is gone': () => rmSync(files, { recursive: true }),
};

const clientOf = (url: string) => new ChromaClient({ host: '127.0.0.1', port: Number(new URL(url).port) });
const serverUrl = (): string => {
  const state: unknown = JSON.parse(readFileSync(join(dataDir, 'chroma-server', 'server.json'), 'utf8'));
  return `http://127.0.0.1:${(state as { port: number }).port}`;
};

const aside = (): readonly string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith('chroma-damaged-'));
const setAsideLines = (log: RecordingLog) =>
  log.entries.filter(({ action }) => action === 'damaged_index_set_aside');

beforeAll(async () => {
  const app = await open();
  expect(await app.kb.index(articles)).toMatchObject({ indexed: true, articles: ARTICLES });
  await answersAgain(app);
  await app.close();
  cpSync(dataDir, kept, { recursive: true });
}, 600_000);
beforeEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
  cpSync(kept, dataDir, { recursive: true });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
  await until(() => serverPid(dataDir) === null, 'its server is gone');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('[ATK-17] a damaged vector index is built anew by itself', () => {
  test.each(Object.entries(DAMAGES))('%s, found at the start', async (_name, damage) => {
    damage();
    const log = createRecordingLog();
    // One of them makes a server that says nothing: it is given less time than usual to say something.
    const index = createChromaArticleIndex({
      server: createChromaServer({ dataDir, log }),
      log,
      silentMs: 800,
    });
    const app = await open(log, {}, index);
    await answersAgain(app);
    expect(setAsideLines(log).length).toBeLessThanOrEqual(1);
    expect(aside()).toHaveLength(setAsideLines(log).length);
    for (const name of aside()) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o700);
      expect(setAsideLines(log)[0]?.details).toMatchObject({
        file: files,
        kept: join(dataDir, name),
        next: expect.stringContaining('built anew'),
      });
    }
  });

  // A server that says nothing is given its time: once, at the start, is enough.
  const saysSo = Object.entries(DAMAGES).filter(([name]) => name !== 'segments cut off');
  test.each(saysSo)('%s, while it runs and at the next start', async (_name, damage) => {
    const app = await open();
    await answersAgain(app);
    damage();
    await answersAgain(app);
    await app.close();
    await answersAgain(await open());
  });

  test('an empty or a half-empty collection', async () => {
    const app = await open();
    await answersAgain(app);
    const [collection] = await clientOf(serverUrl()).listCollections();
    const ids = articles.map(({ articleId }) => articleId);
    await collection?.delete({ ids: ids.slice(0, ARTICLES / 2) });
    await app.close();
    const log = createRecordingLog();
    const again = await open(log);
    await again.kb.search('clean the carpet of kind 992', { topK: 3 });
    await until(() => log.entries.some(({ action }) => action === 'indexed'), 'what is missing was put back');
    await answersAgain(again);
    const [now] = await clientOf(serverUrl()).listCollections();
    expect(await now?.count()).toBe(ARTICLES);
    await now?.delete({ ids });
    await answersAgain(again);
  });

  test('one of several that share the server sets it aside, the others go on with the new one', async () => {
    DAMAGES['garbled segments']?.();
    const logs = [createRecordingLog(), createRecordingLog(), createRecordingLog()];
    const apps = await Promise.all(logs.map((log) => open(log)));
    await Promise.all(apps.map(answersAgain));
    expect(logs.flatMap(setAsideLines)).toHaveLength(1);
    expect(aside()).toHaveLength(1);
  });

  test('an older folder that was set aside makes room', async () => {
    cpSync(files, join(dataDir, 'chroma-damaged-20200101T000000Z'), { recursive: true });
    DAMAGES['a database whose head is garbled']?.();
    await answersAgain(await open());
    expect(aside()).toHaveLength(1);
    expect(aside()).not.toContain('chroma-damaged-20200101T000000Z');
  });

  test('a folder that was set aside comes back as it was where it was not to blame', async () => {
    const inode = statSync(database).ino;
    const away = setAside(files, new Date('2026-03-11T15:00:00.000Z')) ?? '';
    expect(away).toBe(join(dataDir, 'chroma-damaged-20260311T150000Z'));
    expect(setAside(files, new Date())).toBeNull();
    mkdirSync(files);
    putBack(away, files);
    expect(statSync(database).ino).toBe(inode);
    await answersAgain(await open());
  });

  test('on a server of somebody else only the collection of this hub is touched', async () => {
    const home = join(root, 'theirs');
    const start = () => createChromaServer({ dataDir: home, log: createRecordingLog() });
    const before = start();
    const url = await before.url();
    const first = await open(createRecordingLog(), { CHROMA_URL: url });
    await answersAgain(first);
    await first.close();
    const theirs = await clientOf(url).createCollection({ name: 'theirs', embeddingFunction: null });
    await theirs.add({ ids: ['x'], embeddings: [[1, 2, 3]] });
    await before.release();
    const graph = within(join(home, 'chroma')).filter((path) => path.endsWith('.bin'));
    expect(graph.length).toBeGreaterThan(3);
    for (const path of graph) garble(path);
    const after = start();
    try {
      const log = createRecordingLog();
      await answersAgain(await open(log, { CHROMA_URL: await after.url() }));
      expect(log.entries.filter(({ action }) => action === 'damaged_collection_dropped')).toHaveLength(1);
      const client = clientOf(await after.url());
      expect(await (await client.getCollection({ name: 'theirs' })).count()).toBe(1);
      expect(readdirSync(home).sort()).toEqual(['chroma', 'chroma-server']);
      expect(aside()).toEqual([]);
      await Promise.all(opened.splice(0).map((app) => app.close()));
    } finally {
      await after.release();
    }
  });

  test('readiness says so meanwhile, and keyword search answers', async () => {
    const index = new HeldIndex();
    const hub = await openHub({ overrides: { index } });
    const part = async () => (await hub.app.health()).parts.find(({ name }) => name === 'chroma');
    hub.clock.advance({ ms: 5_000 });
    expect(await part()).toMatchObject({ status: 'ok', detail: null });
    index.empty();
    hub.clock.advance({ ms: 5_000 });
    expect(await part()).toMatchObject({ status: 'degraded', detail: expect.stringContaining('built anew') });
    expect((await hub.app.health()).ready).toBe(true);
    index.release();
    await until(async () => {
      hub.clock.advance({ ms: 5_000 });
      return (await part())?.status === 'ok';
    }, 'it is ready again');
    await hub.close();
  });
});

/** Is emptied by the test, and takes nothing back before the test says so. */
class HeldIndex extends MemoryArticleIndex {
  #gate: Promise<void> = Promise.resolve();
  #listener = (): void => {};
  release = (): void => {};

  empty(): void {
    this.#gate = new Promise((resolve) => {
      this.release = resolve;
    });
    this.#listener();
  }

  override onEmptied(listener: () => void): void {
    this.#listener = listener;
  }

  override async sync(...args: Parameters<MemoryArticleIndex['sync']>) {
    await this.#gate;
    return super.sync(...args);
  }
}
