import {
  follows,
  isAmount,
  isDeadline,
  isSpan,
  isSum,
  isTime,
  isTotal,
  MAX_OPERANDS,
  type Manner,
  MONTHS_A_YEAR,
  mannerOf,
  Shown,
} from './arithmetic.js';
import { calendarDay, shifted, weekdayOf } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import {
  AHEAD,
  isAbout,
  isAtLeast,
  isBound,
  isExcluded,
  isLeft,
  isLimit,
  isOfThoughts,
  isOneOf,
  isOrMore,
  isRangeEnd,
  isSupposed,
} from './figure-around.js';
import { wayOf, wrongWait, wrongWeekday } from './figure-days.js';
import type { Sentence } from './sentences.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';
import { UNTIL } from './when.js';

/** Months end on one of these: who knows of one knows of all. */
const LAST_DAYS = [28, 29, 30, 31];
const DAY = 1_440;
const DAYS: Readonly<Record<string, true>> = { day: true, dia: true };
/** A rounded amount is so near to the exact one. */
const ROUNDING = 0.03;
const EXAMPLE =
  /(?<!\p{L})(?:if|say|for (?:a|an|example|instance)|se|digamos|por exemplo|para (?:um|uma))(?!\p{L})[^.!?\n]*$/iu;
/** Fewer letters name nothing that is counted. */
const SHORTEST = 4;
const BARE = /^(?:already|ja|yet|)$/;

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
  const isUntil = UNTIL.test(`${text}\n${facts.asked}`);
  // What is computed from a computed figure stands after one more look.
  for (let look = 0; look < 3; look += 1) {
    const before = known.size;
    for (const figure of figures) {
      if (known.has(figure)) continue;
      if (!isSupported(figure, evidence, shown, text, sentences, manner, isUntil)) continue;
      known.add(figure);
      shown.add(figure);
    }
    if (known.size === before) break;
  }
  const wrong =
    figures.find((figure) => !known.has(figure)) ??
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
          facts.sums.has(value) ||
          (facts.limits.has(value) && isLimit(text, figure))
        );
      case 'percent':
        return facts.percents.has(value) || facts.percents.has(100 - value);
      case 'span':
        return (
          isSpan(value, facts, shown, wayOf(text, figure), isOnlyStart(text, figure, value, facts)) ||
          isNamedUnit(text.slice(figure.from, figure.to), facts) ||
          isMonthLength(value, facts) ||
          (facts.said.spans.has(value) && !isBound(text, figure)) ||
          (manner.compares ? follows(value, shown.spans) : isTotal(value, shown.spans)) ||
          [...facts.said.spans].some((one) => facts.spans.has(value + one)) ||
          (figure.noun === 'h' && facts.times.has(value))
        );
      case 'business_days':
        return (
          !isOnlyStart(text, figure, value, facts) &&
          (facts.businessDays.has(value) || isTotal(value, [...shown.businessDays, ...shown.numbers]))
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

/** "Within an hour", where a source says "an hour" too. */
function isNamedUnit(said: string, { text }: Facts): boolean {
  const [, unit] = /^(?:an?|the|uma?) (\p{L}+)$/u.exec(fold(said)) ?? [];
  return unit !== undefined && new RegExp(`(?<!\\p{L})(?:an?|one|1|uma?) ${unit}(?!\\p{L})`, 'u').test(text);
}

/** A number of that thing as a source gives it; where no source counts it, any number that is known. */
function isCount(
  value: number,
  figure: Figure,
  facts: Facts,
  shown: Shown,
  text: string,
  sentences: readonly Sentence[],
  { compares }: Manner,
): boolean {
  if (value === 1 && isOneOf(text, figure)) return true;
  if (isListed(value, figure, sentences) || isOfThoughts(text, figure, value)) return true;
  const left = facts.countsOf('remaining');
  if (left && isLeft(text, figure))
    return left.has(value) || (isOther(figure, facts) && facts.numbers.has(value));
  const { noun = '' } = figure;
  const isCounted = noun.length >= SHORTEST && facts.countsOf(noun) !== null;
  const isEcho = facts.said.numbers.has(value) && !isBound(text, figure) && !isCounted;
  if (isEcho || (BARE.test(figure.noun ?? '') && isSupposed(text, figure))) return true;
  if ((figure.noun ?? '') in DAYS && facts.said.waits.has(-value * DAY)) return true;
  const named = [...shown.numbers, ...facts.said.numbers].slice(0, MAX_OPERANDS);
  if (named.some((one) => named.some((other) => value > 0 && one - other === value))) return true;
  if (compares && shown.numbers.some((one) => [value, -value].some((step) => facts.numbers.has(one + step))))
    return true;
  // "Three times or more" is more than two.
  if (isOrMore(text, figure) && facts.numbers.has(value - 1)) return true;
  const known = figure.noun ? facts.countsOf(figure.noun) : null;
  if (known) {
    const numbers = [...known].slice(0, MAX_OPERANDS);
    const most = Math.max(...numbers);
    // What is left of so many follows from a customer's own records, not from a rule.
    const rest = (facts.moments.length > 1 || compares) && known.has(most - value);
    if (known.has(value) || rest || (value === MONTHS_A_YEAR && facts.yearly)) return true;
    return isSum(
      value,
      shown.numbers.filter((one) => known.has(one)),
    );
  }
  if (value === MONTHS_A_YEAR && facts.yearly) return true;
  const isDay = facts.days.has(value) && noun.length < SHORTEST;
  if (facts.numbers.has(value) || facts.money.has(Math.round(value * 100)) || isDay) return true;
  if (value > 24) return isSum(value, shown.numbers) || isYear(value, facts);
  if (facts.times.has((value % 24) * 60) || facts.times.has(((value + 12) % 24) * 60)) return true;
  return isSum(value, shown.numbers);
}

/** Counts something else than an allowance: "five places left". */
function isOther({ noun = '' }: Figure, facts: Facts): boolean {
  return noun !== '' && !facts.tallies.some(({ of }) => of === facts.nameOf(noun));
}

/** The year of a day that is known. */
function isYear(value: number, { dates }: Facts): boolean {
  return [...dates.values()].some((days) => [...days].some((day) => day.startsWith(`${value}-`)));
}

/** Which sentence a place stands in. */
function sentenceAt(sentences: readonly Sentence[], place: number): number {
  let [low, high] = [0, sentences.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sentences[middle]?.from ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** "You have two bookings:" and two lines follow; "there are two plans: A and B". */
function isListed(value: number, { from }: Figure, sentences: readonly Sentence[]): boolean {
  const at = sentenceAt(sentences, from);
  const sentence = sentences[at];
  if (!sentence) return false;
  const colon = sentence.text.indexOf(':', from - sentence.from);
  if (colon !== -1) {
    const rest = sentence.text.slice(colon + 1);
    const items = (sign: RegExp) => rest.split(sign).filter((item) => /\p{L}/u.test(item)).length;
    // A title has an "and" of its own.
    if (items(/[,;]/) <= value && value <= items(/,|;| and | e | or | ou /)) return true;
    if (items(/;/) === value) return true;
  }
  const lines = sentences
    .slice(at + 1, at + 1 + MAX_OPERANDS)
    .filter((one) => /^\s*(?:[-•*]|\d{1,2}[.)])/.test(one.text)).length;
  return lines === value;
}
