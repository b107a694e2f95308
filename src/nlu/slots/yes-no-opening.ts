import type { FindDates } from './dates.js';
import type { RecordWords } from './record-words.js';
import type { Opening, Word } from './yes-no-sentences.js';
import { type AnswerWords, type Cue, type Guards, PODE_DO } from './yes-no-words.js';

/** What the reader of answers knows of a company. */
export interface Reader {
  readonly records: RecordWords;
  readonly answers: AnswerWords;
  /** Of the language of the message. */
  readonly guards: Guards;
  readonly fillers: ReadonlySet<string>;
  readonly findDates: FindDates;
  /** Names the thing asked about: "the Friday one", "a de sexta", "for the evening". "The app crashed" names nothing. */
  readonly namesOne: RegExp;
  /** True for a word that changes nothing beside a yes. */
  readonly around: (word: string) => boolean;
  /** True for a word of the question that is answered. */
  readonly echoes: (word: string) => boolean;
}

/** The phrase that stands at a word, and what it says; null where none does. */
export const phraseAt = (
  { records, fillers, answers: { phrases } }: Reader,
  words: readonly Word[],
  index: number,
): { cue: Cue; length: number } | null => {
  const list = phrases.get(words[index]?.word ?? '');
  const hit = list?.find((phrase) =>
    phrase.words.every((word, i) => {
      const said = words[index + i];
      if (said === undefined || (i > 0 && !said.joined)) return false;
      return word === '*' ? records.isThing(said.word) : said.word === word;
    }),
  );
  if (hit === undefined) return null;
  // A comma ends a phrase: "não pode" forbids, "não, pode" does not.
  const after = words[index + hit.words.length]?.word;
  if (
    hit.words.length === 1 &&
    hit.words[0] === 'pode' &&
    after !== undefined &&
    !PODE_DO.test(after) &&
    !fillers.has(after)
  )
    return null;
  return { cue: hit.cue, length: hit.words.length };
};

/** Reads the leading run of cues and fillers. */
export const readOpening = (reader: Reader, words: readonly Word[]): Opening => {
  const cues: Cue[] = [];
  let next = 0;
  let last = 0;
  let action: number | null = null;
  while (next < words.length) {
    const phrase = phraseAt(reader, words, next);
    if (phrase !== null) {
      cues.push(phrase.cue);
      if (phrase.cue === 'action') action ??= next;
      next += phrase.length;
      last = next;
    } else if (reader.fillers.has(words[next]?.word ?? '')) {
      next += 1;
    } else break;
  }
  return { cues, next, last, action };
};
