import { now } from './clock.js';
import type { Language } from './i18n.js';

/** IANA name of the time zone of this browser. */
export const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `14:05` today, `Mon 14:05` this week, `3 Mar 2026` earlier; in the browser's zone. */
export function shortTime(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const days = (now().getTime() - date.getTime()) / 86_400_000;
  const sameDay = date.toDateString() === now().toDateString();
  const style: Intl.DateTimeFormatOptions = sameDay
    ? { hour: '2-digit', minute: '2-digit' }
    : days < 6
      ? { weekday: 'short', hour: '2-digit', minute: '2-digit' }
      : { day: 'numeric', month: 'short', year: 'numeric' };
  return new Intl.DateTimeFormat(language, { ...style, hourCycle: 'h23' }).format(date);
}

/** The whole date and time, for titles. */
export function longTime(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(date);
}

/** `820 kB`, `2.4 MB`. */
export function fileSize(bytes: number, language: Language): string {
  const [unit, divisor, digits] = bytes < 1_000_000 ? ['kilobyte', 1_000, 0] : ['megabyte', 1_000_000, 1];
  const style = { style: 'unit', unit, maximumFractionDigits: digits } as Intl.NumberFormatOptions;
  const least = 10 ** -Number(digits);
  return new Intl.NumberFormat(language, style).format(Math.max(least, bytes / Number(divisor)));
}

/** A text in which no amount is broken between its currency and its number. */
export const wholeAmounts = (text: string): string => text.replace(/(\p{Sc}) (?=\d)/gu, '$1\u00a0');
