import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/* Patterns for the search of experiences, and the kinds that customers name. */

const schema = z.object({
  kinds: z.record(
    z.string(),
    z.object({ asked: z.array(z.string()), found: z.array(z.string()).optional() }),
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

/**
 * The same for a query that may name kinds: of each word the patterns of which one must match a folded text that ends with a
 * space.
 * @param found whole words and phrases by the name of a kind
 */
export function kindPatterns(
  query: string,
  found: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  return wordsOf(query).map((word) => {
    const kind = found.get(word) ?? [];
    return [...kind.map((phrase) => `% ${phrase} %`), ...(kind.length > 0 ? [] : [beginning(word)])];
  });
}

function wordsOf(query: string): readonly string[] {
  const words = fold(query.slice(0, 1_000)).trim().split(' ');
  return words.filter((word) => word !== '').slice(0, MOST_WORDS);
}

function beginning(word: string): string {
  return `% ${word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word}%`;
}
