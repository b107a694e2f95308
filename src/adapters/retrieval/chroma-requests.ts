import { setTimeout as sleep } from 'node:timers/promises';
import { HubError } from '../../core/errors.js';
import type { IndexedVector } from '../../core/ports/article-index.js';
import type { ChromaStore } from './chroma-store.js';

/** How many vectors a request carries. */
export const BATCH = 1000;

/** The server answers others and leaves this request without an answer. */
export class SilentError extends Error {}

/** The server answered that it could not: not the request is wrong, nor the way to it. */
export function isFault(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChromaServerError';
}

/** Makes a collection hold exactly these vectors. */
export async function syncStore(
  store: ChromaStore,
  vectors: readonly IndexedVector[],
  progress: (done: number, of: number) => void,
): Promise<{ readonly upserted: number; readonly removed: number }> {
  const stored = await store.listHashes(BATCH);
  const wanted = new Set(vectors.map((vector) => vector.articleId));
  const removed = [...stored.keys()].filter((id) => !wanted.has(id));
  for (const ids of batches(removed)) await store.vectors.delete({ ids: [...ids] });
  const changed = vectors.filter((vector) => stored.get(vector.articleId) !== vector.contentHash);
  for (const [i, batch] of batches(changed).entries()) {
    await store.add(batch);
    progress(i * BATCH + batch.length, changed.length);
  }
  return { upserted: changed.length, removed: removed.length };
}

function batches<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) =>
    items.slice(i * BATCH, (i + 1) * BATCH),
  );
}

/** The collection is not there. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChromaNotFoundError' || /could not be found|does not exist/u.test(error.message))
  );
}

/** @throws HubError `index_unavailable` where the work takes longer */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new HubError('index_unavailable', `The vector index did not answer within ${timeoutMs} ms.`, {
      timeoutMs,
    });
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timer.abort();
    // The loser of the race must not surface as an unhandled rejection.
    timeout.catch(() => undefined);
    work.catch(() => undefined);
  }
}
