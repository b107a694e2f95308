import { MONTHS } from './calendar.js';
import type { Figure } from './figure.js';
import { AT_TIME, BEFORE_DAYS, EVENING, MINUTES, MORNING, ORDINAL_DAYS } from './figure-words.js';
import type { Token } from './tokens.js';

/* Words that name a month or a weekday in one place and something else in another; and when something begins to hold. */

/** "May" and "mar" are also other words. */
export function isMonthAt(tokens: readonly Token[], at: number): boolean {
  const { text: word = '', capital = false } = tokens[at] ?? {};
  if (word === 'maio' || (word.length > 4 && word !== 'march')) return true;
  return capital && typeof tokens[at + 1]?.number === 'number';
}

/** "Segunda" is a Monday, and the second of several; "sat" is also a verb. */
export function isWeekdayAt(tokens: readonly Token[], at: number): boolean {
  const { text: word = '', capital = false } = tokens[at] ?? {};
  const wordAt = (ahead: number) => tokens[at + ahead]?.text ?? '';
  if (ORDINAL_DAYS.has(word)) {
    // "A primeira ... da segunda": they count.
    if (tokens.some(({ text }) => /^primeir[ao]s?$/.test(text)) && wordAt(1) !== '-') return false;
    const isNamed = wordAt(1) === '-' && wordAt(2) === 'feira';
    // "A segunda tentativa": the second of several.
    if (wordAt(-1) === 'a' && COUNTED.test(wordAt(1))) return false;
    return isNamed || BEFORE_DAYS.has(wordAt(-1)) || at === 0;
  }
  return word.length !== 3 || capital;
}

/** Names a day; an hour follows. */
const DAY_WORD = /^(?:hoje|amanha|ontem|today|tomorrow|yesterday)$/;

/** "At 20h", "(25/11, 20h)", "hoje, 18h": a time of the day. */
export function isClockAt(tokens: readonly Token[], at: number): boolean {
  const [{ number = null, text = '' } = {}, { text: before = '' } = {}] = [tokens[at - 2], tokens[at - 1]];
  return (
    AT_TIME.has(before) || (before === ',' && (number !== null || DAY_WORD.test(text) || MONTHS.has(text)))
  );
}

/** Names what is counted. */
const COUNTED = /^(?:vez|\p{L}{4,}(?:iva|ao|ade|ura|agem|osta|anca))$/u;

/** Without a number: at once, or from the next month on. */
const STARTS = {
  now: /(?<!\p{L})(?:at once|right away|straight away|immediate(?:ly)?|instantly|na (?:mesma )?hora(?! d[aeo])|imediat[oa](?:mente)?|de inmediato|al instante)(?!\p{L})/gu,
  later:
    /(?<!\p{L})(?:(?:from |only )*(?:the )?(?:next|following) month|(?:a partir d[eo] |so )?(?:n?o )?(?:mes seguinte|proximo mes|mes que vem|mes siguiente))(?!\p{L})/gu,
} as const;

/** When things begin to hold, as a text says it. @param text folded; @param offset where it stands */
export function startsIn(text: string, offset = 0): readonly Figure[] {
  return Object.entries(STARTS).flatMap(([value, words]) =>
    [...text.matchAll(words)].map(({ 0: { length }, index }) => ({
      ...{ kind: 'start' as const, values: [value] },
      ...{ from: offset + index, to: offset + index + length },
    })),
  );
}

/** How often, in one word; what counts it; and what stands before the span. */
const OFTEN: Readonly<Record<string, number>> = { once: 1, twice: 2 };
const TIMES = /^(?:times?|vez|vezes)$/;
const EVERY = /^(?:an?|per|every|each|por|ao|cada)$/;
const RATE = 'times in ';

/** "Once a month", "duas vezes por ano": how often, as a number of times of that span; null where there is none. */
export function rateAt(
  tokens: readonly Token[],
  at: number,
): { readonly times: number; readonly noun: string; readonly length: number } | null {
  const once = OFTEN[tokens[at]?.text ?? ''];
  const times = once ?? (TIMES.test(tokens[at + 1]?.text ?? '') ? tokens[at]?.number : null) ?? null;
  const length = once === undefined ? 2 : 1;
  const unit = EVERY.test(tokens[at + length]?.text ?? '')
    ? MINUTES[tokens[at + length + 1]?.text ?? '']
    : undefined;
  return times === null || unit === undefined ? null : { times, noun: `${RATE}${unit}`, length: length + 2 };
}

/** True for what counts how often: that is of what its sentence says as a whole. */
export function isRate(noun = ''): boolean {
  return noun.startsWith(RATE);
}

/** The part of the day that is named from there on: hours to add, or null. */
export function partOfDayAt(tokens: readonly Token[], at: number): 'early' | 'late' | null {
  for (const ahead of [0, 1, 2]) {
    const word = tokens[at + ahead]?.text ?? '';
    if (EVENING.has(word)) return 'late';
    if (MORNING.has(word)) return 'early';
    if (!['da', 'in', 'the', 'at', 'de'].includes(word)) return null;
  }
  return null;
}
