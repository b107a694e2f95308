import type { Language } from '../core/domain/taxonomy.js';
import type { Act, ActModel } from '../nlu/acts.js';
import type { Slots } from '../nlu/slots/index.js';
import { fold, foldText, tokenize } from '../nlu/slots/text.js';
import { echoesOf } from '../nlu/slots/yes-no-sentences.js';
import { type AnswerWords, POLITE_ORDER, UNABLE_TO_GO } from '../nlu/slots/yes-no-words.js';

/** How a message answers an open question. */
export interface Answer {
  /**
   * `unclear` does not settle it and must be asked again; `postpone` leaves it open on purpose; `other` is no answer but a
   * question, a correction or a new subject.
   */
  readonly kind: 'yes' | 'no' | 'unclear' | 'postpone' | 'other';
  /** What else it says, e.g. "the Friday one" in "yes, the Friday one": to be looked at before anything is done. */
  readonly rest: string;
  /** What is asked for beside the answer, and worked on next; null where nothing is. */
  readonly more: string | null;
}

/** From here on the model alone is believed a yes: what is done for it cannot be undone. */
const SURE_YES = 0.93;
/** From here on a no, or a delay: asking again is cheap. */
const LIKELY = 0.55;
/** From here on the phrases hear a yes that is one whatever follows. */
const PLAIN_YES = 0.9;
/** Up to so many words the phrases are certain by themselves. */
const PHRASE_WORDS = 3;
/** From here on a second matter is looked for beside a yes. */
const HEARD = 0.4;
/** From here on the model contradicts what the phrases say. */
const CONTRADICTS = 0.85;
const AGAINST: readonly Act[] = ['deny', 'deny_and_more', 'withdraw', 'postpone', 'correct', 'choose_none'];
const REFUSES: readonly Act[] = ['deny', 'deny_and_more', 'withdraw'];
const AGREES: readonly Act[] = ['affirm', 'affirm_and_more'];
const ANSWERS: readonly Act[] = [
  'affirm',
  'affirm_and_more',
  'deny',
  'deny_and_more',
  'withdraw',
  'postpone',
];
/** Said of the matter that is asked about. */
const SAME_MATTER: readonly Act[] = [...ANSWERS, 'ask_terms', 'correct', 'why', 'repeat', 'hurry'];
const QUESTION_WORDS = 3;
/** Joints that are looked at. */
const MOST_JOINTS = 12;
/** Characters of a message in which its answer ends, where it has one: what follows is the next matter. */
const LONGEST_ANSWER = 240;
/** A message that may stop and begin again there. */
const JOINT = /[.,;!?\n]+\s*|\s+(?=(?:and|but|also|then|e|mas|tamb[eé]m|aproveita)\s)/giu;
const LEAD = /^(?:and|also|but|then|e|mas|tamb[eé]m)\s+/iu;
const CONTRAST = /^(?:but|mas)\s/iu;
/** Say how much is meant: beside a yes to one exact thing they change nothing, where nothing else is named. */
const SCOPE = /\b(?:too|also|both|all|everything|only|just|so|somente|apenas|tambem|tudo|todas|todos)\b/g;
const DOUBT_SIGNS =
  /["\u{1F914}\u{1F937}\u{1F615}\u{1F612}\u{1F644}\u{1F610}\u{1F44E}\u{274C}\u{1F6AB}\u{1F6D1}\u{270B}]/u;

/** What the reader of answers works with. */
interface AnswerReaders {
  readonly slots: Pick<Slots, 'readYesNo' | 'readRequestAct'>;
  readonly words: AnswerWords;
  readonly model: ActModel;
  /** True where the phrases take it for something else: "are you there?". */
  isAct(text: string): boolean;
  /** True where these words ask for something of their own. */
  asks(text: string, language: Language): boolean;
}

/** Reads a message as the answer to a question that is open. @param question what was asked, as the customer read it */
export type ReadAnswer = (text: string, language: Language, question: string) => Answer;

/**
 * Makes the reader of answers: the phrases that are certain first, then what the model was taught. A yes is strict: a model
 * that is sure, and nothing in the words that holds it back. A no is taken generously.
 */
export function createAnswerReader(readers: AnswerReaders): ReadAnswer {
  const { slots, model } = readers;
  const read: ReadAnswer = (text, language, question) => {
    const guess = model.read(withoutReason(text), 'confirm', language);
    const chance = (...acts: readonly Act[]): number => guess?.chanceOf(...acts) ?? 0;
    const parted = part(readers, text, language, question, {
      both: chance('affirm_and_more', 'deny_and_more'),
      isElse: guess !== null && chance(...ANSWERS) <= 1 - LIKELY,
    });
    if (parted !== null) return parted;
    const { kind, rest } =
      settle(readers, text, language, question) ?? rough(slots, text, language, question);
    // "No, 90 days" and "no, the Friday one" go on about the same wish; a bare reason does not.
    const words = rest.split(/\s+/).filter(Boolean).length;
    const isBare = chance('deny', 'withdraw') >= CONTRADICTS;
    const number = rest.match(/\d+/)?.[0] ?? question;
    const goesOn =
      !question.includes(number) ||
      isQuestion(rest) ||
      (words >= 2 &&
        !isBare &&
        (chance('correct', 'deny_and_more') >= LIKELY || readers.asks(rest, language)));
    return { kind, rest, more: kind === 'no' && goesOn ? rest : null };
  };
  return (text, language, question) => {
    const said = afterHalt(readers.words, text, language);
    if (said === null) return read(text, language, question);
    if (said === '') return { kind: 'postpone', rest: '', more: null };
    const answer = read(said, language, question);
    const asksTime = (model.read(text, 'confirm', language)?.chanceOf('postpone') ?? 0) >= CONTRADICTS;
    // "Hold on, my phone is ringing" asks for nothing else.
    if (answer.kind === 'other' && asksTime && !text.includes('?'))
      return { kind: 'postpone', rest: '', more: null };
    // Who stops first and then agrees may agree to something else.
    return answer.kind === 'yes' ? { kind: 'unclear', rest: said, more: null } : answer;
  };
}

/** What stands after "hold on", which by itself answers nothing; null where it does not begin so. */
function afterHalt(words: AnswerWords, text: string, language: Language): string | null {
  const source = fold(text);
  const halt = words.halts.exec(source.folded)?.[0];
  if (halt === undefined) return null;
  const fillers = words.fillersOf(language);
  const left = tokenize(source.folded.slice(halt.length)).find(({ word }) => !fillers.has(word));
  return left === undefined ? '' : text.slice(source.at[halt.length] ?? text.length).trim();
}

/** What is left to the phrases alone: also "scrap that, we are staying", which begins with no plain no. */
function rough(
  slots: AnswerReaders['slots'],
  text: string,
  language: Language,
  question: string,
): Pick<Answer, 'kind' | 'rest'> {
  const isTakenBack = slots.readRequestAct(text).kind === 'withdraw';
  return isTakenBack ? { kind: 'no', rest: text } : slots.readYesNo(text, language, question);
}

/** Null where neither the phrases nor the model settle it. */
function settle(
  { slots, words, model, isAct }: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): Omit<Answer, 'more'> | null {
  if (isAct(text)) return { kind: 'other', rest: '' };
  const { kind, rest } = slots.readYesNo(text, language, question);
  const guess = model.read(withoutReason(text), 'confirm', language);
  const chance = (acts: readonly Act[]): number => guess?.chanceOf(...acts) ?? 0;
  // Who takes it back while asking for a moment wants it no more.
  const delays = kind === 'no' || slots.readRequestAct(text).kind === 'withdraw' ? CONTRADICTS : LIKELY;
  if (kind !== 'yes' && chance(['postpone']) >= delays) return { kind: 'postpone', rest: '' };
  // A phrase of a few words is what it is; in longer ones the model may hear what the phrase does not say.
  const isShort = text.trim().split(/\s+/).length <= PHRASE_WORDS;
  if (kind === 'yes') return { kind: !isShort && chance(AGAINST) >= CONTRADICTS ? 'unclear' : kind, rest };
  // "No payment failed. When is the next?" begins with a no and answers nothing.
  const isElse =
    guess !== null && !isShort && chance([...ANSWERS, 'correct', 'choose_none']) <= 1 - CONTRADICTS;
  if (kind === 'no' && isElse) return { kind: 'other', rest: text };
  if (kind === 'no') return { kind: chance(AGREES) >= CONTRADICTS ? 'unclear' : kind, rest };
  if (guess === null) return null;
  const [head = ''] = text.split(/[,.;!\n]/);
  const isPlain = head !== text && slots.readYesNo(head, language, question).kind === 'yes';
  // "Yes, only the pause" agrees in the words of the question: less of the model is enough.
  const isRepeated = isPlain && repeats(words, text.slice(head.length), language, question);
  if (chance(AGREES) >= (isRepeated ? LIKELY : SURE_YES)) {
    const { negation, other } = held(words, text, language, question);
    // "Yes, I cannot walk that far any more": a plain yes, and the reason for it.
    if (!other && (!negation || isPlain)) return { kind: 'yes', rest: '' };
  }
  // "Forget the pause, end my plan": what is wanted instead is heard also where nothing parts it from the no.
  if (chance(REFUSES) >= LIKELY) return { kind: 'no', rest: guess.act === 'deny_and_more' ? text : '' };
  return chance(ANSWERS) < 1 - LIKELY ? { kind: 'other', rest } : null;
}

/** "I cannot make it, please cancel": why it is wanted holds a "not" that is no answer. */
function withoutReason(text: string): string {
  const folded = foldText(text);
  const rest = folded.replace(UNABLE_TO_GO, ' ');
  return rest === folded ? text : rest;
}

/** True where nothing is said but what the question says. */
function repeats(words: AnswerWords, text: string, language: Language, question: string): boolean {
  const echoes = echoesOf(question);
  const fillers = words.fillersOf(language);
  return tokenize(foldText(text).replace(SCOPE, ' ')).every(
    ({ word }) => fillers.has(word) || words.around.has(word) || echoes(word),
  );
}

/** What keeps a yes from being one: a negation; a condition, a question, another number, a doubtful face. */
function held(
  words: AnswerWords,
  text: string,
  language: Language,
  question: string,
): { readonly negation: boolean; readonly other: boolean } {
  const folded = foldText(text).replace(UNABLE_TO_GO, ' ');
  const { negation, doubt, asking } = words.guards(language);
  const asks = (folded.includes('?') && !POLITE_ORDER.test(folded)) || asking.test(folded);
  const numbers = folded.match(/\d+/g) ?? [];
  const isAnother = numbers.some((number) => !question.includes(number));
  return {
    negation: negation.test(folded),
    other: asks || doubt.test(folded.replace(SCOPE, ' ')) || DOUBT_SIGNS.test(text) || isAnother,
  };
}

/**
 * The answer at the beginning and the next matter after it: "yes, and when is my next one?". What is asked about the same
 * matter is no next one: the answer may hang on it.
 * @param whole what the model makes of the whole: the chance that it answers and goes on, and whether it is likely no answer
 */
function part(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
  whole: { readonly both: number; readonly isElse: boolean },
): Answer | null {
  const { both, isElse } = whole;
  const joints = [...text.slice(0, LONGEST_ANSWER).matchAll(JOINT)].slice(0, MOST_JOINTS);
  // The end of a sentence parts more surely than a comma.
  const sorted = [...joints.filter(isEnd), ...joints.filter((one) => !isEnd(one))];
  for (const { index, 0: joint } of sorted) {
    const more = text
      .slice(index + joint.length)
      .replace(LEAD, '')
      .trim();
    const head = text.slice(0, index);
    if (more === '' || withoutReason(head) !== head) continue;
    const answer = settle(readers, head, language, question);
    if (answer?.kind !== 'yes' && answer?.kind !== 'no') continue;
    // "Ok but what about my last refund?" has agreed to nothing.
    if (answer.kind === 'yes' && CONTRAST.test(text.slice(index + joint.length))) continue;
    // "Right, and my lost scarf?": such a word alone agrees, in front of anything else it is often a noise.
    const { kind: opens, confidence } = readers.slots.readYesNo(head, language, question);
    if (opens === 'yes' && confidence < PLAIN_YES && both < CONTRADICTS) continue;
    // "Ok then yes, cancel the booking" says twice what it agrees to.
    if (answer.kind === 'yes' && repeats(readers.words, more, language, question)) continue;
    // Nor has "no email came, and when is my next bill?" turned anything down.
    if (answer.kind === 'no' && isElse && opens !== 'no') continue;
    const about = readers.model.read(more, 'confirm', language);
    const same = answer.kind === 'yes' ? SAME_MATTER : ANSWERS;
    const isSame = (about?.chanceOf(...same) ?? 1) >= (answer.kind === 'yes' ? 1 - LIKELY : LIKELY);
    const isHeard = answer.kind === 'no' || both >= HEARD || (about?.chanceOf('new_matter') ?? 0) >= LIKELY;
    const isNext = isHeard && !isSame && (isQuestion(more) || readers.asks(more, language));
    if (isNext) return { kind: answer.kind, rest: '', more };
  }
  return null;
}

/** A question of some words, which is owed an answer. */
function isQuestion(text: string): boolean {
  return (
    text
      .slice(0, Math.max(0, text.lastIndexOf('?')))
      .trim()
      .split(/\s+/).length >= QUESTION_WORDS
  );
}

function isEnd({ 0: joint }: RegExpExecArray): boolean {
  return /[.;!?\n]/.test(joint);
}
