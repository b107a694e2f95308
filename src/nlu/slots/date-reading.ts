import type { Language } from '../../core/domain/taxonomy.js';
import { wallClockOf } from '../../core/wall-clock.js';

/** What a date phrase spans. */
export type Grain = 'day' | 'hour' | 'week' | 'weekend' | 'month';

/** The moment a text was written, on the calendar of its place. */
export interface DateContext {
  readonly today: CalendarDay;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Sunday is 0. */
  readonly weekday: number;
  readonly now: Date;
  readonly zone: Zone;
  readonly language: Language | undefined;
  /** At the beginning of what follows a number: something that the number counts. */
  readonly counted: RegExp;
}

/** What a phrase can mean; `ranges` has the likeliest reading first and is never empty. */
export interface Reading {
  readonly grain: Grain;
  readonly ranges: readonly { from: Date; to: Date }[];
  /** The day of the month, where that is all that was said: a month beside it may be its own. */
  readonly dayNumber?: number;
}

/** One way of naming a date. `read` may still refuse what the pattern found. */
export interface DateRule {
  readonly pattern: RegExp;
  read(match: RegExpMatchArray, context: DateContext, text: string): Reading | null;
}

/** Days as whole days, likeliest first. */
export const days = (
  context: DateContext,
  starts: readonly (CalendarDay | null)[],
  grain: Grain = 'day',
  length = 1,
): Reading | null => {
  const known = starts.filter((start): start is CalendarDay => start !== null);
  if (known.length === 0) return null;
  return {
    grain,
    ranges: known.map((start) => ({
      from: context.zone.instant(start),
      to: context.zone.instant(start + length),
    })),
  };
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Days since 1970-01-01 on the calendar of a place. 1970-01-01 was a Thursday. */
export type CalendarDay = number;

/** Calendar arithmetic of one time zone. */
export interface Zone {
  /** The calendar day an instant falls on. */
  dayOf(instant: Date): CalendarDay;
  /** The instant at which the clock on the wall shows this hour of this day. */
  instant(day: CalendarDay, hour?: number): Date;
}

/**
 * The calendar of an IANA time zone.
 * @throws RangeError when the zone is unknown
 */
export function zoneOf(timeZone: string): Zone {
  const clock = wallClockOf(timeZone);
  /** The wall clock, read as if it were UTC. */
  const wall = (instant: Date): number => clock.shown(instant.getTime());
  return {
    dayOf: (instant) => Math.floor(wall(instant) / DAY_MS),
    instant: (day, hour = 0) => {
      const want = day * DAY_MS + hour * HOUR_MS;
      // The offset is only known at an instant; the second look settles days on which it changes.
      let guess = want - (wall(new Date(want)) - want);
      guess = want - (wall(new Date(guess)) - guess);
      return new Date(guess);
    },
  };
}

/** Sunday is 0. */
export function weekdayOf(day: CalendarDay): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Year, month (1-12) and day of the month. */
export function partsOf(day: CalendarDay): { year: number; month: number; day: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The calendar day of a date, or null where there is no such date (31/02). A month of 13 is January of the next year. */
export function dayFrom(year: number, month: number, day: number): CalendarDay | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCDate() !== day || Number.isNaN(date.getTime())) return null;
  return Math.round(date.getTime() / DAY_MS);
}

/** The first day of a month; months beyond 12 or below 1 run into the years beside it. */
export function monthStart(year: number, month: number): CalendarDay {
  return Math.round(Date.UTC(year, month - 1, 1) / DAY_MS);
}

/** Adds months, keeping the day where the month has it, else its last day. */
export const addMonths = (context: DateContext, count: number): CalendarDay => {
  const first = monthStart(context.year, context.month + count);
  const { year, month } = partsOf(first);
  for (let day = context.day; day > 28; day -= 1) {
    const found = dayFrom(year, month, day);
    if (found !== null) return found;
  }
  return first + Math.min(context.day, 28) - 1;
};
