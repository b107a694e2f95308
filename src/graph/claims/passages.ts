import type { WordSense } from '../../core/ports/language-layer.js';
import { type Sentence, sentencesOf } from './sentences.js';
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

/** Fewer letters are no name. */
const SHORTEST = 4;

/** Words with a capital. @param from 1 where that of a sentence's beginning makes no name */
export function namesIn(sentences: readonly Sentence[], from: number): readonly string[] {
  return sentences.flatMap(({ tokens }) =>
    tokens.slice(from).flatMap(({ capital, text }) => (capital && text.length >= SHORTEST ? [text] : [])),
  );
}

/** Where articles write names beside a figure. */
interface Named {
  readonly place: { readonly names: ReadonlySet<string> };
}

/**
 * "Basic has five visits": a place of the articles that names it has another figure, and those that have this one name another.
 * @param having the places with that figure; @param others those with another of the kind
 */
export function isOfAnotherName(
  words: ReadonlySet<string>,
  having: readonly Named[],
  others: readonly Named[],
): boolean {
  const isSaid = ({ place: { names } }: Named) => [...names].some((name) => words.has(name));
  return (
    having.length > 0 &&
    having.every((one) => one.place.names.size > 0 && !isSaid(one)) &&
    others.some(isSaid)
  );
}
