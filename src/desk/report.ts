import { setImmediate as nextTick } from 'node:timers/promises';
import type { Report } from '../core/desk-reads.js';
import { issueTypeIds } from '../core/domain/company.js';
import { SENTIMENTS } from '../core/domain/taxonomy.js';
import type { DayInterval } from '../core/ports/desk-queries.js';
import type { DayFigures, DeskQueries } from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';

const DAY_MS = 86_400_000;

/**
 * The last days as they were in a time zone, the oldest first, today included.
 * @param count how many, at least 1
 */
export function localDays(now: Date, count: number, timeZone: string): readonly DayInterval[] {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const today = Date.parse(`${isoDay(localTime(format, now.getTime()))}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const day = today - (count - 1 - index) * DAY_MS;
    return {
      day: isoDay(day),
      from: new Date(midnight(format, day)).toISOString(),
      to: new Date(midnight(format, day + DAY_MS)).toISOString(),
    };
  });
}

/** The instant at which the zone's clocks show midnight of a day that is given as if it were UTC. */
function midnight(format: Intl.DateTimeFormat, day: number): number {
  const guess = day - (localTime(format, day) - day);
  // Once more, because the offset may have changed between the two.
  return day - (localTime(format, guess) - guess);
}

/** What the zone's clocks show, as if it were UTC. */
function localTime(format: Intl.DateTimeFormat, instant: number): number {
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return Date.parse(
    `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`,
  );
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

const NOTHING = { tickets: 0, withoutHuman: 0, turns: 0, costUsd: 0, negative: 0 };

/** The dashboard's figures: every day and issue type of the time, with zeros where there was nothing. */
export async function report(graph: GraphDeps, desk: DeskQueries, days: number): Promise<Report> {
  const { clock, time, company } = graph.tools;
  const issueTypes = issueTypeIds(company);
  const figures: DayFigures[] = [];
  for (const day of localDays(clock.now(), days, time.timeZone)) {
    figures.push(await desk.figures(day));
    // A day takes milliseconds; customers' turns come in between.
    await nextTick();
  }
  return {
    rows: figures.flatMap((day) => rowsOf(day, issueTypes)),
    escalationReasons: reasonsOf(figures),
    sentiments: figures.flatMap(({ day, sentiments }) =>
      SENTIMENTS.map((sentiment) => ({
        day,
        sentiment,
        count: sentiments.find((one) => one.sentiment === sentiment)?.count ?? 0,
      })),
    ),
    responseTimes: figures.map(({ day, hubMedianMs, hubP95Ms, firstReplies }) => ({
      day,
      hubMedianMs,
      hubP95Ms,
      operatorMedianMinutes: median(
        firstReplies.map(({ from, to }) => graph.hours.businessMinutesBetween(new Date(from), new Date(to))),
      ),
    })),
    ratings: figures.map(({ day, helpful, unhelpful }) => ({ day, helpful, unhelpful })),
    escalations: figures.flatMap(({ day, reasons }) => reasons.map((one) => ({ day, ...one }))),
  };
}

function rowsOf({ day, types }: DayFigures, issueTypes: readonly string[]): Report['rows'] {
  const known = new Map(types.map((one) => [one.issueType, one]));
  const others = types.filter(({ issueType }) => !issueTypes.includes(issueType));
  return [
    ...issueTypes.map((issueType) => ({ day, ...NOTHING, ...known.get(issueType), issueType })),
    ...others.map((one) => ({ day, ...one })),
  ];
}

function reasonsOf(figures: readonly DayFigures[]): Report['escalationReasons'] {
  const counts = new Map<string, number>();
  for (const { reason, count } of figures.flatMap(({ reasons }) => reasons))
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

/** Nearest rank; null of nothing. */
function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.at(Math.max(0, Math.ceil(sorted.length / 2) - 1)) ?? null;
}
