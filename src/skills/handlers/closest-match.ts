import { fold } from '../../core/fold.js';
import type { Handler } from './handler.js';
import { numberInput, textInput, textsInput } from './inputs.js';

const MAX_CANDIDATES = 1_000;
const MAX_LENGTH = 200;

/**
 * Finds what somebody meant among known names: `{ text, candidates, min_similarity = 0.6 }` to
 * `{ match, similarity, ranked: [{ candidate, similarity }] }`, the five best first. Case and accents do not count; `match`
 * is null where nothing is similar enough.
 */
export const closestMatch: Handler = async (input) => {
  const text = normal(textInput(input, 'text'));
  const least = numberInput(input, 'min_similarity', 0.6);
  const ranked = textsInput(input, 'candidates', MAX_CANDIDATES)
    .map((candidate) => ({ candidate, similarity: similarity(text, normal(candidate)) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 5);
  const best = ranked[0];
  const found = best !== undefined && best.similarity >= least;
  return { match: found ? best.candidate : null, similarity: best?.similarity ?? 0, ranked };
};

function normal(text: string): string {
  return fold(text.slice(0, MAX_LENGTH)).trim();
}

/** 1 where equal, 0 where nothing is in common, to two digits. */
function similarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : Math.round((1 - distance(a, b) / longest) * 100) / 100;
}

/** Levenshtein's: letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
