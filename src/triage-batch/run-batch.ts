import type { Usage } from '../core/domain/turn.js';
import { type ErrorCode, toHubError } from '../core/errors.js';
import type { TicketClassifier } from '../core/ports/chat-models.js';
import type { FinishedRow, PreviousResults } from './previous-results.js';
import { type ReadOptions, readTickets } from './read-tickets.js';
import { formatRow, type OutputFormat, type ResultSink, toResultRow } from './result-files.js';
import { type LabelReport, LabelTally, Summary, type SummaryFigures } from './summary.js';
import type { BrokenInput, InputItem, TicketInput } from './ticket-input.js';

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

/** Everything a batch needs; see {@link runBatch}. */
interface BatchRun extends ReadOptions {
  readonly input: AsyncIterable<Uint8Array>;
  readonly classifier: TicketClassifier;
  readonly sink: ResultSink;
  readonly outputFormat: OutputFormat;
  readonly concurrency: number;
  /** Compare with the labels of the input. */
  readonly withLabels: boolean;
  /** Results of an interrupted run, which are not made again. */
  readonly previous: PreviousResults | null;
  readonly signal: AbortSignal;
  /** Waits before a further attempt, in milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Called for each row, in order, with the counts so far. */
  readonly onProgress?: (tickets: number, errors: number) => void;
  /** Called for each error row of this run. */
  readonly onError?: (error: BrokenInput) => void;
  /** Called where the classifier failed, for the log. */
  readonly onFault?: (error: unknown, line: number) => void;
}

export interface BatchResult {
  readonly figures: SummaryFigures;
  /** Null where it was not asked for. */
  readonly labels: LabelReport | null;
  /** True where the signal stopped it before the end. */
  readonly interrupted: boolean;
}

interface Job {
  readonly item: InputItem;
  readonly finished: { readonly row: FinishedRow } | 'error' | null;
}

type Outcome =
  | {
      readonly kind: 'row';
      readonly ticket: TicketInput;
      readonly row: FinishedRow;
      readonly usage: Usage | null;
      readonly text: string;
    }
  | { readonly kind: 'error'; readonly error: BrokenInput; readonly kept: boolean };

const ATTEMPTS = 3;
/** Results that may wait for a slower one before them, for each ticket worked on at once. */
const WAITING_PER_WORKER = 64;

/**
 * Triage of a whole batch: rows in the order of the input, each exactly once, in bounded memory. A ticket whose
 * classification fails three times becomes an error row; nothing is left out.
 * @throws HubError `input_invalid` (no readable header), `usage` (results of another input), `disk_full`
 */
export async function runBatch(run: BatchRun): Promise<BatchResult> {
  const summary = new Summary();
  const tally = run.withLabels ? new LabelTally() : null;
  try {
    await runOrdered<Job, Outcome>(jobs(run), {
      concurrency: run.concurrency,
      window: run.concurrency * WAITING_PER_WORKER,
      signal: run.signal,
      work: (job) => work(run, job),
      emit(outcome) {
        record(run, outcome, summary, tally);
        run.onProgress?.(summary.tickets, summary.errors);
      },
    });
  } catch (error) {
    // An input that the signal closed while it was waited for.
    if (!run.signal.aborted || !(error instanceof Error && error.name === 'AbortError')) throw error;
  }
  return { figures: summary.figures(), labels: tally?.report() ?? null, interrupted: run.signal.aborted };
}

async function* jobs(run: BatchRun): AsyncGenerator<readonly Job[]> {
  let read = 0;
  for await (const items of readTickets(run.input, run)) {
    const batch: Job[] = [];
    for (const item of items) {
      batch.push({ item, finished: run.previous === null ? null : await run.previous.claim(item) });
    }
    read += items.length;
    yield batch;
    await run.sink.ready();
  }
  // A limit below what is already done leaves rows over, and is no mistake.
  if (run.limit === undefined || read < run.limit) await run.previous?.finish();
}

function work(run: BatchRun, { item, finished }: Job): Outcome | Promise<Outcome> {
  if (item.kind === 'broken') return { kind: 'error', error: item, kept: finished !== null };
  if (finished === null) return classify(run, item);
  if (finished === 'error') return { kind: 'error', error: failed(item, 'internal', ''), kept: true };
  return { kind: 'row', ticket: item, row: finished.row, usage: null, text: '' };
}

async function classify(run: BatchRun, ticket: TicketInput): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await run.classifier.classify(ticket.text, { signal: run.signal });
      const row = toResultRow(ticket, result);
      return { kind: 'row', ticket, row, usage: result.usage, text: formatRow(row, run.outputFormat) };
    } catch (error) {
      if (run.signal.aborted)
        return { kind: 'error', error: failed(ticket, 'internal', 'interrupted'), kept: false };
      run.onFault?.(error, ticket.line);
      const { code, message } = toHubError(error);
      // What ends the process that works on it would end the next one too.
      if (attempt === ATTEMPTS || code === 'input_invalid')
        return { kind: 'error', error: failed(ticket, code, message), kept: false };
      await run.pause(250 * 2 ** attempt);
    }
  }
}

function failed({ line, id }: TicketInput, code: ErrorCode, reason: string): BrokenInput {
  return {
    kind: 'broken',
    line,
    id,
    reason: `classification failed: ${reason.split('\n', 1)[0] ?? ''}`,
    code,
  };
}

function record(run: BatchRun, outcome: Outcome, summary: Summary, tally: LabelTally | null): void {
  if (outcome.kind === 'row') {
    summary.addRow(outcome.ticket, outcome.row, outcome.usage);
    tally?.add(outcome.ticket.expected, outcome.row);
    if (outcome.usage !== null) run.sink.append(outcome.text, '');
    return;
  }
  summary.addError();
  if (outcome.kept) return;
  const { kind: _, ...fields } = outcome.error;
  run.sink.append('', `${JSON.stringify(fields)}\n`);
  run.onError?.(outcome.error);
}
