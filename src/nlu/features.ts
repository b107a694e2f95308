import { stem } from './text.js';
import type { PhraseMatcher } from './vocabulary.js';
import type { WordVectors } from './word-vectors.js';

/** Groups of features; each group is scaled on its own, so that long words or long mails drown nothing. */
export const FEATURE_GROUPS = ['word', 'pair', 'chars', 'concept', 'concepts', 'shape'] as const;
export type FeatureGroup = (typeof FEATURE_GROUPS)[number];

/** Hashes of the features found, one list a group, repeated as often as they occur. */
export interface Features extends Readonly<Record<FeatureGroup, number[]>> {
  /** What the text means as a whole: unit vector, see word-vectors.ts. */
  readonly meaning: Float32Array;
}

const FNV_PRIME = 0x01000193;
const SEEDS: Readonly<Record<FeatureGroup, number>> = {
  word: 0x811c9dc5,
  pair: 0x1b873593,
  chars: 0xcc9e2d51,
  concept: 0x85ebca6b,
  concepts: 0xc2b2ae35,
  shape: 0x27d4eb2f,
};

/** 32-bit FNV-1a of a string (http://www.isthe.com/chongo/tech/comp/fnv/), started from a group's own seed. */
export function hashFeature(group: FeatureGroup, text: string): number {
  return finished(extended(SEEDS[group], text));
}

function extended(before: number, text: string): number {
  let hash = before;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return hash;
}

function finished(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The hashes of all runs of two words and more, joined by blanks. @param longest in words */
export function hashRuns(group: FeatureGroup, words: readonly string[], longest: number): number[] {
  const hashes: number[] = [];
  for (let start = 0; start < words.length - 1; start += 1) {
    let hash = extended(SEEDS[group], words[start] ?? '');
    const end = Math.min(words.length, start + longest);
    for (let at = start + 1; at < end; at += 1) {
      hash = extended(extended(hash, ' '), words[at] ?? '');
      hashes.push(finished(hash));
    }
  }
  return hashes;
}

interface TokenFeatures {
  readonly word: number;
  readonly stem: string;
  readonly chars: readonly number[];
}

const CACHE_LIMIT = 20_000;
const MAX_CONCEPTS = 24;

function charFeatures(word: string): number[] {
  if (word.length < 3 || word.startsWith('_')) return [];
  const framed = `^${word}$`;
  const hashes: number[] = [];
  for (let size = 3; size <= 5; size += 1) {
    for (let start = 0; start + size <= framed.length; start += 1) {
      hashes.push(hashFeature('chars', framed.slice(start, start + size)));
    }
  }
  return hashes;
}

/** Turns tokens into features; keeps a bounded cache of what it worked out for each word. */
export class FeatureExtractor {
  readonly #concepts: PhraseMatcher;
  readonly #vectors: WordVectors;
  readonly #cache = new Map<string, TokenFeatures>();

  constructor(concepts: PhraseMatcher, vectors: WordVectors) {
    this.#concepts = concepts;
    this.#vectors = vectors;
  }

  #token(token: string): TokenFeatures {
    const known = this.#cache.get(token);
    if (known) return known;
    const stemmed = stem(token);
    const made = { word: hashFeature('word', stemmed), stem: stemmed, chars: charFeatures(token) };
    if (this.#cache.size < CACHE_LIMIT) this.#cache.set(token, made);
    return made;
  }

  /** Concepts of the tokens in order of appearance; a phrase counts where it begins. */
  concepts(tokens: readonly string[]): string[] {
    const found: string[] = [];
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index] ?? '';
      for (const name of this.#concepts.phrases(tokens, index)) found.push(name);
      for (const name of this.#concepts.word(token)) found.push(name);
    }
    return found;
  }

  /**
   * @param tokens from `tokenize`
   * @param signals names of mood and urgency signals found in the text, see signals.ts
   */
  extract(tokens: readonly string[], signals: readonly string[] = []): Features {
    const features: Features = {
      word: [],
      pair: [],
      chars: [],
      concept: [],
      concepts: [],
      shape: [],
      meaning: this.#vectors.mean(tokens),
    };
    let before = '^';
    for (const token of tokens) {
      if (token === '?' || token === '!') continue;
      const known = this.#token(token);
      features.word.push(known.word);
      for (const hash of known.chars) features.chars.push(hash);
      features.pair.push(hashFeature('pair', `${before} ${known.stem}`));
      before = known.stem;
    }
    this.#conceptFeatures(tokens, features);
    this.#shapeFeatures(tokens, signals, features);
    return features;
  }

  #conceptFeatures(tokens: readonly string[], features: Features): void {
    const found = this.concepts(tokens);
    let before = '^';
    const distinct: string[] = [];
    for (const name of found) {
      features.concept.push(hashFeature('concept', name));
      if (name !== before) features.concepts.push(hashFeature('concepts', `${before}>${name}`));
      before = name;
      if (distinct.length < MAX_CONCEPTS && !distinct.includes(name)) distinct.push(name);
    }
    distinct.sort();
    for (let left = 0; left < distinct.length; left += 1) {
      for (let right = left + 1; right < distinct.length; right += 1) {
        features.concepts.push(hashFeature('concepts', `${distinct[left]}+${distinct[right]}`));
      }
    }
  }

  #shapeFeatures(tokens: readonly string[], signals: readonly string[], features: Features): void {
    const length = tokens.length;
    const bucket =
      length <= 1 ? 1 : length <= 3 ? 3 : length <= 7 ? 7 : length <= 15 ? 15 : length <= 30 ? 30 : 99;
    features.shape.push(hashFeature('shape', `length ${bucket}`));
    if (tokens.includes('?')) features.shape.push(hashFeature('shape', 'asks'));
    if (tokens[0]) {
      features.shape.push(hashFeature('shape', `first ${tokens[0]}`));
      features.shape.push(hashFeature('shape', `first ${tokens[0]} ${tokens[1] ?? ''}`));
    }
    if (length <= 6) features.shape.push(hashFeature('shape', `whole ${tokens.join(' ')}`));
    for (const signal of signals) features.shape.push(hashFeature('shape', `signal ${signal}`));
  }
}
