import { z } from 'zod';
import type { Language } from '../../core/domain/taxonomy.js';
import { pattern, readWords } from '../words.js';

const patterns = z.strictObject({
  and: pattern,
  to: pattern,
  between: pattern,
  article: pattern,
  ending: pattern,
  until: pattern,
  before: pattern,
  since: pattern.optional(),
  after: pattern,
  about: pattern.optional(),
  coming: pattern,
  early: pattern,
  middle: pattern,
  late: pattern,
  weekdays: pattern,
  busy: pattern.optional(),
  weekends: pattern,
  clock: pattern,
  free: pattern,
  greeted: pattern,
  most: pattern,
  most_bare: pattern,
  most_after: pattern,
  least: pattern,
  left: pattern,
  leads: pattern,
  there: pattern,
  denied: pattern,
  denied_after: pattern.optional(),
  cheaper: pattern.optional(),
  placed: pattern,
  serves: pattern.optional(),
  counts: pattern,
  sums: pattern,
  points: pattern,
  points_written: pattern,
  own: pattern,
  open: pattern.optional(),
  anywhere: pattern.optional(),
  same_wish: pattern.optional(),
  same_day: pattern.optional(),
  audience: pattern.optional(),
  offered: pattern,
  words: pattern,
});
const schema = patterns.extend({
  any: pattern,
  nth: z.array(pattern).length(5),
  hours: z.array(z.strictObject({ from: z.int(), to: z.int(), words: pattern })),
});

/** How lists are narrowed down and asked for, in all languages at once: sources of regular expressions over folded text. */
export type FilterWords = Readonly<Record<keyof z.infer<typeof patterns>, string>> & {
  readonly hours: z.infer<typeof schema>['hours'];
  /** Before a day of the week that any of them is, by language in the order given. */
  readonly any: readonly string[];
  /** "The first", ..., "the fourth", "the last" week or weekend of a month. */
  readonly nth: readonly string[];
};

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function readFilterWords(languages: readonly Language[]): FilterWords {
  const files = languages.map((language) => readWords(language, 'filters', schema));
  const sources = Object.keys(patterns.shape).map((key) => {
    const known = files.flatMap((words) => words[key as keyof typeof patterns.shape] ?? []);
    return [key, known.length === 0 ? '(?!)' : known.join('|')] as const;
  });
  const all = Object.fromEntries(sources) as Record<keyof z.infer<typeof patterns>, string>;
  const nth = [0, 1, 2, 3, 4].map((at) => files.map((words) => words.nth[at]).join('|'));
  return { ...all, nth, any: files.map(({ any }) => any), hours: files.flatMap(({ hours }) => hours) };
}
