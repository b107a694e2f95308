import type { Buffer } from 'node:buffer';
import { stem } from './text.js';
import { readMarks } from './words.js';

/** Length of a word vector. */
export const VECTOR_SIZE = 100;

/** How a word is looked up: English words, Portuguese words, stems of Portuguese words. */
type VectorKind = 'en' | 'pt' | 'pt-stem';

/** 32-bit FNV-1a hash under which the vector of a word is stored. */
export function vectorKey(kind: VectorKind, word: string): number {
  let hash = kind === 'en' ? 0x811c9dc5 : kind === 'pt' ? 0x1b873593 : 0x9747b28c;
  for (let index = 0; index < word.length; index += 1)
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Adds up what the words of a text mean; see data/nlu/MODEL.md for where the numbers come from. */
export interface WordVectors {
  /** True where the word has a vector in either language. */
  knows(token: string): boolean;
  /** Unit vector of the text, all zeros where no word is known. */
  mean(tokens: readonly string[]): Float32Array;
}

/**
 * Reads data/nlu/vectors.bin: number of words, their hashes, the scale of each word, 8-bit vectors.
 *
 * @throws Error where the file is damaged
 */
export function readWordVectors(file: Buffer): WordVectors {
  const count = file.length >= 4 ? file.readUInt32LE(0) : -1;
  if (file.length !== 4 + count * (8 + VECTOR_SIZE)) throw new Error('the word vector file is damaged');
  const data = new Uint8Array(file.subarray(4)).buffer;
  const hashes = new Uint32Array(data, 0, count);
  const scales = new Float32Array(data, count * 4, count);
  const vectors = new Int8Array(data, count * 8, count * VECTOR_SIZE);
  const rows = new Map<number, number>();
  for (let row = 0; row < count; row += 1) rows.set(hashes[row] ?? 0, row);
  const { words: ofEnglish } = readMarks('en');
  const { words: ofPortuguese } = readMarks('pt-BR');
  const english = new Set([...ofEnglish].filter((word) => !ofPortuguese.has(word)));
  const portuguese = new Set([...ofPortuguese].filter((word) => !ofEnglish.has(word)));

  const find = (token: string, kinds: readonly ('en' | 'pt')[]): number | undefined => {
    for (const kind of kinds) {
      const row =
        rows.get(vectorKey(kind, token)) ??
        (kind === 'pt' ? rows.get(vectorKey('pt-stem', stem(token))) : undefined);
      if (row !== undefined) return row;
    }
    return undefined;
  };

  return {
    knows: (token) => find(token, ['en', 'pt']) !== undefined,
    mean(tokens) {
      let leaning = 0;
      for (const token of tokens) leaning += Number(portuguese.has(token)) - Number(english.has(token));
      // Without function words ("cancelar pedido") a word that both languages have is read as Portuguese only if none else is English.
      const kinds: readonly ('en' | 'pt')[] = leaning > 0 ? ['pt', 'en'] : ['en', 'pt'];
      const sum = new Float32Array(VECTOR_SIZE);
      for (const token of tokens) {
        const row = find(token, kinds);
        if (row === undefined) continue;
        const scale = scales[row] ?? 0;
        const base = row * VECTOR_SIZE;
        for (let at = 0; at < VECTOR_SIZE; at += 1)
          sum[at] = (sum[at] ?? 0) + scale * (vectors[base + at] ?? 0);
      }
      let squares = 0;
      for (const value of sum) squares += value * value;
      if (squares > 0) {
        const length = Math.sqrt(squares);
        for (let at = 0; at < VECTOR_SIZE; at += 1) sum[at] = (sum[at] ?? 0) / length;
      }
      return sum;
    },
  };
}
