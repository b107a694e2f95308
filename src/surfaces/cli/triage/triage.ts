import { createReadStream, realpathSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { HubError } from '../../../core/errors.js';
import type { ClassifierPool } from '../../../core/ports/index.js';
import { PreviousResults } from '../../../triage-batch/previous-results.js';
import { formatOfFile, type InputFormat } from '../../../triage-batch/read-tickets.js';
import type { OutputFormat } from '../../../triage-batch/result-files.js';
import { type BatchResult, runBatch } from '../../../triage-batch/run-batch.js';
import type { BrokenInput } from '../../../triage-batch/ticket-input.js';
import { type CommandContext, EXIT, Stopped } from '../../command.js';
import { oneLine } from '../../printable.js';
import { createProgressLine } from '../../progress-line.js';
import { createFileSink, createStreamSink, formatLabels, formatSummary } from './report.js';

/** What the command line of `triage` says. */
export interface TriageOptions {
  readonly out?: string;
  readonly format?: OutputFormat;
  readonly concurrency: number;
  /** Processes that classify, where no model does. */
  readonly workers: number;
  /** True where all servers and workers of the database classify. */
  readonly distributed?: boolean;
  readonly resume?: boolean;
  readonly limit?: number;
  readonly labels?: boolean;
}

/** A checked order for a batch: see {@link planTriage}. */
interface TriagePlan extends TriageOptions {
  readonly input: string;
  /** Undefined: recognized from the first lines of standard input. */
  readonly inputFormat: InputFormat | undefined;
  readonly format: OutputFormat;
  /** Null where there is no place for it: standard input to standard output. */
  readonly errorsPath: string | null;
}

const SHOWN_ERRORS = 20;
/** Tickets in work for each process: more than it can have, so that none ever waits for the input. */
const TICKETS_PER_WORKER = 128;
/** Tickets in work where nobody knows how many work on them: some dozens of jobs. */
const TICKETS_DISTRIBUTED = 4_096;

/** Checks what can be checked before anything is started. @throws HubError `usage` */
export function planTriage(input: string, options: TriageOptions): TriagePlan {
  const { out, resume } = options;
  const inputFormat = input === '-' ? undefined : formatOfFile(input);
  if (input !== '-') checkInput(input);
  if (resume && out === undefined)
    throw new HubError('usage', '--resume needs --out FILE: the results to continue');
  if (out !== undefined && input !== '-' && sameFile(input, out)) {
    throw new HubError('usage', `INPUT and --out are the same file: ${out}`);
  }
  const format = options.format ?? (out !== undefined && /\.csv$/i.test(out) ? 'csv' : 'jsonl');
  const beside = out ?? (input === '-' ? null : input);
  const regular = beside !== null && (statSync(beside, { throwIfNoEntry: false })?.isFile() ?? true);
  return { ...options, input, inputFormat, format, errorsPath: regular ? `${beside}.errors.jsonl` : null };
}

/** Runs the batch. @returns the exit code, 1 where a row could not be triaged; none where it was stopped */
export async function triage(
  context: CommandContext,
  plan: TriagePlan,
  now: () => number,
): Promise<number | undefined> {
  const { io, stop } = context;
  const { out, errorsPath, format } = plan;
  const previous =
    plan.resume && out !== undefined ? await PreviousResults.read(out, errorsPath ?? '', format) : null;
  const classifier = classifierFor(context, plan);
  announce(context, plan, previous, classifier.workers);
  const counted = countBytes(plan.input === '-' ? io.in : createReadStream(plan.input), stop);
  const sink =
    out === undefined
      ? createStreamSink(io.out, errorsPath, format)
      : createFileSink(out, errorsPath, format, previous);
  const totalBytes = plan.input === '-' ? null : statSync(plan.input).size;
  const progress = createProgressLine(io.err, now);
  const errors = createErrorLines(context);
  const begun = now();
  const showProgress = (tickets: number, faults: number): void => {
    const rate = tickets / Math.max(0.001, (now() - begun) / 1000);
    const share = totalBytes ? Math.min(1, counted.count() / totalBytes) : null;
    progress.update(
      share,
      `${tickets} tickets, ${rate.toFixed(0)}/s${faults > 0 ? `, ${faults} errors` : ''}`,
    );
  };
  let result: BatchResult;
  try {
    result = await runBatch({
      input: counted.bytes,
      ...(plan.inputFormat === undefined ? {} : { format: plan.inputFormat }),
      ...(plan.limit === undefined ? {} : { limit: plan.limit }),
      classifier,
      sink,
      outputFormat: format,
      concurrency: ticketsAtOnce(plan, classifier),
      withLabels: plan.labels ?? false,
      previous,
      signal: stop,
      pause: async (ms) => void (await sleep(ms, undefined, { signal: stop }).catch(() => undefined)),
      onNote: (note) => io.err.write(`note: ${note}\n`),
      onProgress: showProgress,
      onError: errors.show,
      onFault: (error, line) =>
        context.app.log.warn({
          agent: 'triage',
          action: 'classification_failed',
          details: { line, error: String(error) },
        }),
    });
    await sink.close();
  } catch (error) {
    await sink.close().catch(() => undefined);
    throw withAdvice(error, plan);
  } finally {
    classifier.close();
    progress.done();
  }
  errors.finish(errorsPath);
  if (result.interrupted) {
    printHowToResume(context, plan, result);
    return undefined;
  }
  io.err.write(formatSummary(result.figures, (now() - begun) / 1000));
  await writeLabels(context, plan, result);
  return result.figures.errors > 0 ? EXIT.failed : EXIT.done;
}

function classifierFor({ app, io }: CommandContext, { workers, distributed }: TriagePlan): ClassifierPool {
  const onLost = (why: string): void =>
    void io.err.write(
      `note: a process that classifies has ended (${why}); its tickets are worked on again\n`,
    );
  if (!distributed) return app.batchClassifier({ workers, onLost });
  const classifier = app.sharedClassifier();
  app.helpBatches({ workers, onLost });
  return classifier;
}

function ticketsAtOnce({ concurrency, distributed }: TriagePlan, { workers }: ClassifierPool): number {
  if (distributed) return TICKETS_DISTRIBUTED;
  return workers === 1 ? concurrency : workers * TICKETS_PER_WORKER;
}

function announce(
  { io, app }: CommandContext,
  plan: TriagePlan,
  previous: PreviousResults | null,
  workers: number,
): void {
  const { out } = plan;
  const here = workers === 1 ? `${plan.concurrency} at once` : `${workers} processes`;
  const atOnce = plan.distributed ? 'by all servers and workers of HUB_DATABASE_URL' : here;
  const mode = app.provider === 'offline' ? 'offline (no model provider)' : app.provider;
  io.err.write(`Triage of ${plan.input === '-' ? 'standard input' : plan.input}, ${mode}, ${atOnce}\n`);
  if (out === undefined) return;
  const exists = (statSync(out, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (previous !== null)
    io.err.write(exists ? `Continuing ${out}\n` : `${out} is not there yet: beginning anew\n`);
  else if (exists) io.err.write(`${out} exists and is overwritten (--resume would continue it)\n`);
}

function printHowToResume({ io, stop }: CommandContext, plan: TriagePlan, { figures }: BatchResult): void {
  if (stop.reason instanceof Stopped && stop.reason.quiet) return;
  const done = `Interrupted; ${figures.tickets} tickets and ${figures.errors} error rows are finished`;
  const how =
    plan.out === undefined
      ? 'With --out FILE a batch can be continued.'
      : `Continue with: npm run triage -- ${[plan.input, '--out', plan.out, ...rest(plan)].map(quote).join(' ')} --resume`;
  io.err.write(`${done}. ${how}\n`);
}

function withAdvice(error: unknown, plan: TriagePlan): unknown {
  if (!(error instanceof HubError) || error.code !== 'disk_full' || plan.out === undefined) return error;
  return new HubError('disk_full', `${error.message}; make room, then --resume does the rest`, error.fields, {
    cause: error,
  });
}

function rest(plan: TriagePlan): readonly string[] {
  return [
    ...(plan.format === (/\.csv$/i.test(plan.out ?? '') ? 'csv' : 'jsonl') ? [] : ['--format', plan.format]),
    ...(plan.limit === undefined ? [] : ['--limit', String(plan.limit)]),
    ...(plan.labels ? ['--labels'] : []),
    ...(plan.distributed ? ['--distributed'] : []),
  ];
}

function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

async function writeLabels({ io }: CommandContext, plan: TriagePlan, { labels }: BatchResult): Promise<void> {
  if (labels === null) return;
  io.err.write(`\n${formatLabels(labels)}`);
  if (plan.out !== undefined && plan.errorsPath !== null) {
    await writeFile(`${plan.out}.labels.json`, `${JSON.stringify(labels, null, 2)}\n`);
  }
}

function createErrorLines({ io }: CommandContext) {
  let count = 0;
  return {
    show({ line, id, reason }: BrokenInput): void {
      count += 1;
      if (count > SHOWN_ERRORS) return;
      const clear = io.err.isTTY === true ? '\r\u001b[K' : '';
      io.err.write(
        `${clear}line ${line}${id === undefined ? '' : ` (${oneLine(String(id))})`}: ${oneLine(reason)}\n`,
      );
    },
    finish(path: string | null): void {
      if (count > SHOWN_ERRORS) io.err.write(`... and ${count - SHOWN_ERRORS} more error rows\n`);
      if (count > 0 && path !== null) io.err.write(`Rows that could not be triaged are in ${path}\n`);
    },
  };
}

function checkInput(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new HubError('usage', `There is no file ${path}`);
  if (stat.isDirectory()) throw new HubError('usage', `${path} is a directory`);
}

function sameFile(a: string, b: string): boolean {
  const exists = statSync(b, { throwIfNoEntry: false }) !== undefined;
  return exists && realpathSync(a) === realpathSync(b);
}

function countBytes(stream: Readable, stop: AbortSignal) {
  const readable = addAbortSignal(stop, stream);
  let count = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of readable) {
      count += chunk.length;
      yield chunk;
    }
  }
  return { bytes: bytes(), count: () => count };
}
