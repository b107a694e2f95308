import { BEFORE_DAYS, ORDINAL_DAYS } from './figure-words.js';
import type { Token } from './tokens.js';

/* Words that name a month or a weekday in one place and something else in another. */

/** "May" and "mar" are also other words. */
export function isMonthAt(tokens: readonly Token[], at: number): boolean {
  const { text: word = '', capital = false } = tokens[at] ?? {};
  if (word === 'maio' || (word.length > 4 && word !== 'march')) return true;
  return capital && typeof tokens[at + 1]?.number === 'number';
}

/** "Segunda" is a Monday, and the second of several; "sat" is also a verb. */
export function isWeekdayAt(tokens: readonly Token[], at: number): boolean {
  const { text: word = '', capital = false } = tokens[at] ?? {};
  const wordAt = (ahead: number) => tokens[at + ahead]?.text ?? '';
  if (ORDINAL_DAYS.has(word)) {
    // "A primeira ... da segunda": they count.
    if (tokens.some(({ text }) => /^primeir[ao]s?$/.test(text)) && wordAt(1) !== '-') return false;
    const isNamed = wordAt(1) === '-' && wordAt(2) === 'feira';
    return isNamed || BEFORE_DAYS.has(wordAt(-1)) || at === 0;
  }
  return word.length !== 3 || capital;
}
