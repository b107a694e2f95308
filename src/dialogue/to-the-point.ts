import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { either } from '../nlu/slots/date-words.js';
import { fold, foldText, tokenize } from '../nlu/slots/text.js';
import { readFillers, readWords } from '../nlu/words.js';
import { isOther } from './plain-words.js';

/** Says of several sentences those that a question asks for, and in what way a message speaks of what was shown or said. */
export interface PointReader {
  /** True where a customer only says that they do not want or cannot use what is spoken of: "I would rather not go to that". */
  unwants(text: string): boolean;
  /** True where a question is about somebody who was spoken of: "does she need a ticket?". */
  asksOfThem(text: string): boolean;
  /** True where a text has a word that stands for what was spoken of: "is it automatic?". */
  pointsAtIt(text: string): boolean;
  /** True where a text points at another than the one that was spoken of: "the other vet, please". */
  pointsAtAnother(text: string): boolean;
  /** True where a text says that it is not about what an article is called by: "I don't mean a gift", "you keep talking about invoices". */
  turnsAway(text: string, title: string): boolean;
  /** True where a text asks on for what the last answer left out: "yes or no?", "you already told me that", "I asked how many". */
  insists(text: string): boolean;
  /** True where a text asks how things differ, or which is the better one. */
  compares(text: string): boolean;
  /** True where a text asks whether something is lost rather than whether it stays. */
  asksOfLoss(text: string): boolean;
  /** How or where one complains, asked without what about: "where do I file a complaint about that rule?"; null where that is not asked. */
  complaintAsked(text: string): string | null;
  /** What a question wants to know of money that comes back: how much it is, or when it does; null where it asks neither. */
  asksOfMoneyBack(text: string): 'amount' | 'time' | null;
  /** True where one sentence of a text says so of money that comes back. */
  tellsOfMoneyBack(text: string, what: 'amount' | 'time'): boolean;
  /** The sentences of an answer that speak of what each part of the question asks; the whole where none does, or all do. */
  toThePoint(answer: string, question: string): string;
}

const phrases = z.array(z.string());
const schema = z.object({
  matters: z.record(z.string(), phrases),
  comparing: phrases,
  unwanted: phrases,
  persons: phrases,
  standing_for: phrases,
  losing: phrases.default([]),
  insisting: phrases.default([]),
  turning_away: phrases.default([]),
  complaining: phrases.default([]),
});
const SENTENCE = /(?<=[.!?])\s+(?=[\p{Lu}"])/u;
/** Longer messages tell a story. */
const LONGEST = 120;
/** Of more sentences none is to the point. */
const MOST = 2;
/** The beginning by which forms of a word are known for the same; shorter words say little of what is asked. */
const [STEM, SHORTEST] = [5, 4];
/** Where what is turned away ends and what is meant begins. */
const ELSE = /,| (?:but|mas|pero|just|so)(?= )/;
/** A matter that both speak of counts for more than a word that both have. */
const MATTER = 2;

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createPointReader(languages: readonly Language[]): PointReader {
  const files = languages.map((language) => readWords(language, 'dialogue', schema));
  const names = [...new Set(files.flatMap(({ matters }) => Object.keys(matters)))];
  const any = (words: readonly string[]) => new RegExp(`\\b(?:${either(words)})\\b`);
  const matters = names.map((name) => any(files.flatMap((words) => words.matters[name] ?? [])));
  const speaksOf = (name: string, folded: string): boolean =>
    matters[names.indexOf(name)]?.test(folded) ?? false;
  const comparing = any(files.flatMap((words) => words.comparing));
  const unwanted = any(files.flatMap((words) => words.unwanted));
  const persons = new RegExp(`^\\W*(?:${either(files.flatMap((words) => words.persons))})\\b`);
  const losing = any(files.flatMap((words) => words.losing));
  const insisting = any(files.flatMap((words) => words.insisting));
  const standing = any(files.flatMap((words) => words.standing_for));
  const complaining = new RegExp(`\\b(?:${either(files.flatMap((words) => words.complaining))})(?= )`);
  const fillers = new Set(languages.flatMap((language) => readFillers(language)));
  const stemsOf = (said: string): ReadonlySet<string> =>
    new Set(
      tokenize(said)
        .filter(({ word }) => word.length >= SHORTEST && !fillers.has(word))
        .map(({ word }) => word.slice(0, STEM)),
    );
  const away = new RegExp(
    `(?<![a-z0-9'])(?:${either(files.flatMap((words) => words.turning_away))})\\s+([^.;:!?\\n]{1,60})`,
    'g',
  );
  return {
    turnsAway(text, title) {
      const said = [...foldText(text).matchAll(away)].map(([, what = '']) => what.split(ELSE)[0] ?? '');
      const stems = stemsOf(said.join(' '));
      return [...stemsOf(foldText(title))].some((stem) => stems.has(stem));
    },
    unwants: (text) => text.length <= LONGEST && !text.includes('?') && unwanted.test(foldText(text)),
    asksOfThem: (text) => persons.test(foldText(text)),
    asksOfLoss: (text) => losing.test(foldText(text)),
    insists: (text) => insisting.test(foldText(text)),
    pointsAtIt: (text) => standing.test(foldText(text)),
    pointsAtAnother: (text) => tokenize(foldText(text)).some(({ word }) => isOther(word)),
    compares: (text) => comparing.test(foldText(text)),
    complaintAsked(text) {
      const { folded, at } = fold(text);
      const found = complaining.exec(folded);
      const isOpen = found !== null && /^[^.!?\n]*\?/.test(folded.slice(found.index));
      return isOpen ? `${text.slice(at[found.index], at[found.index + found[0].length]).trim()}?` : null;
    },
    asksOfMoneyBack(text) {
      const folded = foldText(text);
      if (text.length > LONGEST || !speaksOf('back', folded)) return null;
      if (speaksOf('time', folded)) return 'time';
      return speaksOf('how_much', folded) ? 'amount' : null;
    },
    tellsOfMoneyBack: (text, what) =>
      text.split(SENTENCE).some((sentence) => {
        const folded = foldText(sentence);
        return speaksOf('back', folded) && (what === 'time' ? speaksOf('time', folded) : /\d/.test(folded));
      }),
    toThePoint(answer, question) {
      const asked = foldText(question);
      const stems = stemsOf(asked);
      const of = matters.filter((matter, at) => names[at] !== 'how_much' && matter.test(asked));
      const sentences = answer.split(SENTENCE);
      const counts = sentences.map((sentence) => {
        const said = foldText(sentence);
        const shared = [...stemsOf(said)].filter((stem) => stems.has(stem));
        return shared.length + MATTER * of.filter((matter) => matter.test(said)).length;
      });
      const most = Math.max(...counts);
      const best = sentences.filter((_, at) => counts[at] === most);
      return most === 0 || best.length > MOST ? answer : best.join(' ');
    },
  };
}
