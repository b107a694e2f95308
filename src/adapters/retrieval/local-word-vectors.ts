import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Small numeric helpers of the local embedding. */

const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;
/** SIF (Arora et al. 2017): a / (a + p(word)), with p from the rank by Zipf's law. */
const SIF_A = 1e-3;
const ZIPF_TOTAL = 10;

/** Weight of a word in a sum of word vectors, 0 to 1; frequent words count little. */
export function sif(rank: number): number {
  return SIF_A / (SIF_A + 1 / (ZIPF_TOTAL * (rank + 10)));
}

export function add(target: Float64Array, index: number, value: number): void {
  target[index] = (target[index] ?? 0) + value;
}

export function addScaled(target: Float64Array, vector: Float32Array | null, scale: number): void {
  if (vector === null) return;
  for (let i = 0; i < vector.length; i += 1) add(target, i, (vector[i] ?? 0) * scale);
}

/** Adds a feature by name; the sign comes from the hash as well, so that collisions cancel out on average. */
export function addHashed(target: Float64Array, name: string, value: number): void {
  const hash = fnv1a(name);
  add(target, (hash >>> 1) % target.length, (hash & 1) === 0 ? value : -value);
}

/** Parts of a word, 3 to 5 letters with its edges marked: typos and inflections keep most of them. */
export function addGrams(target: Float64Array, word: string, value: number): void {
  const marked = `^${word}$`;
  const each = value / Math.sqrt(marked.length);
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size += 1) {
    for (let start = 0; start + size <= marked.length; start += 1)
      addHashed(target, marked.slice(start, start + size), each);
  }
}

/** Sublinear counts: a word said five times is not five times the topic. Sign kept. */
export function damp(block: Float64Array): Float64Array {
  const damped = new Float64Array(block.length);
  // Most entries of a short text are zero.
  for (let i = 0; i < block.length; i += 1) {
    const value = block[i] ?? 0;
    if (value !== 0) damped[i] = Math.sign(value) * Math.log1p(Math.abs(value));
  }
  return damped;
}

/** Euclidean length. A loop, as spreading a long vector into Math.hypot takes longer than all the rest. */
function lengthOf(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i += 1) sum += (vector[i] ?? 0) ** 2;
  return Math.sqrt(sum);
}

/** Unit vector in which each block that is not empty has its share of the cosine of two texts. */
export function join(blocks: readonly (readonly [Float64Array, number])[]): number[] {
  const joined: number[] = [];
  for (const [block, share] of blocks) {
    const length = lengthOf(block);
    const scale = length === 0 ? 0 : Math.sqrt(share) / length;
    for (let i = 0; i < block.length; i += 1) joined.push((block[i] ?? 0) * scale);
  }
  const length = lengthOf(joined);
  // A text without a single feature ("???"): any fixed direction that no text has much of.
  if (length === 0) return joined.map((_, i) => (i === 0 ? 1 : 0));
  for (let i = 0; i < joined.length; i += 1) joined[i] = (joined[i] ?? 0) / length;
  return joined;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // Final mixing (murmur3), for the low bits of FNV are weak.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Word vectors of general English, most frequent word first. */
export interface WordVectors {
  readonly dimensions: number;
  /** Changes with the data. */
  readonly digest: string;
  /** Unit vector, or null for an unknown word. */
  vectorOf(word: string): Float32Array | null;
  /** Place in the order of frequency, 0 the most frequent; null for an unknown word. */
  rankOf(word: string): number | null;
  /** Takes out what all texts share and normalises; all zeros stay zeros. */
  centre(sum: Float64Array): Float64Array;
}

interface Header {
  readonly dimensions: number;
  readonly words: number;
  readonly mean: readonly number[];
}

const SHIPPED = fileURLToPath(new URL('../../../data/rag/word-vectors.bin', import.meta.url));
const NEWLINE = 10;

/** Reads data/rag/word-vectors.bin (how it was made: data/rag/README.md), in about 20 ms. */
export function loadWordVectors(): WordVectors {
  return parseWordVectors(readFileSync(SHIPPED));
}

/** @param file a JSON header line, a line of words, then one signed byte a dimension and word */
function parseWordVectors(file: Buffer): WordVectors {
  const headerEnd = file.indexOf(NEWLINE);
  const wordsEnd = file.indexOf(NEWLINE, headerEnd + 1);
  const header = JSON.parse(file.subarray(0, headerEnd).toString('utf8')) as Header;
  const ranks = new Map(
    file
      .subarray(headerEnd + 1, wordsEnd)
      .toString('utf8')
      .split(' ')
      .map((word, rank) => [word, rank]),
  );
  const { dimensions } = header;
  const bytes = new Int8Array(file.buffer, file.byteOffset + wordsEnd + 1, header.words * dimensions);
  const cache = new Map<number, Float32Array>();
  const at = (rank: number): Float32Array => {
    const known = cache.get(rank);
    if (known !== undefined) return known;
    const vector = unit(Float32Array.from(bytes.subarray(rank * dimensions, (rank + 1) * dimensions)));
    cache.set(rank, vector);
    return vector;
  };
  return {
    dimensions,
    digest: createHash('sha256').update(file).digest('hex'),
    vectorOf: (word) => {
      const rank = ranks.get(word);
      return rank === undefined ? null : at(rank);
    },
    rankOf: (word) => ranks.get(word) ?? null,
    centre: (sum) => centred(sum, header.mean),
  };
}

function centred(sum: Float64Array, mean: readonly number[]): Float64Array {
  const norm = lengthOf(sum);
  if (norm === 0) return sum;
  const shifted = sum.map((value, i) => value / norm - (mean[i] ?? 0));
  const rest = lengthOf(shifted);
  return rest === 0 ? shifted : shifted.map((value) => value / rest);
}

function unit(vector: Float32Array): Float32Array {
  const norm = lengthOf(vector) || 1;
  return vector.map((value) => value / norm);
}
