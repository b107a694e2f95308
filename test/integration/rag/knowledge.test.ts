import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChromaArticleIndex } from '../../../src/adapters/retrieval/chroma-article-index.js';
import { type ChromaServer, createChromaServer } from '../../../src/adapters/retrieval/chroma-server.js';
import { createLocalEmbedder } from '../../../src/adapters/retrieval/local-embedder.js';
import { HubError } from '../../../src/core/errors.js';
import type { ArticleIndex, Embedder } from '../../../src/core/ports/knowledge-store.js';
import { ArticleReader, createAnalyzer, createKnowledge, type Knowledge } from '../../../src/rag/index.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog, type RecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { type CultpassStores, openStores } from '../../support/stores.js';
import { until } from '../../support/until.js';
import { isRunning, serverPid, startHubProcess } from './chroma-processes.js';
import { languageBy, readArticles } from './probes.js';

const ARTICLES = readArticles(new URL('./fixtures/shop-articles.jsonl', import.meta.url));
const QUESTION = 'the vase arrived broken';

interface Hub {
  readonly knowledge: Knowledge;
  readonly server: ChromaServer;
  readonly index: ArticleIndex;
  readonly stores: CultpassStores;
  readonly log: RecordingLog;
  readonly embedded: string[];
  failEmbedding: boolean;
  /** How often the server was turned to for a question. */
  asked: number;
  /** How often it was looked whether it is back. */
  suspected: number;
  /** Nobody looks after a server that fell silent before this. */
  mayRecover: Promise<void>;
  close(): Promise<void>;
}

let dataDir: string;
const hubs: Hub[] = [];

/** The knowledge base as the hub builds it, with an embedder that counts and can be made to fail. */
async function openHub(url?: string, queryTimeoutMs = 120_000): Promise<Hub> {
  const log = createRecordingLog();
  const stores = await openStores({
    dataDir,
    clock: createFixedClock(),
    ids: createSequentialIds(String(hubs.length)),
    log,
  });
  const chroma = createChromaServer({ dataDir, url, log });
  const server: ChromaServer = {
    namespace: chroma.namespace,
    ...(chroma.renew === undefined
      ? {}
      : { renew: (reason: string) => chroma.renew?.(reason) ?? Promise.resolve() }),
    alone: (work) => chroma.alone(work),
    release: () => chroma.release(),
    async url(options) {
      if (options?.suspect === true) {
        await hub.mayRecover;
        hub.suspected += 1;
      } else hub.asked += 1;
      return chroma.url(options);
    },
  };
  const index = createChromaArticleIndex({ server, log, queryTimeoutMs });
  const analyzer = createAnalyzer();
  const local = createLocalEmbedder({ analyzer });
  const embedded: string[] = [];
  const embedder: Embedder = {
    id: local.id,
    dimensions: local.dimensions,
    embedDocuments: async (texts) => {
      if (hub.failEmbedding) throw new HubError('embedding_failed', 'The model is down.');
      embedded.push(...texts);
      return await local.embedDocuments(texts);
    },
    embedQuery: async (text) => {
      if (hub.failEmbedding) throw new HubError('embedding_failed', 'The model is down.');
      return await local.embedQuery(text);
    },
  };
  const knowledge = createKnowledge({
    store: stores.knowledge,
    embedder,
    reader: new ArticleReader({ analyzer, local }),
    index,
    log,
    detectLanguage: languageBy(analyzer),
    languages: ['en', 'pt-BR'],
  });
  const hub: Hub = {
    knowledge,
    server,
    index,
    stores,
    log,
    embedded,
    failEmbedding: false,
    asked: 0,
    suspected: 0,
    mayRecover: Promise.resolve(),
    close: async () => {
      await index.close();
      await stores.close();
    },
  };
  hubs.push(hub);
  return hub;
}

const ask = (hub: Hub, query = QUESTION) =>
  hub.knowledge.retriever.search(query, { topK: 3, language: 'en' });
const actions = (hub: Hub) => hub.log.entries.map((entry) => entry.action);

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-knowledge-'));
});
afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.close();
  expect(serverPid(dataDir), 'a server was left behind').toBeNull();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the knowledge base on a real Chroma and a real database', () => {
  test('[BYO-34] looks for lost vectors without reading all articles', async () => {
    const hub = await openHub();
    await hub.knowledge.reindex(ARTICLES);
    let read = 0;
    const { list } = hub.stores.knowledge;
    Object.assign(hub.stores.knowledge, {
      list: () => {
        read += 1;
        return list();
      },
    });
    let counted = 0;
    const { count } = hub.index;
    Object.assign(hub.index, {
      count: (collection: string) => {
        counted += 1;
        return count.call(hub.index, collection);
      },
    });
    await ask(hub);
    await until(() => counted === 1, 'the vectors are counted');
    await ask(hub);
    // Its words are read once.
    expect(read).toBe(1);
  });

  test('[KB-07] embeds and writes only what changed', async () => {
    const hub = await openHub();
    expect(await hub.knowledge.reindex(ARTICLES)).toMatchObject({
      articles: 14,
      embedded: 14,
      upserted: 14,
      indexed: true,
    });
    expect(await hub.knowledge.reindex(ARTICLES)).toMatchObject({ embedded: 0, upserted: 0, removed: 0 });
    const changed = ARTICLES.slice(0, 12).map((article, i) =>
      i === 0 ? { ...article, content: `${article.content} New.` } : article,
    );
    expect(await hub.knowledge.reindex(changed)).toMatchObject({
      articles: 12,
      embedded: 1,
      upserted: 1,
      removed: 2,
    });
    // What was embedded once stays known.
    expect(await hub.knowledge.reindex(ARTICLES)).toMatchObject({ articles: 14, embedded: 0, upserted: 3 });
    expect(hub.embedded).toHaveLength(15);
  });

  test('does nothing when nothing changed, without starting a server', async () => {
    const first = await openHub();
    await first.knowledge.reindex(ARTICLES);
    await first.close();
    hubs.length = 0;
    const second = await openHub();
    expect(await second.knowledge.ensureIndexed()).toMatchObject({
      articles: 14,
      embedded: 0,
      upserted: 0,
      indexed: true,
    });
    expect(serverPid(dataDir)).toBeNull();
    await until(async () => (await ask(second)).mode === 'hybrid', 'the server has started');
    expect(await ask(second)).toMatchObject({ mode: 'hybrid', hits: [{ articleId: 'a5' }, {}, {}] });
  });

  test('[KB-01 KB-06 KB-09] answers best first, with distances, the formula, and a passage that fits', async () => {
    const hub = await openHub();
    await hub.knowledge.reindex(ARTICLES);
    const { hits, mode } = await ask(hub, 'there are screws missing');
    expect(mode).toBe('hybrid');
    expect(hits.map((hit) => hit.articleId)[0]).toBe('a5');
    for (const [i, hit] of hits.entries()) {
      expect(hit.confidence).toBeLessThanOrEqual(hits[i - 1]?.confidence ?? 1);
      expect(hit.rawConfidence).toBeCloseTo(1 / (1 + (hit.distance ?? 0)), 10);
      expect(hit.snippet.length).toBeLessThanOrEqual(300);
    }
    expect(hits[0]?.snippet).toContain('screws');
    expect(await hub.knowledge.retriever.getArticle('a5')).toMatchObject({
      title: 'Something arrived broken or is missing',
    });
    expect(await hub.knowledge.retriever.search('  ', { topK: 3 })).toEqual({ hits: [], mode: 'hybrid' });
    expect((await hub.knowledge.retriever.search('\u0000" OR * NEAR(', { topK: 3 })).mode).toBe('hybrid');
  });

  test('[KB-03 KB-11] goes on when the server dies in the middle of a session', async () => {
    const hub = await openHub();
    await hub.knowledge.reindex(ARTICLES);
    await ask(hub);
    for (let round = 0; round < 2; round += 1) {
      process.kill(serverPid(dataDir) ?? 0, 'SIGKILL');
      expect((await ask(hub, `${QUESTION} ${round}`)).hits[0]?.articleId).toBe('a5');
      await until(async () => (await ask(hub)).mode === 'hybrid', 'hybrid again');
    }
  });

  test('[KB-11] searches by keywords while the server hangs, does not wait each time, and says why once', async () => {
    const hub = await openHub(undefined, 2_000);
    await hub.knowledge.reindex(ARTICLES);
    await ask(hub);
    let recover = (): void => undefined;
    hub.mayRecover = new Promise((resolve) => {
      recover = resolve;
    });
    const pid = serverPid(dataDir) ?? 0;
    process.kill(pid, 'SIGSTOP');
    const first = await ask(hub);
    expect(first).toMatchObject({
      mode: 'keyword',
      hits: [{ articleId: 'a5', distance: null, rawConfidence: 0 }, {}, {}],
    });
    expect(first.hits[0]?.confidence).toBeGreaterThan(0);
    const { asked } = hub;
    for (let i = 0; i < 3; i += 1) expect((await ask(hub)).mode).toBe('keyword');
    expect(hub.asked, 'nobody waits for it again').toBe(asked);
    recover();
    expect(actions(hub).filter((action) => action === 'keyword_search_only')).toHaveLength(1);
    await until(async () => (await ask(hub)).mode === 'hybrid', 'hybrid again');
    expect(isRunning(pid)).toBe(false);
    expect(actions(hub)).toContain('hybrid_search_again');
  });

  test('puts the vectors back when the directory was emptied, between sessions and within one', async () => {
    const first = await openHub();
    await first.knowledge.reindex(ARTICLES);
    await first.close();
    hubs.length = 0;
    rmSync(join(dataDir, 'chroma'), { recursive: true });
    const second = await openHub();
    await second.knowledge.ensureIndexed();
    expect(await ask(second)).toMatchObject({ mode: 'hybrid', hits: [{ articleId: 'a5' }, {}, {}] });
    rmSync(join(dataDir, 'chroma'), { recursive: true });
    await until(async () => (await ask(second)).mode === 'hybrid', 'healed');
    expect(second.embedded, 'the vectors came from the cache').toEqual([]);
    expect(existsSync(join(dataDir, 'chroma', 'chroma.sqlite3'))).toBe(true);
  });

  test('shows another process what one has indexed', async () => {
    const [one, two] = [await openHub(), await openHub()];
    await one.knowledge.reindex(ARTICLES.slice(0, 4));
    expect((await ask(two)).hits.map((hit) => hit.articleId)).not.toContain('a5');
    await one.knowledge.reindex(ARTICLES);
    expect((await ask(two)).hits[0]?.articleId).toBe('a5');
  });

  test('changes nothing when the embedding model fails, and still finds by keywords', async () => {
    const hub = await openHub();
    await hub.knowledge.reindex(ARTICLES.slice(0, 12));
    hub.failEmbedding = true;
    await expect(hub.knowledge.reindex(ARTICLES)).rejects.toMatchObject({ code: 'embedding_failed' });
    expect(await hub.stores.knowledge.list()).toHaveLength(12);
    expect(await ask(hub)).toMatchObject({ mode: 'keyword', hits: [{ articleId: 'a5' }, {}, {}] });
    await expect(hub.knowledge.reindex([])).rejects.toMatchObject({ code: 'input_invalid' });
  });

  test('[KB-04] uses a server it was given, and goes on without it', async () => {
    // The data directory is a hub's before anybody starts a server in it.
    await (await openHub()).close();
    hubs.length = 0;
    const owner = await startHubProcess(dataDir);
    const mine = dataDir;
    const hub = await openHub(owner.url);
    await hub.knowledge.reindex(ARTICLES);
    expect((await ask(hub)).mode).toBe('hybrid');
    await owner.leave();
    expect(serverPid(mine)).toBeNull();
    expect(await ask(hub)).toMatchObject({ mode: 'keyword', hits: [{ articleId: 'a5' }, {}, {}] });
    // Its looking after the server has begun, more than once.
    const lookedAfter = hub.suspected;
    await until(() => hub.suspected > lookedAfter + 1);
    expect(serverPid(mine), 'it starts none of its own').toBeNull();
  });
});
