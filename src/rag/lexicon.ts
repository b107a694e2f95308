import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stemEnglish, stemPortuguese } from './stem.js';
import { fold } from './text.js';

/** Which concepts a word stands for; several where it is ambiguous. */
export interface Lexicon {
  /** Number of concepts; ids are 0 to size - 1. */
  readonly size: number;
  /** Concepts of a stem: of its own language, else of the other. */
  conceptsOf(stem: string, portuguese: boolean): readonly number[];
  /** Concepts of words in a row, joined by `_`. */
  conceptsOfPhrase(phrase: string): readonly number[];
  /** The English words of a concept, the most typical first. */
  englishOf(concept: number): readonly string[];
  /** Its single words in both languages, folded. */
  wordsOf(concept: number): readonly string[];
}

const SHIPPED = fileURLToPath(new URL('../../data/rag/lexicon.txt', import.meta.url));
const NONE: readonly number[] = [];

/** The lexicon that ships with the hub (data/rag/lexicon.txt). Takes a few milliseconds. */
export function loadLexicon(): Lexicon {
  return parseLexicon(readFileSync(SHIPPED, 'utf8'));
}

/** @param text one concept a line: `english words | portuguese words`; `#` begins a comment line */
export function parseLexicon(text: string): Lexicon {
  const english = new Map<string, number[]>();
  const portuguese = new Map<string, number[]>();
  const phrases = new Map<string, number[]>();
  const englishWords: string[][] = [];
  const allWords: string[][] = [];
  for (const line of text.split(/\r?\n/u)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const concept = englishWords.length;
    const [left = '', right = ''] = line.split('|').map((side) => fold(side).trim());
    const single = (side: string): string[] =>
      side.split(/\s+/u).filter((word) => word !== '' && !word.includes('_'));
    englishWords.push(single(left));
    allWords.push(interleave(single(left), single(right)));
    for (const word of left.split(/\s+/u))
      enter(word.includes('_') ? phrases : english, word.includes('_') ? word : stemEnglish(word), concept);
    for (const word of right.split(/\s+/u))
      enter(
        word.includes('_') ? phrases : portuguese,
        word.includes('_') ? word : stemPortuguese(word),
        concept,
      );
  }
  return {
    size: englishWords.length,
    conceptsOf: (stem, inPortuguese) => {
      const [own, other] = inPortuguese ? [portuguese, english] : [english, portuguese];
      return own.get(stem) ?? other.get(stem) ?? NONE;
    },
    conceptsOfPhrase: (phrase) => phrases.get(phrase) ?? NONE,
    englishOf: (concept) => englishWords[concept] ?? [],
    wordsOf: (concept) => allWords[concept] ?? [],
  };
}

/** The most typical of both first. */
function interleave(left: readonly string[], right: readonly string[]): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => [left[i], right[i]])
    .flat()
    .filter((word) => word !== undefined);
}

function enter(map: Map<string, number[]>, key: string, concept: number): void {
  if (key === '') return;
  const known = map.get(key);
  if (known === undefined) map.set(key, [concept]);
  else if (!known.includes(concept)) known.push(concept);
}
