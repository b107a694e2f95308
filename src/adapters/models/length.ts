import type { BaseMessage } from '@langchain/core/messages';
import type { Language } from '../../core/domain/taxonomy.js';

/** Thrown where an answer is longer than anybody reads; nothing of the rest was taken in. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

import type { Texts } from '../../core/i18n/index.js';

/** Characters that a token stands for, at most and on the long run: no honest answer is cut that kept to its tokens. */
const CHARS_PER_TOKEN = 6;
/** From this part of the longest text on, the next sentence end is the last. */
const SOFT = 0.85;
/** A sentence is over where its mark is followed by space, or at the end of a line. */
const SENTENCE_END = /[.!?…]["”')\]]*\s|\n/g;

/** The finish reason of an answer that was stopped here, and has its ending. */
export const CUT = 'hub_cut';

/** What bounds the answers of a model. */
export interface AnswerBounds {
  /** Longest answer, in tokens; without limit where absent. */
  readonly maxTokens?: number | undefined;
  /** Where it is cut, the answer says so to its customer; absent where none is spoken to. */
  readonly texts?: Texts | undefined;
}

/** How long an answer may get, and how one ends that gets longer. */
export interface AnswerLimit {
  /** In characters. */
  readonly maxChars: number;
  /** Said where it was cut, in the customer's language; null where an answer that was cut is of no use. */
  readonly ending: string | null;
}

/** The limit for an answer of so many tokens to these messages. */
export function limitOf(
  { maxTokens, texts }: AnswerBounds,
  messages: readonly BaseMessage[],
): AnswerLimit | undefined {
  if (maxTokens === undefined) return undefined;
  const language = languageOf(messages);
  return {
    maxChars: maxTokens * CHARS_PER_TOKEN,
    ending: language === null || !texts ? null : texts.for(language).say('answer_cut'),
  };
}

/** The customer's language, in what the hub attaches to its system messages; null where no customer is spoken to. */
function languageOf([first]: readonly BaseMessage[]): Language | null {
  const attached = first?.additional_kwargs as
    | {
        readonly hub?: { readonly session?: { readonly language?: Language } };
        readonly hub_language?: Language;
      }
    | undefined;
  return attached?.hub?.session?.language ?? attached?.hub_language ?? null;
}

/** Follows an answer while it is written, and says where it has to stop. */
export class LengthWatch {
  #text = '';

  constructor(private readonly maxChars: number) {}

  /** As much of the next piece as may still be shown; null for all of it. */
  next(piece: string): string | null {
    const before = this.#text.length;
    const text = this.#text + piece.slice(0, this.maxChars + 1 - before);
    if (text.length <= this.maxChars * SOFT) {
      this.#text = text;
      return null;
    }
    const end = sentenceEndAfter(text, Math.max(this.maxChars * SOFT, before));
    if (end === -1 && text.length <= this.maxChars) {
      this.#text = text;
      return null;
    }
    if (end !== -1) return text.slice(before, end);
    const blank = text.lastIndexOf(' ', this.maxChars - 1);
    return `${text.slice(before, blank > before ? blank : this.maxChars - 1)}…`;
  }
}

function sentenceEndAfter(text: string, from: number): number {
  const start = Math.max(0, Math.floor(from) - 2);
  // Not by exec on the pattern itself: where it stopped would be where the next answer is looked at.
  for (const { 0: sign, index } of text.slice(start).matchAll(SENTENCE_END)) {
    const end = start + index + sign.length;
    if (end >= from) return end;
  }
  return -1;
}

/** An answer that the provider stopped in the middle, up to its last whole sentence, and with an honest ending. */
export function cutAtSentence(text: string, ending: string): string {
  const ends = [...`${text} `.matchAll(SENTENCE_END)];
  const last = ends.at(-1);
  if (last) return withEnding(text.slice(0, last.index + last[0].length), ending);
  const blank = text.lastIndexOf(' ');
  return withEnding(`${blank > 0 ? text.slice(0, blank) : text}…`, ending);
}

/** What was said, and why no more is. */
export function withEnding(text: string, ending: string): string {
  return `${text}${/\s$/.test(text) ? '' : ' '}${ending}`;
}
