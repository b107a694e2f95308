import { loadWordVectors } from './analysis.js';

/** Tells how near two texts are in what they mean, 0 to 1, each given as its words, in English or Portuguese. */
export async function readMeaning(): Promise<(one: readonly string[], other: readonly string[]) => number> {
  const vectors = await loadWordVectors();
  return (one, other) => {
    const left = vectors.mean(one);
    const right = vectors.mean(other);
    const product = left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
    return Math.min(1, Math.max(0, product));
  };
}
