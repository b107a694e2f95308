import type { PublicConfig } from '../../shared/api-types.js';

type Hours = PublicConfig['support_hours'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days that are looked at for one on which the team is there. */
const DAYS_AHEAD = 8;

/** For how long a ticket is put aside with one press. */
export const SPANS = ['hour', 'hours', 'day', 'days', 'week'] as const;
export type Span = (typeof SPANS)[number];
const IN_HOURS: Partial<Record<Span, number>> = { hour: 1, hours: 4 };
const IN_DAYS: Partial<Record<Span, number>> = { day: 1, days: 3, week: 7 };

/** What a zone's clocks show at an instant, as milliseconds as if it were UTC. */
function shownAt(instant: number, timeZone: string): number {
  const style = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23', timeZone } as const;
  const text = new Intl.DateTimeFormat('sv-SE', style).format(instant);
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

/**
 * The instant at which a zone's clocks show a time; where they skip it, the one at which they have.
 * @param local `YYYY-MM-DDTHH:mm`
 */
export function instantOf(local: string, timeZone: string): Date {
  const wall = Date.parse(`${local}:00Z`);
  const offset = (instant: number): number => shownAt(instant, timeZone) - instant;
  const first = wall - offset(wall);
  return new Date(wall - offset(first));
}

/** `YYYY-MM-DDTHH:mm` as the zone's clocks show it, as a field of a form takes it. */
export function localOf(at: Date, timeZone: string): string {
  return new Date(shownAt(Math.floor(at.getTime() / 1_000) * 1_000, timeZone)).toISOString().slice(0, 16);
}

/**
 * When a ticket comes back that is put aside for a span: after hours to the minute, after days as the team comes in, on the
 * first day from then on on which it is there.
 */
export function comesBack(span: Span, now: Date, { opens, weekdays, time_zone: zone }: Hours): Date {
  const days = IN_DAYS[span];
  if (days === undefined) return new Date(now.getTime() + (IN_HOURS[span] ?? 1) * HOUR_MS);
  const today = Date.parse(`${localOf(now, zone).slice(0, 10)}T00:00:00Z`);
  const wanted = Array.from({ length: DAYS_AHEAD }, (_, more) => new Date(today + (days + more) * DAY_MS));
  const day = wanted.find((one) => weekdays.includes(one.getUTCDay())) ?? wanted[0] ?? now;
  return instantOf(`${day.toISOString().slice(0, 10)}T${opens}`, zone);
}
