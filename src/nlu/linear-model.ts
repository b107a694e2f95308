import { type SparseEntries, softmax } from '../core/softmax.js';
import { FEATURE_GROUPS, type FeatureGroup, type Features } from './features.js';

/** One classifier among those that share the features. */
interface HeadInfo {
  readonly name: string;
  readonly classes: readonly string[];
  /** Softmax temperature, fitted on out-of-fold predictions. */
  readonly temperature: number;
}

/** How much each group of features counts, and the meaning of the whole text. */
export type GroupWeights = Readonly<Record<FeatureGroup | 'meaning', number>>;

/** What stands in front of the numbers in a model file. */
export interface ModelHeader {
  readonly format: 1;
  /** Digest of what the company gave to learn from; absent where the file is made anew by hand alone. */
  readonly content?: string;
  readonly heads: readonly HeadInfo[];
  readonly groupWeights: GroupWeights;
  /** Number of hashed features; the rows of the meaning vector follow them. */
  readonly features: number;
  /** Weights of the confidence function, see confidence.ts. */
  readonly confidence: readonly number[];
  /** The words of the training data with how often they occur, which misspelt ones are read as. */
  readonly words: readonly (readonly [string, number])[];
  /** P(issue type | intent) in the training data, one row an intent. */
  readonly issueGivenIntent: readonly (readonly number[])[];
}

/** What a classifier reads of a text. */
export interface SparseVector extends SparseEntries {
  readonly indices: number[];
  readonly values: number[];
  /** Share of the words that the training data knew, 0..1. */
  readonly coverage: number;
}

/**
 * Counts become 1 + ln(count), each group is scaled to length 1 times its weight. The scaling is
 * what makes a 5-word chat line and a 200-word mail comparable.
 *
 * @param indexOf number of a feature hash, or -1 where unknown
 * @param known number of hashed features, where the rows of the meaning vector begin
 */
export function vectorize(
  features: Features,
  groupWeights: GroupWeights,
  indexOf: (hash: number) => number,
  known: number,
): SparseVector {
  const indices: number[] = [];
  const values: number[] = [];
  let knownWords = 0;
  for (const group of FEATURE_GROUPS) {
    const counts = new Map<number, number>();
    for (const hash of features[group]) {
      const index = indexOf(hash);
      if (index < 0) continue;
      if (group === 'word') knownWords += 1;
      counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    let squares = 0;
    for (const count of counts.values()) squares += (1 + Math.log(count)) ** 2;
    const scale = squares > 0 ? groupWeights[group] / Math.sqrt(squares) : 0;
    for (const [index, count] of counts) {
      indices.push(index);
      values.push((1 + Math.log(count)) * scale);
    }
  }
  features.meaning.forEach((value, at) => {
    if (value !== 0) {
      indices.push(known + at);
      values.push(value * groupWeights.meaning);
    }
  });
  const words = features.word.length;
  return { indices, values, coverage: words === 0 ? 0 : knownWords / words };
}

const EMPTY_SLOT = 0xffffffff;

/** Maps 32-bit feature hashes to feature numbers by open addressing; far smaller and faster than a Map. */
export class HashIndex {
  readonly #keys: Uint32Array;
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(hashes: Uint32Array) {
    let size = 1024;
    while (size < hashes.length * 2) size *= 2;
    this.#mask = size - 1;
    this.#keys = new Uint32Array(size);
    this.#slots = new Uint32Array(size).fill(EMPTY_SLOT);
    hashes.forEach((hash, index) => {
      let slot = hash & this.#mask;
      while (this.#slots[slot] !== EMPTY_SLOT) slot = (slot + 1) & this.#mask;
      this.#keys[slot] = hash;
      this.#slots[slot] = index;
    });
  }

  /** Number of the feature, or -1 where the model does not know it. */
  readonly get = (hash: number): number => {
    let slot = hash & this.#mask;
    for (;;) {
      const index = this.#slots[slot];
      if (index === undefined || index === EMPTY_SLOT) return -1;
      if (this.#keys[slot] === hash) return index;
      slot = (slot + 1) & this.#mask;
    }
  };
}

/** A set of linear classifiers over shared hashed features, with weights of 8 bits each. */
export class LinearModel {
  readonly header: ModelHeader;
  readonly #index: HashIndex;
  readonly #weights: Int8Array;
  readonly #scales: Float32Array;
  readonly #bias: Float32Array;
  readonly #width: number;

  constructor(
    header: ModelHeader,
    hashes: Uint32Array,
    weights: Int8Array,
    scales: Float32Array,
    bias: Float32Array,
  ) {
    this.header = header;
    this.#index = new HashIndex(hashes);
    this.#weights = weights;
    this.#scales = scales;
    this.#bias = bias;
    this.#width = bias.length;
  }

  /** The classes of a head, in the order of its probabilities. @throws Error where the model lacks the head */
  classesOf(name: string): readonly string[] {
    const head = this.header.heads.find((one) => one.name === name);
    if (!head) throw new Error(`The language model has no head "${name}"`);
    return head.classes;
  }

  vectorize(features: Features): SparseVector {
    return vectorize(features, this.header.groupWeights, this.#index.get, this.header.features);
  }

  /** Probabilities of every head's classes, in the order of the header, by temperature-scaled softmax. */
  predict(vector: SparseVector): Float32Array[] {
    const width = this.#width;
    const sums = new Float32Array(width);
    const weights = this.#weights;
    for (let at = 0; at < vector.indices.length; at += 1) {
      const base = (vector.indices[at] ?? 0) * width;
      const value = vector.values[at] ?? 0;
      for (let column = 0; column < width; column += 1) {
        sums[column] = (sums[column] ?? 0) + value * (weights[base + column] ?? 0);
      }
    }
    let from = 0;
    return this.header.heads.map((head) => {
      const logits = new Float32Array(head.classes.length);
      for (let column = 0; column < logits.length; column += 1) {
        const at = from + column;
        logits[column] = (sums[at] ?? 0) * (this.#scales[at] ?? 0) + (this.#bias[at] ?? 0);
      }
      from += logits.length;
      return softmax(logits, head.temperature);
    });
  }
}

/** The chances of every head's classes, and what they were counted from. */
export interface Reading
  extends Readonly<Record<'intents' | 'issues' | 'sentiments' | 'languages' | 'scopes', Float32Array>> {
  readonly vector: SparseVector;
}
