import type { RecordWords } from './record-words.js';
import { foldText, slack, type Token, tokenize, within } from './text.js';
import { GENERIC, ORDINARY, SMALL } from './title-words.js';

/** A candidate's words as they are compared. */
interface Indexed {
  readonly id: string;
  readonly words: readonly string[];
}

/** How well a text names one candidate. */
export interface NameMatch {
  readonly id: string;
  /** Weight of the words found. */
  readonly weight: number;
  /** That weight as a share of all the candidate's words. */
  readonly share: number;
  /** At least one word that is not everybody's was found. */
  readonly telling: boolean;
}

const wordsOf = (text: string, { stem }: RecordWords): string[] => [
  ...new Set(
    tokenize(foldText(text))
      .map((token) => token.word)
      .filter((word) => !SMALL.has(word) && (word.length > 1 || /\d/.test(word)))
      .map(stem),
  ),
];

const expand = (tokens: readonly Token[], { stem, placeOf }: RecordWords): string[] => {
  const out = new Set<string>();
  for (const { word } of tokens) {
    if (SMALL.has(word)) continue;
    out.add(stem(word));
    for (const part of placeOf(word)) out.add(part);
  }
  return [...out];
};

/** How surely a word of the text is this word of a name: 1 the same, less for a slip or a beginning, 0 not. */
const likeness = (said: string, named: string, { isOrdinary }: RecordWords): number => {
  if (said === named) return 1;
  if (/\d/.test(said) || /\d/.test(named) || ORDINARY.has(said) || isOrdinary(said)) return 0;
  if (
    Math.min(said.length, named.length) >= 5 &&
    (named.startsWith(said) || said.startsWith(named)) &&
    Math.abs(said.length - named.length) <= 5
  )
    return 0.85;
  const limit = slack(Math.min(said.length, named.length));
  // A slip in the first letter is rare, and a different first letter is often a different word.
  return limit > 0 && said[0] === named[0] && within(said, named, limit) ? 0.8 : 0;
};

/** Compares a text with the names of all candidates; words that fewer of them share weigh more. */
export function matchNames(
  tokens: readonly Token[],
  names: readonly { id: string; name: string }[],
  words: RecordWords,
): NameMatch[] {
  const isGeneric = (word: string) => GENERIC.has(word) || words.isCommon(word);
  const indexed: Indexed[] = names.map(({ id, name }) => ({ id, words: wordsOf(name, words) }));
  const frequency = new Map<string, number>();
  for (const indexedName of indexed)
    for (const word of indexedName.words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weightOf = (word: string): number =>
    Math.log(1 + indexed.length / (frequency.get(word) ?? 1)) * (isGeneric(word) ? 0.35 : 1) + 0.05;

  // Each word said goes to the names' word it is most like; a word that is one exactly is no slip of another.
  const found = new Map<string, number>();
  for (const said of expand(tokens, words)) {
    if (frequency.has(said)) {
      found.set(said, 1);
      continue;
    }
    for (const named of frequency.keys()) {
      const like = likeness(said, named, words);
      if (like > (found.get(named) ?? 0)) found.set(named, like);
    }
  }
  return indexed.map(({ id, words: own }) => {
    let all = 0;
    let weight = 0;
    let telling = false;
    for (const word of own) {
      all += weightOf(word);
      const like = found.get(word) ?? 0;
      weight += like * weightOf(word);
      if (like > 0 && !isGeneric(word)) telling = true;
    }
    return { id, weight, share: all === 0 ? 0 : weight / all, telling };
  });
}

/**
 * The candidates a text names, best first and only those that cannot be told apart from the best; empty when none is
 * named. A generic word ("the night one") counts only with `allowGeneric`.
 */
export function namedBy(
  tokens: readonly Token[],
  names: readonly { id: string; name: string }[],
  allowGeneric: boolean,
  words: RecordWords,
): NameMatch[] {
  const matches = matchNames(tokens, names, words)
    .filter((match) => match.weight > 0 && (match.telling || allowGeneric || match.share > 0.9))
    .sort((a, b) => b.weight - a.weight || b.share - a.share);
  const [best] = matches;
  if (best === undefined) return [];
  const close = matches.filter((match) => match.weight >= best.weight * 0.85);
  // The same words found, but they are the whole name of only one.
  const whole = close.filter((match) => match.share > 0.95);
  return whole.length === 1 && close.length > 1 ? whole : close;
}
