import { useEffect, useState } from 'preact/hooks';
import type { ServiceClock } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { COMPANY } from '../../shared/company.js';
import { OWN_ZONE } from '../../shared/format.js';
import { type Language, language } from '../../shared/i18n.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { age, clockText } from '../lib/format.js';
import { useTexts } from '../texts.js';

const STEP_MS = 20_000;

/** The time, renewed often enough for what is counted in minutes. */
export function useNow(): Date {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return at;
}

const SETTLE_MS = 250;

/** A text that is being typed, once it has stood still for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** All times of the desk are the company's: colleagues in other places read, and tell customers, the same ones. */
const ZONE = COMPANY.time_zone;

/**
 * A moment in the company's zone; its title is the whole of it, with the reader's own time where that differs.
 * @param dated says "today" too, where the day is what matters
 */
export function Time({ at, dated = false }: { readonly at: string; readonly dated?: boolean }) {
  const shown = useStore(language);
  return (
    <time dateTime={at} title={wholeMoment(at, shown)}>
      {dateTime(at, shown, dated)}
    </time>
  );
}

/** A day of the calendar, as records have it: the same in every zone, and without a time. */
const DAY_ALONE = /^\d{4}-\d{2}-\d{2}(?:T12:00Z)?$/;

function dayAlone(date: Date, shown: Language, month: 'short' | 'long'): string {
  const style = { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(shown === 'en' ? 'en-GB' : shown, style).format(date);
}

/** `14:05` today, `12 Mar, 14:05` otherwise, with the year where it is another: also what is to come is told by its date. */
export function dateTime(iso: string, shown: Language, dated = false): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (DAY_ALONE.test(iso)) return dayAlone(date, shown, 'short');
  const [day, today] = [dayOf(date), dayOf(now())];
  const style: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  if (day !== today) Object.assign(style, { day: 'numeric', month: 'short' });
  if (day.slice(0, 4) !== today.slice(0, 4)) Object.assign(style, { year: 'numeric' });
  const text = new Intl.DateTimeFormat(shown === 'en' ? 'en-GB' : shown, { ...style, timeZone: ZONE }).format(
    date,
  );
  if (!dated || day !== today) return text;
  return `${new Intl.RelativeTimeFormat(shown, { numeric: 'auto' }).format(0, 'day')}, ${text}`;
}

/** `11 March 2026, 12:00`: for words that are read on another day. */
export function longDate(iso: string, shown: Language): string {
  const style = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: ZONE } as const;
  return new Intl.DateTimeFormat(shown === 'en' ? 'en-GB' : shown, style).format(new Date(iso));
}

/** The day of a moment in the company's zone, YYYY-MM-DD. */
export function dayOf(date: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format(date);
}

/** `11 March 2026 at 12:00 (Brasília time)`. */
function wholeMoment(iso: string, shown: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (DAY_ALONE.test(iso)) return dayAlone(date, shown, 'long');
  const at = (timeZone: string): string =>
    new Intl.DateTimeFormat(shown, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(date);
  const here = at(OWN_ZONE);
  const there = `${at(ZONE)} (${zoneName(shown)})`;
  return at(ZONE) === here ? there : `${there}; ${here} (${OWN_ZONE})`;
}

/** How people call the company's zone: "Brasília time". */
export function zoneName(shown: Language): string {
  return COMPANY.time_zone_name[shown] ?? ZONE;
}

/** How long ago a moment was; the exact one is its title. */
export function Age({ at }: { readonly at: string }) {
  const shown = useStore(language);
  const texts = useTexts();
  return (
    <time dateTime={at} title={wholeMoment(at, shown)}>
      {age(at, useNow(), texts.clock)}
    </time>
  );
}

const SHAPES = { fine: '○', soon: '◔', late: '●', stopped: '‖' } as const;

/**
 * How a ticket stands against the time it may wait.
 * @param readAt when it was read, milliseconds since 1970
 * @param brief shows one unit, or of a clock that stands still when an answer is due; a screen reader hears all
 */
export function ServiceTime({
  clock,
  readAt,
  brief = false,
}: {
  readonly clock: ServiceClock;
  readonly readAt: number;
  readonly brief?: boolean;
}) {
  const texts = useTexts();
  const shown = useStore(language);
  const passed = Math.max(0, (useNow().getTime() - readAt) / 60_000);
  const {
    text,
    short: inShort,
    tone,
    detail,
  } = clockText(clock, passed, texts.clock, (iso, isBrief) => shortMoment(iso, shown, isBrief));
  return (
    <span class={`due due--${tone}`} title={brief ? `${text}. ${detail}` : detail}>
      <span aria-hidden="true">
        {SHAPES[tone]} {brief && inShort}
      </span>
      <span class={brief ? 'visually-hidden' : undefined}>{text}</span>
    </span>
  );
}

/** A day of the week names it for so many days. */
const WEEK_MS = 6 * 86_400_000;

/** `Mon 9:00` within a week; of this day `today, 9:00`, or the time alone. */
export function shortMoment(iso: string, shown: Language, brief = false): string {
  const date = new Date(iso);
  const isFar = Math.abs(date.getTime() - now().getTime()) > WEEK_MS;
  if (isFar || dayOf(date) === dayOf(now())) return dateTime(iso, shown, !brief);
  return new Intl.DateTimeFormat(shown, {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: ZONE,
  }).format(date);
}

/** The customer's own clock at a moment: `11:00`, with the day where it is another; null where both read the same. */
export function thereTime(iso: string, zone: string | null, shown: Language): string | null {
  const date = new Date(iso);
  if (zone === null || Number.isNaN(date.getTime())) return null;
  const at = (timeZone: string, style: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(shown, { ...style, hourCycle: 'h23', timeZone }).format(date);
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const dated = { ...clock, weekday: 'short' } as const;
  if (at(zone, dated) === at(ZONE, dated)) return null;
  const isSameDay = at(zone, { weekday: 'short' }) === at(ZONE, { weekday: 'short' });
  return at(zone, isSameDay ? clock : dated);
}

/** What time it is for the customer, where that is another than the company's; its title is the zone. */
export function CustomerClock({ zone }: { readonly zone: string | null }) {
  const texts = useTexts();
  const shown = useStore(language);
  const time = thereTime(useNow().toISOString(), zone, shown);
  if (zone === null || time === null) return null;
  const style: Intl.DateTimeFormatOptions = { timeZone: zone, timeZoneName: 'longGeneric' };
  const parts = new Intl.DateTimeFormat(shown, style).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return <span title={name}> · {fill(texts.clock.there, { time })}</span>;
}

/** `18:00`, by the company's clocks. */
export function clockTime(iso: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: ZONE }).format(new Date(iso));
}
