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

/** Between an order and the name of what it is made to. */
const LEADING = 3;

/**
 * The name that an order gives to what is to be changed: "Elis" of "I want to cancel Elis" and of "cancel my booking for Elis, please".
 * Written with a capital letter, it is no everyday word. Null where it gives none.
 */
export function nameInOrder({ slots }: Nlu, text: string): string | null {
  const { changes, fillersOf } = slots.answers;
  const words = [...text.matchAll(/[\p{L}\p{N}']+|[.,;:!?\n]/gu)].map(([word]) => word);
  const at = words.findIndex((word) => changes.kindsIn(word).length > 0);
  const isName = (word: string): boolean =>
    /^\p{Lu}/u.test(word) && slots.isName(foldText(word)) && !fillersOf(undefined).has(foldText(word));
  const isLeading = (word: string): boolean =>
    word.length <= LEADING || slots.isThing(foldText(word)) || fillersOf(undefined).has(foldText(word));
  if (at < 0) return null;
  const after = words.slice(at + 1);
  const from = after.findIndex((word) => isName(word) || !isLeading(word));
  const named = from < 0 ? [] : after.slice(from);
  const end = named.findIndex((word) => !isName(word));
  const name = named.slice(0, end < 0 ? named.length : end).join(' ');
  // A message in capitals names nothing by them.
  return name === '' || text === text.toUpperCase() ? null : name;
}

const FEW_LETTERS = 3;
const isBeside = (nlu: Nlu, word: string): boolean =>
  nlu.slots.isThing(word) ||
  nlu.slots.answers.fillersOf(undefined).has(word) ||
  nlu.slots.pointsAtOne(word) ||
  SMALL.has(word);
const wordsOf = (text: string): readonly string[] => foldText(text).match(/[a-z0-9]+/g) ?? [];
