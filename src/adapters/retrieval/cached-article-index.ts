import { LRUCache } from 'lru-cache';
import type { ArticleIndex, VectorHit } from '../../core/ports/knowledge-store.js';

/** Another process may change the index as well: its changes are seen after this time at the latest. */
const KEPT_MS = 2000;
const KEPT_QUERIES = 500;

/**
 * An index that is asked once for what many customers ask at the same time: the same question within two seconds, or
 * while the answer is on its way, gets the same hits. What this process changes is seen at once.
 * @param now milliseconds that only grow
 */
export function cacheQueries(index: ArticleIndex, now = () => performance.now()): ArticleIndex {
  const kept = new LRUCache<string, { readonly hits: readonly VectorHit[]; readonly until: number }>({
    max: KEPT_QUERIES,
  });
  // Apart from the hits: a promise holds on to the run of the graph it was made in, and must go with it.
  const underway = new Map<string, Promise<readonly VectorHit[]>>();
  const names = new WeakMap<readonly number[], number>();
  let named = 0;
  // Whoever asks keeps the vector of a question, so that the array itself tells questions apart.
  const nameOf = (vector: readonly number[]): number => {
    const name = names.get(vector) ?? ++named;
    names.set(vector, name);
    return name;
  };
  const forget = (): void => {
    kept.clear();
    underway.clear();
  };
  const ask = async (key: string, answer: Promise<readonly VectorHit[]>): Promise<readonly VectorHit[]> => {
    underway.set(key, answer);
    try {
      const hits = await answer;
      // Not where the index was changed meanwhile.
      if (underway.get(key) === answer) kept.set(key, { hits, until: now() + KEPT_MS });
      return hits;
    } finally {
      if (underway.get(key) === answer) underway.delete(key);
    }
  };
  return {
    sync: async (collection, vectors, onProgress) => {
      forget();
      try {
        return await index.sync(collection, vectors, onProgress);
      } finally {
        forget();
      }
    },
    query: async (collection, vector, limit) => {
      const key = `${nameOf(vector)} ${limit} ${collection}`;
      const known = kept.get(key);
      if (known && now() < known.until) return known.hits;
      return underway.get(key) ?? ask(key, index.query(collection, vector, limit));
    },
    count: (collection) => index.count(collection),
    onEmptied: (listener) =>
      index.onEmptied(() => {
        forget();
        listener();
      }),
    ping: () => index.ping(),
    close: () => index.close(),
  };
}
