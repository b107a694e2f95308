import { z } from 'zod';
import { primaryOf } from '../../core/domain/language.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { pattern, readWords } from '../words.js';
import { within } from './text.js';

const list = z.array(pattern).default([]);
/** Which of several a span or a day is, by the words around it. */
const shifts = z
  .strictObject({
    next_week: list,
    last_week: list,
    this_week: list,
    next: list,
    last: list,
    this: list,
    every: list,
    plain: list,
  })
  .partial()
  .default({});
const byWord = z.record(z.string(), z.array(z.string())).default({});
const week = z.array(z.array(z.string())).length(7);

const schema = z.strictObject({
  figures: z.array(z.enum(['day_month', 'month_day'])).min(1),
  next_weekday: z.enum(['next_week', 'soonest']),
  numbers: z.record(z.string(), z.int()),
  units: z.strictObject({ hour: list, day: list, week: list, month: list, year: list }),
  not_counted: list,
  months: z.array(z.array(z.string()).min(1)).length(12),
  month_words: z.strictObject({
    need_link: list,
    never_first: list,
    doubtful: list,
    not_after: byWord,
    link: list,
    before: z.strictObject({ sure: list, other: list }),
    past: list,
  }),
  weekdays: week,
  weekday_words: z.strictObject({
    before: shifts,
    article: list,
    ending: pattern.default(''),
    after: shifts,
    ordinal: z.strictObject({ words: list, counted: pattern, after: byWord }).optional(),
  }),
  short_weekdays: week,
  short_weekday_words: z.strictObject({
    before: shifts,
    ending: pattern.default(''),
    alone: z.boolean().default(false),
    not_after: byWord,
  }),
  relative: z.array(z.strictObject({ days: z.int(), words: list, not_after: list })),
  holidays: z
    .array(z.strictObject({ month: z.int(), day: z.int(), days: z.int().default(1), words: list }))
    .default([]),
  parts: z.record(z.string(), z.tuple([z.int(), z.int()])),
  part_words: z.strictObject({ before: list, this: list, last: list, tonight: list, last_night: list }),
  weekend: list,
  span_words: z.strictObject({ before: shifts, after: shifts, several: list }),
  ahead: z.strictObject({ before: list, after: list }),
  ago: z.strictObject({ before: list, after: list }),
  day_numbers: z.strictObject({
    endings: list,
    before: list,
    article: pattern.optional(),
    not: pattern.optional(),
    first: pattern.optional(),
    word: pattern.optional(),
    word_before: pattern.optional(),
  }),
  counts: z.strictObject({ before: list, of: list, after: list }),
  always: list,
  lengths: z.strictObject({
    units: z.array(z.strictObject({ days: z.int(), words: list })),
    not_after: list,
    not_before: list,
    half: list,
  }),
  between: list,
  month_joins: list,
  typos: z.record(z.string(), z.string()),
  corrected: z.array(z.string()),
  right: z.array(z.string()),
});

/** How one language names days, from its file `dates.yaml`. */
export type DateWords = z.infer<typeof schema> & { readonly language: Language };

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function readDateWords(languages: readonly Language[]): readonly DateWords[] {
  return languages.map((language) => ({ ...readWords(language, 'dates', schema), language }));
}

/** True where what was said is of no other language than this. */
export function mayBe(words: Pick<DateWords, 'language'>, said: Language | undefined): boolean {
  return said === undefined || primaryOf(said) === primaryOf(words.language);
}

/** Matches nothing. */
const NOTHING = '(?!)';

/** An alternation of patterns, in their order; it matches nothing where there are none. */
export function either(patterns: readonly string[]): string {
  return patterns.length === 0 ? NOTHING : [...new Set(patterns)].join('|');
}

/** An alternation of words, longest first so that none hides another. */
export function anyOf(words: readonly string[]): string {
  return either([...words].sort((a, b) => b.length - a.length));
}

/** True where one of the patterns is all of a text. */
export function isAny(patterns: readonly string[] | undefined, text: string): boolean {
  return (
    patterns !== undefined && patterns.length > 0 && new RegExp(`^(?:${either(patterns)})$`, 'u').test(text)
  );
}

/** Numbers in words, as far as people count days and weeks in words. */
export interface Counts {
  /** Source of a regular expression for a count in digits or words. */
  readonly pattern: string;
  /** Reads what the pattern matched. */
  countOf(words: string): number;
}

/** Reads counts in several languages at once. */
export function createCounts(all: readonly Pick<DateWords, 'numbers'>[]): Counts {
  const numbers = new Map(all.flatMap((words) => Object.entries(words.numbers)));
  return {
    pattern: `(?:\\d{1,3}|${anyOf([...numbers.keys()])})`,
    countOf: (words) => numbers.get(words) ?? Number(words),
  };
}

/** The date word a mistyped word stands for, or undefined when it is no date word or right already. */
export type CorrectDateWord = (word: string) => string | undefined;

/** Makes the corrector of slips in date words. */
export function createDateCorrector(all: readonly DateWords[]): CorrectDateWord {
  const typos = new Map(all.flatMap((words) => Object.entries(words.typos)));
  const corrected = all.flatMap((words) => words.corrected);
  const right = new Set(all.flatMap((words) => words.right));
  return (word) => {
    const listed = typos.get(word);
    if (listed !== undefined) return listed;
    if (word.length < 6 || word.length > 11 || right.has(word) || corrected.includes(word)) return undefined;
    const bare = word.replace(/'?s$/, '');
    if (corrected.includes(bare)) return bare;
    const near = (limit: number): string | undefined =>
      corrected.find((known) => word[0] === known[0] && within(word, known, limit));
    // One slip before two, lest "thursdy" become Tuesday.
    return near(1) ?? (word.length >= 9 ? near(2) : undefined);
  };
}
