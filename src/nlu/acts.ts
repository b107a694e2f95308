import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { createSpeller, type Speller } from '../core/spelling.js';
import { loadWordLists, loadWordVectors, type WordLists } from './analysis.js';
import { FeatureExtractor, type Features, hashFeature, hashRuns } from './features.js';
import { questionsFile, readModel } from './model-file.js';
import { cleanText, stem, tokenize } from './text.js';
import { buildMatcher } from './vocabulary.js';
import type { WordVectors } from './word-vectors.js';

/** What the hub did last, before the message: the same words do something else after each. */
export const ACT_CONTEXTS = [
  'confirm',
  'which',
  'approval',
  'answered',
  'done',
  'escalated',
  'start',
] as const;
export type ActContext = (typeof ACT_CONTEXTS)[number];

/** What a message does in a conversation, whatever the company does. */
export const ACTS = [
  ...['affirm', 'affirm_and_more', 'deny', 'deny_and_more', 'postpone', 'withdraw', 'correct'],
  ...['choose', 'choose_none', 'ask_terms', 'status', 'hurry', 'why', 'what_was_done', 'did_it_work'],
  ...['undo', 'repeat', 'not_helpful', 'wrong_answer', 'follow_up', 'presence', 'bot_or_human'],
  ...['capabilities', 'how_are_you', 'about_me', 'history', 'acknowledge', 'thanks', 'goodbye'],
  ...['greeting', 'praise', 'insult', 'joke', 'weather', 'human', 'new_matter'],
] as const;
export type Act = (typeof ACTS)[number];

/** The languages that the model was taught (ISO 639-1). */
export const ACT_LANGUAGES = ['en', 'pt'] as const;

/** An act with its chance, 0 to 1: of those with 0.8, about 80 % are right. */
export interface ActGuess {
  readonly act: Act;
  readonly confidence: number;
  /** The chance of each act. */
  chanceOf(...acts: readonly Act[]): number;
}

/** Tells what a short message does. */
export interface ActModel {
  /** Null in a language that the model was not taught, and where nothing is written. */
  read(text: string, context: ActContext, language: Language): ActGuess | null;
}

const MODEL_FILE = new URL('../../data/nlu/acts.bin', import.meta.url);
/** Longer messages tell a story: their sentences are no moves in a conversation. */
const LONGEST = 300;

/** Features of what a message does: its words in their order, and the same again by what it follows. */
export class ActFeatures {
  readonly #extractor: FeatureExtractor;
  readonly #speller: Speller;

  /** @param words those of the training data, with how often they occur */
  constructor(lists: WordLists, vectors: WordVectors, words: ReadonlyMap<string, number>) {
    this.#extractor = new FeatureExtractor(buildMatcher(lists.concepts), vectors);
    this.#speller = createSpeller(words, (word) => vectors.knows(word));
  }

  extract(text: string, context: ActContext): Features {
    const tokens = tokenize(cleanText(text)).map((token) => this.#speller.correct(token));
    const base = this.#extractor.extract(tokens);
    const words = tokens.filter((token) => token !== '!');
    const placed = (feature: string) => hashFeature('shape', `${context} ${feature}`);
    const within = words.map((word) => hashFeature('concepts', `${context} ${stem(word)}`));
    return {
      ...base,
      word: [...base.word, ...words.map((word) => hashFeature('word', `=${word}`))],
      pair: hashRuns('pair', ['^', ...words, '$'], 3),
      concepts: [...base.concepts, ...within],
      shape: [
        ...base.shape,
        ...[placed(''), placed(`length ${Math.min(12, words.length)}`), placed(`first ${words[0] ?? ''}`)],
        ...[placed(tokens.includes('?') ? 'asks' : 'tells'), placed(`last ${words.at(-1) ?? ''}`)],
      ],
    };
  }
}

/** Loads the model that `npm run train:acts` made. @throws Error where it is missing or damaged */
export async function createActModel(file: URL | string = MODEL_FILE): Promise<ActModel> {
  const [lists, vectors, bytes] = await Promise.all([loadWordLists(), loadWordVectors(), readFile(file)]);
  const model = readModel(bytes);
  const features = new ActFeatures(lists, vectors, new Map(model.header.words));
  const taught: ReadonlySet<string> = new Set(ACT_LANGUAGES);
  return {
    read(text, context, language) {
      if (!taught.has(primaryOf(language)) || text.length > LONGEST) return null;
      const vector = model.vectorize(features.extract(text, context));
      const [chances] = vector.indices.length === 0 ? [] : model.predict(vector);
      if (!chances) return null;
      const best = chances.indexOf(Math.max(...chances));
      return {
        act: ACTS[best] ?? 'new_matter',
        confidence: chances[best] ?? 0,
        chanceOf: (...acts) => acts.reduce((sum, act) => sum + (chances[ACTS.indexOf(act)] ?? 0), 0),
      };
    },
  };
}

/** A message of no more words may be any small talk. */
const SMALL_WORDS = 3;
/** From here on a message is no small talk. */
const MATTER = 0.6;
/** Below this it is hardly taken for small talk, and what reports or complains in a conversation is none either: "the car won't start". */
const HARDLY_SMALL = 0.6;
const TOLD: readonly Act[] = ['new_matter', 'not_helpful', 'follow_up'];

/**
 * Tells small talk from matters for a company that has taught no questions of its own: this model is every company's, and its few
 * sentences make small talk of much that is none. Never true where the company has taught such.
 * @param modelFile the company's intents
 * @returns told of a text and how surely it is small talk to the company's sentences (0 to 1)
 */
export async function createMatterReader(
  modelFile: URL | string,
): Promise<(text: string, language: Language, confidence: number) => boolean> {
  if (existsSync(questionsFile(modelFile))) return () => false;
  const acts = await createActModel();
  return (text, language, confidence) => {
    if (tokenize(cleanText(text)).length <= SMALL_WORDS) return false;
    const told = confidence < HARDLY_SMALL ? TOLD : (['new_matter'] as const);
    return (acts.read(text, 'answered', language)?.chanceOf(...told) ?? 0) >= MATTER;
  };
}
