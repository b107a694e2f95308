import type { WordSense } from '../../core/ports/language-layer.js';
import { sentencesOf } from './sentences.js';
import type { Token } from './tokens.js';

/** One article of a turn. */
export interface Passage {
  readonly article: string;
  readonly title: string;
  readonly text: string;
}

/** One word or number that says something. */
export interface Term {
  readonly word: string;
  readonly number: number | null;
}

/** One sentence or line of a list, as it is compared. */
export interface Unit {
  readonly article: string;
  /** Where it can be read by itself: its paragraph, or itself where that is long. */
  readonly passage: string;
  readonly terms: readonly Term[];
}

/** A longer paragraph is not quoted whole. */
const LONGEST = 700;
/** The sentences of an article, each with its paragraph; a list belongs to the line above it. */
export function unitsOf({ article, text }: Passage, sense: WordSense): readonly Unit[] {
  const blocks: string[] = [];
  for (const block of text.split(/\n{2,}/)) {
    const before = blocks.at(-1);
    if (before?.trimEnd().endsWith(':')) blocks[blocks.length - 1] = `${before}\n\n${block}`;
    else blocks.push(block);
  }
  return blocks.flatMap((block) =>
    sentencesOf(block)
      .map((sentence) => ({
        article,
        passage: (block.length > LONGEST ? sentence.text : block).trim(),
        terms: termsOf(sentence.tokens, sense),
      }))
      .filter(({ terms }) => terms.length > 0),
  );
}

/** The words and numbers that say something. */
export function termsOf(tokens: readonly Token[], sense: WordSense): readonly Term[] {
  return tokens.flatMap(({ text: word, number, digits }) => {
    const says =
      number === null ? /\p{L}/u.test(word) && word.length > 1 && !sense.isSmall(word) : digits || number > 1;
    return says ? [{ word, number }] : [];
  });
}
