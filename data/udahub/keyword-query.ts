const MAX_TOKENS = 40;
const MAX_TOKEN_LENGTH = 64;

/**
 * An FTS5 MATCH expression for any text a person may type: every word quoted, joined by OR.
 * Null where there is no word to look for. Quoting leaves nothing of FTS5's query syntax to the text.
 */
export function toMatchExpression(text: string): string | null {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    words.add(word.slice(0, MAX_TOKEN_LENGTH).toLowerCase());
    if (words.size === MAX_TOKENS) break;
  }
  return words.size === 0 ? null : [...words].map((word) => `"${word}"`).join(' OR ');
}
