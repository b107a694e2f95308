import type { Language } from '../core/domain/taxonomy.js';
import type { Slots } from '../nlu/slots/index.js';
import { foldText, tokenize } from '../nlu/slots/text.js';
import { type AnswerWords, echoesOf, POLITE_ORDER, UNABLE_TO_GO } from '../nlu/slots/yes-no-words.js';

/** "YES I said" says it again, and doubts nothing; what somebody else said does. */
const SAID_BEFORE = /\b(?:i (?:already )?(?:said|told (?:you|u))|eu (?:ja )?disse|(?:ja )?falei)\b/;

/** Say how much is meant: beside a yes to one exact thing they change nothing, where nothing else is named. */
const SCOPE = /\b(?:too|also|both|all|everything|only|just|so|somente|apenas|tambem|tudo|todas|todos)\b/g;
const DOUBT_SIGNS =
  /["\u{1F914}\u{1F937}\u{1F615}\u{1F612}\u{1F644}\u{1F610}\u{1F44E}\u{274C}\u{1F6AB}\u{1F6D1}\u{270B}]/u;
/** Only the words of a date count here, and not which day they mean. */
const ANY_DAY = new Date(0);
/** Shorter words may be articles. */
const SHORTEST = 3;

/** What the words of an answer are held against. */
export interface DoubtReaders {
  readonly slots: Pick<Slots, 'findDates' | 'isKind' | 'isName' | 'isThing' | 'pointsAtOne' | 'readYesNo'>;
  readonly words: AnswerWords;
}

/** True where nothing is said but what the question says. */
export function repeats(
  { words }: DoubtReaders,
  text: string,
  language: Language,
  question: string,
): boolean {
  const isOther = words.namesChange(text, question).other;
  return !isOther && unsaid(words, foldText(text).replace(SCOPE, ' '), language, question).length === 0;
}

/** What keeps a yes from being one: a negation; a condition, a question, another change, number or day, a doubtful face. */
export function held(
  readers: DoubtReaders,
  text: string,
  language: Language,
  question: string,
): { readonly negation: boolean; readonly other: boolean } {
  const folded = withoutReason(text);
  const { negation, asking } = readers.words.guards(language);
  const asks = (folded.includes('?') && !POLITE_ORDER.test(folded)) || asking.test(folded);
  return {
    negation: negation.test(folded),
    other:
      asks ||
      isDoubted(readers, text, language) ||
      readers.words.namesChange(text, question).other ||
      saysOtherwise(readers, text, language, question),
  };
}

/** A negation denies what stands so many words after it at most. */
const DENIED_WORDS = 3;
/** What is not wanted of the hub: the change follows. */
const OF_YOU =
  /^ ?(?:want|need|like) you (?:guys )?to |^ ?(?:quero|queria|precisa|quiero) que (?:voces? |vcs? |tu )?/u;
const WHY_NOT = /\b(?:why not|(?:por ?que|pq) nao|por que no)\b/u;

/**
 * True where a negation denies what is asked about, or stands alone: "yes please don't", "sim, não cancela", "I do not want you to cancel
 * it". "I cannot walk that far" denies something else.
 */
export function denies({ words }: DoubtReaders, text: string, language: Language, question: string): boolean {
  const negation = new RegExp(words.guards(language).negation.source, 'gu');
  const isDenied = (after: string): boolean => {
    const denied = (after.replace(OF_YOU, ' ').match(/[\p{L}']+/gu) ?? []).slice(0, DENIED_WORDS).join(' ');
    return denied === '' || words.namesChange(denied, question).asked;
  };
  const parts = foldText(text)
    .replace(WHY_NOT, ' ')
    .split(/[,.;!\n]+/);
  return parts.some((part) =>
    [...part.matchAll(negation)].some(({ index, 0: found }) => isDenied(part.slice(index + found.length))),
  );
}

/** A condition, a contrast, another target, or a doubtful face. */
export function isDoubted({ words }: DoubtReaders, text: string, language: Language): boolean {
  const folded = withoutReason(text).replace(SCOPE, ' ').replace(SAID_BEFORE, ' ');
  return words.guards(language).doubt.test(folded) || DOUBT_SIGNS.test(text);
}

/** True where another number or another day is said than the question says: "yes, the Sunday one" of a Saturday. */
export function saysOtherwise(
  { slots, words }: DoubtReaders,
  text: string,
  language: Language,
  question: string,
): boolean {
  const numbers = text.match(/\d+/g) ?? [];
  if (numbers.some((number) => !question.includes(number))) return true;
  const echoes = echoesOf(question);
  const now = ANY_DAY.toISOString();
  // "Yes, resume it in January" puts it off; what is asked of January beside a yes does not.
  const isOrder = !text.includes('?') && words.namesChange(text, question).asked;
  return (
    slots
      .findDates(text, { now: ANY_DAY, language })
      .filter(({ grain }) => grain === 'day' || grain === 'hour' || isOrder)
      // Who has been ill since yesterday means no other day.
      .filter(({ from, to, text: said }) => from > now || (to <= now && /\d/.test(said)))
      .some((date) => !tokenize(foldText(date.text)).some(({ word }) => echoes(word) || /\d/.test(word)))
  );
}

/**
 * What points at one of several in other words than the question's: "the jazz one", "o show de jazz". Whether it is the one
 * that is asked about only its record tells.
 * @returns the words as written, empty where nothing is named so
 */
export function namedBeside(
  { slots, words }: DoubtReaders,
  text: string,
  language: Language,
  question: string,
): string {
  const parts = text.split(/[.,;:!?\n]+/).map((part) => part.trim());
  const named = parts.filter((part) => {
    const fillers = words.fillersOf(language);
    const folded = tokenize(foldText(part))
      .map(({ word }) => word)
      .join(' ');
    const bare = folded
      .split(' ')
      .filter((word) => word.length < SHORTEST || !fillers.has(word))
      .join(' ');
    if (!slots.pointsAtOne(bare) || unsaid(words, folded, language, question).length === 0) return false;
    // "That's the one" agrees and names nothing.
    const { kind, rest } = slots.readYesNo(part, language, question);
    return !(kind === 'yes' && rest === '');
  });
  return named.join(', ');
}

/** True where a text asks what an open change brings or costs, by its words alone. */
export function isTerms({ words }: DoubtReaders, text: string): boolean {
  return words.terms.test(foldText(text));
}

/** "I cannot make it, please cancel": why it is wanted holds a "not" that is no answer. Without accents. */
export function withoutReason(text: string): string {
  return foldText(text).replace(UNABLE_TO_GO, ' ');
}

/** Words that are neither the question's nor without meaning beside a yes. */
function unsaid(words: AnswerWords, folded: string, language: Language, question: string): readonly string[] {
  const echoes = echoesOf(question);
  const around = words.aroundIn(question);
  const fillers = words.fillersOf(language);
  return tokenize(folded)
    .map(({ word }) => word)
    .filter((word) => !fillers.has(word) && !around(word) && !echoes(word));
}
