import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lengthOf } from './local-features.js';

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
export function parseWordVectors(file: Buffer): WordVectors {
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
