import type { Language } from '../core/domain/taxonomy.js';
import type { Act } from '../nlu/acts.js';
import type { Slots } from '../nlu/slots/index.js';
import { fold, foldText, tokenize } from '../nlu/slots/text.js';
import { ANSWERS, type AnswerReaders, HEARD, LIKELY } from './agreement.js';
import { isTerms, namedBeside, repeats } from './doubts.js';
import { isQuestion, THINKING } from './plain-words.js';
import { speaksOfPast } from './times.js';

/** From here on triage is believed that the next matter is one. */
const SURE_ASKED = 0.8;
/** From here on where something else says so too. */
const ASKED = 0.65;
/** From here on the model hears a matter of its own in a sentence of so many words beside an answer: "and the ticket?" is none. */
const [NEW_MATTER, MATTER_WORDS] = [0.6, 4];
/** Said of the matter that is asked about. */
const SAME_MATTER: readonly Act[] = [...ANSWERS, 'ask_terms', 'correct', 'why', 'repeat', 'hurry'];
/** A yes of so many words says what is to be done: "do it", "yes, ask them". */
const ORDER_WORDS = 2;
/** Only agrees. */
const BARE =
  /^(?:y|ye[sap]\w*|yup|ok\w*|sure|fine|right|great|good|cool|sim+|ta|certo|claro|beleza|blz|si|vale)$/;
/** Joints that are looked at. */
const MOST_JOINTS = 12;
/** Characters of a message in which its answer ends, where it has one: what follows is the next matter. */
const LONGEST_ANSWER = 240;

/** A message cut in two where it may stop and begin again. */
interface Cut {
  readonly head: string;
  /** What follows, as written, and the same without what joins it. */
  readonly after: string;
  readonly more: string;
  /** True where the answer ends a sentence, and what follows is one of its own. */
  readonly isApart: boolean;
}

/** What is known of the whole message. */
interface Whole {
  /** The chance that it answers and goes on. */
  readonly both: number;
  readonly asked: AskedAbout;
}

/** What is known of the change that a question asks about. */
export interface AskedAbout {
  /** Titles of what else they have: who asks about one of those beside a yes doubts nothing. */
  readonly others?: readonly string[];
  /** True where nothing is lost yet: the change can be reversed, or an operator still decides. */
  readonly isLight?: boolean;
  /** True where they have been asked once more after an answer that was not plain. */
  readonly isAskedAgain?: boolean;
}

/** Where a message may be an answer and something else, the likeliest place first. */
export function cutsOf({ words }: AnswerReaders, text: string): readonly Cut[] {
  const { folded, at } = fold(asJoined(text));
  const joints = [...folded.slice(0, LONGEST_ANSWER).matchAll(words.joint)].slice(0, MOST_JOINTS);
  // The end of a sentence parts more surely than a comma; what is asked back agrees to nothing.
  const said = joints.filter(({ index, 0: joint }) => {
    const goesOn = joint.trim() === '' && words.ordering.test(folded.slice(0, index));
    return !joint.includes('?') && !goesOn;
  });
  const sorted = [...said.filter(isEnd), ...said.filter((one) => !isEnd(one))];
  return sorted.map(({ index, 0: joint }) => {
    const joined = index + joint.length;
    // "Oh, and when is my next one?"
    const from = joined + (THINKING.exec(folded.slice(joined))?.[0].length ?? 0);
    let lead = from;
    for (
      let added = words.adding.exec(folded.slice(lead));
      added;
      added = words.adding.exec(folded.slice(lead))
    )
      lead += added[0].length;
    const written = (start: number): string => text.slice(at[start] ?? text.length).trim();
    const head = text.slice(0, at[index] ?? text.length);
    return { head, after: written(from), more: written(lead), isApart: /[.!;\n]/.test(joint) };
  });
}

/** "É" is no "e": without its accent "it is the Sunday one" would add another one. */
function asJoined(text: string): string {
  return text.replace(/(?<!\p{L})é(?!\p{L})/giu, 'ø');
}

/** A yes that stands before something else has so many words at most. */
const YES_WORDS = 5;

/** What stands after the yes that a message begins with, "but" and "and" left out; null where it begins with none, or says no more. */
export function besideYes(
  readers: AnswerReaders,
  text: string,
  language: Language,
  question: string,
): string | null {
  const { words, slots } = readers;
  const isYes = (head: string): boolean =>
    head.trim().split(/\s+/).length <= YES_WORDS && slots.readYesNo(head, language, question).kind === 'yes';
  const cuts = cutsOf(readers, text).filter(({ head, more }) => more !== '' && isYes(head));
  const [last] = cuts.toSorted((one, other) => other.head.length - one.head.length);
  if (!last) return null;
  const contrast = words.contrast.exec(foldText(last.more))?.[0] ?? '';
  return last.more.slice(contrast.length).replace(/^[\s,]+/, '');
}

/** True where what follows a no is a matter of its own. */
export function isNextAfterNo(
  { model, ...readers }: AnswerReaders,
  more: string,
  language: Language,
): boolean {
  const same = model.read(more, 'confirm', language)?.chanceOf(...ANSWERS) ?? 1;
  return (
    same < LIKELY &&
    (isQuestion(more) || readers.reports(more) || readers.asks(more, language).chance >= HEARD)
  );
}

/** True where what follows a yes is a matter of its own, and not what the yes hangs on. */
export function isNextAfterYes(
  readers: AnswerReaders,
  { head, after, more, isApart, both, asked: { others = [], isLight = false } }: Cut & Whole,
  language: Language,
  question: string,
): boolean {
  const { words, model, confirmationRemarks } = readers;
  if (confirmationRemarks.isUnconditional(head, after, { language, question, others, isLight })) return true;
  const folded = foldText(asJoined(after));
  const isAdded = words.added.test(folded);
  // "Ok but what about my last refund?" has agreed to nothing.
  if (words.contrast.test(folded)) return false;
  if (asksWhen(readers, more, language, question)) return true;
  // "Ok then yes, cancel the booking" says twice what it agrees to.
  if (repeats(readers, more, language, question)) return false;
  // "Yes, cancel the jazz one" corrects what is to be cancelled; "and cancel the jazz one" adds to it.
  if (!isAdded && words.namesChange(more, question).asked) return false;
  if (!isAdded && namedBeside(readers, more, language, question) !== '') return false;
  if (
    isLight &&
    (asksNextStep(readers, more, language) || (isApart && asksOfPast(readers, head, more, language)))
  )
    return true;
  const about = model.read(more, 'confirm', language);
  const { chance, change } = readers.asks(more, language);
  const isHeard = both >= HEARD || (about?.chanceOf('new_matter') ?? 0) >= LIKELY;
  const isOther = isHeard && about !== null && about.chanceOf(...SAME_MATTER) < 1 - LIKELY;
  if (isQuestion(more) || more.includes('?')) {
    const hangs = hangsOn(readers, more, language, question);
    const asked = foldText(more);
    const points = namedBeside(readers, more, language, question) !== '';
    // "When do I get the money of the other one?" is no doubt about this one.
    if (words.timing.test(asked) && !points && !words.pointing.test(asked)) return true;
    if (words.elsewhere.test(asked)) return true;
    // "Yes please. And can I switch to the smaller plan?": a sentence of its own about another matter, and not about what this costs.
    const isOwn = isApart && (isAdded || confirmationRemarks.isExplicit(head)) && !isTerms(readers, more);
    const isDoubted = words.guards(language).negation.test(asked) || words.guards(language).doubt.test(asked);
    const isWhole = more.trim().split(/\s+/).length >= MATTER_WORDS;
    const isNew = isWhole && (about?.chanceOf('new_matter') ?? 0) >= NEW_MATTER;
    if (isOwn && isNew && !isDoubted && !points && !words.pointing.test(asked)) return true;
    if (hangs || isTerms(readers, more)) return false;
    if (words.pointing.test(asked)) return false;
    // "Yes please ask them. And shall I still go?": an order in a sentence of its own hangs on nothing, a bare yes may.
    const ordering = [...wordsOf(head)].filter(
      (word) => !words.fillersOf(language).has(word) && !BARE.test(word),
    );
    const isOrder = words.namesChange(head, question).asked || ordering.length >= ORDER_WORDS;
    if (isApart && isOrder) return true;
    return asksPlainly(readers, more, language, question, others);
  }
  if (words.relaying.test(foldText(more))) return false;
  // "Yes, and tell them to keep my seat" takes back what it agrees to.
  if (readers.slots.readRequestAct(more).kind === 'withdraw') return false;
  // "Yes. My flight was moved" gives a reason, whatever else the words are like.
  if (words.telling.test(foldText(more))) return isAdded && chance >= (isHeard ? HEARD : SURE_ASKED);
  if (isOther && chance >= HEARD && (isAdded || both >= HEARD)) return true;
  if (!isAdded) return false;
  return about === null
    ? chance >= ASKED && !isTerms(readers, more)
    : both >= LIKELY || (change && chance >= ASKED);
}

/** True where it is asked when the money comes, or how long that takes, in words that point at no record: that is no doubt about it. */
function asksWhen(readers: AnswerReaders, more: string, language: Language, question: string): boolean {
  const { words } = readers;
  const asked = foldText(more);
  const isTime = words.lasting.test(asked) || (isQuestion(more) && words.timing.test(asked));
  const { doubt, negation } = words.guards(language);
  if (!isTime || doubt.test(asked) || negation.test(asked)) return false;
  return !words.pointing.test(asked) && namedBeside(readers, more, language, question) === '';
}

/**
 * "Yes. And the money that was charged already, do I get it back?": true for a question about what is over, in a sentence of its own
 * after one that is nothing but a yes. What can be put back does not hang on that.
 */
function asksOfPast(readers: AnswerReaders, head: string, more: string, language: Language): boolean {
  const { words } = readers;
  const isBareYes = [...wordsOf(head)].every(
    (word) => BARE.test(word) || words.fillersOf(language).has(word),
  );
  const { chance, change } = readers.asks(more, language);
  if (!isBareYes || !isQuestion(more) || change || chance < LIKELY) return false;
  return speaksOfPast(more);
}

/** True where a text asks no more than what is to be done or seen next, and doubts nothing. */
function asksNextStep(readers: AnswerReaders, text: string, language: Language): boolean {
  const { words } = readers;
  const rest = words.withoutNextStep(foldText(text));
  if (rest === null || isTerms(readers, text)) return false;
  const { doubt, negation } = words.guards(language);
  return ![words.hanging, doubt, negation].some((pattern) => pattern.test(rest));
}

/**
 * True where a question may be what the yes beside it hangs on: "and could we move it instead?", "are you sure?". Such a
 * question is answered first.
 */
function hangsOn({ words }: AnswerReaders, text: string, language: Language, question: string): boolean {
  const folded = foldText(text);
  const { asked, other } = words.namesChange(text, question);
  return asked || other || words.hanging.test(folded) || words.guards(language).negation.test(folded);
}

/** True where a text plainly asks when or where another record is, or whether it stands: by its name, and in no other words. */
function asksPlainly(
  { slots, words }: AnswerReaders,
  text: string,
  language: Language,
  question: string,
  others: readonly string[],
): boolean {
  const asked = wordsOf(question);
  const titles = others.flatMap((title) => [...wordsOf(title)]);
  const named = new Set(titles.filter((word) => slots.isName(word) && !asked.has(word)));
  const fillers = words.fillersOf(language);
  const said = [...wordsOf(text)].filter((word) => !fillers.has(word));
  const rest = said.filter((word) => !titles.includes(word) && !slots.isThing(word) && !slots.isKind(word));
  return said.some((word) => named.has(word)) && rest.every((word) => words.plainly.has(word));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(tokenize(foldText(text)).map(({ word }) => word));
}

function isEnd({ 0: joint }: RegExpExecArray): boolean {
  return /[.;!?\n]/.test(joint);
}

/** A question of so few words beside a no only asks back: "30 dec?". */
const ASKS_BACK = 3;

/** What is asked beside words that take a wish back: "changed my mind, leave it. What else do I have?"; null where nothing is. */
export function askedBeside(
  { readRequestAct, sentencesOf }: Pick<Slots, 'readRequestAct' | 'sentencesOf'>,
  text: string,
): string | null {
  const asked = sentencesOf(text).filter(
    (one) =>
      one.includes('?') &&
      one.trim().split(/\s+/).length > ASKS_BACK &&
      readRequestAct(one).kind !== 'withdraw',
  );
  return asked.length === 0 ? null : asked.join(' ');
}
