import { type Lexicon, loadLexicon } from './lexicon.js';
import { stemEnglish, stemPortuguese } from './stem.js';
import { ENGLISH_STOPWORDS, PORTUGUESE_STOPWORDS } from './stopwords.js';
import { wordsOf } from './text.js';

/** One word of a text as the search compares it. */
export interface Term {
  /** Lower case, without accents. */
  readonly word: string;
  readonly stem: string;
  /** Carries no topic ("how", "meu"). */
  readonly isStopword: boolean;
  /** What it may stand for, language apart. */
  readonly concepts: readonly number[];
}

/** A text as the search compares it. */
export interface TextAnalysis {
  readonly terms: readonly Term[];
  /** Concepts of words in a row ("log in", "caixa de entrada"), without repetition. */
  readonly phraseConcepts: readonly number[];
  /** Portuguese rather than English; decides the stemmer only. */
  readonly isPortuguese: boolean;
}

/** Words, stems and concepts of a text. */
export interface Analyzer {
  analyze(text: string): TextAnalysis;
  /** English words for a concept, the most typical first. */
  englishOf(concept: number): readonly string[];
  /** Its words in both languages. */
  wordsOf(concept: number): readonly string[];
  readonly conceptCount: number;
}

const LONGEST_PHRASE = 3;

/** Reads the shipped lexicon unless another is given. */
export function createAnalyzer(lexicon: Lexicon = loadLexicon()): Analyzer {
  return {
    conceptCount: lexicon.size,
    englishOf: (concept) => lexicon.englishOf(concept),
    wordsOf: (concept) => lexicon.wordsOf(concept),
    analyze: (text) => {
      const words = wordsOf(text);
      const isPortuguese = looksPortuguese(words);
      const [stem, stopwords] = isPortuguese
        ? [stemPortuguese, PORTUGUESE_STOPWORDS]
        : [stemEnglish, ENGLISH_STOPWORDS];
      const terms = words.map((word) => {
        const stemmed = stem(word);
        return {
          word,
          stem: stemmed,
          isStopword: stopwords.has(word),
          concepts: lexicon.conceptsOf(stemmed, isPortuguese),
        };
      });
      return { terms, phraseConcepts: phraseConcepts(lexicon, terms), isPortuguese };
    },
  };
}

/** Phrases are looked for with and without the stopwords: "log in" needs them, "caixa de entrada" does not. */
function phraseConcepts(lexicon: Lexicon, terms: readonly Term[]): readonly number[] {
  const found = new Set<number>();
  for (const words of [
    terms.map((term) => term.word),
    terms.filter((term) => !term.isStopword).map((term) => term.word),
  ]) {
    for (let start = 0; start < words.length; start += 1) {
      for (let end = start + 2; end <= Math.min(words.length, start + LONGEST_PHRASE); end += 1) {
        for (const concept of lexicon.conceptsOfPhrase(words.slice(start, end).join('_'))) found.add(concept);
      }
    }
  }
  return [...found];
}

/** By stopwords and endings alone: enough to pick a stemmer, and a wrong pick costs little. */
function looksPortuguese(words: readonly string[]): boolean {
  let balance = 0;
  for (const word of words) {
    if (PORTUGUESE_STOPWORDS.has(word)) balance += 1;
    if (ENGLISH_STOPWORDS.has(word)) balance -= 1;
    if (/(?:cao|coes|nh[ao]s?|lh[ao]s?|mento|dade)$/u.test(word)) balance += 1;
  }
  return balance > 0;
}
