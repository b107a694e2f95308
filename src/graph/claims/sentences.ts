import { type Token, tokensOf } from './tokens.js';

/** One sentence of an answer. */
export interface Sentence {
  readonly text: string;
  readonly from: number;
  /** What the tokens were read from. */
  readonly plain: string;
  readonly tokens: readonly Token[];
  readonly words: ReadonlySet<string>;
  readonly question: boolean;
}

const SENTENCE = /[^.!?…\n]+(?:[.!?…]+(?=["”')\]]*(?:\s|$))["”')\]]*|\n|$|[.!?…]+)/gu;

/** Cuts a text into sentences; a point inside a number or an address ends none. */
export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  let held = '';
  for (const match of text.matchAll(SENTENCE)) {
    if (held === '') from = match.index;
    held += match[0];
    const next = text[from + held.length];
    if (next !== undefined && /\S/.test(next) && !/[!?…\n]$/.test(held)) continue;
    sentences.push(sentenceOf(held, from));
    held = '';
  }
  if (held !== '') sentences.push(sentenceOf(held, from));
  return sentences;
}

function sentenceOf(text: string, from: number): Sentence {
  // "E-mail" is one word.
  const plain = text.replace(/\be-mail/giu, 'email');
  const tokens = tokensOf(plain);
  const words = new Set(tokens.map((token) => token.text));
  return { text, from, plain, tokens, words, question: /\?["”')\]\s]{0,8}$/.test(text) };
}
