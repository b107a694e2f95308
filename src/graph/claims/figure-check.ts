import {
  follows,
  isAmount,
  isDeadline,
  isSpan,
  isTime,
  isTotal,
  isWorkedOut,
  type Manner,
  mannerOf,
  Shown,
  wrongTotal,
} from './arithmetic.js';
import { calendarDay, namedDaysIn, shifted, weekdayOf } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { AHEAD, isAbout, isAtLeast, isBound, isExcluded, isLimit, isRangeEnd } from './figure-around.js';
import { isCount, LAST_DAYS } from './figure-counts.js';
import { wayOf, wrongWait, wrongWeekday } from './figure-days.js';
import type { Sentence } from './sentences.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';
import { UNTIL } from './when.js';

const DAY = 1_440;
const YEAR = 365 * DAY;
const DAYS_A_WEEK = 7;
/** Of more figures no sum is worked out: no text makes reading slow. */
const MAX_PARTS = 40;
/** A rounded amount is so near to the exact one. */
const ROUNDING = 0.03;
/** And a time that is said to be about so long. */
const ROUNDED_SPAN = 0.25;
const EXAMPLE =
  /(?<!\p{L})(?:if|say|for (?:a|an|example|instance)|se|digamos|por exemplo|para (?:um|uma))(?!\p{L})[^.!?\n]*$/iu;

/** The first figure of an answer that stands in no source and follows from none, as it is written; null where all do. */
export function unsupportedFigure(
  text: string,
  sentences: readonly Sentence[],
  figures: readonly Figure[],
  evidence: TurnEvidence,
): string | null {
  const { facts } = evidence;
  const known = new Set<Figure>();
  const shown = new Shown();
  const manner = mannerOf(text, facts.asked);
  const named = new Set(namedDaysIn(fold(text), facts.today).map(({ day }) => weekdayOf(day)));
  const isUntil = UNTIL.test(`${text}\n${facts.asked}`);
  // What is computed from a computed figure stands after one more look.
  for (let look = 0; look < 3; look += 1) {
    const before = known.size;
    for (const figure of figures) {
      if (known.has(figure)) continue;
      if (!isSupported(figure, evidence, shown, text, sentences, manner, isUntil, figures, named)) continue;
      known.add(figure);
      shown.add(figure);
    }
    if (known.size === before) break;
  }
  const wrong =
    figures.find((figure) => !known.has(figure)) ??
    wrongTotal(text, figures) ??
    wrongWeekday(figures, facts) ??
    wrongWait(text, sentences, figures, facts);
  return wrong ? text.slice(wrong.from, wrong.to) : null;
}

function isSupported(
  figure: Figure,
  evidence: TurnEvidence,
  shown: Shown,
  text: string,
  sentences: readonly Sentence[],
  manner: Manner,
  isUntil: boolean,
  figures: readonly Figure[],
  named: ReadonlySet<number>,
): boolean {
  const { facts } = evidence;
  return figure.values.some((value) => {
    if (typeof value === 'string') {
      return figure.kind === 'date'
        ? facts.dates.has(value) ||
            ((isLastDay(value, facts) || isDayOfMonth(value, facts)) && evidence.records.all.length === 0) ||
            (isDeadline(value, facts, shown, isUntil) && (evidence.records.all.length === 0 || isUntil))
        : [...facts.contacts].some(
            (one) => one === value || one.endsWith(`/${value}`) || one.startsWith(`${value}/`),
          );
    }
    switch (figure.kind) {
      case 'money':
        return (
          isAmount(value, facts, shown, manner, isAbout(text, figure) ? value * ROUNDING : 1) ||
          // "$ 315.00: 65 for one, 210 for another, 40 for the last."
          (figures.length <= MAX_PARTS && isWorkedOut(value, figures, facts)) ||
          (facts.limits.has(value) && isLimit(text, figure))
        );
      case 'percent':
        return facts.percents.has(value) || facts.percents.has(100 - value);
      case 'span':
        return (
          isSpan(
            ...[value, facts, shown, wayOf(text, figure)],
            isOnlyStart(text, figure, value, facts),
            isAbout(text, figure) ? ROUNDED_SPAN : 0,
          ) ||
          // "At 15 not yet", of a daughter who is 15.
          facts.said.numbers.has(value / YEAR) ||
          isMonthLength(value, facts) ||
          (facts.said.spans.has(value) && !isBound(text, figure)) ||
          (manner.compares ? follows(value, shown.spans) : manner.adds && isTotal(value, shown.spans)) ||
          [...facts.said.spans].some((one) => facts.spans.has(value + one)) ||
          (figure.noun === 'h' && facts.times.has(value))
        );
      case 'business_days':
        return (
          (facts.businessDays.has(value) && !isOnlyStart(text, figure, value, facts)) ||
          isTotal(value, [...shown.businessDays, ...shown.numbers])
        );
      case 'day':
        return (
          facts.days.has(value) ||
          isDeadlineDay(value, facts, shown, isUntil) ||
          (value >= 28 && LAST_DAYS.some((day) => facts.days.has(day) || facts.numbers.has(day)))
        );
      case 'month':
        return facts.months.has(value);
      case 'weekday':
        return (
          facts.weekdays.has(value) ||
          // Until when something can be done is the day before it.
          (isUntil && isBeforeKnown(value, facts)) ||
          named.has(value) ||
          (facts.said.weekdays.has(value) && !isRangeEnd(text, figure)) ||
          isExcluded(text, figure) ||
          isOfShown(value, facts, shown) ||
          isExample(text, figure, evidence)
        );
      case 'time':
        return isTime(value, facts, shown) || isExample(text, figure, evidence);
      default:
        return isCount(value, figure, facts, shown, text, sentences, manner);
    }
  });
}

/** "Up to 5 business days", where a source has "5 to 10". */
function isOnlyStart(text: string, figure: Figure, value: number, facts: Facts): boolean {
  return figure.start !== true && facts.isStartOnly(figure.kind, value) && !isAtLeast(text, figure);
}

/** The weekday before one that a record or the customer names. */
function isBeforeKnown(value: number, { moments, said, weekdays }: Facts): boolean {
  const next = (value + 1) % DAYS_A_WEEK;
  return said.weekdays.has(next) || (moments.length > 1 && weekdays.has(next));
}

/** The weekday of a day that the answer rightly names. */
function isOfShown(value: number, { today }: Facts, shown: Shown): boolean {
  return shown.dates.some((day) => weekdayOf(`${today.slice(0, 4)}-${day}`) === value);
}

/** "The 13th", of this month, as a deadline. */
function isDeadlineDay(value: number, facts: Facts, shown: Shown, isUntil: boolean): boolean {
  const day = calendarDay(Number(facts.today.slice(5, 7)), value);
  const isAhead = value > Number(facts.today.slice(8)) || facts.said.dates.size > 0;
  return isAhead && isDeadline(day, facts, shown, isUntil);
}

/** The end of a month, where a rule speaks of the days on which months end. */
function isLastDay(value: string, { days, numbers, today }: Facts): boolean {
  const last = shifted(`${today.slice(0, 4)}-${value}`, 1).endsWith('-01');
  return last && LAST_DAYS.some((day) => days.has(day) || numbers.has(day));
}

/** "On 1 April", where a rule names that day of every month. */
function isDayOfMonth(value: string, { days, today }: Facts): boolean {
  const day = value.slice(3);
  return day !== today.slice(8) && days.has(Number(day));
}

/** "June has 30 days", likewise. */
function isMonthLength(minutes: number, { days, numbers }: Facts): boolean {
  const known = LAST_DAYS.some((day) => days.has(day) || numbers.has(day));
  return known && LAST_DAYS.includes(minutes / DAY);
}

/** "If the alert came at 9:30", "for a show at 8 pm", where nothing of the customer's was read. */
function isExample(text: string, { from, to }: Figure, { records }: TurnEvidence): boolean {
  return (
    records.all.length === 0 &&
    (EXAMPLE.test(text.slice(Math.max(0, from - AHEAD), from)) ||
      /^,? (?:for example|for instance|por exemplo)/.test(text.slice(to, to + AHEAD)))
  );
}
