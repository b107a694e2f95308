import type { PreviousResults } from '../../../triage-batch/previous-results.js';
import {
  AppendFile,
  FileSink,
  headerOf,
  type OutputFormat,
  type ResultSink,
} from '../../../triage-batch/result-files.js';
import type { FieldScore, LabelReport, SummaryFigures } from '../../../triage-batch/summary.js';
import { formatTable } from '../../printable.js';
import type { Terminal } from '../../progress-line.js';

/** Rows into a file, errors beside it. @param errorsPath null where the target is no ordinary file (`/dev/stdout`) */
export function createFileSink(
  path: string,
  errorsPath: string | null,
  format: OutputFormat,
  previous: PreviousResults | null,
): ResultSink {
  return new FileSink(
    { path, keepBytes: previous?.keep.rows ?? 0, header: headerOf(format) },
    errorsPath === null ? null : { path: errorsPath, keepBytes: previous?.keep.errors ?? 0, header: '' },
  );
}

/**
 * Rows to standard output, errors into a file, where there is a place for it.
 * @param errorsPath null where the input is no file, so that nothing could stand beside it
 */
export function createStreamSink(out: Terminal, errorsPath: string | null, format: OutputFormat): ResultSink {
  const errors = errorsPath === null ? null : new AppendFile({ path: errorsPath, keepBytes: 0, header: '' });
  let held = headerOf(format);
  let blocked = false;
  const flush = () => {
    if (held !== '' && !out.destroyed) blocked = !out.write(held);
    held = '';
  };
  return {
    append(rows, errorRows) {
      if (errorRows !== '') errors?.write(errorRows);
      if (rows === '') return;
      if (held === '') setImmediate(flush);
      held += rows;
      if (held.length > 65_536) flush();
    },
    async ready() {
      flush();
      if (blocked && !out.destroyed) await drained(out);
      blocked = false;
    },
    async close() {
      flush();
      errors?.close();
    },
  };
}

/** Room again, or nobody there any more: the latter ends the command by its stop signal, not by an error here. */
function drained(out: Terminal): Promise<void> {
  const events = ['drain', 'error', 'close'];
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) out.off(event, done);
      resolve();
    };
    for (const event of events) out.on(event, done);
  });
}

/** The summary a batch ends with. @param seconds how long this run took */
export function formatSummary(figures: SummaryFigures, seconds: number): string {
  const { tickets, errors, kept, usage } = figures;
  const made = tickets - kept;
  const columns = [
    ['type', figures.byType],
    ['priority', figures.byPriority],
    ['route', figures.byRoute],
    ['sentiment', figures.bySentiment],
    ...(figures.byChannel.size > 0 ? ([['channel', figures.byChannel]] as const) : []),
  ] as const;
  const rows = columns.flatMap(([name, counts]) =>
    byCount(counts).map(([label, count], at) => [
      at === 0 ? name : '',
      label,
      String(count),
      percent(count, tickets),
    ]),
  );
  const lines = [
    ...(rows.length > 0 ? [formatTable(['by', '', 'tickets', 'share'], rows, { right: [2, 3] }), ''] : []),
    `tickets      ${tickets}${kept > 0 ? ` (${kept} from the interrupted run)` : ''}`,
    `errors       ${errors}`,
    `escalations  ${figures.escalations}${tickets > 0 ? ` (${percent(figures.escalations, tickets)})` : ''}`,
    ...(figures.customers > 0 ? [`customers    ${figures.customers}`] : []),
    ...(figures.period === null ? [] : [`created      ${figures.period.from} to ${figures.period.to}`]),
    `provider     ${
      byCount(figures.byProvider)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ') || '-'
    }`,
    `model calls  ${usage.llmCalls}; tokens ${usage.promptTokens} in, ${usage.completionTokens} out; cost US$ ${usage.costUsd.toFixed(4)}`,
    `speed        ${(made / Math.max(seconds, 0.001)).toFixed(0)} tickets/s (${seconds.toFixed(1)} s)`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Accuracy, precision, recall and confusion for every field that the input labels. */
export function formatLabels(report: LabelReport): string {
  const fields = Object.entries(report);
  if (fields.length === 0) return 'No labels: the input has no expected_... fields.\n';
  return fields.map(([name, score]) => formatField(name, score)).join('\n');
}

function formatField(name: string, score: FieldScore): string {
  const labels = Object.keys(score.labels);
  const scores = labels.map((label) => {
    const { precision, recall, f1, support } = score.labels[label] ?? { support: 0 };
    return [label, share(precision), share(recall), share(f1), String(support)];
  });
  const confusion = Object.entries(score.confusion).map(([expected, said]) => [
    expected,
    ...labels.map((label) => String(said[label] ?? 0)),
  ]);
  const numbers = labels.map((_, at) => at + 1);
  return [
    `${name}: accuracy ${share(score.accuracy)} (${score.correct} of ${score.total}), macro F1 ${share(score.macro_f1)}`,
    formatTable(['label', 'precision', 'recall', 'F1', 'expected'], scores, {
      right: [1, 2, 3, 4],
      indent: '  ',
    }),
    '',
    formatTable(['expected \\ said', ...labels], confusion, { right: numbers, indent: '  ' }),
    '',
  ].join('\n');
}

function byCount(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

function share(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : value.toFixed(3);
}
