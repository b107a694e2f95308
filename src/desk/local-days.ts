import type { DayInterval } from '../core/ports/desk-queries.js';

const DAY_MS = 86_400_000;

/**
 * The last days as they were in a time zone, the oldest first, today included.
 * @param count how many, at least 1
 */
export function localDays(now: Date, count: number, timeZone: string): readonly DayInterval[] {
  const format = formatIn(timeZone);
  const today = Date.parse(`${isoDay(localTime(format, now.getTime()))}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => interval(format, today - (count - 1 - index) * DAY_MS));
}

/** A day of a time zone as instants. @param day YYYY-MM-DD */
export function localDay(day: string, timeZone: string): DayInterval {
  return interval(formatIn(timeZone), Date.parse(`${day}T00:00:00Z`));
}

/** The next time that the zone's clocks show this. @param time HH:MM */
export function nextTime(now: Date, time: string, timeZone: string): Date {
  const format = formatIn(timeZone);
  const today = Date.parse(`${isoDay(localTime(format, now.getTime()))}T${time}:00Z`);
  const at = instantOf(format, today);
  return new Date(at > now.getTime() ? at : instantOf(format, today + DAY_MS));
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}

function interval(format: Intl.DateTimeFormat, day: number): DayInterval {
  return {
    day: isoDay(day),
    from: new Date(instantOf(format, day)).toISOString(),
    to: new Date(instantOf(format, day + DAY_MS)).toISOString(),
  };
}

/** The instant at which the zone's clocks show a time that is given as if it were UTC. */
function instantOf(format: Intl.DateTimeFormat, shown: number): number {
  const guess = shown - (localTime(format, shown) - shown);
  // Once more, because the offset may have changed between the two.
  return shown - (localTime(format, guess) - guess);
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
