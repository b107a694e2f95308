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
  return block.map((value) => Math.sign(value) * Math.log1p(Math.abs(value)));
}

/** Euclidean length. A loop, as spreading a long vector into Math.hypot takes longer than all the rest. */
export function lengthOf(vector: ArrayLike<number>): number {
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
    for (const value of block) joined.push(value * scale);
  }
  const length = lengthOf(joined);
  if (length > 0) return joined.map((value) => value / length);
  // A text without a single feature ("???"): any fixed direction that no text has much of.
  return joined.map((_, i) => (i === 0 ? 1 : 0));
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // Final mixing (murmur3), for the low bits of FNV are weak.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
