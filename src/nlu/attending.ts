import { z } from 'zod';
import type { IntentTable } from '../core/domain/intent.js';
import type { Language } from '../core/domain/taxonomy.js';
import { fold, foldText } from './slots/text.js';
import { DANGER, SURE_DANGER } from './triage-rules.js';
import { pattern, readWords } from './words.js';

const schema = z.strictObject({
  cues: z.array(pattern).min(1),
  words: z.string(),
  unless: z.array(pattern),
  harm: z.array(pattern).min(1),
  life: z.array(pattern).min(1),
  jest: z.array(pattern).min(1),
  denied: z.array(pattern).min(1),
  reassuring: z.array(pattern).min(1),
});

/** Characters that are looked at: a longer message tells a story. */
const LONGEST = 240;
const NUMBER = /^\d{1,2}$/;
const CLAUSE_END = /[.,;:!?…\n–—]+|\s-+\s/;

/** From here on the classifier hears a hint of danger, beside words that tell of harm. */
const HINT = 0.02;
/** From here on it is believed that something else is asked for. */
const SURE = 0.6;
/** How sure it is that who comes along is asked about, where every word says so. */
const EXPLAINED = 0.7;

/** What a text may ask for, and the chance that it does. */
export interface Guess {
  readonly intent: string;
  readonly confidence: number;
}

/** Tells who comes along from who is in danger. */
export interface AttendingReader {
  /**
   * True where a text says only who comes along, how old they are, and whether an adult does: every word of it. Children,
   * ages and being alone are no danger then, and somebody is nobody of the company's.
   */
  isOfCompany(text: string): boolean;
  /** True where a text says plainly that somebody is hurt, lost, threatened or wants to die. */
  tellsHarm(text: string): boolean;
  /** True where it says plainly that the customer wants to die, whatever else is asked for. */
  tellsLife(text: string): boolean;
  /** True where it speaks of death or fainting as people in joy, boredom or shame do. */
  isInJest(text: string): boolean;
  /** A text without what it says that has not happened to anybody: "nobody is hurt, ..."; the whole where it says nothing else. */
  withoutDenial(text: string): string;
  /** True where a text says no more than that nobody is in danger. */
  onlyDenies(text: string): boolean;
  /**
   * What else a text says that takes an alarm back, which it was not meant to raise: "goodness, I am fine! ..."; empty where nothing, null
   * where it takes none back.
   */
  takesAlarmBack(text: string): string | null;
}

/**
 * @param isThing true for a word of what the company's records are called: they may be asked about
 * @throws HubError `config_invalid` where the engine has no words of a language
 */
export function createAttendingReader(
  languages: readonly Language[],
  isThing: (word: string) => boolean,
): AttendingReader {
  const files = languages.map((language) => readWords(language, 'attending', schema));
  const all = (key: Exclude<keyof z.infer<typeof schema>, 'words'>) =>
    `(?<![a-z0-9])(?:${files.flatMap((words) => words[key]).join('|')})(?![a-z0-9])`;
  const any = (key: Parameters<typeof all>[0]) => new RegExp(all(key));
  const [cues, unless, harm, life] = [any('cues'), any('unless'), any('harm'), any('life')];
  const jest = any('jest');
  const denied = new RegExp(all('denied'), 'g');
  const takenBack = new RegExp(`${all('denied')}|${all('reassuring')}`, 'g');
  const known = files.map(({ words }) => new Set(words.split(/\s+/)));
  // "There will be no adult" speaks of no place; "there is" may.
  const spoken = (text: string) =>
    foldText(text)
      .replaceAll("'", '')
      .replace(/\bthere (?=will|would)/g, '');
  const inWords = (text: string) => spoken(text).replace(/[^a-z0-9]+/g, ' ');
  return {
    isOfCompany(text) {
      if (text.length > LONGEST) return false;
      const folded = spoken(text);
      const words = folded.match(/[a-z0-9]+/g) ?? [];
      const joined = words.join(' ');
      // In one language: "a" and "no" are words of several.
      const unknown = words.filter((word) => !NUMBER.test(word) && !isThing(word));
      const explained = known.some((all) => unknown.every((word) => all.has(word)));
      return explained && cues.test(joined) && !unless.test(joined) && !harm.test(joined);
    },
    tellsHarm: (text) => harm.test(inWords(text.slice(0, LONGEST))),
    // What follows a comma takes nothing of it back: "I want to die, cancel everything".
    tellsLife: (text) =>
      life.test(inWords(text)) ||
      (!jest.test(inWords(text)) && text.split(CLAUSE_END).some((clause) => life.test(inWords(clause)))),
    withoutDenial(text) {
      const rest = without(denied, text);
      return isAnything(rest) ? rest : text;
    },
    onlyDenies: (text) => without(denied, text) !== text && !isAnything(without(denied, text)),
    takesAlarmBack(text) {
      const rest = without(takenBack, text.slice(0, LONGEST));
      if (rest === text) return null;
      return isAnything(rest) ? rest : '';
    },
    isInJest: (text) => text.length <= LONGEST && jest.test(inWords(text)),
  };
}

/** Fewer words beside what is denied say nothing. */
const SAYS_SOMETHING = 3;

function isAnything(text: string): boolean {
  return (text.match(/\p{L}+/gu)?.length ?? 0) >= SAYS_SOMETHING;
}

/** A text without what a global pattern of folded text finds in it, and without the marks that are left in front. */
function without(found: RegExp, text: string): string {
  const { folded, at } = fold(text);
  const spans = [...folded.matchAll(found)].map(
    ({ index, 0: said }) => [index, index + said.length] as const,
  );
  if (spans.length === 0) return text;
  const edges = [0, ...spans.flat(), folded.length].map((edge) => at[edge] ?? text.length);
  const kept = edges.flatMap((from, place) => (place % 2 === 0 ? text.slice(from, edges[place + 1]) : []));
  return kept
    .join(' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .trim();
}

/**
 * Puts right what the classifier makes of danger and of a wish for people: who only says who comes along asks the help centre;
 * who says plainly that somebody is harmed is heard where it hears the least hint of it.
 * @param ranked all intents, the likeliest first
 */
export function applyCompanions(
  { isOfCompany, tellsHarm, tellsLife }: AttendingReader,
  intents: IntentTable,
  text: string,
  ranked: readonly Guess[],
): readonly Guess[] {
  const [first] = ranked;
  if (first === undefined) return ranked;
  const groupOf = ({ intent }: Guess) => intents.of(intent).group;
  const group = groupOf(first);
  const isMistaken = group === 'people' || group === 'out_of_scope' || group === 'smalltalk';
  const isAsked = !isMistaken && first.confidence >= SURE;
  const danger = ranked.find(({ intent }) => intent === DANGER);
  if (danger && tellsLife(text)) return ahead(ranked, danger, SURE_DANGER);
  if (danger && danger.confidence >= HINT && (!isAsked || group === 'symptom') && tellsHarm(text))
    return ahead(ranked, danger, SURE_DANGER);
  const others = isAsked || !isOfCompany(text) ? [] : ranked.filter((one) => groupOf(one) !== 'people');
  const question = others.find((one) => groupOf(one) === 'knowledge' && intents.of(one.intent).tool === null);
  return question ? ahead(others, question, EXPLAINED) : ranked;
}

/** One of them first, with at least that confidence; the others share what it leaves. */
export function ahead(ranked: readonly Guess[], first: Guess, least: number): readonly Guess[] {
  const confidence = Math.max(first.confidence, least);
  const others = ranked.filter((one) => one !== first);
  return [
    { ...first, confidence },
    ...others.map((one) => ({ ...one, confidence: one.confidence * (1 - confidence) })),
  ];
}
