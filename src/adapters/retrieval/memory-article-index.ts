import type { ArticleIndex, IndexedVector, Progress, VectorHit } from '../../core/ports/knowledge-store.js';

/** Exact search in memory: for tests, benchmarks and as the reference the real index is compared with. */
export class MemoryArticleIndex implements ArticleIndex {
  private readonly collections: Map<string, Map<string, IndexedVector>>;

  /** @param from another one, whose content it has at first */
  constructor(from?: MemoryArticleIndex) {
    this.collections = new Map(from?.collections);
  }

  sync(
    collection: string,
    vectors: readonly IndexedVector[],
    onProgress?: Progress,
  ): Promise<{ readonly upserted: number; readonly removed: number }> {
    const before = this.collections.get(collection) ?? new Map<string, IndexedVector>();
    const after = new Map(vectors.map((vector) => [vector.articleId, vector]));
    this.collections.set(collection, after);
    const upserted = [...after.values()].filter(
      (vector) => before.get(vector.articleId)?.contentHash !== vector.contentHash,
    ).length;
    const removed = [...before.keys()].filter((articleId) => !after.has(articleId)).length;
    if (upserted > 0) onProgress?.(upserted, upserted);
    return Promise.resolve({ upserted, removed });
  }

  query(collection: string, vector: readonly number[], limit: number): Promise<readonly VectorHit[]> {
    const hits = [...(this.collections.get(collection)?.values() ?? [])].map((entry) => ({
      articleId: entry.articleId,
      distance: l2(entry.vector, vector),
    }));
    return Promise.resolve(hits.sort((a, b) => a.distance - b.distance).slice(0, limit));
  }

  count(collection: string): Promise<number> {
    return Promise.resolve(this.collections.get(collection)?.size ?? 0);
  }

  /** Memory is not damaged. */
  onEmptied(_listener: () => void): void {}

  ping(): Promise<boolean> {
    return Promise.resolve(true);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function l2(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return Math.sqrt(sum);
}
