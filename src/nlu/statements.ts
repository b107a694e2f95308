import { readFile } from 'node:fs/promises';
import { DEEDS } from '../core/domain/deed.js';
import type { Statement, StatementAct, StatementReader } from '../core/ports/statement-reader.js';
import type { WordLists } from './analysis.js';
import { type Features, hashFeature } from './features.js';
import { readModel } from './model-file.js';
import { loadWordLists, loadWordVectors } from './nlu.js';
import { cleanText, stem, tokenize } from './text.js';
import { buildMatcher, type PhraseMatcher } from './vocabulary.js';
import type { WordVectors } from './word-vectors.js';
import { readMarks } from './words.js';

/** The classes of the two heads of the model. */
export const STATEMENT_HEADS = {
  act: ['none', 'done', 'claim', 'denied', 'pending', 'promise'],
  deed: DEEDS,
} as const;

const MODEL_FILE = new URL('../../data/nlu/statements.bin', import.meta.url);
/** Words up to this length are grammar: articles, prepositions, auxiliaries. */
const SHORT = 3;
const CACHE_LIMIT = 5_000;

/**
 * Features of what a sentence does, as against what it is about: beside the words themselves their pattern, in which
 * words of grammar stay and all others are replaced by their ending or by the concept they belong to. So "I've
 * VERB-ed your" is known whatever the verb.
 */
export class StatementFeatures {
  readonly #concepts: PhraseMatcher;
  readonly #grammar: ReadonlySet<string>;

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
    const ending = words.map((word) => (this.#isGrammar(word) ? word : `*${word.slice(-2)}`));
    const concept = words.map((word, at) => {
      const name = word.length > SHORT ? this.#concepts.word(word)[0] : undefined;
      return name ? `${name}~${word.slice(-2)}` : (ending[at] ?? '');
    });
    const named = words.flatMap((word, at) => [
      ...this.#concepts.word(word),
      ...this.#concepts.phrases(words, at),
    ]);
    const size = Math.min(6, Math.floor(words.length / 3));
    return {
      word: words.flatMap((word) => [hashFeature('word', word), hashFeature('word', `=${stem(word)}`)]),
      pair: sequences('pair', words, 2),
      chars: [],
      concept: named.map((name) => hashFeature('concept', name)),
      concepts: sequences('concepts', concept, 3),
      shape: [
        ...sequences('shape', ending, 4),
        hashFeature('shape', `length ${size}`),
        hashFeature('shape', tokens.includes('?') ? 'asks' : 'tells'),
      ],
      meaning: this.vectors.mean(words),
    };
  }

  #isGrammar(word: string): boolean {
    return word.startsWith('_') || word.length <= SHORT || this.#grammar.has(word);
  }
}

/** Runs of two words and more, with the beginning and the end of the sentence. */
function sequences(
  group: 'pair' | 'concepts' | 'shape',
  words: readonly string[],
  longest: number,
): number[] {
  const framed = ['^', ...words, '$'];
  const hashes: number[] = [];
  for (let length = 2; length <= longest; length += 1) {
    for (let start = 0; start + length <= framed.length; start += 1)
      hashes.push(hashFeature(group, framed.slice(start, start + length).join(' ')));
  }
  return hashes;
}

/** Loads the model that scripts/train-statements.ts made. @throws Error where it is missing or damaged */
export async function createStatementReader(file: URL | string = MODEL_FILE): Promise<StatementReader> {
  const [lists, vectors, bytes] = await Promise.all([loadWordLists(), loadWordVectors(), readFile(file)]);
  const model = readModel(bytes);
  const features = new StatementFeatures(lists, vectors);
  const known = new Map<string, Statement>();
  const read = (text: string): Statement => {
    const [acts, deeds] = model.predict(model.vectorize(features.extract(text)));
    const act = (name: StatementAct) => acts?.[STATEMENT_HEADS.act.indexOf(name)] ?? 0;
    return {
      acts: {
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
