import { editDistance } from '../../core/spelling.js';

/** Longest message the slot readers look at; the rest of a longer one is ignored. */
export const MAX_TEXT = 4_000;

/**
 * A text made comparable: lower case, no accents, plain quotes, no invisible characters.
 * `at[i]` is the offset in the original text of folded character `i`; `at[folded.length]` is the
 * end, so that any match in the folded text can be given back as a slice of what was written.
 */
export interface Folded {
  readonly folded: string;
  readonly at: readonly number[];
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ['‘', "'"],
  ['’', "'"],
  ['‛', "'"],
  ['`', "'"],
  ['´', "'"],
  ['“', '"'],
  ['”', '"'],
  ['„', '"'],
  ['«', '"'],
  ['»', '"'],
  ['–', '-'],
  ['—', '-'],
  ['−', '-'],
  ['…', '...'],
  ['ß', 'ss'],
  ['ø', 'o'],
  ['ł', 'l'],
]);

/** Marks, joiners, bidirectional controls, variation selectors: nothing a customer typed on purpose. */
const INVISIBLE = /^[\p{M}\p{Cf}]$/u;
const BLANK = /^[\s\p{Cc}\p{Z}]$/u;

/** No letter stands for another here. */
const PLAIN_ONLY = /^[\n\x20-\x5f\x61-\x7e]*$/;

const foldChar = (char: string): string => {
  if (char >= ' ' && char <= '~') return char.toLowerCase();
  const plain = PLAIN.get(char);
  if (plain !== undefined) return plain;
  if (char === '\n') return '\n';
  if (BLANK.test(char)) return ' ';
  if (INVISIBLE.test(char)) return '';
  return char
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[⁄]/g, '/')
    .toLowerCase();
};

/** How much of Brazil says "não" before a verb; before a noun it is "em um". */
const SPOKEN_NOT =
  /\bnum(?= (?:quero|queria|vou|ia|posso|pode|preciso|precisa|consigo|sei|tenho|tem|tou|to|ta|esta|e|eh|foi|era|deu|da|vai|gosto|gostei|recebi|entendi|fiz|fui|cancel|reativ|paus|reembols|devolv))/gu;

/** A folded text with every "not" written plainly; as long as it was. */
export function withPlainNot(folded: string): string {
  return folded.replace(SPOKEN_NOT, 'nao');
}

/** Folds a text for comparison (see {@link Folded}); looks at the first {@link MAX_TEXT} characters. */
export function fold(text: string): Folded {
  const source = begun(text);
  const at: number[] = [];
  if (PLAIN_ONLY.test(source)) {
    for (let i = 0; i <= source.length; i += 1) at.push(i);
    return { folded: withPlainNot(source.toLowerCase()), at };
  }
  let folded = '';
  let offset = 0;
  for (const char of source) {
    // A single character may stand for eighteen.
    if (folded.length >= MAX_TEXT) break;
    const out = foldChar(char);
    for (let i = 0; i < out.length; i += 1) at.push(offset);
    folded += out;
    offset += char.length;
  }
  at.push(offset);
  return { folded: withPlainNot(folded), at };
}

/** The folded text alone. */
export function foldText(text: string): string {
  const source = begun(text);
  return PLAIN_ONLY.test(source) ? withPlainNot(source.toLowerCase()) : fold(source).folded;
}

function begun(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
}

/** One word of a folded text with its place in it. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Words and numbers of a folded text, without punctuation; an apostrophe inside a word stays. */
export function tokenize(folded: string): Token[] {
  const tokens: Token[] = [];
  for (const match of folded.matchAll(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu)) {
    tokens.push({ word: match[0], start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** Replaces single words of a folded text (typos by their right form); offsets keep pointing at the original. */
export function replaceWords(source: Folded, replace: (word: string) => string | undefined): Folded {
  let folded = '';
  const at: number[] = [];
  let done = 0;
  const copy = (to: number): void => {
    for (let i = done; i < to; i += 1) at.push(source.at[i] ?? 0);
    folded += source.folded.slice(done, to);
    done = to;
  };
  for (const token of tokenize(source.folded)) {
    const right = replace(token.word);
    if (right === undefined || right === token.word) continue;
    copy(token.start);
    for (let i = 0; i < right.length; i += 1) at.push(source.at[token.start] ?? 0);
    folded += right;
    done = token.end;
  }
  copy(source.folded.length);
  at.push(source.at[source.folded.length] ?? 0);
  return { folded, at };
}

/** Whether two words are at most `limit` edits apart; longer ones than any word are never. */
export function within(a: string, b: string, limit: number): boolean {
  if (a === b) return true;
  return a.length <= 40 && b.length <= 40 && editDistance(a, b, limit) <= limit;
}

/** Edits forgiven for a word of this length: short words must be right, long ones may have two slips. */
export function slack(length: number): number {
  if (length < 5) return 0;
  return length < 9 ? 1 : 2;
}

/** What leads to something beside the record that is changed: "put my line ON the large plan". */
const LEADS = /\s(?:to|into|in|onto|on|for|with|por|para|pra|pro|ao?s?|al|em|n[ao]s?|en|con|com)\s/giu;

/** A text at each word that leads to something else, the last first: what stands before it, and after. */
export function leadsOf(text: string): readonly { readonly head: string; readonly tail: string }[] {
  return [...text.matchAll(LEADS)]
    .map(({ index, 0: said }) => ({ head: text.slice(0, index), tail: text.slice(index + said.length) }))
    .reverse();
}
