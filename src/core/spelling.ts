/** Shorter words are too near to one another to tell a slip from another word. */
const SHORTEST = 4;
/** In a word this short only letters that changed places count as a slip. */
const SHORT = 4;
const LONGEST = 24;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WORD = /^[a-z]+$/u;
const CACHED = 5000;

/** Mends words that are one slip away from a known one. */
export interface Speller {
  /** True where the word stands in the vocabulary. */
  knows(word: string): boolean;
  /** The word as it was meant; the same word where it is known, too short, or nothing known is near. */
  correct(word: string): string;
}

/**
 * A speller over a vocabulary: a slip is one letter too many, too few or wrong, or two that changed places. Of several
 * known words the one with the first letter as written wins, then the heaviest.
 * @param words folded words with how often they are meant; only these are offered
 * @param isWord other words that are right as they stand, and are never offered
 */
export function createSpeller(
  words: ReadonlyMap<string, number>,
  isWord: (word: string) => boolean = () => false,
): Speller {
  const cache = new Map<string, string>();
  const find = (word: string): string => {
    let best = word;
    let bestScore = 0;
    for (const candidate of word.length <= SHORT ? swapped(word) : near(word)) {
      const weight = words.get(candidate);
      if (weight === undefined || candidate.length < SHORTEST) continue;
      const score = (candidate[0] === word[0] ? 2 : 1) + weight / (1 + weight);
      if (score > bestScore) [best, bestScore] = [candidate, score];
    }
    return best;
  };
  return {
    knows: (word) => words.has(word) || isWord(word),
    correct(word) {
      if (word.length < SHORTEST || word.length > LONGEST || words.has(word)) return word;
      if (!WORD.test(word) || isWord(word)) return word;
      const known = cache.get(word);
      if (known !== undefined) return known;
      const found = find(word);
      if (cache.size >= CACHED) cache.clear();
      cache.set(word, found);
      return found;
    },
  };
}

function* swapped(word: string): Generator<string> {
  for (let i = 0; i < word.length - 1; i += 1)
    yield word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2);
}

/** Everything that one slip makes of a word. */
function* near(word: string): Generator<string> {
  yield* swapped(word);
  for (let i = 0; i < word.length; i += 1) yield word.slice(0, i) + word.slice(i + 1);
  for (let i = 0; i <= word.length; i += 1) {
    const before = word.slice(0, i);
    for (const letter of LETTERS) {
      yield before + letter + word.slice(i);
      if (i < word.length) yield before + letter + word.slice(i + 1);
    }
  }
}
