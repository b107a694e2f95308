import { setTimeout as sleep } from 'node:timers/promises';
import { HubError, toHubError } from '../core/errors.js';
import type { ArticleIndex, IndexedVector, VectorHit } from '../core/ports/article-index.js';
import type { Log } from '../core/ports/log.js';
import { heartbeat } from './chroma-process.js';
import type { ChromaServer } from './chroma-server.js';
import { type ChromaStore, openChromaStore } from './chroma-store.js';

const BATCH = 1000;
const QUERY_TIMEOUT_MS = 2000;
const SYNC_TIMEOUT_MS = 30_000;
/** Starting a server takes about 0.3 s; a query does not wait longer than this for one. */
const CONNECT_TIMEOUT_MS = 5000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

export interface ChromaArticleIndexOptions {
  readonly server: ChromaServer;
  readonly log: Log;
  /** Longest wait for one query, in milliseconds; 2,000 by default. */
  readonly queryTimeoutMs?: number;
}

/** The vectors in Chroma, by way of LangChain's vector store. Closing it releases the server. */
export function createChromaArticleIndex(options: ChromaArticleIndexOptions): ArticleIndex {
  return new ChromaArticleIndex(options);
}

class ChromaArticleIndex implements ArticleIndex {
  private readonly server: ChromaServer;
  private readonly log: Log;
  private readonly queryTimeoutMs: number;
  /** Open collections, with the address they belong to: a restarted server has another port. */
  private readonly stores = new Map<string, { readonly url: string; readonly store: ChromaStore }>();
  /** Why it is down; while set, queries fail at once and a loop in the background tries to get it back. */
  private outage: HubError | null = null;
  private closed = false;

  constructor(options: ChromaArticleIndexOptions) {
    this.server = options.server;
    this.log = options.log;
    this.queryTimeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS;
  }

  async sync(
    collection: string,
    vectors: readonly IndexedVector[],
  ): Promise<{ readonly upserted: number; readonly removed: number }> {
    const result = await this.attempt(collection, SYNC_TIMEOUT_MS, (store) => syncStore(store, vectors));
    this.outage = null;
    return result;
  }

  async query(collection: string, vector: readonly number[], limit: number): Promise<readonly VectorHit[]> {
    if (this.outage !== null) throw this.outage;
    return await this.attempt(collection, this.queryTimeoutMs, async (store) => {
      const found = await store.vectors.similaritySearchVectorWithScore([...vector], limit);
      // Chroma's "l2" space answers the squared distance.
      return found.map(([document, squared]) => ({
        articleId: document.id ?? '',
        distance: Math.sqrt(Math.max(0, squared)),
      }));
    });
  }

  async ping(): Promise<boolean> {
    try {
      return await heartbeat(await within(CONNECT_TIMEOUT_MS, this.server.url()), this.queryTimeoutMs);
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stores.clear();
    await this.server.release();
  }

  private async attempt<T>(
    collection: string,
    timeoutMs: number,
    work: (store: ChromaStore) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.withStore(collection, timeoutMs, work);
    } catch (error) {
      this.stores.delete(collection);
      const lost = isNotFound(error) ? await this.retryOnce(collection, timeoutMs, work) : null;
      if (lost?.ok) return lost.value;
      throw this.fail(lost === null ? error : lost.error);
    }
  }

  /** The collection vanished under an open handle (its directory was replaced): opening it again creates it, empty. */
  private async retryOnce<T>(
    collection: string,
    timeoutMs: number,
    work: (store: ChromaStore) => Promise<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }> {
    try {
      return { ok: true, value: await this.withStore(collection, timeoutMs, work) };
    } catch (error) {
      return { ok: false, error };
    }
  }

  private async withStore<T>(
    collection: string,
    timeoutMs: number,
    work: (store: ChromaStore) => Promise<T>,
  ): Promise<T> {
    const url = await within(CONNECT_TIMEOUT_MS, this.server.url());
    return await within(timeoutMs, this.open(collection, url).then(work));
  }

  private async open(collection: string, url: string): Promise<ChromaStore> {
    const known = this.stores.get(collection);
    if (known?.url === url) return known.store;
    const store = await openChromaStore(url, `${this.server.namespace}-${collection}`);
    this.stores.set(collection, { url, store });
    return store;
  }

  private fail(error: unknown): HubError {
    const cause = toHubError(error);
    const failure =
      cause.code === 'index_unavailable'
        ? cause
        : new HubError(
            'index_unavailable',
            `The vector index does not answer: ${cause.message}`,
            { reason: cause.message },
            { cause: error },
          );
    if (this.outage === null && !this.closed) {
      this.outage = failure;
      void this.recover();
    }
    return failure;
  }

  /** Until the server answers again, so that no turn has to wait to find out. */
  private async recover(): Promise<void> {
    for (
      let waitMs = FIRST_RETRY_MS;
      this.outage !== null && !this.closed;
      waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)
    ) {
      await sleep(waitMs, undefined, { ref: false });
      if (this.closed) return;
      try {
        const url = await this.server.url({ suspect: true });
        if (!(await heartbeat(url, this.queryTimeoutMs))) continue;
        this.outage = null;
        this.log.info({ agent: 'chroma', action: 'index_recovered' });
      } catch {
        // Still down; the outage was logged when it began.
      }
    }
  }
}

async function syncStore(
  store: ChromaStore,
  vectors: readonly IndexedVector[],
): Promise<{ readonly upserted: number; readonly removed: number }> {
  const stored = await store.listHashes(BATCH);
  const wanted = new Set(vectors.map((vector) => vector.articleId));
  const removed = [...stored.keys()].filter((id) => !wanted.has(id));
  for (const ids of batches(removed)) await store.vectors.delete({ ids: [...ids] });
  const changed = vectors.filter((vector) => stored.get(vector.articleId) !== vector.contentHash);
  for (const batch of batches(changed)) await store.add(batch);
  return { upserted: changed.length, removed: removed.length };
}

function batches<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) =>
    items.slice(i * BATCH, (i + 1) * BATCH),
  );
}

function isNotFound(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChromaNotFoundError' || /could not be found|does not exist/u.test(error.message))
  );
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
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
