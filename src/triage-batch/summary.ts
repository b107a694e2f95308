import { addUsage, NO_USAGE, type Usage } from '../core/domain/turn.js';
import { SeenIds } from './read-tickets.js';
import { type ExpectedLabels, LABEL_NAMES, type LabelName, type TicketInput } from './ticket-input.js';

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

/** What came of a batch, earlier runs of a resumed one included (but for usage, which is this run's). */
export interface SummaryFigures {
  readonly tickets: number;
  readonly errors: number;
  /** Of these, tickets an earlier run had done. */
  readonly kept: number;
  readonly escalations: number;
  readonly byType: ReadonlyMap<string, number>;
  readonly byPriority: ReadonlyMap<string, number>;
  readonly byRoute: ReadonlyMap<string, number>;
  readonly bySentiment: ReadonlyMap<string, number>;
  readonly byProvider: ReadonlyMap<string, number>;
  /** Where the input says so. */
  readonly byChannel: ReadonlyMap<string, number>;
  /** Different e-mail addresses in the input. */
  readonly customers: number;
  /** Earliest and latest `created_at`, ISO 8601; null where the input has none. */
  readonly period: { readonly from: string; readonly to: string } | null;
  readonly usage: Usage;
}

/** Counts as the rows go by; memory is bounded but for the set of e-mail addresses (16 to 32 bytes each). */
export class Summary {
  tickets = 0;
  errors = 0;
  kept = 0;
  private escalations = 0;
  private usage: Usage = NO_USAGE;
  private from: string | null = null;
  private to: string | null = null;
  private readonly emails = new SeenIds();
  private readonly counts = {
    byType: new Map<string, number>(),
    byPriority: new Map<string, number>(),
    byRoute: new Map<string, number>(),
    bySentiment: new Map<string, number>(),
    byProvider: new Map<string, number>(),
    byChannel: new Map<string, number>(),
  };

  /** @param usage null for a row that an earlier run had done */
  addRow(ticket: TicketInput, row: Readonly<Record<string, unknown>>, usage: Usage | null): void {
    this.tickets += 1;
    if (usage === null) this.kept += 1;
    else if (usage !== NO_USAGE) this.usage = addUsage(this.usage, usage);
    if (String(row.escalate) === 'true') this.escalations += 1;
    count(this.counts.byType, String(row.issue_type));
    count(this.counts.byPriority, String(row.priority));
    count(this.counts.byRoute, String(row.route));
    count(this.counts.bySentiment, String(row.sentiment));
    count(this.counts.byProvider, String(row.provider));
    this.addOrigin(ticket);
  }

  addError(): void {
    this.errors += 1;
  }

  figures(): SummaryFigures {
    return {
      tickets: this.tickets,
      errors: this.errors,
      kept: this.kept,
      escalations: this.escalations,
      ...this.counts,
      customers: this.emails.size,
      period: this.from === null || this.to === null ? null : { from: this.from, to: this.to },
      usage: this.usage,
    };
  }

  private addOrigin({ channel, email, createdAt }: TicketInput): void {
    if (channel !== null) count(this.counts.byChannel, channel.toLowerCase().slice(0, 40));
    if (email !== null) this.emails.add(email.toLowerCase());
    if (createdAt === null) return;
    if (this.from === null || createdAt < this.from) this.from = createdAt;
    if (this.to === null || createdAt > this.to) this.to = createdAt;
  }
}

/** Adds one to a count. A table that grows with the input (free-text channels) stops at 50 names. */
function count(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < 50 ? name : '(other)';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
