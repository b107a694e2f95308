import type { Language } from '../core/domain/taxonomy.js';
import { fold, foldText, tokenize } from '../nlu/slots/text.js';
import {
  AGREES,
  ANSWERS,
  type Answer,
  type AnswerReaders,
  agreesAtLast,
  CONTRADICTS,
  HEARD,
  LIKELY,
  PLAIN_YES,
  settle,
} from './agreement.js';
import { withoutReason } from './doubts.js';
import {
  type AskedAbout,
  askedBeside,
  besideYes,
  cutsOf,
  isNextAfterNo,
  isNextAfterYes,
} from './next-matter.js';
import { givenUp, hastyNo, insists, noAmong, plainNo, SHORT_NO, saysYes } from './plain-answers.js';
import { isQuestion, THINKING } from './plain-words.js';

/**
 * Reads a message as the answer to a question that is open.
 * @param question what was asked, as the customer read it
 * @param asked what is known of the change that it asks about
 */
export type ReadAnswer = (text: string, language: Language, question: string, asked?: AskedAbout) => Answer;

/**
 * Makes the reader of answers: the phrases that are certain first, then what the model was taught. A yes is strict: a model
 * that is sure, and nothing in the words that holds it back. A no is taken generously.
 */
export function createAnswerReader(readers: AnswerReaders): ReadAnswer {
  const { slots, model } = readers;
  const read: ReadAnswer = (text, language, question, asked = {}) => {
    const plain =
      agreesAtLast(readers, text, language, question) ??
      hastyNo(readers, text, language, question) ??
      plainNo(readers, text, language);
    if (plain !== null) return plain;
    const corrected =
      takenBack(readers, text, language, question) ?? correction(readers, text, language, question);
    if (corrected !== null) return corrected;
    const guess = model.read(withoutReason(text), 'confirm', language);
    const chance = (...acts: typeof AGREES): number => guess?.chanceOf(...acts) ?? 0;
    const parted = part(readers, text, language, question, {
      both: chance('affirm_and_more', 'deny_and_more'),
      isElse: guess !== null && chance(...ANSWERS) <= 1 - LIKELY,
      asked,
    });
    if (parted !== null) return parted;
    const { kind, rest } =
      settle(readers, text, language, question) ??
      rough(slots, text, language, { question, agrees: chance(...AGREES) });
    const among = kind === 'other' || kind === 'unclear' ? noAmong(readers, text, language, question) : null;
    if (among !== null) return among;
    // "No, 90 days" and "no, the Friday one" go on about the same wish; a bare reason does not.
    const words = rest.split(/\s+/).filter(Boolean).length;
    const isBare = chance('deny', 'withdraw') >= CONTRADICTS;
    const number = rest.match(/\d+/)?.[0] ?? question;
    const goesOn =
      !question.includes(number) ||
      isQuestion(rest) ||
      (words >= 2 &&
        !isBare &&
        // "No, leave it, I will see how I feel" holds the no, and asks for nothing else.
        (chance('correct', ...(rest === text ? [] : ['deny_and_more' as const])) >= LIKELY ||
          readers.asks(rest, language).chance >= HEARD));
    // "I said that I don't want to cancel. I only want to know when the doors open" turns it down, and asks that.
    const told = kind === 'no' ? readers.meant(text) : text;
    if (told !== text && readers.asks(told, language).chance >= HEARD)
      return { kind, rest: '', more: told, isApart: true };
    if (kind === 'no' && !goesOn) {
      const instead = otherChange(readers, text, question);
      return { kind, rest, more: instead, ...(instead === null ? {} : { isSet: true }) };
    }
    // "No, I will keep the other one" goes on about nothing else.
    if (kind === 'no' && slots.readRequestAct(rest).kind === 'withdraw') {
      const more = askedBeside(slots, rest);
      return { kind, rest, more, ...(more === null ? {} : { isApart: true }) };
    }
    return { kind, rest, more: kind === 'no' ? readers.meant(rest) : null };
  };
  const answerOf: ReadAnswer = (written, language, question, asked) => {
    // "Hmm, and if I only pause it, how does that work?" turns nothing down.
    const { before = null } = (written.includes('?') && readers.supposing(written)) || {};
    const led = before === null ? null : slots.readYesNo(before, language, question).kind;
    const isLed =
      led === 'yes' || led === 'no' || noAmong(readers, before ?? '', language, question) !== null;
    if (led !== null && !isLed) return { kind: 'other', rest: written, more: null };
    const held = readers.confirmationRemarks.questionBeforeDecision(written);
    if (held !== null)
      return { kind: 'unclear', rest: held, more: null, first: withoutHalt(readers, held, language) };
    // "No no, it is not about the fee. I asked how long it takes" turns nothing down.
    if (readers.confirmationRemarks.repeatsOwnQuestion(written, language))
      return { kind: 'other', rest: written, more: null };
    // "Deal, thanks" and "ok cool, cheers" say no plain yes to what changes something.
    if (readers.words.parting.test(foldText(written))) return { kind: 'unclear', rest: '', more: null };
    const plain = readers.words.changes.inOneWord(written);
    // "Cancel the pause" turns a pause down that is only asked about.
    const text = readers.words.namesChange(plain, question).asked ? plain : written;
    const said = afterHalt(readers.words, text, language);
    if (said === null) return read(text, language, question, asked);
    if (said === '') return { kind: 'postpone', rest: '', more: null };
    const answer = read(said, language, question, asked);
    const asksTime = (model.read(text, 'confirm', language)?.chanceOf('postpone') ?? 0) >= CONTRADICTS;
    // "Hold on, my phone is ringing" asks for nothing else.
    if (answer.kind === 'other' && asksTime && !text.includes('?'))
      return { kind: 'postpone', rest: '', more: null };
    // Who stops first and then agrees may agree to something else.
    if (answer.kind !== 'yes') return answer;
    const beside = besideYes(readers, said, language, question);
    return { kind: 'unclear', rest: said, more: null, ...(beside === null ? {} : { beside }) };
  };
  return (said, language, question, asked) => {
    const { confirmationRemarks } = readers;
    const written = said.replace(EITHER, '?');
    const readOf = (text: string): Answer =>
      answerOf(confirmationRemarks.withoutGivingUp(text, question), language, question, asked);
    // Courtesies are left out beside a plain yes; "ok, lovely, thanks" is none, and a no is thanked for.
    const bare = confirmationRemarks.bare(written);
    const isPlain = bare !== written && saysYes(readers, bare, language, question);
    const plain = isPlain ? readOf(bare) : null;
    const read = plain?.kind === 'yes' ? plain : readOf(written);
    const answer = (read.kind === 'no' ? null : givenUp(readers, written, language, question)) ?? read;
    // "Yes, that is the one I want to go to" agrees to no cancellation of it, however often it is asked.
    if (confirmationRemarks.wantsToKeep(written, question))
      return answer.kind === 'yes' ? { kind: 'unclear', rest: '', more: null } : answer;
    const isMeant = asked?.isAskedAgain === true && insists(readers, bare, language, question);
    if (answer.kind === 'unclear' && isMeant) return { kind: 'yes', rest: '', more: null };
    const isHeld = answer.kind === 'unclear' || answer.kind === 'other';
    const beside = isHeld && !answer.beside ? besideYes(readers, written, language, question) : null;
    return beside === null ? answer : { ...answer, beside };
  };
}

/** Behind a question: "am I charged, yes/no". */
const EITHER = /[\s,;:.?!]*\b(?:yes|sim|s[ií]) ?(?:\/|or|ou|o) ?(?:no|n[aã]o)\W*$/iu;
/** The change that a few words order in place of the one that is asked about, by its name: "no, I mean RESUME". Null where none. */
function otherChange({ words, slots }: AnswerReaders, text: string, question: string): string | null {
  const isBare = text.trim().split(/\s+/).length <= SHORT_NO && !text.includes('?');
  const { changes, namesChange } = words;
  const [ordered, ...others] = changes.orderedIn(text);
  if (!isBare || ordered === undefined || others.length > 0 || namesChange(text, question).asked) return null;
  return slots.readRequestAct(text).kind === 'withdraw' ? null : changes.firstIn(text);
}

/**
 * "Yes. Wait no, the samba one instead": what is agreed to is taken back, and something else is meant. Null where nothing is; a
 * question beside a yes takes nothing back.
 */
function takenBack(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): Answer | null {
  const { before = '', after = '' } = readers.slots.readCorrection(text) ?? {};
  if (before === '' || after.includes('?')) return null;
  // "Yes, and my bad for the shouting" takes nothing back.
  if ((readers.model.read(text, 'confirm', language)?.chanceOf(...AGREES) ?? 0) >= LIKELY) return null;
  return readers.slots.readYesNo(before, language, question).kind === 'yes'
    ? { kind: 'no', rest: '', more: after }
    : null;
}

/** "I do not want to resume, I want to see my payments": a no, and what is meant instead. Null where nothing is set against another. */
function correction(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): Answer | null {
  const more = readers.meant(text);
  if (more === text || !text.endsWith(more)) return null;
  const head = text.slice(0, text.length - more.length);
  return settle(readers, head, language, question)?.kind === 'no'
    ? { kind: 'no', rest: '', more, isApart: readers.slots.asksFact(more) || asksElse(readers, head, more) }
    : null;
}

/** "Leave it, forget it. Another thing: do children pay?": what is asked goes on about nothing that is left. */
function asksElse({ slots }: AnswerReaders, head: string, more: string): boolean {
  return isQuestion(more) && slots.readRequestAct(head).kind === 'withdraw';
}

/** What stands after "hold on", which by itself answers nothing; null where it does not begin so. */
function afterHalt(words: AnswerReaders['words'], text: string, language: Language): string | null {
  const source = fold(text);
  const thought = THINKING.exec(source.folded)?.[0] ?? '';
  const halted = words.halts.exec(source.folded.slice(thought.length))?.[0];
  if (halted === undefined) return null;
  const halt = thought + halted;
  const fillers = words.fillersOf(language);
  const left = tokenize(source.folded.slice(halt.length)).find(({ word }) => !fillers.has(word));
  return left === undefined ? '' : text.slice(source.at[halt.length] ?? text.length).trim();
}

/** A question without what only asks to wait for it: "actually hang on, may she come with me?". */
function withoutHalt(
  { words, confirmationRemarks }: AnswerReaders,
  text: string,
  language: Language,
): string {
  const asked = confirmationRemarks.withoutReconsidering(text);
  return afterHalt(words, asked, language) || asked;
}

/** What is left to the phrases alone: also "scrap that, we are staying", which begins with no plain no. */
function rough(
  slots: AnswerReaders['slots'],
  text: string,
  language: Language,
  { question, agrees }: { readonly question: string; readonly agrees: number },
): Pick<Answer, 'kind' | 'rest'> {
  // "Yes, and how many do I keep?" may sound like a no to the words, and not to the model.
  const isTakenBack = agrees < LIKELY && slots.readRequestAct(text).kind === 'withdraw';
  return isTakenBack ? { kind: 'no', rest: text } : slots.readYesNo(text, language, question);
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
  whole: { readonly both: number; readonly isElse: boolean; readonly asked: AskedAbout },
): Answer | null {
  for (const { head, after, more, isApart } of cutsOf(readers, text)) {
    if (more === '' || withoutReason(head) !== foldText(head)) continue;
    const answer = settle(readers, head, language, question);
    if (answer?.kind !== 'yes' && answer?.kind !== 'no') continue;
    const { kind: opens, confidence } = readers.slots.readYesNo(head, language, question);
    // "Perhaps a pause is better... does it cost anything?" turns nothing down yet.
    const isDoubtful = readers.words.guards(language).doubt.test(foldText(head));
    if (answer.kind === 'no' && opens !== 'no' && isDoubtful && isQuestion(more)) continue;
    // Nor has "no email came, and when is my next bill?" turned anything down.
    if (answer.kind === 'no' && whole.isElse && opens !== 'no') continue;
    // "Right, and my lost scarf?": such a word alone agrees, in front of anything else it is often a noise.
    if (opens === 'yes' && confidence < PLAIN_YES && whole.both < CONTRADICTS) continue;
    // "Not the pause, end it for good": what is wanted instead is named against what is asked.
    const { namesChange } = readers.words;
    const isSet = namesChange(head, question).asked && namesChange(more, question).other;
    if (answer.kind === 'no' && isSet) return { kind: 'no', rest: '', more, isSet: true };
    const isNext =
      answer.kind === 'no'
        ? isNextAfterNo(readers, more, language)
        : isNextAfterYes(readers, { ...whole, head, after, more, isApart }, language, question);
    if (!isNext) continue;
    const isLeft = answer.kind === 'no' && asksElse(readers, head, more);
    const rest = answer.kind === 'yes' ? answer.rest : '';
    return { ...answer, ...(isLeft ? { isApart: true } : {}), rest, more };
  }
  return saidLast(readers, text, language, question);
}

/**
 * The yes or no to what is asked about by its name in the last sentence, after another request: "cancel the first two please. And yes
 * for the pause". Null where none is.
 */
function saidLast(readers: AnswerReaders, text: string, language: Language, question: string): Answer | null {
  const { slots, words } = readers;
  const sentences = slots.sentencesOf(text);
  const last = (sentences.at(-1) ?? '').trim();
  const said = last.replace(new RegExp(words.adding.source, words.adding.flags.replace('g', '')), '');
  if (sentences.length < 2 || text.includes('?') || !words.namesChange(said, question).asked) return null;
  const before = text.slice(0, text.lastIndexOf(last)).trim();
  if (words.namesChange(before, question).asked || !readers.asks(before, language).change) return null;
  const { kind } = slots.readYesNo(said, language, question);
  return kind === 'yes' || kind === 'no' ? { kind, rest: '', more: before, isApart: true } : null;
}
