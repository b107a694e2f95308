import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { fold, foldText, tokenize } from '../nlu/slots/text.js';
import type { AnswerWords } from '../nlu/slots/yes-no-words.js';
import { pattern, readWords } from '../nlu/words.js';
import { isOther, THINKING } from './plain-words.js';

/*
 * Reads the remarks that customers make beside the answer to a confirmation.
 *
 * An explicit yes ("yes please", "pode cancelar sim, obrigada") counts as a confirmation when no question after it could change the
 * customer's mind: when and where the money arrives, who writes, what to send, what else is booked, another record by its name.
 * Questions about the cost or loss of this change, or whether it is the right one, and all conditions are answered first, and the
 * confirmation stays open. The patterns list the questions that are harmless; whatever they do not cover holds the yes back.
 */

/** Reads what a customer writes beside the answer to a confirmation. */
export interface ConfirmationRemarks {
  /**
   * True where the remarks after a yes contain a question, and the yes depends on none of them.
   * @param yes the yes, as written
   * @param remarks the text after it, including the word that joins them ("and", "but")
   */
  isUnconditional(yes: string, remarks: string, context: RemarksContext): boolean;
  /** True where a yes is said in so many words: "yes please", "go ahead". */
  isExplicit(yes: string): boolean;
  /**
   * The question that the customer wants answered before deciding: "not yet. When does it end?", "may she come too? If so I keep it".
   * @returns null where the decision is not postponed and hangs on no question
   */
  questionBeforeDecision(text: string): string | null;
  /** True where the customer wants to keep what the change would end: "yes, I still want to go". */
  wantsToKeep(text: string, question: string): boolean;
  /** The message without closing words that agree with ending it: "yes, I don't want to go any more". */
  withoutGivingUp(text: string, question: string): string;
  /** An answer without its courtesies and without the puzzlement that it begins with: "what? I said yes. How kind of you". */
  bare(text: string): string;
  /** A sentence without what begins a change of mind: "no" of "on reflection, no". */
  withoutReconsidering(sentence: string): string;
  /** True where the customer says that the hub misunderstood, and asks again: "no no, it's not about the fee. I asked how long it takes". */
  repeatsOwnQuestion(text: string, language: Language): boolean;
}

/** The confirmation that was asked for, and what the customer has. */
export interface RemarksContext {
  readonly language: Language;
  /** The text of the confirmation question. */
  readonly question: string;
  /** Titles of the customer's other records. */
  readonly others: readonly string[];
  /** True where the yes loses nothing yet: the change can be reversed, or an operator still decides. */
  readonly isLight: boolean;
}

interface Readers {
  readonly words: AnswerWords;
  isName(word: string): boolean;
  isThing(word: string): boolean;
  isKind(word: string): boolean;
}

const patterns = z.array(pattern);
const schema = z.strictObject({
  clear: patterns,
  when: patterns,
  where: patterns,
  told: patterns,
  else: patterns,
  of_another: z.array(z.string()),
  of_it: patterns,
  hanging: patterns,
  afterwards: patterns,
  not_yet: patterns,
  on_condition: patterns,
  hedges: patterns,
  not_about: patterns,
  keeping: patterns,
  given_up: patterns,
  courtesies: patterns,
  puzzled: patterns,
  reconsidering: patterns,
});

/** Changes after which the customer no longer has the record. */
const ENDING_CHANGES: ReadonlySet<string> = new Set(['cancel', 'refund']);
/** A sentence with its closing marks. */
const SENTENCE = /[^.!?\n]+[.!?\n]*/gu;
/** What stands between two marks, with the marks behind it. */
const STRETCH = /[^,.;!?\n]+[,.;!?\n]*\s*|^[^\p{L}]+/gu;
/** A remark of more words is a story and holds the yes back. */
const MAX_REMARK_WORDS = 22;

/** @throws HubError `config_invalid` where the engine has no word lists for one of the languages */
export function createConfirmationRemarks(
  readers: Readers,
  languages: readonly Language[],
): ConfirmationRemarks {
  const { words } = readers;
  const cues = readCues(languages);
  const endsRecord = (question: string): boolean =>
    words.changes.kindsIn(question).some((kind) => ENDING_CHANGES.has(kind));
  return {
    isUnconditional: (yes, remarks, context) => isUnconditional(readers, cues, yes, remarks, context),
    isExplicit: (yes) => cues.isExplicit.test(foldText(yes)),
    questionBeforeDecision(text) {
      const postponed = cues.postpones.exec(foldText(text));
      if (!postponed) return askedOnCondition(cues, text);
      const [question = ''] = /[^.!?]*\?/.exec(text.slice(postponed[0].length)) ?? [];
      return question.trim() || null;
    },
    wantsToKeep: (text, question) =>
      endsRecord(question) &&
      (text.match(SENTENCE) ?? []).some(
        // "Shall I still go?" is a question, not a wish.
        (sentence) => !sentence.includes('?') && cues.keeps.test(foldText(sentence)),
      ),
    withoutGivingUp(text, question) {
      const { folded, at } = fold(text);
      const found = endsRecord(question) ? cues.givesUp.exec(folded) : null;
      return found ? text.slice(0, at[found.index]) : text;
    },
    bare(text) {
      const { folded, at } = fold(text);
      const own = text.slice(at[cues.puzzled.exec(folded)?.[0].length ?? 0] ?? text.length);
      const stretches = own.match(STRETCH) ?? [];
      const kept = stretches.filter((one) => !cues.courtesy.test(foldText(one))).join('');
      return /\p{L}/u.test(kept) ? kept.trim() : text;
    },
    withoutReconsidering(sentence) {
      const { folded, at } = fold(sentence);
      return sentence.slice(at[cues.reconsiders.exec(folded)?.[0].length ?? 0] ?? sentence.length);
    },
    repeatsOwnQuestion(text, language) {
      const folded = foldText(text);
      const correction = cues.corrects.exec(folded);
      if (!correction) return false;
      const rest = folded.slice(correction[0].length);
      const isQuestion = rest.includes('?') || words.guards(language).asking.test(rest);
      return isQuestion && words.changes.orderedIn(rest).length === 0;
    },
  };
}

type Cues = ReturnType<typeof readCues>;

/** Compiles the patterns of `src/nlu/words/LANGUAGE/beside-yes.yaml`; all of them match folded text. */
function readCues(languages: readonly Language[]) {
  const files = languages.map((language) => readWords(language, 'beside-yes', schema));
  const all = (key: Exclude<keyof z.infer<typeof schema>, 'of_another'>): string =>
    files.flatMap((file) => file[key]).join('|') || '(?!)';
  const whole = (source: string) => new RegExp(`^\\W*(?:${source})\\W*$`);
  const within = (source: string, flags = '') =>
    new RegExp(`(?<![a-z0-9'])(?:${source})(?![a-z0-9'])`, flags);
  // Conditions are read by language: "no" means "in the" in Portuguese.
  const conditions = new Map(
    languages.map((language, at) => [language, within((files[at]?.hanging ?? []).join('|'))]),
  );
  const anyCondition = within(all('hanging'));
  return {
    isExplicit: within(all('clear')),
    asksWhen: whole(all('when')),
    asksWhere: whole(all('where')),
    asksAboutContact: whole(all('told')),
    asksWhatElse: whole(all('else')),
    asksAboutSame: whole(all('of_it')),
    afterDecision: within(all('afterwards'), 'g'),
    otherRecordWords: new Set(files.flatMap(({ of_another: list }) => list)),
    conditionIn: (language: Language): RegExp => conditions.get(language) ?? anyCondition,
    postpones: new RegExp(`^\\W*(?:${all('not_yet')})(?![a-z0-9'])\\W*`),
    conditional: new RegExp(`^\\W*(?:${all('on_condition')})(?![a-z0-9'])`),
    hedged: new RegExp(`[\\s,]+(?:${all('hedges')})(?=\\W*$)`),
    corrects: new RegExp(`^\\W*(?:${all('not_about')})`),
    keeps: within(all('keeping')),
    courtesy: whole(all('courtesies')),
    puzzled: new RegExp(`^\\W*(?:${all('puzzled')})+(?=.*[a-z])`),
    reconsiders: new RegExp(`^\\W*(?:(?:${all('reconsidering')})(?![a-z0-9'])\\W*)+`),
    givesUp: new RegExp(`(?:${all('given_up')})(?=\\W*$)`),
  };
}

/** What is asked, with all that is told before it, where a sentence after it says what follows from the answer. */
function askedOnCondition({ conditional }: Cues, text: string): string | null {
  const sentences = text.match(SENTENCE) ?? [];
  const decides = sentences.findIndex((one) => !one.includes('?') && conditional.test(foldText(one)));
  const asked = sentences.slice(0, Math.max(0, decides)).findLastIndex((one) => one.includes('?'));
  return asked < 0
    ? null
    : sentences
        .slice(0, asked + 1)
        .join('')
        .trim();
}

function isUnconditional(
  readers: Readers,
  cues: Cues,
  yes: string,
  remarks: string,
  context: RemarksContext,
): boolean {
  const { words } = readers;
  const { language, isLight } = context;
  const condition = cues.conditionIn(language);
  const isExplicit = cues.isExplicit.test(foldText(yes)) || words.changes.kindsIn(yes).length > 0;
  const folded = foldText(remarks);
  // A "but" introduces what matters to the customer: only questions about dates and contact are harmless after it.
  const contrast = words.contrast.exec(folded)?.[0] ?? '';
  const isContrast = contrast !== '';
  // "I paid by card I think" doubts nothing that is agreed to.
  const isStatement = (text: string): boolean => statesOnly(words, text.replace(cues.hedged, ' '), language);
  let isAboutOther = false;
  let hasQuestion = false;
  for (const sentence of sentencesIn(folded.slice(contrast.length))) {
    if (sentence.trim().split(/\s+/).length > MAX_REMARK_WORDS) return false;
    const isQuestion =
      sentence.includes('?') || cues.asksAboutContact.test(sentence.split(/,\s*/).at(-1) ?? '');
    if (!isQuestion && isStatement(sentence)) continue;
    const question = withoutLead(words, withoutStatements(sentence, isStatement).trim());
    const rest = question.replace(cues.afterDecision, ' ');
    if (isAboutOther && cues.asksAboutSame.test(question) && !condition.test(rest)) continue;
    isAboutOther = !isContrast && namesOtherRecord(readers, cues, rest, context) && !condition.test(rest);
    const asksAboutContact = cues.asksAboutContact.test(question);
    const isAboutNextStep = asksAboutContact || (!isContrast && asksNextStep(words, rest, language));
    const isAboutPayout =
      cues.asksWhen.test(question) ||
      cues.asksWhere.test(question) ||
      (!isContrast && cues.asksWhatElse.test(question));
    const isHarmless =
      (isAboutNextStep && (isExplicit || isLight)) ||
      (isAboutPayout && isExplicit) ||
      // After a bare yes the record must be called the other one: "yes, and what was the other one again, the reading?".
      (isAboutOther && (isExplicit || wordsOf(rest).some(isOther)));
    // Whether the team decides in time is no condition where asking the team costs nothing.
    const isCondition = condition.test(rest) && !(isLight && asksAboutContact);
    if (isCondition || !isHarmless) return false;
    hasQuestion = true;
  }
  return hasQuestion;
}

/** True where a text makes a statement without a question, a doubt or a change. */
function statesOnly(words: AnswerWords, folded: string, language: Language): boolean {
  return (
    words.telling.test(folded) &&
    !words.guards(language).doubt.test(folded) &&
    words.changes.kindsIn(folded).length === 0
  );
}

/** True where a question names another record and contains nothing but its name and plain words. */
function namesOtherRecord(
  { words, isName, isThing, isKind }: Readers,
  { otherRecordWords }: Cues,
  folded: string,
  { others, question, language }: RemarksContext,
): boolean {
  const confirmed = new Set(wordsOf(question));
  const titles = new Set(others.flatMap(wordsOf));
  const content = wordsOf(folded).filter((word) => !words.fillersOf(language).has(word));
  const isNamed = content.some((word) => titles.has(word) && isName(word) && !confirmed.has(word));
  const isPlain = (word: string): boolean =>
    titles.has(word) ||
    words.plainly.has(word) ||
    otherRecordWords.has(word) ||
    isThing(word) ||
    isKind(word);
  return isNamed && content.every(isPlain);
}

/** True where a question only asks what to do or send next, and not about money or about another person's share. */
function asksNextStep(words: AnswerWords, folded: string, language: Language): boolean {
  const rest = words.withoutNextStep(folded);
  if (rest === null || words.terms.test(folded)) return false;
  const { doubt, negation } = words.guards(language);
  return ![words.hanging, doubt, negation].some((cue) => cue.test(rest));
}

/** A sentence without the statements in front of its question: "where do I send it" of "I have a doctor's note, where do I send it". */
function withoutStatements(sentence: string, isStatement: (text: string) => boolean): string {
  const parts = sentence.split(/,\s*/);
  const last = parts.length - 1;
  const first = parts.findIndex((part, at) => at === last || !isStatement(part));
  return parts.slice(first).join(', ');
}

/** A question without the sounds and joints in front of it: "oh, and after that, how many are left?". */
function withoutLead(words: AnswerWords, folded: string): string {
  const rest = folded.replace(THINKING, '').replace(words.adding, '');
  return rest === folded ? folded : withoutLead(words, rest);
}

function sentencesIn(folded: string): readonly string[] {
  return folded.split(/(?<=[.!?;\n])\s*/).filter((sentence) => /[a-z]/.test(sentence));
}

function wordsOf(text: string): readonly string[] {
  return tokenize(foldText(text)).map(({ word }) => word);
}
