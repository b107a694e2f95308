import type { WordSense } from '../../core/ports/language-layer.js';
import { sentencesOf } from './sentences.js';
import type { Token } from './tokens.js';

/** One article of a turn. */
export interface Passage {
  /** Null where it is not known. */
  readonly article: string | null;
  readonly text: string;
}

/** One word or number that says something. */
export interface Term {
  readonly word: string;
  readonly number: number | null;
  /** True where a word before it denies it. */
  readonly denied: boolean;
}

/** One sentence or line of a list, as it is compared. */
export interface Unit {
  readonly article: string | null;
  readonly text: string;
  /** Where it can be read by itself: its paragraph, or itself where that is long. */
  readonly passage: string;
  readonly terms: readonly Term[];
  readonly denials: number;
  /** How it bounds what it says. */
  readonly bounds: ReadonlySet<string>;
}

/** How a sentence compares with the articles it is said from. */
export interface Comparison {
  /** Signs that nothing supports it, by name. */
  readonly signs: Readonly<Record<string, number>>;
  /** The unit that says it best; null where none speaks of it. */
  readonly nearest: Unit | null;
}

/** A denial reaches so many words that say something. */
const SCOPE = 4;
/** A longer paragraph is not quoted whole. */
const LONGEST = 700;
const COPULA = /^(?:are|is|was|were|will|sao|foi|foram|fica|ficam|sera|serao)$/;
const STOP = /^[.,;:!?()\n–—]$/;

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
        ...unitOf(sentence.text, sentence.tokens, sense),
        article,
        passage: (block.length > LONGEST ? sentence.text : block).trim(),
      }))
      .filter(({ terms }) => terms.length > 0),
  );
}

/** What a sentence says, as it is compared. */
export function unitOf(text: string, tokens: readonly Token[], sense: WordSense): Unit {
  const terms: Term[] = [];
  const bounds = new Set<string>();
  let [scope, denials] = [0, 0];
  for (const { text: word, number, digits } of tokens) {
    if (STOP.test(word)) {
      scope = 0;
      continue;
    }
    // "What you do not use is kept": what is denied ends there.
    if (COPULA.test(word)) scope = 0;
    for (const name of sense.boundsOf(word)) bounds.add(name);
    if (sense.denies(word)) {
      scope = SCOPE;
      denials += 1;
      continue;
    }
    const says =
      number === null ? /\p{L}/u.test(word) && word.length > 1 && !sense.isSmall(word) : digits || number > 1;
    if (!says) continue;
    terms.push({ word, number, denied: scope > 0 });
    scope -= 1;
  }
  return { article: null, text: text.trim(), passage: text.trim(), terms, denials, bounds };
}
