import type { Usage } from '../core/domain/turn.js';
import { type ErrorCode, toHubError } from '../core/errors.js';
import type { TicketClassifier } from '../core/ports/chat-models.js';
import { runOrdered } from './ordered-pool.js';
import type { FinishedRow, PreviousResults } from './previous-results.js';
import { type ReadOptions, readTickets } from './read-tickets.js';
import { formatRow, type OutputFormat, type ResultSink, toResultRow } from './result-files.js';
import { type LabelReport, LabelTally, Summary, type SummaryFigures } from './summary.js';
import type { BrokenInput, InputItem, TicketInput } from './ticket-input.js';

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
