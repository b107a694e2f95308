import { CONTACT, contactOf } from './contacts.js';
import type { Figure } from './figure.js';
import { FigureReader } from './figure-reader.js';
import { wordsOfCurrency } from './figure-words.js';
import { type Token, tokensOf } from './tokens.js';

/** Everything that can be compared in a text, in its order. Linear in its length. @param currency the company's, ISO 4217 */
export function figuresIn(text: string, currency: string): readonly Figure[] {
  return figuresAndWords(text, currency).figures;
}

/** As figuresIn, with the words it was read from. */
export function figuresAndWords(
  text: string,
  currency: string,
): {
  readonly figures: readonly Figure[];
  readonly tokens: readonly Token[];
} {
  const contacts: Figure[] = [];
  const rest = text.replace(CONTACT, (found, at: number) => {
    contacts.push({ kind: 'contact', values: [contactOf(found)], from: at, to: at + found.length });
    return ' '.repeat(found.length);
  });
  const tokens = tokensOf(rest);
  const figures = [...contacts, ...new FigureReader(tokens, wordsOfCurrency(currency)).read()].sort(
    (a, b) => a.from - b.from,
  );
  return { figures, tokens };
}
