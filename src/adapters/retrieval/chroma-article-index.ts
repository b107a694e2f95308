import { setTimeout as sleep } from 'node:timers/promises';
import { HubError, toHubError } from '../../core/errors.js';
import type { ArticleIndex, IndexedVector, Progress, VectorHit } from '../../core/ports/knowledge-store.js';
import type { Log } from '../../core/ports/system.js';
import { heartbeat } from './chroma-process.js';
import type { ChromaServer } from './chroma-server.js';
import {
  BATCH,
  type ChromaStore,
  dropChromaCollection,
  isFault,
  isNotFound,
  openChromaStore,
  SilentError,
  type Work,
  within,
} from './chroma-store.js';
import { syncVectors } from './chroma-sync.js';

const QUERY_TIMEOUT_MS = 2000;
/** For one batch of vectors. */
const SYNC_TIMEOUT_MS = 30_000;
/** Starting a server takes about 0.3 s; a query does not wait longer than this for one. */
const CONNECT_TIMEOUT_MS = 5000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;
/** A server that lives and fails a request so often in a row has damaged files. */
const FAULTS = 2;
/** The same where it does not answer the request in this time, though it answers others: a slow machine is no damage. */
const SILENT_MS = 5000;
const SILENCES = 3;
/** What breaks again at once is not mended by building it once more at once. */
const REPAIR_REST_MS = 60_000;

interface ChromaArticleIndexOptions {
  readonly server: ChromaServer;
  readonly log: Log;
  /** Longest wait for one query, in milliseconds; 2,000 by default. Where it is longer, so is the wait for the server. */
  readonly queryTimeoutMs?: number;
  /** Longest wait for one batch of vectors that is written, in milliseconds; 30,000 by default. */
  readonly syncTimeoutMs?: number;
  /** So long a request that failed may stay without an answer when it is tried again, in milliseconds; 5,000 by default. */
  readonly silentMs?: number;
}

/** The vectors in Chroma, by way of LangChain's vector store. Closing it releases the server. */
export function createChromaArticleIndex(options: ChromaArticleIndexOptions): ArticleIndex {
  return new ChromaArticleIndex(options);
}

class ChromaArticleIndex implements ArticleIndex {
  private readonly server: ChromaServer;
  private readonly log: Log;
  private readonly queryTimeoutMs: number;
  private readonly syncTimeoutMs: number;
  private readonly connectTimeoutMs: number;
  private readonly silentMs: number;
  /** Open collections, with the address they belong to: a restarted server has another port. */
  private readonly stores = new Map<string, { readonly url: string; readonly store: ChromaStore }>();
  /** Why it is down; while set, queries fail at once and a loop in the background tries to get it back. */
  private outage: HubError | null = null;
  private closed = false;
  /** What failed, to be tried again before the index is used again. */
  private failed: { readonly collection: string; readonly work: Work<unknown> } | null = null;
  private repairRestsUntil = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(options: ChromaArticleIndexOptions) {
    this.server = options.server;
    this.log = options.log;
    this.queryTimeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS;
    this.syncTimeoutMs = options.syncTimeoutMs ?? SYNC_TIMEOUT_MS;
    this.silentMs = options.silentMs ?? SILENT_MS;
    this.connectTimeoutMs = Math.max(CONNECT_TIMEOUT_MS, this.queryTimeoutMs);
  }

  async sync(
    collection: string,
    vectors: readonly IndexedVector[],
    onProgress?: Progress,
  ): Promise<{ readonly upserted: number; readonly removed: number }> {
    const progress: Progress = (done, of) => {
      this.log.info({ agent: 'chroma', action: 'index_progress', details: { done, of } });
      onProgress?.(done, of);
    };
    const timeoutMs = this.syncTimeoutMs;
    const options: Parameters<typeof syncVectors>[0] = {
      ...{ vectors, timeoutMs, progress, log: this.log },
      withStore: (work) => this.withStore(collection, timeoutMs, work),
      forget: () => void this.stores.delete(collection),
      isClosed: () => this.closed,
    };
    try {
      // Where several processes find the index empty at once, the second finds the work of the first. Nothing comes between
      // two attempts: a server that is busy with a late batch is not taken for a damaged one.
      const done = await this.server.alone(() => syncVectors(options));
      this.outage = null;
      return done;
    } catch (error) {
      throw this.fail(error, { collection, work: (store, step) => store.listHashes(BATCH, step) });
    }
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

  count(collection: string): Promise<number> {
    return this.attempt(collection, this.queryTimeoutMs, (store) => store.count());
  }

  onEmptied(listener: () => void): void {
    this.listeners.push(listener);
  }

  async ping(): Promise<boolean> {
    if (this.outage !== null) return false;
    try {
      return await heartbeat(
        await within(this.connectTimeoutMs, () => this.server.url()),
        this.queryTimeoutMs,
      );
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stores.clear();
    await this.server.release();
  }

  private async attempt<T>(collection: string, timeoutMs: number, work: Work<T>): Promise<T> {
    try {
      return await this.withStore(collection, timeoutMs, work);
    } catch (error) {
      this.stores.delete(collection);
      const lost = isNotFound(error) ? await this.retryOnce(collection, timeoutMs, work) : null;
      if (lost?.ok) return lost.value;
      throw this.fail(lost === null ? error : lost.error, { collection, work });
    }
  }

  /** The collection vanished under an open handle (its directory was replaced): opening it again creates it, empty. */
  private async retryOnce<T>(
    collection: string,
    timeoutMs: number,
    work: Work<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }> {
    try {
      return { ok: true, value: await this.withStore(collection, timeoutMs, work) };
    } catch (error) {
      return { ok: false, error };
    }
  }

  private async withStore<T>(collection: string, timeoutMs: number, work: Work<T>): Promise<T> {
    const url = await within(this.connectTimeoutMs, () => this.server.url());
    return await within(timeoutMs, async (step) => work(await this.open(collection, url), step));
  }

  private async open(collection: string, url: string): Promise<ChromaStore> {
    const known = this.stores.get(collection);
    if (known?.url === url) return known.store;
    const store = await openChromaStore(url, `${this.server.namespace}-${collection}`);
    this.stores.set(collection, { url, store });
    return store;
  }

  private fail(error: unknown, failed: NonNullable<ChromaArticleIndex['failed']>): HubError {
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
      this.failed = failed;
      void this.recover();
    }
    return failure;
  }

  /** Until what failed succeeds again, so that no turn has to wait to find out. */
  private async recover(): Promise<void> {
    let asked = '';
    let faults = 0;
    let silences = 0;
    for (
      let waitMs = FIRST_RETRY_MS;
      this.outage !== null && !this.closed;
      waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)
    ) {
      await sleep(waitMs, undefined, { ref: false });
      if (this.closed) return;
      try {
        const url = await this.server.url({ suspect: true });
        // Another process has built it anew: what failed before says nothing about these files.
        if (url !== asked) [asked, faults, silences] = [url, 0, 0];
        if (!(await heartbeat(url, this.queryTimeoutMs))) continue;
        await this.tryAgain(url);
        this.outage = null;
        this.log.info({ agent: 'chroma', action: 'index_recovered' });
      } catch (error) {
        // Still down; the outage was logged when it began.
        faults += isFault(error) ? 1 : 0;
        silences += error instanceof SilentError ? 1 : 0;
        if (faults < FAULTS && silences < SILENCES) continue;
        if (await this.repair(asked)) [faults, silences] = [0, 0];
      }
    }
  }

  private async tryAgain(url: string): Promise<void> {
    const { failed } = this;
    if (failed === null) return;
    this.stores.clear();
    try {
      await within(this.silentMs, async (step) => failed.work(await this.open(failed.collection, url), step));
    } catch (error) {
      this.stores.clear();
      if (isNotFound(error)) return;
      if (!(error instanceof HubError)) throw error;
      // It may have ended meanwhile; then it is not silent.
      throw (await heartbeat(url, this.queryTimeoutMs)) ? new SilentError(error.message) : error;
    }
  }

  /**
   * The index is derived: what is damaged is set aside, and whoever listens puts its content back. Asked once more while
   * no process writes into it: a collection that is being filled fails as a damaged one does.
   */
  private async repair(url: string): Promise<boolean> {
    if (this.closed || performance.now() < this.repairRestsUntil) return false;
    try {
      const reason = await this.server.alone(() => this.failureAt(url));
      if (reason === null) return false;
      this.repairRestsUntil = performance.now() + REPAIR_REST_MS;
      if (this.server.renew) await this.server.renew(reason);
      else await this.dropOwn(reason);
    } catch (error) {
      this.log.warn({
        agent: 'chroma',
        action: 'repair_failed',
        details: { reason: toHubError(error).message },
      });
      return false;
    }
    this.stores.clear();
    this.outage = null;
    for (const listener of this.listeners) listener();
    return true;
  }

  /** How the files fail what failed before; null where it succeeds, or the server is gone. */
  private async failureAt(url: string): Promise<string | null> {
    try {
      await this.tryAgain(url);
      return null;
    } catch (error) {
      return isFault(error) || error instanceof SilentError ? toHubError(error).message : null;
    }
  }

  /** On a server of somebody else nothing is touched but the collection that fails. */
  private async dropOwn(reason: string): Promise<void> {
    if (this.failed === null) return;
    const url = await this.server.url();
    const name = `${this.server.namespace}-${this.failed.collection}`;
    await within(SYNC_TIMEOUT_MS, () => dropChromaCollection(url, name));
    this.log.warn({
      agent: 'chroma',
      action: 'damaged_collection_dropped',
      details: { url, collection: name, reason, next: 'It is built anew from the articles in udahub.db.' },
    });
  }
}
