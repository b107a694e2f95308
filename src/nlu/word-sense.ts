import { z } from 'zod';
import { DEEDS } from '../core/domain/deed.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { RecordSense, TermReader, WordSense } from '../core/ports/language-layer.js';
import { stem } from './text.js';
import type { WordVectors } from './word-vectors.js';
import { readWords } from './words.js';

const boundsSchema = z.strictObject({
  small: z.string(),
  not: z.string(),
  bounds: z.record(z.string(), z.string()),
});

const recordsSchema = z.strictObject({
  plain: z.string(),
  states: z.partialRecord(z.enum([...DEEDS, 'pending', 'active', 'free']), z.string()),
  kinds: z.record(z.string(), z.string()),
  moments: z.record(z.string(), z.string()),
  latest: z.string(),
  next: z.string(),
  every: z.string(),
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
  const [smallWords, denying] = [small, not].map(wordsOf);
  const bounding = byWord(bounds);
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
    records: recordSenseOf(language, (word) => denying?.has(word) === true),
  };
}

function recordSenseOf(language: Language, denies: (word: string) => boolean): RecordSense {
  const { plain, states, kinds, moments, latest, next, every } = readWords(
    language,
    'records',
    recordsSchema,
  );
  const [plainWords, latestWords, nextWords, everyWords] = [plain, latest, next, every].map(wordsOf);
  const [stateOf, momentOf] = [byWord(states), byWord(moments)];
  const kindsOf = byWord(kinds);
  return {
    knows: (word) =>
      [plainWords, latestWords, nextWords, everyWords, stateOf, momentOf, kindsOf].some((known) =>
        known?.has(word),
      ),
    stateOf: (word) => stateOf.get(word)?.[0] ?? null,
    kindsOf: (word) => kindsOf.get(word) ?? [],
    momentOf: (word) => momentOf.get(word)?.[0] ?? null,
    isLatest: (word) => latestWords?.has(word) === true,
    isNext: (word) => nextWords?.has(word) === true,
    isEvery: (word) => everyWords?.has(word) === true,
    denies,
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
