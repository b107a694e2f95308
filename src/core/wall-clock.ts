import type { DayInterval } from './ports/desk-queries.js';

const SECOND_MS = 1_000;
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** Offsets that are kept of one time zone. */
const MAX_QUARTERS = 20_000;

/** What the clocks of a time zone show. Times that are shown are given as if they were UTC, in milliseconds. */
interface WallClock {
  shown(instant: number): number;
  /** The instant at which a time is shown; where the clocks skip it, the one at which they have. */
  instant(shown: number): number;
}

/** A zone never changes, and its clock costs a millisecond to make. */
const made = new Map<string, WallClock>();

/** Reads the clocks of a time zone of the IANA database. @throws RangeError where there is no such zone */
export function wallClockOf(timeZone: string): WallClock {
  const known = made.get(timeZone) ?? makeClock(timeZone);
  made.set(timeZone, known);
  return known;
}

function makeClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
    timeZone,
  });
  const read = (instant: number): number => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const get = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const wall = Date.UTC(
      get('year'),
      get('month') - 1,
      get('day'),
      get('hour'),
      get('minute'),
      get('second'),
    );
    return wall - Math.floor(instant / SECOND_MS) * SECOND_MS;
  };
  // Intl is slow, and a report asks for thousands of instants. Offsets change on quarters of an hour only.
  const offsets = new Map<number, number>();
  const offsetAt = (instant: number): number => {
    const quarter = Math.floor(instant / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    if (offsets.size >= MAX_QUARTERS) offsets.clear();
    const offset = read(quarter * QUARTER_MS);
    offsets.set(quarter, offset);
    return offset;
  };
  return {
    shown: (instant) => instant + offsetAt(instant),
    instant(shown) {
      const found = shown - offsetAt(shown - offsetAt(shown));
      return Math.max(found, shown - offsetAt(found));
    },
  };
}

/**
 * The last days as they were in a time zone, the oldest first, today included.
 * @param count how many, at least 1
 */
export function localDays(now: Date, count: number, timeZone: string): readonly DayInterval[] {
  const clock = wallClockOf(timeZone);
  const today = Math.floor(clock.shown(now.getTime()) / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, index) => interval(clock, today - (count - 1 - index) * DAY_MS));
}

/** A day of a time zone as instants. @param day YYYY-MM-DD */
export function localDay(day: string, timeZone: string): DayInterval {
  return interval(wallClockOf(timeZone), Date.parse(`${day}T00:00:00Z`));
}

/** The next time that the zone's clocks show this. @param time HH:MM */
export function nextTime(now: Date, time: string, timeZone: string): Date {
  const clock = wallClockOf(timeZone);
  const today = Date.parse(`${isoDay(clock.shown(now.getTime()))}T${time}:00Z`);
  const at = clock.instant(today);
  return new Date(at > now.getTime() ? at : clock.instant(today + DAY_MS));
}

function interval(clock: WallClock, day: number): DayInterval {
  return {
    day: isoDay(day),
    from: new Date(clock.instant(day)).toISOString(),
    to: new Date(clock.instant(day + DAY_MS)).toISOString(),
  };
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
