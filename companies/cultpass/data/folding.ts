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
export function wordPatterns(query: string, limit = 12): readonly string[] {
  const words = fold(query.slice(0, 1_000))
    .trim()
    .split(' ')
    .filter((word) => word !== '');
  return words
    .slice(0, limit)
    .map((word) => `% ${word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word}%`);
}
