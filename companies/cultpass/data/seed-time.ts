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
  /** Hours from now, moved up to the next half hour; for what must be near whatever the time of day. */
  | { readonly starts_in_hours: number }
  /** The next such weekday after today, plus whole weeks. */
  | { readonly starts_on: Weekday; readonly in_weeks: number; readonly at: string };

/** Turns a relative start into an instant. Local means America/Sao_Paulo. */
export function resolveStart(start: RelativeStart, now: Date): Date {
  if ('starts_in_hours' in start) {
    const half = HOUR_MS / 2;
    return new Date(Math.ceil((now.getTime() + start.starts_in_hours * HOUR_MS) / half) * half);
  }
  if ('starts_in_days' in start) return localTime(now, start.starts_in_days, start.at);
  const today = new Date(now.getTime() - SAO_PAULO_OFFSET_MS).getUTCDay();
  const ahead = (WEEKDAYS.indexOf(start.starts_on) - today + 7) % 7 || 7;
  return localTime(now, ahead + 7 * start.in_weeks, start.at);
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
