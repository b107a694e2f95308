import type { Language } from '../../core/domain/taxonomy.js';
import { remembered } from '../remembered.js';
import {
  type DateContext,
  type DateRule,
  type Grain,
  partsOf,
  type Reading,
  weekdayOf,
  type Zone,
  zoneOf,
} from './date-reading.js';
import { createDateRules } from './date-rules.js';
import {
  type CorrectDateWord,
  type Counts,
  createDateCorrector,
  type DateWords,
  either,
} from './date-words.js';
import { inNamedMonth } from './month-and-day.js';
import { fold, replaceWords } from './text.js';

/** A stretch of time somebody named, and where in the text they named it. */
export interface DateRange {
  /** First instant, ISO 8601 UTC. */
  from: string;
  /** First instant that is no longer meant. */
  to: string;
  grain: Grain;
  /** The words as written. */
  text: string;
  /** Offsets of those words in the text. */
  start: number;
  end: number;
  /**
   * Other readings of the same words, likeliest first: "Thursday" may be the last one, "next Friday"
   * this week's, "12/05" the fifth of December. Empty when the words leave no choice.
   */
  alternatives: { from: string; to: string }[];
}

/** When the words were said. */
export interface DateOptions {
  now: Date;
  /** Decides words that are a date in one language only ("sex", "ter"); both are tried without it. */
  language?: Language;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly reading: Reading;
}

/** More dates of one kind nobody means in one message; resolving hundreds would only take time. */
const MOST_PER_RULE = 30;

const DAY_MS = 86_400_000;

/** "Friday the 19th", "20/06, sábado": one day said twice. The figures decide which of the readings is meant. */
const sayTwice = (first: Found, second: Found, folded: string, between: RegExp): Found | null => {
  if (!between.test(folded.slice(first.end, second.start))) return null;
  const figures = (found: Found): boolean => /\d/.test(folded.slice(found.start, found.end));
  if (
    figures(first) === figures(second) ||
    first.reading.grain === 'month' ||
    second.reading.grain === 'month'
  )
    return null;
  const [exact, weekday] = figures(first) ? [first, second] : [second, first];
  const start = weekday.reading.ranges[0]?.from.getTime() ?? 0;
  const range = exact.reading.ranges.find(
    ({ from }) => Math.round((from.getTime() - start) / DAY_MS) % 7 === 0,
  );
  return range === undefined
    ? null
    : { start: first.start, end: second.end, reading: { grain: exact.reading.grain, ranges: [range] } };
};

/**
 * Finds the dates named in a text and resolves them to ranges of instants, in the order they are written.
 * Weekdays without "last" or "next" are the coming ones; dates in figures are day first, as in Brazil,
 * in English too, unless only month first is possible.
 * @throws RangeError when `now` is no date
 */
export type FindDates = (text: string, options: DateOptions) => readonly DateRange[];

/**
 * Makes the finder of dates for a place.
 * @param timeZone IANA name
 * @param things what a number before it counts ("the 2nd ticket"), as an alternative of regular expressions
 * @param words how the company's languages name days
 * @throws RangeError when the time zone is unknown
 */
export function createDateFinder(
  timeZone: string,
  things: string,
  words: readonly DateWords[],
  counts: Counts,
): FindDates {
  const finder: Finder = {
    zone: zoneOf(timeZone),
    counted: new RegExp(`^ (?:${things})\\b`),
    rules: createDateRules(words, counts),
    correct: createDateCorrector(words),
    joins: new RegExp(`^[\\s,(]*(?:(?:${either(words.flatMap((one) => one.month_joins))})[\\s,]+)*$`),
    between: new RegExp(`^[\\s,(]{0,3}(?:(?:${either(words.flatMap(({ between }) => between))}) )?$`),
  };
  return remembered(
    (text: string, options: DateOptions) => datesIn(text, options, finder),
    (text, { now, language }) => `${now.getTime()} ${language ?? ''} ${text}`,
  );
}

/** What a finder of dates is made of. */
interface Finder {
  readonly zone: Zone;
  /** What a number before it counts. */
  readonly counted: RegExp;
  readonly rules: readonly DateRule[];
  readonly correct: CorrectDateWord;
  /** May stand between the two ways of saying one day. */
  readonly between: RegExp;
  /** May stand between a month and its day. */
  readonly joins: RegExp;
}

function datesIn(text: string, options: DateOptions, finder: Finder): DateRange[] {
  const { zone, counted, rules, correct, between } = finder;
  const source = replaceWords(fold(text), correct);
  const today = zone.dayOf(options.now);
  const context: DateContext = {
    today,
    ...partsOf(today),
    weekday: weekdayOf(today),
    now: options.now,
    zone,
    language: options.language,
    counted,
  };

  const found: Found[] = [];
  for (const rule of rules) {
    let read = 0;
    for (const match of source.folded.matchAll(rule.pattern)) {
      read += 1;
      if (read > MOST_PER_RULE) break;
      const reading = rule.read(match, context, source.folded);
      if (reading !== null) found.push({ start: match.index, end: match.index + match[0].length, reading });
    }
  }
  // The longest phrase wins where two overlap: "depois de amanhã" is not "amanhã".
  found.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const kept: Found[] = [];
  for (const one of found) {
    if (!kept.some((other) => one.start < other.end && other.start < one.end)) kept.push(one);
  }
  kept.sort((a, b) => a.start - b.start);
  const named: Found[] = [];
  for (const one of kept) {
    const last = named.at(-1);
    const both = last === undefined ? null : sayTwice(last, one, source.folded, between);
    if (both === null) named.push(one);
    else named[named.length - 1] = both;
  }
  return inNamedMonth(named, source.folded, context, finder.joins).map((one) => {
    const start = source.at[one.start] ?? 0;
    const end = source.at[one.end] ?? text.length;
    const [first, ...others] = one.reading.ranges.map((range) => ({
      from: range.from.toISOString(),
      to: range.to.toISOString(),
    }));
    if (first === undefined) throw new RangeError('a date rule gave no range');
    return {
      ...first,
      grain: one.reading.grain,
      text: text.slice(start, end),
      start,
      end,
      alternatives: others,
    };
  });
}
