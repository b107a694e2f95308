import { fold as plain } from '../core/fold.js';

/** Lower case, no accents, so that "Não" and "nao" are one word. */
export function fold(text: string): string {
  return plain(text).replaceAll('’', "'");
}

const WORD = /[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu;

/** The text with some of its words, folded, in place of others; all else stays as it is. */
export function replaceWords(text: string, replace: (folded: string) => string): string {
  return text.replace(WORD, (word) => {
    const folded = fold(word);
    const other = replace(folded);
    return other === folded ? word : other;
  });
}

/** The folded words of a text in order. */
export function wordsOf(text: string): readonly string[] {
  return [...fold(text).matchAll(WORD)].map(([word]) => word.replace(/'(?:s|re|ve|ll|d|m)$/u, ''));
}
