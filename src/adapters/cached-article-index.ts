import { LRUCache } from 'lru-cache';
import type { ArticleIndex, VectorHit } from '../core/ports/article-index.js';

/** Another process may change the index as well: its changes are seen after this time at the latest. */
const KEPT_MS = 2000;
const KEPT_QUERIES = 500;

/**
 * An index that is asked once for what many customers ask at the same time: the same question within two seconds, or
 * while the answer is on its way, gets the same hits. What this process changes is seen at once.
 * @param now milliseconds that only grow
 */
export function cacheQueries(index: ArticleIndex, now = () => performance.now()): ArticleIndex {
  const kept = new LRUCache<string, { readonly hits: Promise<readonly VectorHit[]>; readonly until: number }>(
    {
      max: KEPT_QUERIES,
    },
  );
  const names = new WeakMap<readonly number[], number>();
  let named = 0;
  // Whoever asks keeps the vector of a question, so that the array itself tells questions apart.
  const nameOf = (vector: readonly number[]): number => {
    const name = names.get(vector) ?? ++named;
    names.set(vector, name);
    return name;
  };
  return {
    sync: async (collection, vectors) => {
      kept.clear();
      try {
        return await index.sync(collection, vectors);
      } finally {
        kept.clear();
      }
    },
    query: (collection, vector, limit) => {
      const key = `${nameOf(vector)} ${limit} ${collection}`;
      const known = kept.get(key);
      if (known && now() < known.until) return known.hits;
      const entry = { hits: index.query(collection, vector, limit), until: now() + KEPT_MS };
      kept.set(key, entry);
      entry.hits.catch(() => {
        if (kept.get(key) === entry) kept.delete(key);
      });
      return entry.hits;
    },
    ping: () => index.ping(),
    close: () => index.close(),
  };
}
