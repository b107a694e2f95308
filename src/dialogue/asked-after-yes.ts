import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { fold, foldText, tokenize } from '../nlu/slots/text.js';
import type { AnswerWords } from '../nlu/slots/yes-no-words.js';
import { pattern, readWords } from '../nlu/words.js';
import { isOther } from './plain-words.js';

/*
 * The rule: a yes that is said in so many words ("yes please", "pode cancelar sim, obrigada") stands, whatever is asked after it
 * that could not change the customer's mind about it: when something comes and where it arrives, who writes and what is to be
 * sent, what else they have, another record by its name. What this very change costs or loses, whether it is the right one or
 * could be another, and every condition is answered first, and the question stays open. So it is an answer that is known that
 * counts, and never a question that only sounds harmless.
 */

/** Reads what is asked after a yes, and what holds an answer back. */
export interface AfterYes {
  /**
   * True where all that follows a yes is asked of another matter, or told, and the yes hangs on none of it.
   * @param head the yes, as written
   * @param after what follows it, with what joins it
   */
  stands(head: string, after: string, context: AfterYesContext): boolean;
  /** The question for whose answer the change is to wait: "not yet. When does it end?"; null where it is not held back so. */
  heldFor(text: string): string | null;
  /** True where a customer says that they want to keep, or go to, what the question would end: "yes, I still want to go". */
  wantsIt(text: string, question: string): boolean;
  /** A message without what says that they do not want what the question would end: "yes, I don't want to go any more". */
  withoutGivenUp(text: string, question: string): string;
  /** True where a message says that something else was asked, and asks it again: "no no, it's not about the fee. I asked how long it takes". */
  asksElse(text: string, language: Language): boolean;
}

/** What is known where a yes was said. */
export interface AfterYesContext {
  readonly language: Language;
  /** What was asked. */
  readonly question: string;
  /** Titles of what else the customer has. */
  readonly others: readonly string[];
  /** True where nothing is lost by the yes yet. */
  readonly isLight: boolean;
}

/** What it reads with. */
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
  not_about: patterns,
  keeping: patterns,
  given_up: patterns,
});

/** Changes after which a customer has something no more. */
const ENDS: ReadonlySet<string> = new Set(['cancel', 'refund']);
/** A sentence, with what ends it. */
const SENTENCE = /[^.!?\n]+[.!?\n]*/gu;
/** Of more words a sentence tells a story, and not what stands beside a yes. */
const MOST_WORDS = 22;

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createAfterYes(readers: Readers, languages: readonly Language[]): AfterYes {
  const { words } = readers;
  const files = languages.map((language) => readWords(language, 'beside-yes', schema));
  const all = (key: Exclude<keyof z.infer<typeof schema>, 'of_another'>): string =>
    files.flatMap((file) => file[key]).join('|') || '(?!)';
  const whole = (source: string) => new RegExp(`^\\W*(?:${source})\\W*$`);
  const within = (source: string, flags = '') =>
    new RegExp(`(?<![a-z0-9'])(?:${source})(?![a-z0-9'])`, flags);
  const [clear, afterwards] = [within(all('clear')), within(all('afterwards'), 'g')];
  // "No" is "in the" to who writes Portuguese.
  const own = new Map(
    languages.map((language, at) => [language, within((files[at]?.hanging ?? []).join('|'))]),
  );
  const ofAny = within(all('hanging'));
  const [when, where, told, elsewhere, ofIt] = [
    whole(all('when')),
    whole(all('where')),
    whole(all('told')),
    whole(all('else')),
    whole(all('of_it')),
  ];
  const notYet = new RegExp(`^\\W*(?:${all('not_yet')})(?![a-z0-9'])\\W*`);
  const keeping = within(all('keeping'));
  const givenUp = new RegExp(`(?:${all('given_up')})(?=\\W*$)`);
  const notAbout = new RegExp(`^\\W*(?:${all('not_about')})`);
  const ofAnother = new Set(files.flatMap(({ of_another: list }) => list));

  /** True where a sentence tells something, and neither asks, doubts nor orders. */
  const tells = (folded: string, language: Language): boolean =>
    words.telling.test(folded) &&
    !words.guards(language).doubt.test(folded) &&
    words.changes.kindsIn(folded).length === 0;

  /** True where another record is asked about by its name, in words that doubt nothing. */
  const namesAnother = (folded: string, { others, question, language }: AfterYesContext): boolean => {
    const asked = new Set(wordsOf(question));
    const titles = new Set(others.flatMap(wordsOf));
    const said = wordsOf(folded).filter((word) => !words.fillersOf(language).has(word));
    const isNamed = said.some((word) => titles.has(word) && readers.isName(word) && !asked.has(word));
    const isPlain = (word: string) =>
      titles.has(word) ||
      words.plainly.has(word) ||
      ofAnother.has(word) ||
      readers.isThing(word) ||
      readers.isKind(word);
    return isNamed && said.every(isPlain);
  };

  /** True where no more is asked than what is to be done or sent next: what becomes of the money or of a friend's ticket is more. */
  const asksNext = (folded: string, language: Language): boolean => {
    const left = words.withoutNextStep(folded);
    if (left === null || words.terms.test(folded)) return false;
    const { doubt, negation } = words.guards(language);
    return ![words.hanging, doubt, negation].some((held) => held.test(left));
  };

  const stands: AfterYes['stands'] = (head, after, context) => {
    const { language, isLight } = context;
    const hanging = own.get(language) ?? ofAny;
    const isClear = clear.test(foldText(head)) || words.changes.kindsIn(head).length > 0;
    const folded = foldText(after);
    const joined = words.contrast.exec(folded)?.[0] ?? '';
    // After a "but" stands what matters to them: of that only what comes when, and who writes, leaves the yes alone.
    const isContrast = joined !== '';
    const sentences = folded
      .slice(joined.length)
      .split(/(?<=[.!?;\n])\s*/)
      .filter((sentence) => /[a-z]/.test(sentence));
    let isOfAnother = false;
    let asks = false;
    for (const sentence of sentences) {
      if (sentence.trim().split(/\s+/).length > MOST_WORDS) return false;
      if (tells(sentence, language) && !sentence.includes('?') && !told.test(lastStretch(sentence))) continue;
      const asked = withoutTold(sentence, (part) => tells(part, language)).trim();
      const rest = asked.replace(afterwards, ' ');
      if (isOfAnother && ofIt.test(asked) && !hanging.test(rest)) continue;
      const isTold = (told.test(asked) || (!isContrast && asksNext(rest, language))) && (isClear || isLight);
      isOfAnother = !isContrast && namesAnother(rest, context) && !hanging.test(rest);
      const isPlain =
        isClear && (when.test(asked) || where.test(asked) || (!isContrast && elsewhere.test(asked)));
      // Beside a bare yes it must be called the other one: "yes, and what was the other one again, the reading?".
      const isNext = isOfAnother && (isClear || wordsOf(rest).some(isOther));
      // Whether the team decides in time is no reason not to ask it, where nothing is lost by asking.
      const mayHang = hanging.test(rest) && !(isLight && told.test(asked));
      if (mayHang || !(isTold || isPlain || isNext)) return false;
      asks = true;
    }
    return asks;
  };

  const ends = (question: string): boolean => words.changes.kindsIn(question).some((kind) => ENDS.has(kind));

  return {
    stands,
    heldFor(text) {
      const held = notYet.exec(foldText(text));
      if (!held) return null;
      const rest = text.slice(held[0].length).trim();
      const question = /[^.!?]*\?/.exec(rest)?.[0].trim() ?? '';
      return question === '' ? null : question;
    },
    // "Shall I still go?" asks, and wants nothing.
    wantsIt: (text, question) =>
      ends(question) &&
      (text.match(SENTENCE) ?? []).some((one) => !one.includes('?') && keeping.test(foldText(one))),
    withoutGivenUp(text, question) {
      const { folded, at } = fold(text);
      const found = ends(question) ? givenUp.exec(folded) : null;
      return found ? text.slice(0, at[found.index]) : text;
    },
    asksElse(text, language) {
      const folded = foldText(text);
      const said = notAbout.exec(folded);
      if (!said) return false;
      const rest = folded.slice(said[0].length);
      const isAsked = rest.includes('?') || words.guards(language).asking.test(rest);
      return isAsked && words.changes.orderedIn(rest).length === 0;
    },
  };
}

/** "I have a paper from the doctor, where do I send it": without what is told in front of it. */
function withoutTold(sentence: string, tells: (part: string) => boolean): string {
  const parts = sentence.split(/,\s*/);
  let first = 0;
  while (first < parts.length - 1 && tells(parts[first] ?? '')) first += 1;
  return parts.slice(first).join(', ');
}

function lastStretch(sentence: string): string {
  return sentence.split(/,\s*/).at(-1) ?? '';
}

function wordsOf(text: string): readonly string[] {
  return tokenize(foldText(text)).map(({ word }) => word);
}
