import { SAO_PAULO_OFFSET_MS } from './calendar-month.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export const WEEKDAY_NAMES: readonly [Weekday, ...Weekday[]] = WEEKDAYS;

/** A seeded time relative to the first use, so that the demo never expires. */
export type RelativeStart =
  /** Day of the local calendar counted from today, at a local time of day (`20:00`). */
  | { readonly starts_in_days: number; readonly at: string }
  /** About so many hours from now, at an hour when people go out; for what must be near whatever the time of day. */
  | { readonly starts_in_hours: number }
  /** The next such weekday after today, plus whole weeks. */
  | { readonly starts_on: Weekday; readonly in_weeks: number; readonly at: string };

/** Turns a relative start into an instant. Local means America/Sao_Paulo. */
export function resolveStart(start: RelativeStart, now: Date): Date {
  if ('starts_in_hours' in start) {
    return nearby(now, start.starts_in_hours * HOUR_MS);
  }
  if ('starts_in_days' in start) return localTime(now, start.starts_in_days, start.at);
  const today = new Date(now.getTime() - SAO_PAULO_OFFSET_MS).getUTCDay();
  const ahead = (WEEKDAYS.indexOf(start.starts_on) - today + 7) % 7 || 7;
  return localTime(now, ahead + 7 * start.in_weeks, start.at);
}

/** Local minutes of the day from which, and up to which, experiences start. */
const EARLIEST = 10 * 60;
const LATEST = 21 * 60;
/** What is near is not so near that it begins, or ended, while it is spoken of. */
const APART_MS = 3 * HOUR_MS;

/** The half hour nearest to that distance at which an experience starts. What lies within a day stays there, and the past past. */
function nearby(now: Date, distance: number): Date {
  const half = HOUR_MS / 2;
  const wanted = Math.ceil((now.getTime() + distance) / half) * half;
  const isFit = (at: number): boolean => {
    const minute = (new Date(at - SAO_PAULO_OFFSET_MS).getTime() % DAY_MS) / 60_000;
    const away = at - now.getTime();
    const onSameSide =
      distance < 0 ? away <= -APART_MS : away >= APART_MS && away < DAY_MS === distance < DAY_MS;
    return minute >= EARLIEST && minute <= LATEST && onSameSide;
  };
  for (let steps = 0; steps * half <= DAY_MS; steps += 1) {
    for (const at of [wanted - steps * half, wanted + steps * half]) if (isFit(at)) return new Date(at);
  }
  return new Date(wanted);
}

/** An instant some days (also fractions) before now. */
export function daysAgo(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

function localTime(now: Date, inDays: number, at: string): Date {
  const local = new Date(now.getTime() - SAO_PAULO_OFFSET_MS);
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const utc = Date.UTC(
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate() + inDays,
    hours,
    minutes,
  );
  return new Date(utc + SAO_PAULO_OFFSET_MS);
}
