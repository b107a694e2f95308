import type { RecordWords } from './record-words.js';
import { foldText, tokenize } from './text.js';
import {
  type AnswerWords,
  ASKING,
  type Cue,
  DOUBT,
  ECHO,
  NEGATION,
  SAYS_AGAIN,
  UNABLE_TO_GO,
} from './yes-no-words.js';

/**
 * How a message answers an open yes/no question. `unclear` is an answer that does not settle it and must be
 * asked again; `other` is no answer at all but a question or a new subject.
 */
export type YesNo = {
  kind: 'yes' | 'no' | 'unclear' | 'other';
  /** What is left after the yes/no words, as written: "the Friday one" in "no, the Friday one". Look at it before acting on a yes. */
  rest: string;
  /** 0 to 1. */
  confidence: number;
  /** True where the words themselves leave it open: "yeah right", "I guess so". */
  hedged?: boolean;
};

/** Points at one of several. */
const ANOTHER = /\b(?:ones?|other|outr[ao]s?|aquel[ea]|ess[ea] (?:n|nao))\b/;

/**
 * A yes in a sentence of its own stays one where what follows it only tells something: "Yes. It is in two hours."
 * @param readAnswer reads one stretch of text as an answer
 */
export function readSentences(
  text: string,
  readAnswer: (part: string) => YesNo,
  records: Pick<RecordWords, 'isThing'>,
  { telling }: Pick<AnswerWords, 'telling'>,
): YesNo {
  const whole = readAnswer(text);
  if (whole.kind === 'yes' || whole.kind === 'no') return whole;
  const [first = '', ...others] = text.split(/(?<=[.!])\s+/).filter((one) => /\p{L}/u.test(one));
  if (others.length === 0 || text.includes('?')) return whole;
  const yes = readAnswer(first);
  const harmless = others.every((sentence) => onlyTells(foldText(sentence), records, telling));
  return yes.kind === 'yes' && yes.rest === '' && harmless
    ? { kind: 'yes', rest: '', confidence: 0.85 }
    : whole;
}

function onlyTells(folded: string, { isThing }: Pick<RecordWords, 'isThing'>, telling: RegExp): boolean {
  const sentence = folded.replace(UNABLE_TO_GO, ' ');
  if (sentence.replace(/[.!\s]/g, '') === '') return true;
  if ([DOUBT, NEGATION, ASKING, SAYS_AGAIN, ANOTHER].some((pattern) => pattern.test(sentence))) return false;
  return telling.test(sentence) && !tokenize(sentence).some(({ word }) => isThing(word) || ECHO.test(word));
}

/** A word of an answer. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Only blanks lie between this word and the one before it. */
  readonly joined: boolean;
}

/** "yesss", "simmm", "nãooo": a letter said three times or more is said once. */
const calm = (word: string): string => word.replace(/(\p{L})\1{2,}/gu, '$1');

/** The words of a folded answer. */
export const wordsOf = (folded: string): Word[] => {
  let end = 0;
  const tokens = tokenize(folded);
  return tokens.map((token, i) => {
    const joined = folded.slice(end, token.start).trim() === '';
    end = token.end;
    const word = calm(token.word);
    // "N quero": the chat form of "não"; alone it stays, being "no" in both languages.
    return { ...token, word: word === 'n' && tokens.length > i + 1 ? 'nao' : word, joined };
  });
};

/** "Pleease" and "siim": a word that is none is read with its letters said once, where that is one. */
export function withoutDoubledLetters(one: Word, knows: (word: string) => boolean): Word {
  if (knows(one.word)) return one;
  const word = one.word.replace(/(\p{L})\1/gu, '$1');
  return knows(word) ? { ...one, word } : one;
}

/** How an answer begins. */
export interface Opening {
  readonly cues: readonly Cue[];
  /** The first word that is neither cue nor filler. */
  readonly next: number;
  /** The word after the last cue. */
  readonly last: number;
  /** The first word that says what to do ("yes, cancel it"): it is for the caller to see. */
  readonly action: number | null;
}
