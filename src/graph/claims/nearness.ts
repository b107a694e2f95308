import type { WordSense } from '../../core/ports/language-layer.js';
import type { Term } from './passages.js';

/** So near a word must be to be taken for one that says the same. */
export const SAYS = 0.7;
/** Words of one idea, and the nearest and farthest that vectors alone make of two words. */
const [IDEA, NEAREST, FARTHEST] = [0.9, 0.85, 0.5];

/** How near words are to those of the articles of a turn, each looked up once. */
export class Nearness {
  readonly #meanings: readonly { readonly other: Float32Array; readonly places: readonly number[] }[];
  readonly #places = new Map<string, number[]>();
  readonly #ideas = new Map<number, number[]>();
  readonly #near = new Map<string, Float32Array>();

  /** @param home which unit each term stands in; there are so many units */
  constructor(
    private readonly terms: readonly Term[],
    private readonly home: Int32Array,
    private readonly units: number,
    private readonly sense: WordSense,
  ) {
    const words = new Map<string, number[]>();
    for (const [at, { word, number }] of terms.entries()) {
      if (number !== null) continue;
      push(words, word, at);
      for (const form of sense.formsOf(word)) push(this.#places, form, at);
      for (const idea of sense.ideasOf(word)) push(this.#ideas, idea, at);
    }
    this.#meanings = [...words].map(([word, places]) => ({ other: sense.vectorOf(word), places }));
  }

  /** How near a term is to each term of the articles. */
  nearnessOf({ word, number }: Term): Float32Array {
    const key = number === null ? word : `#${number}`;
    const before = this.#near.get(key);
    if (before) return before;
    const row = new Float32Array(this.terms.length);
    if (number !== null)
      for (const [at, term] of this.terms.entries()) row[at] = Number(term.number === number);
    else this.#readWord(word, row);
    this.#near.set(key, row);
    return row;
  }

  #readWord(word: string, row: Float32Array): void {
    for (const idea of this.sense.ideasOf(word)) for (const at of this.#ideas.get(idea) ?? []) row[at] = IDEA;
    for (const form of this.sense.formsOf(word)) for (const at of this.#places.get(form) ?? []) row[at] = 1;
    if (row.some((value) => value > 0)) return;
    const vector = this.sense.vectorOf(word);
    if (vector.every((value) => value === 0)) return;
    for (const { other, places } of this.#meanings) {
      const value = cosine(vector, other);
      if (value >= FARTHEST) for (const at of places) row[at] = Math.min(NEAREST, value);
    }
  }

  /** How near the nearest term of each unit is. */
  coverOf(term: Term): Float32Array {
    const cover = new Float32Array(this.units);
    const row = this.nearnessOf(term);
    for (let at = 0; at < row.length; at += 1) {
      const value = row[at] ?? 0;
      if (value === 0) continue;
      const unit = this.home[at] ?? 0;
      if (value > (cover[unit] ?? 0)) cover[unit] = value;
    }
    return cover;
  }
}

/** What rows come to by one number of each. */
export function sumOf(rows: readonly Float32Array[], of: (row: Float32Array, at: number) => number): number {
  return rows.reduce((sum, row, at) => sum + of(row, at), 0);
}

/** How near two unit vectors are. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

function push<Key>(map: Map<Key, number[]>, key: Key, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
