import { shifted, weekdayOf } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { isAbout } from './figure-around.js';
import type { Sentence } from './sentences.js';

/* What two figures of one answer say of the same day has to agree. */

/** As much of what stands around a figure is looked at. */
const AHEAD = 48;
const DAY = 1_440;
const AGO = /^\s*(?:ago|atr[aá]s)(?!\p{L})/iu;
const AGO_BEFORE = /(?<!\p{L})(?:h[aá]|faz)\s$/iu;
const AHEAD_AFTER = /^\s*(?:from (?:now|today)|a partir de hoje)(?!\p{L})/iu;
const AHEAD_BEFORE = /(?<!\p{L})(?:daqui (?:a|h[aá]|em)|faltam?)\s$/iu;
/** Longer spans are rounded. */
const FAR_AWAY = 25;
/** A number this near to its weekday belongs to it. */
const BESIDE = 12;

/** Into the future or back, where a span is counted from now. */
export function wayOf(text: string, { from, to }: Figure): 1 | -1 | 0 {
  const [before, after] = [text.slice(Math.max(0, from - AHEAD), from), text.slice(to, to + AHEAD)];
  if (AGO_BEFORE.test(before) || AGO.test(after)) return -1;
  return AHEAD_BEFORE.test(before) || AHEAD_AFTER.test(after) ? 1 : 0;
}

/** "Friday 27 November" where the 27th is a Thursday; "Friday the 27th", likewise. */
export function wrongWeekday(figures: readonly Figure[], facts: Facts): Figure | null {
  for (const [at, figure] of figures.entries()) {
    if (figure.kind !== 'weekday') continue;
    const date = [figures[at + 1], figures[at - 1]].find(
      (other) => (other?.kind === 'date' || other?.kind === 'day') && gap(figure, other) <= BESIDE,
    );
    // In "Saturday 28 and the Sunday concert" the number is the nearer one's.
    const isNearest = figures.every(
      (one) => one.kind !== 'weekday' || !date || gap(one, date) >= gap(figure, date),
    );
    const days = date && isNearest ? daysOf(date, facts) : [];
    if (days.length > 0 && !days.some((day) => figure.values.includes(weekdayOf(day)))) return figure;
  }
  return null;
}

/** The days that are known of that name, or of that number within a month. */
function daysOf({ kind, values: [value] }: Figure, { dates }: Facts): readonly string[] {
  const known = [...dates.values()].flatMap((days) => [...days]);
  return known.filter((day) => (kind === 'date' ? day.slice(5) === value : Number(day.slice(8)) === value));
}

/** "On 15 November, three days ago" where that was a week ago. */
export function wrongWait(
  text: string,
  sentences: readonly Sentence[],
  figures: readonly Figure[],
  { dates, today }: Facts,
): Figure | null {
  for (const { from, text: said } of sentences) {
    const own = figures.filter((one) => one.from >= from && one.to <= from + said.length);
    const [date, ...more] = own.filter(({ kind }) => kind === 'date');
    const span = own.find(
      (one) => one.kind === 'span' && wayOf(text, one) !== 0 && Number(one.values[0]) % DAY === 0,
    );
    const days = date && more.length === 0 ? dates.get(String(date.values[0])) : undefined;
    if (!span || !days) continue;
    const step = (wayOf(text, span) * Number(span.values[0])) / DAY;
    // Weeks and months are rounded, days are counted.
    const isCounted = /day|dia/iu.test(text.slice(span.from, span.to));
    if ((isCounted || Math.abs(step) < FAR_AWAY) && !days.has(shifted(today, step)) && !isAbout(text, span))
      return span;
  }
  return null;
}

function gap(one: Figure, other: Figure): number {
  return Math.max(one.from, other.from) - Math.min(one.to, other.to);
}
