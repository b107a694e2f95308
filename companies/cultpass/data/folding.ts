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
