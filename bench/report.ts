import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, freemem, loadavg, totalmem } from 'node:os';

/** One figure that was measured. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What is to be reached, in words; null where the figure is there for comparison only. */
  readonly bar: string | null;
  /** Null without a bar. */
  readonly passed: boolean | null;
  readonly note?: string;
}

/** A figure with a bar: at most (or at least) so much. */
export function barred(
  name: string,
  value: number,
  unit: string,
  bar: { readonly atMost: number } | { readonly atLeast: number },
  note?: string,
): Measure {
  const passed = 'atMost' in bar ? value <= bar.atMost : value >= bar.atLeast;
  const words = 'atMost' in bar ? `<= ${round(bar.atMost)}` : `>= ${round(bar.atLeast)}`;
  return { name, value: round(value), unit, bar: words, passed, ...(note === undefined ? {} : { note }) };
}

/** A figure without a bar. */
export function plain(name: string, value: number, unit: string, note?: string): Measure {
  return {
    name,
    value: round(value),
    unit,
    bar: null,
    passed: null,
    ...(note === undefined ? {} : { note }),
  };
}

/** The machine and its load, because the same code is slower on a busy one. */
export function machine(): Record<string, unknown> {
  const [first, ...others] = cpus();
  return {
    cpu: first?.model ?? 'unknown',
    cores: others.length + 1,
    memory_mb: Math.round(totalmem() / 2 ** 20),
    free_mb: Math.round(freemem() / 2 ** 20),
    load: loadavg().map(round),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
}

/** The figures as a table. */
export function table(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => [
    measure.name,
    `${measure.value} ${measure.unit}`.trim(),
    measure.bar ?? '',
    measure.passed === null ? '' : measure.passed ? 'pass' : 'FAIL',
    measure.note ?? '',
  ]);
  const all = [['measure', 'value', 'bar', '', 'note'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Writes the figures as JSON. @returns the path */
export function writeJson(measures: readonly Measure[], about: Record<string, unknown>): string {
  const path = 'bench-results/bench.json';
  mkdirSync('bench-results', { recursive: true });
  writeFileSync(path, `${JSON.stringify({ ...about, measures }, null, 2)}\n`);
  return path;
}

/** The middle and the 95th percentile. */
export function spread(values: readonly number[]): { readonly median: number; readonly p95: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

function round(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
}
