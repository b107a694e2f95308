import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/* Patterns for the search of experiences, and the kinds that customers name. */

const schema = z.object({
  kinds: z.record(
    z.string(),
    z.object({
      asked: z.array(z.string()),
      found: z.array(z.string()).optional(),
      unless: z.array(z.string()).optional(),
    }),
  ),
  broad: z.array(z.string()),
  audiences: z.array(z.string()),
});

/** The kinds of experiences there are. Words are without accents. */
export interface Kinds {
  /** Name of a kind by each word that customers have for it. */
  readonly named: ReadonlyMap<string, string>;
  /** Words and phrases that entries of a kind say, by its name. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** Words of a title that say that it is of another kind, whatever its text says, by the name of the kind. */
  readonly unless: ReadonlyMap<string, ReadonlySet<string>>;
  readonly broad: ReadonlySet<string>;
  readonly audiences: ReadonlySet<string>;
}

let kept: Kinds | undefined;

/** The kinds that stand beside this file, read once a process: all that ask for programmes go by them. */
export function readKinds(): Kinds {
  kept ??= read();
  return kept;
}

function read(): Kinds {
  const text = readFileSync(new URL('./kinds.yaml', import.meta.url), 'utf8');
  const { kinds, broad, audiences } = schema.parse(parse(text));
  const all = Object.entries(kinds);
  return {
    named: new Map(all.flatMap(([kind, { asked }]) => asked.map((word) => [word, kind] as const))),
    found: new Map(all.map(([kind, { found }]) => [kind, found ?? [kind]])),
    unless: new Map(all.map(([kind, { unless }]) => [kind, new Set(unless)])),
    broad: new Set(broad),
    audiences: new Set(audiences),
  };
}

/** Lower case without accents, punctuation as spaces, one space before every word: ` sao paulo masp`. */
export function fold(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => ` ${word}`).join('');
}

/**
 * LIKE patterns that a folded text must all match: every word of the query as the beginning of a word.
 * A plural `s` is dropped, so that "concerts" finds "concert".
 */
export function wordPatterns(query: string): readonly string[] {
  return wordsOf(query).map(beginning);
}

const MOST_WORDS = 12;
const LONGEST = 1_000;
/** Joins kinds of which one is enough. */
export const CHOICE = '/';

/**
 * The same for a query that may name kinds: of each word the patterns of which one must match a folded text that ends with a
 * space. Words that a slash joins are alternatives: "museum/dance".
 * @param found whole words and phrases by the name of a kind
 */
export function kindPatterns(
  query: string,
  found: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const patternsOf = (word: string): readonly string[] =>
    found.get(word)?.map((phrase) => `% ${phrase} %`) ?? [beginning(word)];
  const choices = query.slice(0, LONGEST).split(CHOICE);
  const joined = choices.length > 1 && choices.every((choice) => found.has(fold(choice).trim()));
  return joined
    ? [choices.flatMap((choice) => patternsOf(fold(choice).trim()))]
    : wordsOf(query).map(patternsOf);
}

function wordsOf(query: string): readonly string[] {
  const words = fold(query.slice(0, LONGEST)).trim().split(' ');
  return words.filter((word) => word !== '').slice(0, MOST_WORDS);
}

function beginning(word: string): string {
  return `% ${word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word}%`;
}
