import { readFile } from 'node:fs/promises';
import { DEEDS } from '../core/domain/guardrail.js';
import type {
  Statement,
  StatementAct,
  StatementReader,
  TermReader,
  WordSense,
} from '../core/ports/language-layer.js';
import { loadWordLists, loadWordVectors, type WordLists } from './analysis.js';
import { type Features, hashFeature, hashRuns } from './features.js';
import { readModel } from './model-file.js';
import { cleanText, stem, tokenize } from './text.js';
import { buildMatcher, type PhraseMatcher } from './vocabulary.js';
import { createWordSense } from './word-sense.js';
import type { WordVectors } from './word-vectors.js';
import { readMarks } from './words.js';

/** The classes of the two heads of the model. */
export const STATEMENT_HEADS = {
  act: ['none', 'courtesy', 'done', 'claim', 'denied', 'pending', 'promise'],
  deed: DEEDS,
} as const;

const MODEL_FILE = new URL('../../data/nlu/statements.bin', import.meta.url);
/** Words up to this length are grammar: articles, prepositions, auxiliaries. */
const SHORT = 3;
const CACHE_LIMIT = 5_000;

/** What one word adds, worked out once. */
interface WordFeatures {
  /** The word itself where it is of grammar, else its ending. */
  readonly ending: string;
  /** The concept it belongs to with its ending, where it belongs to one. */
  readonly concept: string;
  readonly concepts: readonly number[];
  readonly hashes: readonly number[];
}

/**
 * Features of what a sentence does, as against what it is about: beside the words themselves their pattern, in which
 * words of grammar stay and all others are replaced by their ending or by the concept they belong to. So "I've
 * VERB-ed your" is known whatever the verb.
 */
export class StatementFeatures {
  readonly #concepts: PhraseMatcher;
  readonly #grammar: ReadonlySet<string>;
  readonly #words = new Map<string, WordFeatures>();

  constructor(
    lists: WordLists,
    private readonly vectors: WordVectors,
  ) {
    this.#concepts = buildMatcher(lists.concepts);
    const words = ['en', 'pt-BR'].flatMap((language) => [...readMarks(language).words]);
    this.#grammar = new Set(words.filter((word) => this.#concepts.word(word).length === 0));
  }

  extract(text: string): Features {
    const tokens = tokenize(cleanText(text));
    const words = tokens.filter((token) => token !== '?' && token !== '!');
    const known = words.map((word) => this.#word(word));
    const named = known.flatMap(({ concepts }, at) => [...concepts, ...this.#phrases(words, at)]);
    const size = Math.min(6, Math.floor(words.length / 3));
    return {
      word: known.flatMap(({ hashes }) => hashes),
      pair: hashRuns('pair', framed(words), 2),
      chars: [],
      concept: named,
      concepts: hashRuns('concepts', framed(known.map(({ concept }) => concept)), 3),
      shape: [
        ...hashRuns('shape', framed(known.map(({ ending }) => ending)), 4),
        hashFeature('shape', `length ${size}`),
        hashFeature('shape', tokens.includes('?') ? 'asks' : 'tells'),
      ],
      meaning: this.vectors.mean(words),
    };
  }

  #phrases(words: readonly string[], at: number): readonly number[] {
    return this.#concepts.phrases(words, at).map((name) => hashFeature('concept', name));
  }

  #word(word: string): WordFeatures {
    const before = this.#words.get(word);
    if (before) return before;
    const names = this.#concepts.word(word);
    const isGrammar = word.startsWith('_') || word.length <= SHORT || this.#grammar.has(word);
    const ending = isGrammar ? word : `*${word.slice(-2)}`;
    const features = {
      ending,
      concept: word.length > SHORT && names[0] ? `${names[0]}~${word.slice(-2)}` : ending,
      concepts: names.map((name) => hashFeature('concept', name)),
      hashes: [hashFeature('word', word), hashFeature('word', `=${stem(word)}`)],
    };
    if (this.#words.size >= CACHE_LIMIT) this.#words.clear();
    this.#words.set(word, features);
    return features;
  }
}

/** With the beginning and the end of the sentence. */
function framed(words: readonly string[]): readonly string[] {
  return ['^', ...words, '$'];
}

/**
 * Loads the model that `npm run train:statements` made.
 * @param terms the search's reader of words
 * @throws Error where it is missing or damaged
 */
export async function createStatementReader(terms: TermReader): Promise<StatementReader> {
  const [lists, vectors, bytes] = await Promise.all([
    loadWordLists(),
    loadWordVectors(),
    readFile(MODEL_FILE),
  ]);
  const senses = new Map<string, WordSense>();
  const model = readModel(bytes);
  const features = new StatementFeatures(lists, vectors);
  const known = new Map<string, Statement>();
  const read = (text: string): Statement => {
    const [acts, deeds] = model.predict(model.vectorize(features.extract(text)));
    const act = (name: StatementAct) => acts?.[STATEMENT_HEADS.act.indexOf(name)] ?? 0;
    return {
      acts: {
        courtesy: act('courtesy'),
        done: act('done'),
        claim: act('claim'),
        denied: act('denied'),
        pending: act('pending'),
        promise: act('promise'),
      },
      deeds: Object.fromEntries(DEEDS.map((deed, at) => [deed, deeds?.[at] ?? 0])) as Statement['deeds'],
    };
  };
  return {
    sense(language) {
      const sense = senses.get(language) ?? createWordSense(language, terms, vectors);
      senses.set(language, sense);
      return sense;
    },
    read(text) {
      const before = known.get(text);
      if (before) return before;
      const statement = read(text);
      // An answer is read again with each sentence that is added to it.
      if (known.size >= CACHE_LIMIT) known.clear();
      known.set(text, statement);
      return statement;
    },
  };
}
