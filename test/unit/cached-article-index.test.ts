import { describe, expect, it } from 'vitest';
import { cacheQueries } from '../../src/adapters/retrieval/cached-article-index.js';
import { MemoryArticleIndex } from '../../src/adapters/retrieval/memory-article-index.js';
import type { ArticleIndex } from '../../src/core/ports/knowledge-store.js';

const EAST = [1, 0];
const NORTH = [0, 1];
const article = (articleId: string, vector: readonly number[]) => ({
  articleId,
  vector,
  language: 'en',
  contentHash: articleId,
  document: articleId,
});

interface World {
  readonly cached: ArticleIndex;
  readonly inner: ArticleIndex;
  asked(): number;
  pass(ms: number): void;
  breakDown(): void;
}

async function world(): Promise<World> {
  const inner = new MemoryArticleIndex();
  await inner.sync('kb', [article('east', EAST), article('north', NORTH)]);
  let [asked, time, broken] = [0, 0, false];
  const counted: ArticleIndex = {
    sync: (...args) => inner.sync(...args),
    count: (...args) => inner.count(...args),
    onEmptied: (listener) => inner.onEmptied(listener),
    ping: () => inner.ping(),
    close: () => inner.close(),
    query: async (...args) => {
      asked += 1;
      if (broken) throw new Error('gone');
      return inner.query(...args);
    },
  };
  const cached = cacheQueries(counted, () => time);
  return {
    cached,
    inner,
    asked: () => asked,
    pass: (ms) => {
      time += ms;
    },
    breakDown: () => {
      broken = true;
    },
  };
}

const nearest = async (index: ArticleIndex, vector: readonly number[], limit = 1) =>
  (await index.query('kb', vector, limit)).map(({ articleId }) => articleId);

describe('the vectors of questions that many ask at once', () => {
  it('[PRF-01] are asked for once, also while the answer is on its way', async () => {
    const { cached, asked } = await world();
    expect(await Promise.all([nearest(cached, EAST), nearest(cached, EAST)])).toEqual([['east'], ['east']]);
    expect(await nearest(cached, EAST)).toEqual(['east']);
    expect(asked()).toBe(1);
    expect(await nearest(cached, NORTH)).toEqual(['north']);
    expect(await nearest(cached, EAST, 2)).toEqual(['east', 'north']);
    expect(asked()).toBe(3);
  });

  it('[PRF-01] are asked for again after a change here, and soon after a change elsewhere', async () => {
    const { cached, inner, pass } = await world();
    await nearest(cached, EAST);
    await cached.sync('kb', [article('new', EAST)]);
    expect(await nearest(cached, EAST)).toEqual(['new']);
    await inner.sync('kb', [article('newer', EAST)]);
    expect(await nearest(cached, EAST)).toEqual(['new']);
    pass(2000);
    expect(await nearest(cached, EAST)).toEqual(['newer']);
  });

  it('[PRF-01] are not remembered where the index changed while they were asked for', async () => {
    const { cached } = await world();
    const [old] = await Promise.all([nearest(cached, EAST), cached.sync('kb', [article('new', EAST)])]);
    expect(['east', 'new']).toContainEqual(old?.[0]);
    expect(await nearest(cached, EAST)).toEqual(['new']);
  });

  it('[PRF-01] are not remembered where the index failed', async () => {
    const { cached, breakDown, asked, pass } = await world();
    await nearest(cached, EAST);
    breakDown();
    pass(2000);
    await expect(nearest(cached, EAST)).rejects.toThrow('gone');
    await expect(nearest(cached, EAST)).rejects.toThrow('gone');
    expect(asked()).toBe(3);
  });
});
