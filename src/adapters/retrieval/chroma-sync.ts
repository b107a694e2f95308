import { setTimeout as sleep } from 'node:timers/promises';
import { toHubError } from '../../core/errors.js';
import type { IndexedVector, Progress } from '../../core/ports/knowledge-store.js';
import type { Log } from '../../core/ports/system.js';
import { BATCH, type ChromaStore, isNotFound, type Step, type Work } from './chroma-store.js';

/** So many attempts in a row may write nothing. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;
const LAST_PAUSE_MS = 5000;
/** Nothing is smaller: what carries so few and is not taken fails for another reason. */
const SMALLEST_BATCH = 25;
/** A batch that takes more than this share of its time makes the next ones smaller; one far below it, larger. */
const SLOW_SHARE = 0.5;
const QUICK_SHARE = 0.1;

interface SyncOptions {
  readonly vectors: readonly IndexedVector[];
  /** What one batch may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly progress: Progress;
  readonly log: Log;
  /** Works with the collection as it is now; the wait begins anew with each step. */
  withStore(work: Work<void>): Promise<void>;
  /** The next attempt opens the collection anew: the server may have ended and stand elsewhere. */
  forget(): void;
  isClosed(): boolean;
}

/** What a run remembers from one attempt to the next. */
interface SyncRun {
  /** Vectors a request carries now. */
  batch: number;
  /** Vectors that were to be written when the run began; null before it is known. */
  total: number | null;
  removed: number;
  /** Attempts that failed since something was written last. */
  failures: number;
}

/**
 * Makes a collection hold exactly these vectors: attempt after attempt with a growing pause, each with what is left and in
 * smaller batches, until one is through or nothing gets on. What was written stays, so that any later run goes on there.
 * @throws HubError `index_unavailable`, and what the collection throws
 */
export async function syncVectors(
  options: SyncOptions,
): Promise<{ readonly upserted: number; readonly removed: number }> {
  const run: SyncRun = { batch: BATCH, total: null, removed: 0, failures: 0 };
  for (;;) {
    try {
      await options.withStore((store, step) => attempt(store, step, run, options));
      return { upserted: run.total ?? 0, removed: run.removed };
    } catch (error) {
      run.failures += 1;
      options.forget();
      // Where nothing was to be written yet, another attempt meets what this one met; a lost collection is made anew.
      const isLost = isNotFound(error);
      if (options.isClosed() || (run.total === null && !isLost) || run.failures > ATTEMPTS) throw error;
      if (!isLost) halve(run);
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (run.failures - 1), LAST_PAUSE_MS);
      const details = { reason: toHubError(error).message, pause_ms: pauseMs, next_batch: run.batch };
      options.log.warn({ agent: 'chroma', action: 'batch_repeated', details });
      await sleep(pauseMs);
    }
  }
}

async function attempt(
  store: ChromaStore,
  step: Step,
  run: SyncRun,
  { vectors, timeoutMs, progress }: SyncOptions,
): Promise<void> {
  const stored = await store.listHashes(BATCH, step);
  const wanted = new Set(vectors.map((vector) => vector.articleId));
  const gone = [...stored.keys()].filter((id) => !wanted.has(id));
  for (let from = 0; from < gone.length; from += BATCH) {
    const ids = gone.slice(from, from + BATCH);
    await store.vectors.delete({ ids });
    step();
    run.removed += ids.length;
  }
  const changed = vectors.filter((vector) => stored.get(vector.articleId) !== vector.contentHash);
  // A collection that was lost meanwhile is filled from its beginning.
  const total = Math.max(run.total ?? 0, changed.length);
  run.total = total;
  for (let from = 0; from < changed.length; ) {
    const batch = changed.slice(from, from + run.batch);
    const began = performance.now();
    await store.add(batch);
    step();
    from += batch.length;
    run.failures = 0;
    progress(total - changed.length + from, total);
    const share = (performance.now() - began) / timeoutMs;
    if (share > SLOW_SHARE) halve(run);
    else if (share < QUICK_SHARE) run.batch = Math.min(BATCH, run.batch * 2);
  }
}

/** What was too large or too slow is sent in halves. */
function halve(run: SyncRun): void {
  run.batch = Math.max(SMALLEST_BATCH, Math.ceil(run.batch / 2));
}
