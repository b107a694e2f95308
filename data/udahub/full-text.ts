import type BetterSqlite3 from 'better-sqlite3';

const MAX_SEARCH = 200;
const MAX_ANY = 40;
const MAX_ALL = 32;
const MAX_WORD = 64;
/** Words this short are looked for as they are; longer ones as beginnings. */
const SHORT = 2;

/** Signs that many writers leave out: accents, Hebrew points, Arabic vowels and the stretched line, joiners. */
const OPTIONAL =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0640\p{Default_Ignorable_Code_Point}]|(?=\p{Mn})[\u0591-\u06ff\u0700-\u074f\u08d0-\u08ff\ufb1e]/gu;
/** Letters without a decomposition that people also write with the plain letter. */
const PLAIN: Readonly<Record<string, string>> = {
  ς: 'σ',
  ı: 'i',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
};
const SPECIAL = /[ςıđðøłæœ]/gu;

/** Scripts that put no space between words, and Korean, which puts particles on them. */
const UNSPACED =
  '(?:(?=[\\p{L}\\p{N}])[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Yiii}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Java}\\p{sc=Bali}]\\p{M}*)';
const UNIT = new RegExp(UNSPACED, 'gu');
const RUN = new RegExp(`(${UNSPACED}+)|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`, 'gu');
const ASCII = /^[\0-\x7f]*$/;

/** A word, or a run of a script without gaps as its characters. */
type Piece = string | readonly string[];

function fold(text: string): string {
  // By way of upper case, so that ß and SS are one.
  const lower = text.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
  return lower
    .replace(OPTIONAL, '')
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC');
}

function piecesOf(text: string): readonly Piece[] {
  if (ASCII.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...fold(text).matchAll(RUN)].map(([word, run]) =>
    run === undefined ? word : (run.match(UNIT) ?? []),
  );
}

/** Each character with the next one, and the last one alone, so that every part of a run is found by its pairs. */
function pairsOf(units: readonly string[]): readonly string[] {
  return units.map((unit, i) => unit + (units[i + 1] ?? ''));
}

/**
 * What of a text goes into a full-text index: folded words with spaces between. The index splits at spaces alone
 * (tokenizer `ascii`), so that texts and queries are cut into words by this file only, whatever the script.
 *
 * Words are found without their accents, Hebrew points or Arabic vowels, and with them; vowel signs of Indian scripts
 * belong to the word. Chinese, Japanese, Thai, Lao, Khmer, Burmese and Korean are indexed as pairs of characters: any
 * part of a text is found, and now and then a text that has all pairs of the query in different places. Traditional
 * and simplified Chinese are different characters, and the article of an Arabic or Hebrew word stays a part of it.
 */
function searchWords(text: string): string {
  return piecesOf(text)
    .flatMap((piece) => (typeof piece === 'string' ? piece : pairsOf(piece)))
    .join(' ');
}

/** A word to look for, or how one begins. */
export interface Term {
  readonly text: string;
  readonly beginning: boolean;
}

function termsOf(text: string, limit: number, beginnings: boolean): readonly Term[] {
  const terms = piecesOf(text).flatMap((piece): readonly Term[] => {
    if (typeof piece === 'string') {
      const letters = [...piece];
      const cut = letters.length > MAX_WORD;
      const begun = cut || (beginnings && letters.length > SHORT);
      return [{ text: letters.slice(0, MAX_WORD).join(''), beginning: begun }];
    }
    const [only = ''] = piece;
    if (piece.length === 1) return [{ text: only, beginning: true }];
    return pairsOf(piece)
      .slice(0, -1)
      .map((pair) => ({ text: pair, beginning: false }));
  });
  const different = new Map(terms.map((term) => [`${term.text} ${term.beginning}`, term]));
  return [...different.values()].slice(0, limit);
}

/** What to look for where any word of a text a person may type will do; nothing where it has none. */
export function anyWord(text: string): readonly Term[] {
  return termsOf(text, MAX_ANY, false);
}

/** As `anyWord`, but all words, each as the beginning of one; of a long text the first 200 characters. */
export function allWords(text: string): readonly Term[] {
  return termsOf(text.slice(0, MAX_SEARCH), MAX_ALL, true);
}

/** The words of a text as an index keeps them that cannot hold very long ones: a query is cut at the same length. */
export function wordsOf(text: string): readonly string[] {
  const words = searchWords(text);
  return words === '' ? [] : words.split(' ').map((word) => [...word].slice(0, MAX_WORD).join(''));
}

/** Gives a connection the SQL function `search_words`, which the triggers of the full-text indexes call. */
export function registerSearchWords(sqlite: BetterSqlite3.Database): void {
  sqlite.function('search_words', { deterministic: true }, (text: unknown) =>
    searchWords(String(text ?? '')),
  );
}
