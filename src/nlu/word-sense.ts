import { z } from 'zod';
import { DEEDS } from '../core/domain/guardrail.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { RecordSense, TermReader, WordSense } from '../core/ports/language-layer.js';
import { stem } from './text.js';
import type { WordVectors } from './word-vectors.js';
import { readWords } from './words.js';

const smallSchema = z.strictObject({
  small: z.string(),
});

const recordsSchema = z.strictObject({
  states: z.partialRecord(z.enum([...DEEDS, 'pending', 'active', 'free']), z.string()),
  kinds: z.record(z.string(), z.string()),
  moments: z.record(z.string(), z.string()),
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
  const smallWords = wordsOf(readWords(language, 'small', smallSchema).small);
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
    isSmall: (word) => smallWords.has(word) || terms.isStopword(word),
    records: recordSenseOf(language),
  };
}

function recordSenseOf(language: Language): RecordSense {
  const { states, kinds, moments } = readWords(language, 'records', recordsSchema);
  const [stateOf, kindsOf, momentsOf] = [byWord(states), byWord(kinds), byWord(moments)];
  return {
    stateOf: (word) => stateOf.get(word)?.[0] ?? null,
    kindsOf: (word) => kindsOf.get(word) ?? [],
    momentOf: (word) => momentsOf.get(word)?.[0] ?? null,
  };
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** The names under which each word of some lists stands. */
function byWord<Name extends string>(
  lists: Readonly<Partial<Record<Name, string>>>,
): ReadonlyMap<string, readonly Name[]> {
  const names = new Map<string, Name[]>();
  for (const [name, list] of Object.entries(lists) as [Name, string][])
    for (const word of list.split(/\s+/)) names.set(word, [...(names.get(word) ?? []), name]);
  return names;
}
