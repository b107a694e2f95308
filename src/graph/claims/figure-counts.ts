import { isSum, MAX_OPERANDS, type Manner, MONTHS_A_YEAR, type Shown } from './arithmetic.js';
import { isRate } from './day-words.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import {
  AHEAD,
  isBound,
  isLeft,
  isLimit,
  isOfThoughts,
  isOneOf,
  isOrMore,
  isSupposed,
} from './figure-around.js';
import type { Sentence } from './sentences.js';
import { fold } from './tokens.js';

/* Whether a number of things stands in a source or follows from what stands there. */

/** Months end on one of these: who knows of one knows of all. */
export const LAST_DAYS = [28, 29, 30, 31];
const DAY = 1_440;
const DAYS: Readonly<Record<string, true>> = { day: true, dia: true };
/** Fewer letters name nothing that is counted. */
const SHORTEST = 4;
/** Of so few things an answer may speak by itself. */
const FEW = 3;
/** Says of a number that it is what two others differ by. */
const DIFFERS =
  /(?<!\p{L})(?:more|extra|further|additional|fewer|less|differences?|gap|left|remain\p{L}*|a mais|a menos|mais|menos|diferença|adicionais|rest\p{L}+|sobr\p{L}+)(?!\p{L})/iu;
/** Says what would be. */
const MOOD = /(?<!\p{L})(?:would|(?:you|it|that)['’]d|(?:teri|ficari|sobrari|restari)am?)(?!\p{L})/iu;
/** A name right before a number. */
const LABEL = /(?<!\p{L})(\p{L}*\p{Lu}\p{L}*) \d+$/u;
const TIMES_AMOUNT = /^ (?:times|vezes|veces) (?:R?\$|[€£])/iu;
const DENIED =
  /(?<!\p{L})(?:and|e|but|mas) (?:not|n[aã]o)(?: \p{L}{1,3})?\s$|, (?:not|n[aã]o)(?: \p{L}{1,3})?\s$/iu;
const NAMED = /^\s*(?:(?:e|and) )?(?:(?:[oa]s?|the) )?\p{Lu}/u;
const BARE = /^(?:already|ja|yet|)$/;

/** A number of that thing as a source gives it; where no source counts it, any number that is known. */
export function isCount(
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
  const [around, after] = [
    text.slice(Math.max(0, figure.from - AHEAD), figure.to),
    text.slice(figure.to, figure.to + AHEAD),
  ];
  // "Android 7", where the sources have another number behind that name.
  const labelled = numbersBehind(LABEL.exec(around)?.[1], facts);
  if (labelled) return labelled.has(value) || (facts.said.numbers.has(value) && !isBound(text, figure));
  // "You'd have four left": what would be follows from what the sources count.
  if (MOOD.test(around) && [...facts.numbers].some((one) => facts.numbers.has(one + value))) return true;
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
  const differs = compares && (isRate(noun) || DIFFERS.test(`${around}${after}`));
  if (differs && shown.numbers.some((one) => [value, -value].some((step) => facts.numbers.has(one + step))))
    return true;
  const isOften = /^(?:times?|vez|vezes|veces)$/.test(noun);
  // "Twelve times less": of two amounts that are shown.
  // "Six times $ 59.90": what it comes to is checked as an amount.
  if (isOften && TIMES_AMOUNT.test(after)) return true;
  // "With five, and not with nine."
  if (DENIED.test(text.slice(Math.max(0, figure.from - AHEAD), figure.from))) return true;
  if (isOften && shown.money.some((one) => shown.money.includes(one * value))) return true;
  // "Two different calendars": things of the answer's own that no source counts.
  const isOwn = (noun === '' && facts.tallies.length === 0) || /^ (?:different|distinct)/.test(after);
  if (value <= FEW && isOwn && !isLimit(text, figure)) return true;
  // "The 28th, or the 29th": a rule speaks of the days on which months end.
  if (LAST_DAYS.includes(value) && LAST_DAYS.some((day) => facts.days.has(day) || facts.numbers.has(day)))
    return true;
  // "Three times or more" is more than two.
  if (isOrMore(text, figure) && facts.numbers.has(value - 1)) return true;
  const known = figure.noun ? facts.countsOf(figure.noun) : null;
  if (known) {
    const numbers = [...known].slice(0, MAX_OPERANDS);
    const most = Math.max(...numbers);
    // What is left of so many follows from a customer's own records, not from a rule.
    const rest = (facts.moments.length > 1 || differs) && known.has(most - value);
    // "Nine other cities", of ten.
    const isAnother =
      /^(?:other|outr[oa]s)$/.test(fold(text).slice(0, figure.from).trim().split(' ').at(-1) ?? '') ||
      /^ (?:other|outr)/.test(after);
    if (
      known.has(value) ||
      // What the customer has of an allowance; which part of it is meant is read elsewhere.
      facts.tallies.some(({ used, remaining }) => [used, remaining, used + remaining].includes(value)) ||
      (isAnother && known.has(value + 1)) ||
      rest ||
      (value === MONTHS_A_YEAR && facts.yearly)
    )
      return true;
    return isSum(
      value,
      shown.numbers.filter((one) => known.has(one)),
    );
  }
  if (value === MONTHS_A_YEAR && facts.yearly) return true;
  const isDay = facts.days.has(value) && noun.length < SHORTEST;
  if (facts.numbers.has(value) || facts.money.has(Math.round(value * 100)) || isDay) return true;
  if (value > 24)
    return isSum(value, shown.numbers) || isYear(value, facts) || isNextYear(value, facts, shown);
  if (facts.times.has((value % 24) * 60) || facts.times.has(((value + 12) % 24) * 60)) return true;
  return isSum(value, shown.numbers);
}

/** The numbers that stand right behind a name in the rules; null where none does. */
function numbersBehind(name: string | undefined, { rules }: Facts): ReadonlySet<number> | null {
  if (name === undefined) return null;
  const behind = new RegExp(`(?<!\\p{L})${name} (\\d+)(?![\\d:/%h]|[.,]\\d)`, 'giu');
  const numbers = rules.flatMap((rule) => [...rule.matchAll(behind)].map(([, number]) => Number(number)));
  return numbers.length > 0 ? new Set(numbers) : null;
}

/** Counts something else than an allowance: "five places left". */
function isOther({ noun = '' }: Figure, facts: Facts): boolean {
  return noun !== '' && !facts.tallies.some(({ of }) => of === facts.nameOf(noun));
}

/** The year of a day that is known. */
function isYear(value: number, { dates }: Facts): boolean {
  return [...dates.values()].some((days) => [...days].some((day) => day.startsWith(`${value}-`)));
}

/** The year of a day that follows from those that are known: "60 days from now is 21 January 2027". */
function isNextYear(value: number, { dates, today }: Facts, shown: Shown): boolean {
  return (
    value === Number(today.slice(0, 4)) + 1 &&
    shown.dates.some((day) => !dates.has(day) && day < today.slice(5))
  );
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
export function isListed(value: number, { from }: Figure, sentences: readonly Sentence[]): boolean {
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
    // Each with its hour and place behind it.
    if (rest.split(/, | e (?=[oa]s? )| and (?=the )/u).filter((item) => NAMED.test(item)).length === value)
      return true;
  }
  const lines = sentences
    .slice(at + 1, at + 1 + MAX_OPERANDS)
    .filter((one) => /^\s*(?:[-•*]|\d{1,2}[.)])/.test(one.text)).length;
  return lines === value;
}
