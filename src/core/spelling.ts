/** Names further away than this are no typing error of each other. */
const MAX_DISTANCE = 3;
/** Longer names are compared by their beginning; distances are quadratic in length. */
const MAX_LENGTH = 64;

/**
 * The known name that was most likely meant: equal but for case or a few letters, or one that begins with the other.
 * Undefined where none is near.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase();
  const limit = Math.min(MAX_DISTANCE, Math.floor(wanted.length / 2));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    const other = candidate.slice(0, MAX_LENGTH).toLowerCase();
    const startsAlike = wanted.length >= 3 && (other.startsWith(wanted) || wanted.startsWith(other));
    const distance =
      startsAlike && other.length >= 3 ? Math.min(limit, 1) : editDistance(wanted, other, limit);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** ` Did you mean "x"?` where a known name is near, else the known names, as far as there are few. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = [...known];
  const near = nearestName(name, names);
  if (near !== undefined) return ` Did you mean "${near}"?`;
  if (names.length === 0) return ' There are none.';
  const shown = names.slice(0, 12).join(', ');
  return ` There ${names.length === 1 ? 'is' : 'are'}: ${shown}${names.length > 12 ? ', ...' : ''}.`;
}

/** Letters to insert, delete, replace or swap with their neighbour; lengths further apart than `limit` give `limit + 1`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

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
  /** True where the word is in the vocabulary. */
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
