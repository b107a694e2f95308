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

/** Nobody writes longer ones: what goes on is read as the next, so that no text makes reading slow. */
const LONGEST = 500;
const SENTENCE = /[^.!?…\n]{1,500}(?:[.!?…]{1,500}["”')\]]{0,9}|\n)?|[.!?…]{1,500}["”')\]]{0,9}|\n/gu;

/** "Encontra-se" says no more than "encontra". */
const CLITIC = /(?<=\p{L}{3})-(?:se|me|te|lhe|lhes|nos|lo|la|los|las)(?!\p{L})/giu;
const QUESTION = /\?["”')\]\s]{0,8}$/;
/** "I've booked it, okay?" asks nothing. */
const TAG =
  /[,…]\s*(?:t[aá]|ok|okay|right|alright|viu|n[eé]|certo|beleza|blz|combinado|fechado|deal|yes|sim|yeah|hein)\s*\?["”')\]\s]{0,8}$/iu;

/** Cuts a text into sentences; a point inside a number or an address ends none. */
export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  for (const match of text.matchAll(SENTENCE)) {
    const end = match.index + match[0].length;
    const next = text[end];
    const ends = next === undefined || /\s/.test(next) || /[!?…\n]["”')\]]{0,9}$/.test(match[0]);
    if (!ends && end - from < LONGEST) continue;
    sentences.push(sentenceOf(text.slice(from, end), from));
    from = end;
  }
  return sentences;
}

function sentenceOf(text: string, from: number): Sentence {
  // "E-mail" is one word.
  const plain = text.replace(/\be-mail/giu, 'email').replace(CLITIC, (found) => ' '.repeat(found.length));
  const tokens = tokensOf(plain);
  const words = new Set(tokens.map((token) => token.text));
  return { text, from, plain, tokens, words, question: QUESTION.test(text) && !TAG.test(text) };
}

/** Says when or if something is so. */
export const CONDITION =
  /(?<!\p{L})(?:if|when|once|unless|until (?!\d)|whether|as soon as|as long as|should|se|quando|(?<!(?:nesse|neste|esse|este|o|seu|cada) )caso|assim que|enquanto|depois que|at[eé] que)(?!\p{L})/iu;

/** Where a part of a sentence ends that states something by itself. */
const PARTS =
  /[—–]|: |, (?=(?:and|but|so|then|yet|though|although|which|e|mas|ent[aã]o|por[eé]m|embora)\s)|(?<=\p{L}{4}) (?=(?:and|mas|but) )| (?=e (?:j[aá]|n[aã]o|[oa]s?|voc[eê]|seu|sua|est[aá]|foi) )/u;

/** A text in the parts that state something each; one with a condition is read as a whole. */
export function partsOf(text: string): readonly string[] {
  return text
    .split(/;/)
    .flatMap((part) => (CONDITION.test(part) ? [part] : part.split(PARTS)))
    .map((part) => part.trim());
}
