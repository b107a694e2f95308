import type { Language } from '../core/domain/taxonomy.js';
import type { Act, ActGuess, ActModel } from '../nlu/acts.js';
import type { Slots } from '../nlu/slots/index.js';
import { foldText } from '../nlu/slots/text.js';
import type { YesNo } from '../nlu/slots/yes-no.js';
import type { ConfirmationRemarks } from './confirmation-remarks.js';
import {
  type DoubtReaders,
  denies,
  held,
  namedBeside,
  repeats,
  saysOtherwise,
  withoutReason,
} from './doubts.js';
import { isQuestion, THINKING } from './plain-words.js';

/** From here on the model alone is believed a yes: what is done for it cannot be undone. */
const SURE_YES = 0.93;
/** From here on beside a plain yes with which the message begins. */
const SURE_BESIDE = 0.88;
/** From here on a no, or a delay: asking again is cheap. */
export const LIKELY = 0.55;
/** From here on the phrases hear a yes that is one whatever follows. */
export const PLAIN_YES = 0.9;
/** Up to so many words the phrases are certain by themselves. */
const PHRASE_WORDS = 3;
/** From here on the model contradicts what the phrases say. */
export const CONTRADICTS = 0.85;
/** From here on a second matter is looked for beside an answer. */
export const HEARD = 0.4;
const AGAINST: readonly Act[] = ['deny', 'deny_and_more', 'withdraw', 'postpone', 'correct', 'choose_none'];
export const AGREES: readonly Act[] = ['affirm', 'affirm_and_more'];
const REFUSES: readonly Act[] = ['deny', 'deny_and_more', 'withdraw'];
/** What settles a question, or leaves it open on purpose. */
export const ANSWERS: readonly Act[] = [...AGREES, ...REFUSES, 'postpone'];

/** How a message answers an open question. */
export interface Answer {
  /**
   * `unclear` does not settle it and must be asked again; `postpone` leaves it open on purpose; `other` is no answer but a
   * question, a correction or a new subject.
   */
  readonly kind: 'yes' | 'no' | 'unclear' | 'postpone' | 'other';
  /** What else it says. Beside a yes only what names a record, "the Friday one": to be looked at before anything is done. */
  readonly rest: string;
  /** What is asked for beside the answer, and worked on next; null where nothing is. */
  readonly more: string | null;
  /** True where that is a question of its own, and corrects nothing of what was asked about. */
  readonly isApart?: boolean;
  /** What is to be answered before anything is decided, alone: of "not yet. When does it end?" the question. */
  readonly first?: string;
  /** What stands after the yes that it begins with, where that keeps it from being one: a question, a wish. */
  readonly beside?: string;
  /** True where that is another change, set against the one that was asked about: "not the pause, end it for good". */
  readonly isSet?: boolean;
}

/** What the reader of answers works with. */
export interface AnswerReaders extends DoubtReaders {
  readonly slots: DoubtReaders['slots'] &
    Pick<Slots, 'asksFact' | 'readYesNo' | 'readCorrection' | 'readRequestAct' | 'sentencesOf'>;
  readonly model: ActModel;
  readonly confirmationRemarks: ConfirmationRemarks;
  /** True where the phrases take it for something else: "are you there?". */
  isAct(text: string): boolean;
  /** What a text means, without what it says is not meant. */
  meant(text: string): string;
  /** What stands before a supposition and after it begins, "yes, but" and "pause it?"; null where nothing is supposed. */
  supposing(text: string): { readonly before: string } | null;
  /** True where these words report that something went wrong. */
  reports(text: string): boolean;
  /** How surely these words ask for something of their own, 0 to 1, and whether for a change. */
  asks(text: string, language: Language): { readonly chance: number; readonly change: boolean };
}

/** Whether it is agreed to. */
interface Agreement {
  readonly kind: 'yes' | 'unclear';
  /** What names a record beside a yes; of what is unclear, all that follows it. */
  readonly rest: string;
}

/**
 * A yes with what stands around it, which casts no doubt on what is agreed to; `unclear` where the phrases hear a yes and
 * something does.
 * @param read what the phrases and the model hear in the whole
 * @returns null where none hears a yes
 */
export function agreement(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
  { kind, rest, hedged, guess }: YesNo & { readonly guess: ActGuess | null },
): Agreement | null {
  const unclear = kind === 'yes' ? ({ kind: 'unclear', rest } as const) : null;
  // A phrase of a few words is what it is; in longer ones the model may hear what the phrase does not say.
  const isShort = text.trim().split(/\s+/).length <= PHRASE_WORDS;
  if (hedged && isSettled(readers, text, language, question, guess))
    return { kind: 'yes', rest: namedBeside(readers, text, language, question) };
  if (hedged || (!isShort && (guess?.chanceOf(...AGAINST) ?? 0) >= CONTRADICTS)) return unclear;
  const named = namedBeside(readers, text, language, question);
  const isSaid = kind === 'yes' && (named !== '' || repeats(readers, rest, language, question));
  // "Ok, pause it" to a cancellation is no yes, though its question offers a pause too.
  const isElse = readers.words.namesChange(text, question).other;
  if (isSaid && !isElse && !saysOtherwise(readers, text, language, question)) return { kind, rest: named };
  const opening = openingOf(readers, text, language, question);
  const told = text.slice(opening.length);
  // "Yes. And do my bookings fall away?" may hang on the answer, though the question has told it.
  const about = told.includes('?') ? readers.model.read(told, 'confirm', language) : null;
  if ((about?.chanceOf('ask_terms') ?? 0) >= LIKELY) return unclear;
  // "Yes, only the pause" agrees in the words of the question, "yes, my mother is ill" says why: less of the model is enough.
  const isPlain = opening !== '' && tellsOnly(readers, told, language, question);
  const agrees = guess?.chanceOf(...AGREES) ?? (isPlain ? 1 : 0);
  const enough = isPlain ? LIKELY : opening === '' ? SURE_YES : SURE_BESIDE;
  if (agrees < enough) return unclear;
  const { negation, other } = held(readers, told, language, question);
  // "Yes, I cannot walk that far any more": a plain yes, and the reason for it.
  const isHeld = other || (negation && (opening === '' || denies(readers, told, language, question)));
  return isHeld ? unclear : { kind: 'yes', rest: named };
}

/** An amount of the question that is only said over again: "380, yes please ask them". */
const ECHOED = /^(?:r\$ ?)?(\d+(?:[.,]\d{2})?)(?: (?:reais|euros?|dollars?|bucks))?\s*[,.!]\s*/iu;

/** "Hm, 60 reais. Yes, go on": what the last sentence says plainly stands, where nothing but a sound of thought hedges it. */
function isSettled(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
  guess: ActGuess | null,
): boolean {
  const said = text
    .replace(THINKING, '')
    .replace(ECHOED, (echoed, number: string) => (question.includes(number) ? '' : echoed));
  const last = readers.slots.sentencesOf(said).at(-1) ?? '';
  const { negation, other } = held(readers, text, language, question);
  return (
    !(negation || other || readers.slots.readYesNo(said, language, question).hedged) &&
    (guess?.chanceOf(...AGREES) ?? 0) >= SURE_YES &&
    openingOf(readers, last, language, question) !== ''
  );
}

/** The plain yes that a message begins with, however often it is said; empty where it begins otherwise. */
function openingOf(readers: AnswerReaders, text: string, language: Language, question: string): string {
  const isYes = (part: string, least: number): boolean => {
    const { kind, confidence, rest } = readers.slots.readYesNo(part, language, question);
    const isElse = readers.words.namesChange(part, question).other;
    return kind === 'yes' && confidence >= least && !isElse && repeats(readers, rest, language, question);
  };
  let opening = '';
  for (const part of text.match(/[^,.;!\n]*(?:[,.;!\n]+|$)/g) ?? []) {
    if (part === '' || !isYes(part, 0)) break;
    opening += part;
  }
  const [first = ''] = /^\W*[\p{L}']+/u.exec(text) ?? [];
  return opening === '' && isYes(first, PLAIN_YES) ? first : opening;
}

/** True where every stretch of a text tells something, or says what the question says. */
function tellsOnly(readers: AnswerReaders, text: string, language: Language, question: string): boolean {
  const parts = text.split(/[,.;!\n]+/).filter((part) => /\p{L}/u.test(part));
  return parts.every((part) => isTold(readers.words, part) || repeats(readers, part, language, question));
}

function isTold({ telling, relaying, adding }: AnswerReaders['words'], part: string): boolean {
  const bare = foldText(part).trim().replace(adding, '');
  return telling.test(bare) || relaying.test(bare);
}

/** Of fewer words a sentence that begins with a no may be one. */
const MORE_THAN_NO = 4;

/**
 * "I do not need a break. Yes, cancel it", "which refund is that? Anyway, YES, cancel it": a yes that names the change which is asked
 * about, after sentences that name it nowhere and are more than a no to it. What is asked in these is answered beside it. Null where
 * there is no such yes, or where it may hang on what is asked.
 */
export function agreesAtLast(
  { asks, confirmationRemarks, slots, words, meant, supposing }: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): Answer | null {
  const sentences = slots.sentencesOf(text);
  const [written = '', before = ''] = [sentences.at(-1), sentences.slice(0, -1).join(' ')];
  // Who begins with "anyway" sets aside what was asked before.
  const last = confirmationRemarks.withoutReconsidering(written);
  const isOrder =
    words.namesChange(last, question).asked && slots.readYesNo(last, language, question).kind === 'yes';
  if (before === '' || last.includes('?') || !isOrder || meant(text) !== text) return null;
  const isMore = before.trim().split(/\s+/).length >= MORE_THAN_NO;
  const isHeld = supposing(text) !== null || words.guards(language).doubt.test(foldText(before));
  // What is asked for before it is asked for too.
  const isAsked = asks(before, language).change && slots.readYesNo(before, language).kind !== 'no';
  const asked = sentences.slice(0, -1).filter((one) => one.includes('?'));
  const isSetAside = asked.length > 0 && last !== written.trim();
  const told = isSetAside ? sentences.slice(0, -1).filter((one) => !asked.includes(one)) : [before];
  const isNamed = told.some((one) => words.namesChange(one, question).asked);
  const hangs = asked.some((one) => {
    const folded = foldText(one);
    const isOf = words.terms.test(folded) || words.pointing.test(folded) || words.hanging.test(folded);
    return isOf || words.namesChange(one, question).other;
  });
  if (!isMore || isHeld || isAsked || isNamed || (hangs && !isSetAside)) return null;
  if (slots.readRequestAct(before).kind !== 'none') return null;
  const more = asked.filter(isQuestion).join(' ');
  return {
    kind: 'yes',
    rest: '',
    more: more === '' ? null : more,
    ...(more === '' ? {} : { isApart: true }),
  };
}

/** Null where neither the phrases nor the model settle it. */
export function settle(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): Omit<Answer, 'more'> | null {
  const { slots, model } = readers;
  if (readers.isAct(text)) return { kind: 'other', rest: '' };
  const read = slots.readYesNo(text, language, question);
  const { kind, rest } = read;
  const guess = model.read(withoutReason(text), 'confirm', language);
  const chance = (acts: typeof AGREES): number => guess?.chanceOf(...acts) ?? 0;
  // Who takes it back while asking for a moment wants it no more.
  const delays = kind === 'no' || slots.readRequestAct(text).kind === 'withdraw' ? CONTRADICTS : LIKELY;
  if (kind !== 'yes' && chance(['postpone']) >= delays) return { kind: 'postpone', rest: '' };
  const isShort = text.trim().split(/\s+/).length <= PHRASE_WORDS;
  // "No payment failed. When is the next?" begins with a no and answers nothing.
  const isElse =
    guess !== null && !isShort && chance([...ANSWERS, 'correct', 'choose_none']) <= 1 - CONTRADICTS;
  if (kind === 'no' && isElse) return { kind: 'other', rest: text };
  if (kind === 'no') return { kind: chance(AGREES) >= CONTRADICTS ? 'unclear' : kind, rest };
  const yes = agreement(readers, text, language, question, { ...read, guess });
  if (yes !== null || guess === null) return yes;
  // "Forget the pause, end my plan": what is wanted instead is heard also where nothing parts it from the no.
  const isDoubtful = isQuestion(text) && readers.words.guards(language).doubt.test(foldText(text));
  if (chance(REFUSES) >= LIKELY && !isDoubtful)
    return { kind: 'no', rest: guess.act === 'deny_and_more' ? text : '' };
  return chance(ANSWERS) < 1 - LIKELY ? { kind: 'other', rest } : null;
}
