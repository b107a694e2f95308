import { count } from './summary.js';
import { type ExpectedLabels, LABEL_NAMES, type LabelName } from './ticket-input.js';

/** How well one label was found, 0 to 1. Null where the figure does not exist (nothing expected, nothing said). */
interface LabelScore {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  /** How often it was expected. */
  readonly support: number;
}

export interface FieldScore {
  readonly total: number;
  readonly correct: number;
  readonly accuracy: number;
  /** Mean of the F1 of all labels that were expected. */
  readonly macro_f1: number;
  readonly labels: Readonly<Record<string, LabelScore>>;
  /** expected → said → how often. */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export type LabelReport = Readonly<Partial<Record<LabelName, FieldScore>>>;

/** Compares what triage said with what the input expects. Bounded memory: one count a pair of labels. */
export class LabelTally {
  private readonly pairs = new Map<LabelName, Map<string, Map<string, number>>>();

  add(expected: ExpectedLabels, row: Readonly<Record<string, unknown>>): void {
    for (const name of LABEL_NAMES) {
      const wanted = expected[name]?.toLowerCase();
      if (wanted !== undefined) this.addPair(name, wanted, String(row[name]));
    }
  }

  report(): LabelReport {
    return Object.fromEntries([...this.pairs].map(([name, pairs]) => [name, scoreField(pairs)]));
  }

  private addPair(name: LabelName, wanted: string, said: string): void {
    const field = this.pairs.get(name) ?? new Map<string, Map<string, number>>();
    this.pairs.set(name, field);
    const key = field.has(wanted) || field.size < 50 ? wanted : '(other)';
    const row = field.get(key) ?? new Map<string, number>();
    field.set(key, row);
    count(row, said);
  }
}

function scoreField(pairs: ReadonlyMap<string, ReadonlyMap<string, number>>): FieldScore {
  const names = [
    ...new Set([...pairs.keys(), ...[...pairs.values()].flatMap((row) => [...row.keys()])]),
  ].sort();
  const expectedOf = (name: string) => sum(pairs.get(name)?.values() ?? []);
  const saidOf = (name: string) => sum([...pairs.values()].map((row) => row.get(name) ?? 0));
  const hits = (name: string) => pairs.get(name)?.get(name) ?? 0;
  const total = sum(names.map(expectedOf));
  const correct = sum(names.map(hits));
  const labels = Object.fromEntries(
    names.map((name) => [name, scoreLabel(hits(name), expectedOf(name), saidOf(name))]),
  );
  const f1s = Object.values(labels).flatMap((score) => (score.support > 0 ? [score.f1 ?? 0] : []));
  return {
    total,
    correct,
    accuracy: round(correct / total),
    macro_f1: round(sum(f1s) / f1s.length),
    labels,
    confusion: Object.fromEntries(
      [...pairs].sort().map(([name, row]) => [name, Object.fromEntries([...row].sort())]),
    ),
  };
}

function scoreLabel(hits: number, expected: number, said: number): LabelScore {
  const precision = said === 0 ? null : round(hits / said);
  const recall = expected === 0 ? null : round(hits / expected);
  const f1 = expected + said === 0 ? null : round((2 * hits) / (expected + said));
  return { precision, recall, f1, support: expected };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
