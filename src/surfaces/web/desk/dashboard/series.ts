import type { Report } from '../../shared/api-types.js';

/** One line or one colour of bars; null where there is nothing to show. */
interface Series {
  readonly label: string;
  /** What the label stands for, as the API names it; several separated by commas. */
  readonly key?: string;
  readonly values: readonly (number | null)[];
}

/** What a plot draws, and what its table says. */
export interface Plot {
  /** Along the bottom: days or names. */
  readonly labels: readonly string[];
  /** What the labels stand for, as the API names it; the labels themselves where absent. */
  readonly keys?: readonly string[];
  readonly series: readonly Series[];
}

/** Subjects that get a colour of their own; the others are shown together. */
const MOST_SUBJECTS = 5;
const DAY_MS = 86_400_000;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const share = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);

/** The days of a range, oldest first, YYYY-MM-DD. @param today the last of them */
export function daysOf(count: number, today: string): readonly string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) =>
    new Date(end - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The last day of a report: that of the caller, or a later one where the server's zone is ahead. */
export function lastDay(report: Report, today: string): string {
  const days = [report.rows, report.sentiments, report.response_times, report.ratings].flatMap((part) =>
    part.map(({ day }) => day),
  );
  return days.reduce((latest, day) => (day > latest ? day : latest), today);
}

function byDay<Row extends { readonly day: string }>(
  days: readonly string[],
  rows: readonly Row[],
): readonly Row[][] {
  const found = new Map(days.map((day): [string, Row[]] => [day, []]));
  for (const row of rows) found.get(row.day)?.push(row);
  return [...found.values()];
}

function subjectsOf(rows: readonly Report['rows'][number][]): readonly string[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.issue_type, (counts.get(row.issue_type) ?? 0) + row.tickets);
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
    .map(([subject]) => subject);
}

/** Tickets a day, a series for each of the most frequent subjects. */
export function volume(
  rows: readonly Report['rows'][number][],
  days: readonly string[],
  name: (subject: string) => string,
  other: string,
): Plot {
  const subjects = subjectsOf(rows);
  const shown = subjects.slice(0, MOST_SUBJECTS);
  const rest = new Set(subjects.slice(MOST_SUBJECTS));
  const daily = byDay(days, rows);
  const count = (holds: (row: Report['rows'][number]) => boolean): readonly number[] =>
    daily.map((day) => sum(day.filter(holds).map(({ tickets }) => tickets)));
  const series = shown.map((subject) => ({
    label: name(subject),
    key: subject,
    values: count((row) => row.issue_type === subject),
  }));
  const together = {
    label: other,
    key: [...rest].join(','),
    values: count((row) => rest.has(row.issue_type)),
  };
  return { labels: days, series: rest.size === 0 ? series : [...series, together] };
}

/** The share of each day's tickets that needed no person, in per cent; null on a day without tickets. */
export function automation(
  rows: readonly Report['rows'][number][],
  days: readonly string[],
  label: string,
): Plot {
  const values = byDay(days, rows).map((day) =>
    share(sum(day.map((row) => row.without_human)), sum(day.map((row) => row.tickets))),
  );
  return { labels: days, series: [{ label, values }] };
}

/** Tickets with and without a person, by subject, the most frequent first. */
export function byIssue(
  rows: readonly Report['rows'][number][],
  name: (subject: string) => string,
  labels: { readonly without: string; readonly with: string },
): Plot {
  const subjects = subjectsOf(rows);
  const total = (subject: string, of: (row: Report['rows'][number]) => number): number =>
    sum(rows.filter((row) => row.issue_type === subject).map(of));
  return {
    labels: subjects.map(name),
    keys: subjects,
    series: [
      {
        label: labels.without,
        key: 'without',
        values: subjects.map((subject) => total(subject, (row) => row.without_human)),
      },
      {
        label: labels.with,
        key: 'with',
        values: subjects.map((subject) => total(subject, (row) => row.tickets - row.without_human)),
      },
    ],
  };
}

/** Cost of models by subject, the dearest first. */
export function costByIssue(
  rows: readonly Report['rows'][number][],
  name: (subject: string) => string,
  label: string,
): Plot {
  const costs = subjectsOf(rows)
    .map((subject) => ({
      subject,
      cost: sum(rows.filter((row) => row.issue_type === subject).map((row) => row.cost_usd)),
    }))
    .sort((a, b) => b.cost - a.cost);
  return {
    labels: costs.map(({ subject }) => name(subject)),
    keys: costs.map(({ subject }) => subject),
    series: [{ label, values: costs.map(({ cost }) => cost) }],
  };
}

/** Cost of models a day. */
export function cost(rows: readonly Report['rows'][number][], days: readonly string[], label: string): Plot {
  const values = byDay(days, rows).map((day) => sum(day.map((row) => row.cost_usd)));
  return { labels: days, series: [{ label, values }] };
}

/** Why tickets were escalated, the most frequent first. */
export function reasons(report: Report, name: (reason: string) => string, label: string): Plot {
  const sorted = [...report.escalation_reasons].sort((a, b) => b.count - a.count);
  return {
    labels: sorted.map(({ reason }) => name(reason)),
    keys: sorted.map(({ reason }) => reason),
    series: [{ label, values: sorted.map(({ count }) => count) }],
  };
}

/** How customers sounded, as shares of each day in per cent. */
export function sentiment(
  report: Report,
  days: readonly string[],
  names: Readonly<Record<string, string>>,
): Plot {
  const daily = byDay(days, report.sentiments);
  const totals = daily.map((day) => sum(day.map(({ count }) => count)));
  return {
    labels: days,
    series: Object.entries(names).map(([key, label]) => ({
      label,
      key,
      values: daily.map((day, at) =>
        share(sum(day.filter((row) => row.sentiment === key).map(({ count }) => count)), totals[at] ?? 0),
      ),
    })),
  };
}

/** Median and 95th percentile of the hub's answers, milliseconds. */
export function hubTimes(report: Report, days: readonly string[], labels: readonly [string, string]): Plot {
  const daily = byDay(days, report.response_times);
  return {
    labels: days,
    series: [
      { label: labels[0], values: daily.map(([row]) => row?.hub_median_ms ?? null) },
      { label: labels[1], values: daily.map(([row]) => row?.hub_p95_ms ?? null) },
    ],
  };
}

/** Median first reply of operators, business minutes. */
export function operatorTimes(report: Report, days: readonly string[], label: string): Plot {
  const values = byDay(days, report.response_times).map(([row]) => row?.operator_median_minutes ?? null);
  return { labels: days, series: [{ label, values }] };
}

/** Ratings of customers a day. */
export function ratings(report: Report, days: readonly string[], labels: readonly [string, string]): Plot {
  const daily = byDay(days, report.ratings);
  return {
    labels: days,
    series: [
      {
        label: labels[0],
        key: 'helpful',
        values: daily.map((day) => sum(day.map(({ helpful }) => helpful))),
      },
      {
        label: labels[1],
        key: 'unhelpful',
        values: daily.map((day) => sum(day.map(({ unhelpful }) => unhelpful))),
      },
    ],
  };
}

/** True where there is anything but nothing to draw. */
export function hasData({ series }: Plot): boolean {
  return series.some(({ values }) => values.some((value) => value !== null && value !== 0));
}

/** The numbers above the plots. Times are medians over the days. */
export function headline(report: Report) {
  const tickets = sum(report.rows.map((row) => row.tickets));
  const helpful = sum(report.ratings.map((row) => row.helpful));
  const rated = helpful + sum(report.ratings.map((row) => row.unhelpful));
  const costUsd = sum(report.rows.map((row) => row.cost_usd));
  return {
    tickets,
    turns: sum(report.rows.map((row) => row.turns)),
    withoutHuman: tickets === 0 ? null : sum(report.rows.map((row) => row.without_human)) / tickets,
    costUsd,
    costPerTicket: tickets === 0 ? null : costUsd / tickets,
    rated,
    helpful: rated === 0 ? null : helpful / rated,
    hubMs: median(report.response_times.map((row) => row.hub_median_ms)),
  };
}

function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const middle = Math.floor(known.length / 2);
  const upper = known[middle];
  if (upper === undefined) return null;
  return known.length % 2 === 1 ? upper : ((known[middle - 1] ?? upper) + upper) / 2;
}
