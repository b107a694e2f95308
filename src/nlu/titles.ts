import type { Nlu } from './nlu.js';
import { foldText } from './slots/text.js';
import { SMALL } from './slots/title-match.js';

interface Titled {
  readonly id: string;
  readonly title: string;
}

/** The one record whose whole title stands in a text, be it an everyday word or the name of a month; null where none does, or several. */
export function titledIn(text: string, records: readonly Titled[]): string | null {
  const folded = ` ${wordsOf(text).join(' ')} `;
  const found = records
    .map(({ id, title }) => ({ id, words: wordsOf(title).join(' ') }))
    .filter(({ words }) => words !== '' && folded.includes(` ${words} `))
    .toSorted((one, other) => other.words.length - one.words.length);
  const [best, next] = found;
  return best && best.words.length > (next?.words.length ?? 0) ? best.id : null;
}

/** The one record whose title has all words of a few that name it: "the evening one". Null where none has, or several. */
export function titledLike(nlu: Nlu, text: string, records: readonly Titled[]): string | null {
  const named = new Set(records.flatMap(({ title }) => wordsOf(title)));
  // What no title has is how records are called, or says nothing.
  const said = wordsOf(text).filter((word) => word.length > 2 && named.has(word));
  const others = wordsOf(text).filter((word) => !named.has(word) && word.length > FEW_LETTERS);
  if (said.length === 0 || others.some((word) => !isBeside(nlu, word))) return null;
  const [only, ...more] = records.filter(({ title }) => said.every((word) => wordsOf(title).includes(word)));
  return only && more.length === 0 ? only.id : null;
}

const FEW_LETTERS = 3;
const isBeside = (nlu: Nlu, word: string): boolean =>
  nlu.slots.isThing(word) ||
  nlu.slots.answers.fillersOf(undefined).has(word) ||
  nlu.slots.pointsAtOne(word) ||
  SMALL.has(word);
const wordsOf = (text: string): readonly string[] => foldText(text).match(/[a-z0-9]+/g) ?? [];
