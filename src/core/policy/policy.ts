import { z } from 'zod';
import { FILE_KINDS } from '../file-types.js';
import { wallClockOf } from '../wall-clock.js';

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, HH:MM');
const minutes = z.number().int().min(1).max(14_400);

/** What may come with a message. */
const filesSchema = z.strictObject({
  /** Of one file. */
  max_megabytes: z.number().min(1).max(25).default(10),
  per_message: z.number().int().min(1).max(20).default(5),
  /** Of all files of a conversation together. */
  conversation_megabytes: z.number().min(1).max(1_000).default(100),
  types: z
    .array(z.enum(FILE_KINDS))
    .min(1)
    .default([...FILE_KINDS]),
});

/** The sections of a company's `policy.yaml` that every company has. */
export const policySchema = z.strictObject({
  pending: z.strictObject({
    confirmation_minutes: z.number().positive().max(1440),
    approval_hours: z.number().positive().max(720),
  }),
  retrieval: z.strictObject({
    confidence_threshold: z.number().min(0).max(1),
    top_k: z.number().int().min(1).max(10),
  }),
  conversation: z.strictObject({ history_messages: z.number().int().min(2).max(100) }),
  support: z.strictObject({
    hours: z
      .strictObject({ opens: timeOfDay, closes: timeOfDay })
      .refine(({ opens, closes }) => opens < closes, { message: 'opens must come before closes' }),
    weekdays: z.array(z.number().int().min(0).max(6)).min(1),
    holidays: z.array(
      z.string().regex(/^(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'must be MM-DD or YYYY-MM-DD'),
    ),
    first_reply_minutes: z.strictObject({ urgent: minutes, high: minutes, medium: minutes, low: minutes }),
    /** So long nothing may be heard from an operator whose customer waits: then the ticket goes back into the queue. */
    claim_lapse_minutes: minutes.default(30),
  }),
  files: filesSchema.prefault({}),
});

/** The business rules' numbers, as a manager set them. */
export interface Policy extends Readonly<z.infer<typeof policySchema>> {
  /** The company's own sections, as its code has checked them. Names say what a number is: `_hours`, `_days`, `_cents`. */
  readonly company: Readonly<Record<string, unknown>>;
}

/** When people answer: a clock that runs in business hours only. All functions are pure. */
export interface ServiceHours {
  isOpen(at: Date): boolean;
  /** Minutes of business hours in [from, to); 0 where `to` is not later. */
  businessMinutesBetween(from: Date, to: Date): number;
  /** When that many business minutes have passed; at the latest possible moment still within business hours. */
  addBusinessMinutes(from: Date, minutes: number): Date;
  /** The next moment at which somebody is there: now where it is open. */
  nextOpening(at: Date): Date;
}

type Support = Policy['support'];

/** One business day. Milliseconds since 1970. */
interface Span {
  readonly opens: number;
  readonly closes: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** More days in a row than any calendar closes; a policy that never opens must not search for ever. */
const MAX_DAYS = 400;

/**
 * The clock of the service level.
 * @param support hours, weekdays and holidays, as the policy file has them
 * @param timeZone IANA name, where the hours are meant
 */
export function serviceHours(support: Support, timeZone: string): ServiceHours {
  const clock = wallClockOf(timeZone);
  const holidays = new Set(support.holidays);
  const spans = new Map<number, Span | null>();

  /** Business hours of a day, by its number; null where nobody works. */
  const spanOf = (number: number): Span | null => {
    const known = spans.get(number);
    if (known !== undefined) return known;
    if (spans.size > MAX_DAYS) spans.clear();
    const span = isBusinessDay(number, support, holidays)
      ? {
          opens: clock.instant(number * DAY_MS + minutesOf(support.hours.opens) * MINUTE_MS),
          closes: clock.instant(number * DAY_MS + minutesOf(support.hours.closes) * MINUTE_MS),
        }
      : null;
    spans.set(number, span);
    return span;
  };
  const numberOf = (ms: number): number => Math.floor(clock.shown(ms) / DAY_MS);

  /** The business days from the one around a moment on, those that are over left out. */
  function* from(ms: number): Generator<Span> {
    const first = numberOf(ms);
    for (let number = first; number < first + MAX_DAYS; number += 1) {
      const span = spanOf(number);
      if (span && span.closes > ms) yield span;
    }
  }

  return {
    isOpen: (at) => {
      const span = spanOf(numberOf(at.getTime()));
      return span !== null && span.opens <= at.getTime() && at.getTime() < span.closes;
    },
    businessMinutesBetween: (start, end) => {
      let total = 0;
      for (let number = numberOf(start.getTime()); number <= numberOf(end.getTime()); number += 1) {
        const span = spanOf(number);
        if (!span) continue;
        total += Math.max(0, Math.min(end.getTime(), span.closes) - Math.max(start.getTime(), span.opens));
      }
      return total / MINUTE_MS;
    },
    addBusinessMinutes: (start, minutes) => {
      let left = Math.max(0, minutes) * MINUTE_MS;
      let last = start.getTime();
      for (const { opens, closes } of from(start.getTime())) {
        const begins = Math.max(start.getTime(), opens);
        last = closes;
        if (left <= closes - begins) return new Date(begins + left);
        left -= closes - begins;
      }
      return new Date(last);
    },
    nextOpening: (at) => {
      for (const { opens } of from(at.getTime())) return new Date(Math.max(at.getTime(), opens));
      return at;
    },
  };
}

function isBusinessDay(number: number, { weekdays }: Support, holidays: ReadonlySet<string>): boolean {
  const iso = new Date(number * DAY_MS).toISOString().slice(0, 10);
  const weekday = new Date(number * DAY_MS).getUTCDay();
  return weekdays.includes(weekday) && !holidays.has(iso) && !holidays.has(iso.slice(5));
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
