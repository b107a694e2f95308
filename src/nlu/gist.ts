import { z } from 'zod';
import type { IntentTable } from '../core/domain/intent.js';
import { ESCALATION_ROUTE, type Language } from '../core/domain/taxonomy.js';
import type { ClauseReader } from './clause-roles.js';
import type { ContrastReader } from './contrast.js';
import type { IntentGuess } from './guesses.js';
import type { Slots } from './slots/index.js';
import { fold } from './slots/text.js';
import type { QuestionGuess } from './taught-questions.js';
import { pattern, readWords } from './words.js';

const phrases = z.array(pattern).min(1);
const schema = z.strictObject({
  telling: phrases,
  denied: phrases,
  asked: phrases,
  reasons: phrases,
  pointing: phrases,
  courtesy: phrases,
});

/** Of fewer words a message is no letter. */
const LETTER_WORDS = 30;
/** Characters: beyond it a message is a report, and tells more than it asks. */
const LONGEST = 1200;
/** Of fewer words nothing is asked. */
const FEWEST_WORDS = 3;
/** From here on what is told is no courtesy: it wants something done, or says what is wrong. */
const WANTS = 0.5;

/** One of several that are numbered or listed: "1) which plan am I on, 2) when do I pay". */
const LISTED = /^\W*(?:\(?\d{1,2}[.)]|[-*•])\s/u;

/** Between the parts of a sentence. */
const JOINT = /,\s+|\s(?=(?:and|but|so|e|mas|então|y|pero)\s)/iu;

/** What a long message asks; null where it is short, asks nothing that stands by itself, or wants more than to be told. */
export type GistReader = (text: string) => string | null;

/** What is known of the sentences of a text. */
interface Hearing {
  readonly slots: Pick<Slots, 'sentencesOf' | 'bare' | 'isWish' | 'isQuestion' | 'asksFact'>;
  readonly intents: Pick<IntentTable, 'of'>;
  classifyIntent(text: string): Pick<IntentGuess, 'intent' | 'confidence'>;
}

/** What tells whether a clause is a question. */
interface Asking {
  readQuestion(text: string): QuestionGuess | null;
}

/**
 * Makes the reader of letters: of "My husband and I are retired ... we would be grateful if you let us know what we have booked, and
 * whether anything is to be paid" it leaves "what we have booked? whether anything is to be paid?".
 * @throws HubError `config_invalid` where the engine has no words of a language
 */
export function createGist(languages: readonly Language[], hearing: Hearing): GistReader {
  const { slots, intents } = hearing;
  const files = languages.map((language) => readWords(language, 'letters', schema));
  const any = (key: keyof z.infer<typeof schema>) => files.flatMap((words) => words[key]).join('|');
  const begins = `(?:${any('asked')})(?![a-z0-9'])`;
  const told = new RegExp(
    `(?<![a-z0-9'])(?<!(?:${any('denied')}) (?:[a-z]+ )?)(?:${any('telling')}) (?=${begins})`,
  );
  const next = new RegExp(`,? (?:and|e|y|ou|or)(?: also| tambem)? (?=${begins})`, 'g');
  const reason = new RegExp(`,? (?:${any('reasons')})(?![a-z0-9']).*$`);
  const kind = new RegExp(`(?<![a-z0-9'])(?:${any('courtesy')})(?![a-z0-9'])`);
  const points = new RegExp(`(?<![a-z0-9'])(?:${any('pointing')})(?![a-z0-9'])`);

  const isOrder = (part: string): boolean => slots.isWish(part) && !kind.test(fold(part).folded);
  const isTalk = (sentence: string): boolean =>
    intents.of(hearing.classifyIntent(sentence).intent).group === 'smalltalk';

  /** What a sentence asks to be told, one part each; null where it asks for nothing. */
  const askedIn = (sentence: string): string | null => {
    const source = fold(sentence);
    const at = told.exec(source.folded);
    const isAsked = sentence.trim().endsWith('?') || (LISTED.test(sentence) && slots.isQuestion(sentence));
    if (!at) return isAsked && !isTalk(sentence) ? slots.bare(sentence) : null;
    const from = at.index + at[0].length;
    const asked = source.folded.slice(from);
    const end = from + (reason.exec(asked)?.index ?? asked.length);
    // "When I may cancel it" is asked of what was told before it, and "pause my plan, and tell me whether ..." orders too.
    const before = sentence.slice(0, source.at[at.index]).split(JOINT).slice(0, -1);
    if (points.test(source.folded.slice(from, end)) || before.some(isOrder)) return sentence;
    const cuts = [...source.folded.slice(from, end).matchAll(next)];
    const starts = [from, ...cuts.map(({ index, 0: joint }) => from + index + joint.length)];
    const ends = [...cuts.map(({ index }) => from + index), end];
    return starts
      .map((start, which) =>
        sentence.slice(source.at[start], source.at[ends[which] ?? end] ?? sentence.length),
      )
      .map((part) => `${part.replace(/[\s?.!,]+$/u, '')}?`)
      .join(' ');
  };

  return (text) => {
    if (text.length > LONGEST || text.split(/\s+/).length < LETTER_WORDS) return null;
    const sentences = slots.sentencesOf(text);
    const asked = sentences.map(askedIn);
    const rest = sentences.filter((_, at) => asked[at] === null);
    // What is only told orders nothing: "I put it on hold when my mother fell ill".
    const isMore = rest.some((sentence) => {
      const { intent, confidence } = hearing.classifyIntent(sentence);
      const { route } = intents.of(intent);
      const isWrong = (route === 'investigation' || route === ESCALATION_ROUTE) && confidence >= WANTS;
      return isWrong || isOrder(sentence);
    });
    const gist = asked.filter((part) => part !== null).join(' ');
    return isMore || gist.split(/\s+/).length < FEWEST_WORDS || gist === text.trim() ? null : gist;
  };
}

/** From here on a clause surely wants something done, or says what is wrong. */
const SURELY_WANTS = 0.7;

/**
 * What a message asks: what it means, where it says that something else is not meant or is a letter, else what is left without its asides.
 * @param meant what a text means
 */
export function createAsked(
  meant: ContrastReader,
  { withoutAsides }: Pick<ClauseReader, 'withoutAsides'>,
  hearing: Hearing & Asking,
): ContrastReader {
  const wants = (clause: string): boolean => {
    if (asksUnmarked(clause, hearing)) return true;
    const { intent, confidence } = hearing.classifyIntent(clause);
    const { route } = hearing.intents.of(intent);
    return route !== null && WANTING.has(route) && confidence >= SURELY_WANTS;
  };
  return (text) => {
    const plain = meant(text);
    return plain === text ? meant(withoutAsides(text, wants)) : plain;
  };
}

/** From here on a clause without a mark asks for something. */
const ASKS = 0.5;

/** "I cancelled it, how long does that take, and what did I pay last?": each is asked, though only the last has a mark. */
function asksUnmarked(clause: string, { slots, readQuestion }: Hearing & Asking): boolean {
  if (clause.includes('?') || !(slots.asksFact(clause) || slots.isQuestion(clause))) return false;
  const question = readQuestion(clause);
  return question !== null && Math.max(question.chanceOf('general'), question.own) >= ASKS;
}

const WANTING: ReadonlySet<string> = new Set(['action', 'investigation', ESCALATION_ROUTE]);
