import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import type { TermReader, WordSense } from '../core/ports/language-layer.js';
import { stem } from './text.js';
import type { WordVectors } from './word-vectors.js';
import { readWords } from './words.js';

const boundsSchema = z.strictObject({
  small: z.string(),
  not: z.string(),
  bounds: z.record(z.string(), z.string()),
});

/** Makes the search take a word behind it for a Portuguese one. */
const PORTUGUESE = 'voce nao';
const CACHE_LIMIT = 20_000;

interface Known {
  readonly forms: readonly string[];
  readonly ideas: readonly number[];
  readonly vector: Float32Array;
}

/** What the words of a language mean, by stems and ideas of the search and by vectors. @throws HubError `config_invalid` */
export function createWordSense(language: Language, terms: TermReader, vectors: WordVectors): WordSense {
  const { small, not, bounds } = readWords(language, 'bounds', boundsSchema);
  const [smallWords, denying] = [small, not].map((list) => new Set(list.split(/\s+/)));
  const bounding = new Map<string, string[]>();
  for (const [name, list] of Object.entries(bounds))
    for (const word of list.split(/\s+/)) bounding.set(word, [...(bounding.get(word) ?? []), name]);
  const known = new Map<string, Known>();
  const look = (word: string): Known => {
    const before = known.get(word);
    if (before) return before;
    const read = [word, `${PORTUGUESE} ${word}`].flatMap((text) => terms.analyze(text).terms.at(-1) ?? []);
    const found = {
      forms: [`=${word}`, `0${stem(word)}`, ...read.map((term, at) => `${at + 1}${term.stem}`)],
      ideas: [...new Set(read.flatMap(({ concepts }) => concepts))],
      vector: vectors.mean([word]),
    };
    if (known.size >= CACHE_LIMIT) known.clear();
    known.set(word, found);
    return found;
  };
  return {
    formsOf: (word) => look(word).forms,
    ideasOf: (word) => look(word).ideas,
    vectorOf: (word) => look(word).vector,
    isSmall: (word) => smallWords?.has(word) === true || terms.isStopword(word),
    denies: (word) => denying?.has(word) === true,
    boundsOf: (word) => bounding.get(word) ?? [],
  };
}
