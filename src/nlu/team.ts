import { z } from 'zod';
import type { IntentTable } from '../core/domain/intent.js';
import type { Language } from '../core/domain/taxonomy.js';
import { ahead, type Guess } from './attending.js';
import { foldText } from './slots/text.js';
import { pattern, readWords } from './words.js';

const patterns = z.array(pattern).min(1);
const schema = z.strictObject({
  wishes: patterns,
  cases: patterns,
  adds: patterns,
  invites: patterns,
  if_not_you: patterns,
  not_me: patterns,
  doing_so: patterns,
  hours: patterns,
  unless: patterns,
  person: patterns,
  no_person: patterns,
});

/** Characters that are looked at: a longer message tells a story. */
const LONGEST = 500;

/** Hears what is a matter for people of the company. */
export interface TeamReader {
  /** True where they are to look at something: "please have your team review it". */
  isForTeam(text: string): boolean;
  /**
   * What stands before the words that add something to what the team has: "please" of "please tell them it was my husband".
   * @returns null where nothing is added
   */
  beforeAddition(text: string): string | null;
  /** True where an answer asks the customer to say something here: "tell us here in the chat what happened". */
  invites(answer: string): boolean;
  /** True where an answer asks to be told if it was somebody else, and a text says to it that it was: "I never cancelled it!". */
  deniesDeed(answer: string, text: string): boolean;
  /** True where a text answers "tell us here in the chat" with no more than that this is being done: "that's what I'm doing". */
  doesSo(text: string): boolean;
  /** A text without the words that only wish for a person: "I want to talk to a human: how long is a refund?". */
  withoutPersonWish(text: string): string;
  /**
   * What else a text says that nobody was asked for: "I never asked for a person. How much is it?"; null where it says no such thing, or
   * nothing else.
   */
  besideNoPerson(text: string): string | null;
  /** True where a text asks when they are there, and wants none of them yet: "what time is human support open?". */
  asksHours(text: string): boolean;
}

/** @throws HubError `config_invalid` where the engine has no words of a language */
export function createTeamReader(languages: readonly Language[]): TeamReader {
  const files = languages.map((language) => readWords(language, 'team', schema));
  const any = (key: keyof z.infer<typeof schema>) =>
    new RegExp(`(?<![a-z0-9])(?:${files.flatMap((words) => words[key]).join('|')})(?![a-z0-9])`);
  const [wishes, cases, unless] = [any('wishes'), any('cases'), any('unless')];
  const [adds, invites, hours] = [any('adds'), any('invites'), any('hours')];
  const [ifNotYou, notMe, doingSo] = [any('if_not_you'), any('not_me'), any('doing_so')];
  const [person, noPerson] = [new RegExp(any('person'), 'g'), new RegExp(any('no_person'), 'g')];
  const isWish = (sentence: string): boolean => wishes.test(sentence) && !unless.test(sentence);
  const isForTeam = (text: string): boolean => {
    const folded = foldText(text.slice(0, LONGEST));
    const isCase = (sentence: string): boolean => {
      const wish = unless.test(sentence) ? null : cases.exec(sentence)?.[0];
      return wish != null && wordsIn(folded) - wordsIn(wish) >= TOLD_WORDS;
    };
    return folded.split(SENTENCE).some((sentence) => isWish(sentence) || isCase(sentence));
  };
  return {
    isForTeam,
    beforeAddition: (text) => {
      const { index } = adds.exec(foldText(text)) ?? {};
      return index === undefined ? null : foldText(text).slice(0, index);
    },
    invites: (answer) => invites.test(foldText(answer)),
    deniesDeed: (answer, text) =>
      text.length <= LONGEST && ifNotYou.test(foldText(answer)) && notMe.test(foldText(text)),
    doesSo: (text) => doingSo.test(foldText(text.slice(0, LONGEST))),
    withoutPersonWish: (text) => without(person, text).trim(),
    besideNoPerson(text) {
      const rest = without(noPerson, text.slice(0, LONGEST));
      const said = rest.replace(/^[^\p{L}\p{N}]+/u, '').trim();
      return rest === text || wordsIn(foldText(said)) < SAYS_SOMETHING ? null : said;
    },
    // Beside anything else that is said somebody may be wanted.
    asksHours: (text) => text.split(SENTENCE).length === 1 && hours.test(foldText(text.slice(0, LONGEST))),
  };
}

/** Fewer words beside what is denied say nothing. */
const SAYS_SOMETHING = 3;

/** A text without what a global pattern finds in it without accents. */
function without(found: RegExp, text: string): string {
  const folded = foldText(text);
  // Letters lose their accents, and no text its length but by rare signs.
  const written = folded.length === text.length ? text : folded;
  let [rest, from] = ['', 0];
  for (const { 0: said, index } of folded.matchAll(found)) {
    rest += `${written.slice(from, index)} `;
    from = index + said.length;
  }
  return `${rest}${written.slice(from)}`;
}

/** With so many words beside the wish to complain or to be reviewed it is told what about: nobody is asked to tell it, then. */
const TOLD_WORDS = 5;

function wordsIn(text: string): number {
  return text.match(/[a-z0-9']+/g)?.length ?? 0;
}

/** What is asked in one sentence is not turned down in another. */
const SENTENCE = /(?<=[.!?;])\s+/;

/** The wish for a person. */
const PERSON = 'talk_to_human';
/** How sure it is where words say so. */
const TOLD = 0.85;
/** From here on people are called for in a matter of more weight: discrimination, or what endangers somebody. */
const HEARD = 0.35;

/**
 * Puts the wish for people of the company first where the words say it, unless people are called for in another matter; and takes it
 * out where only their hours are asked for.
 */
export function applyTeamRequest(
  { isForTeam, asksHours }: Pick<TeamReader, 'isForTeam' | 'asksHours'>,
  intents: IntentTable,
  text: string,
  ranked: readonly Guess[],
): readonly Guess[] {
  const [first] = ranked;
  const wish = ranked.find(({ intent }) => intent === PERSON);
  if (!first || !wish) return ranked;
  if (!isForTeam(text)) {
    const others = asksHours(text) ? ranked.filter((one) => one !== wish) : ranked;
    const question = others.find(({ intent }) => intents.of(intent).group === 'knowledge');
    return others === ranked || !question ? ranked : ahead(others, question, TOLD);
  }
  const { group, route } = intents.of(first.intent);
  // A complaint that is told is no question about complaints.
  const isOther = first !== wish && group === 'people' && route === 'escalation' && first.confidence >= HEARD;
  return isOther ? ranked : ahead(ranked, wish, TOLD);
}
