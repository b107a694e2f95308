/** How a stream of items is worked on. */
interface PoolOptions<T, R extends object> {
  /** How many are worked on at once. */
  readonly concurrency: number;
  /** How many results may wait for an earlier one before no new work is begun. */
  readonly window: number;
  /** A result, or the promise of one. A rejection ends the run. */
  readonly work: (item: T) => R | Promise<R>;
  /** Called once for each item, in the order of the items. */
  readonly emit: (result: R) => void;
  /** Stops the run: what was emitted stays, results that arrive later are dropped. */
  readonly signal: AbortSignal;
}

/** Items begun between two turns of the event loop: some 20 ms of offline classification. */
const YIELD_EVERY = 64;

/**
 * Works on items concurrently and hands out the results in order. One slow item does not stop the others until
 * `window` results wait behind it. (p-queue bounds the work but neither the order nor the wait; a queue entry for
 * each of a hundred thousand tickets would cost more than the offline classification.)
 */
export async function runOrdered<T, R extends object>(
  batches: AsyncIterable<readonly T[]>,
  options: PoolOptions<T, R>,
): Promise<void> {
  const pool = new OrderedPool(options);
  const wake = () => pool.wake();
  let begun = 0;
  options.signal.addEventListener('abort', wake, { once: true });
  try {
    for await (const batch of batches) {
      for (const item of batch) {
        if (pool.isFull()) await pool.room();
        if (pool.stopped()) return;
        pool.start(item);
        begun += 1;
        // Work that ends at once never leaves the loop: signals, timers and flushes would wait for the whole batch.
        if (begun % YIELD_EVERY === 0) await yieldToLoop();
      }
    }
    await pool.finish();
  } finally {
    pool.close();
    options.signal.removeEventListener('abort', wake);
  }
}

function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

class OrderedPool<T, R extends object> {
  private started = 0;
  private emitted = 0;
  private inFlight = 0;
  private closed = false;
  private failure: { readonly error: unknown } | null = null;
  private waiting: (() => void) | null = null;
  private readonly done = new Map<number, R>();

  constructor(private readonly options: PoolOptions<T, R>) {}

  isFull(): boolean {
    const { concurrency, window } = this.options;
    return this.inFlight >= concurrency || this.started - this.emitted >= window;
  }

  /** True once the run was stopped. @throws what a piece of work failed with */
  stopped(): boolean {
    if (this.failure !== null) throw this.failure.error;
    return this.options.signal.aborted;
  }

  start(item: T): void {
    const turn = this.started;
    this.started += 1;
    const result = this.options.work(item);
    if (!(result instanceof Promise)) {
      this.settle(turn, result);
      return;
    }
    this.inFlight += 1;
    result.then(
      (value) => {
        this.inFlight -= 1;
        this.settle(turn, value);
      },
      (error: unknown) => this.fail(error),
    );
  }

  async room(): Promise<void> {
    while (this.isFull() && !this.stopped()) await this.change();
  }

  async finish(): Promise<void> {
    while (this.emitted < this.started && !this.stopped()) await this.change();
    this.stopped();
  }

  wake(): void {
    this.waiting?.();
  }

  close(): void {
    this.closed = true;
  }

  private change(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  private settle(turn: number, result: R): void {
    if (this.closed || this.options.signal.aborted || this.failure !== null) return;
    this.done.set(turn, result);
    try {
      this.drain();
    } catch (error) {
      this.fail(error);
      return;
    }
    this.wake();
  }

  private drain(): void {
    for (;;) {
      const next = this.done.get(this.emitted);
      if (next === undefined) return;
      this.done.delete(this.emitted);
      this.emitted += 1;
      this.options.emit(next);
    }
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.wake();
  }
}
