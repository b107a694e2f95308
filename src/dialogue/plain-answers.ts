import type { Language } from '../core/domain/taxonomy.js';
import { foldText } from '../nlu/slots/text.js';
import {
  AGREES,
  type Answer,
  type AnswerReaders,
  CONTRADICTS,
  HEARD,
  LIKELY,
  PLAIN_YES,
  settle,
} from './agreement.js';
import { isDoubted, saysOtherwise, withoutReason } from './doubts.js';
import { cutsOf } from './next-matter.js';
import { isQuestion } from './plain-words.js';

/* Answers that stand in a sentence of their own, among others. */

/** Words of a sentence that says no more than no, and of a question before it that only asks back. */
export const SHORT_NO = 6;
const [ASKING_BACK, ASKING_BACK_LAST] = [8, 18];

/**
 * "It is charged tomorrow? Then no, leave it. What time does it begin?": a sentence of its own that turns it down, whatever is asked
 * back before it; what is asked after it is asked for, also of the same matter. Null where no such sentence stands there.
 */
export function plainNo(readers: AnswerReaders, text: string, language: Language): Answer | null {
  const sentences = readers.slots.sentencesOf(text);
  const at = sentences.findIndex((sentence) => !sentence.includes('?'));
  const [said = '', ...after] = at < 0 ? [] : sentences.slice(at);
  const lengthOf = (sentence: string): number => sentence.trim().split(/\s+/).length;
  // Where nothing comes after the no, it may ask back at more length: "so I come back at the end of the month? Then no, not now".
  const longest = after.length === 0 ? ASKING_BACK_LAST : ASKING_BACK;
  const isShort =
    lengthOf(said) <= SHORT_NO && sentences.slice(0, at).every((one) => lengthOf(one) <= longest);
  const more = after.join(' ');
  // What is named after a no corrects it; only a question is asked for beside it.
  if (at < 0 || sentences.length < 2 || !isShort || after.some((one) => !one.includes('?'))) return null;
  if (readers.slots.readYesNo(said, language).kind !== 'no') return null;
  return more === '' ? { kind: 'no', rest: '', more: null } : { kind: 'no', rest: '', more, isApart: true };
}

/**
 * "On reflection, no. I shall keep it. However, what if I fell ill?", "what was that? I do not want it now, first I want to know who did
 * it": a sentence, or its beginning, that turns it down, where no other agrees. What asks for something behind it is worked on next.
 */
export function noAmong(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): Answer | null {
  const { confirmationRemarks, model, slots, words } = readers;
  const sentences = slots.sentencesOf(text);
  if ((model.read(text, 'confirm', language)?.chanceOf(...AGREES) ?? 0) >= LIKELY) return null;
  const kindOf = (said: string) => settle(readers, said, language, question)?.kind;
  if (sentences.some((one) => !one.includes('?') && kindOf(one) === 'yes')) return null;
  for (const [at, sentence] of sentences.entries()) {
    const said = confirmationRemarks.withoutReconsidering(sentence);
    if (said === '' || said.includes('?') || readers.supposing(said) !== null) continue;
    const stretches = said.split(/(?<=,)\s+/);
    const end = stretches.findIndex((_, last) =>
      isNo(readers, stretches.slice(0, last + 1).join(' '), kindOf),
    );
    if (end < 0) continue;
    const behind = [stretches.slice(end + 1).join(' '), ...sentences.slice(at + 1)];
    const { asking: asks } = words.guards(language);
    const asking = behind.filter(
      (one) => isQuestion(one) || asks.test(foldText(one)) || readers.asks(one, language).chance >= HEARD,
    );
    const more = asking.filter((one) => kindOf(one) !== 'no').join(' ');
    return { kind: 'no', rest: '', more: more === '' ? null : more, isApart: true };
  }
  return null;
}

/**
 * "Yes, go on. Oh no, wait! What if my sister wants to come? Better leave it as it is": what is agreed to first and taken back in a later
 * sentence is not agreed to, whatever is asked between. Null where nothing is taken back, or it is agreed to once more.
 */
export function givenUp(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): Answer | null {
  const { confirmationRemarks, slots } = readers;
  const sentences = slots.sentencesOf(text);
  const agrees = (one: string): boolean => !one.includes('?') && saysYes(readers, one, language, question);
  const takesBack = (one: string): boolean =>
    !one.includes('?') &&
    slots.readRequestAct(confirmationRemarks.withoutReconsidering(one)).kind === 'withdraw';
  const [first, last] = [sentences.findIndex(agrees), sentences.findLastIndex(takesBack)];
  if (first < 0 || last <= first || sentences.slice(last + 1).some(agrees)) return null;
  const more = sentences.filter((one) => one.includes('?')).join(' ');
  return { kind: 'no', rest: '', more: more === '' ? null : more, isApart: true };
}

/** True where the phrases hear a no in it, not only the model: that takes many a complaint for one. */
function isNo(
  { slots }: AnswerReaders,
  said: string,
  kindOf: (said: string) => Answer['kind'] | undefined,
): boolean {
  const { kind } = slots.readYesNo(said);
  return kind === 'no' || (kindOf(said) === 'no' && slots.readRequestAct(said).kind === 'withdraw');
}

/** True where one stretch of a text says yes in so many words: "ok" and "fine" do not. */
export function saysYes(
  { slots }: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): boolean {
  return text.split(/[,.;:!\n]+/).some((part) => {
    const { kind, confidence } = slots.readYesNo(part, language, question);
    return kind === 'yes' && confidence >= PLAIN_YES;
  });
}

/**
 * True for a yes in a message that holds nothing against it: who was asked once more because of what stood beside their first yes is
 * taken at their word.
 */
export function insists(readers: AnswerReaders, text: string, language: Language, question: string): boolean {
  const { model, slots, words } = readers;
  const stretches = text.split(/[,.;:!\n]+/).filter((part) => /\p{L}/u.test(part));
  const readOf = (part: string) => slots.readYesNo(part, language, question);
  const isYes = stretches.some((part) => readOf(part).kind === 'yes');
  const [first = ''] = /^\W*[\p{L}']+/u.exec(text) ?? [];
  const isLed = readOf(first).kind === 'yes' && readOf(first).confidence >= PLAIN_YES;
  const agrees = model.read(text, 'confirm', language)?.chanceOf(...AGREES) ?? 1;
  const isMeant = (isYes && agrees >= LIKELY) || (isLed && agrees >= CONTRADICTS);
  if (!isMeant || text.includes('?')) return false;
  const isDenied = words.guards(language).negation.test(withoutReason(text));
  const isElse = words.namesChange(text, question).other || saysOtherwise(readers, text, language, question);
  return !isDenied && !isElse && !isDoubted(readers, text, language);
}

/** A no in haste has so many words at most. */
const HASTY = 3;

/**
 * "No, wait. Do cancel it, but send me the money by Pix": after a no in haste the change that is asked about is agreed to by its name.
 * That turns nothing down, and nothing is agreed to by it yet. Null where nothing is said so.
 */
export function hastyNo(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): Answer | null {
  const { slots, words } = readers;
  for (const { head, after } of cutsOf(readers, text)) {
    if (head.trim().split(/\s+/).length > HASTY || slots.readYesNo(head, language, question).kind !== 'no')
      continue;
    const [said = ''] = after.split(/[,.;!\n]+/);
    const isAgreed =
      words.namesChange(said, question).asked && slots.readYesNo(said, language, question).kind === 'yes';
    if (isAgreed && settle(readers, after, language, question)?.kind !== 'no')
      return hasty(after.slice(said.length).replace(/^\W+/, ''));
  }
  return null;
}

function hasty(rest: string): Answer {
  return { kind: 'unclear', rest, more: null, ...(rest === '' ? {} : { beside: rest }) };
}
