import type { Figure } from './figure.js';
import { FigureReader } from './figure-reader.js';
import { wordsOfCurrency } from './figure-words.js';
import { remembered } from './remembered.js';
import { type Sentence, withoutContacts } from './sentences.js';
import { type Token, tokensOf } from './tokens.js';

/** Everything that can be compared in a text, in its order. Linear in its length. @param currency the company's, ISO 4217 */
export function figuresIn(text: string, currency: string): readonly Figure[] {
  return figuresAndWords(text, currency).figures;
}

type FiguresAndWords = { readonly figures: readonly Figure[]; readonly tokens: readonly Token[] };

/** One reader a currency. */
const readers = new Map<string, (text: string) => FiguresAndWords>();

/** As figuresIn, with the words it was read from. */
export function figuresAndWords(text: string, currency: string): FiguresAndWords {
  const reader = readers.get(currency) ?? readerOf(currency);
  readers.set(currency, reader);
  return reader(text);
}

function readerOf(currency: string): (text: string) => FiguresAndWords {
  return remembered((text) => {
    const { contacts, rest } = withoutContacts(text);
    const tokens = tokensOf(rest);
    return { figures: figuresOf(contacts, tokens, currency), tokens };
  });
}

/** As figuresIn, of a text whose words were read before. */
export function figuresOfSentences(sentences: readonly Sentence[], currency: string): readonly Figure[] {
  const tokens = sentences.flatMap((sentence) => sentence.tokens);
  return figuresOf(
    sentences.flatMap((sentence) => sentence.contacts),
    tokens,
    currency,
  );
}

function figuresOf(contacts: readonly Figure[], tokens: readonly Token[], currency: string) {
  const read = new FigureReader(tokens, wordsOfCurrency(currency)).read();
  return contacts.length === 0 ? read : [...contacts, ...read].sort((a, b) => a.from - b.from);
}

/** Those of a sentence among the figures of its text, which stand in their order: no list makes reading it slow. */
export function figuresWithin(figures: readonly Figure[], { from, text }: Sentence): readonly Figure[] {
  const firstAt = (place: number): number => {
    let [low, high] = [0, figures.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((figures[middle]?.from ?? place) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return figures.slice(firstAt(from), firstAt(from + text.length));
}
