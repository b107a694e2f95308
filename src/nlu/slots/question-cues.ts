import { z } from 'zod';
import type { Language } from '../../core/domain/taxonomy.js';
import { readFillers, readWords } from '../words.js';
import { tokenize } from './text.js';

/* The words of questions, and how a text that asks begins: what the rules of `own-questions.ts` are made of. */

/** Classes of question words and times, which `src/nlu/words/LANGUAGE/questions.yaml` lists for every language. */
const KINDS = [
  'when',
  'who',
  'how_much',
  'why',
  'whether',
  'which',
  'next',
  'last',
  'nth_day',
  'daytime',
  'them',
  'how',
  'recent',
  'all',
  'general',
  'todo',
  'tell',
  'before',
  'again',
  'future',
  'past',
  'month',
  'since',
  'end',
  'while',
  'after',
  'if',
  'act',
] as const;
const schema = z.strictObject(
  Object.fromEntries(KINDS.map((kind) => [kind, z.array(z.string()).min(1)])) as Record<
    (typeof KINDS)[number],
    z.ZodArray<z.ZodString>
  >,
);

/** Classes with which questions begin. */
export const OPENING: ReadonlySet<string> = new Set([
  'when',
  'who',
  'how_much',
  'why',
  'whether',
  'which',
  'how',
  'todo',
  'recent',
  'before',
]);

/** Maximum number of content words in a text that only continues a question. */
const MAX_CONTENT_WORDS = 1;
/** Number of words with which a text begins, for recognizing its opening. */
const OPENING_WORDS = 2;

/** Classes of words, each with the expression that finds it. */
export type Classes = readonly (readonly [name: string, pattern: RegExp])[];

/** Compiles the question words of the languages; all patterns match folded text. */
export function readQuestionCues(languages: readonly Language[]) {
  const files = languages.map((language) => readWords(language, 'questions', schema));
  const kinds: Classes = KINDS.map((kind) => [kind, anyOf(files.flatMap((words) => words[kind]))]);
  const why = anyOf(files.flatMap((words) => words.why));
  const everywhere = kinds.map(([, pattern]) => new RegExp(pattern, 'g'));
  const fillers = new Set(languages.flatMap((language) => readFillers(language)));

  const opens = (folded: string): boolean => {
    const words = tokenize(folded).map(({ word }) => word);
    const begins = (some: readonly string[]): string => some.slice(0, OPENING_WORDS).join(' ');
    const withoutFillers = begins(words.filter((word, at) => at > OPENING_WORDS || !fillers.has(word)));
    return kinds.some(([name, pattern]) => {
      if (name === 'tell') return pattern.test(folded);
      if (!OPENING.has(name)) return false;
      // "Are you" begins a question; a single word such as "vou" may begin a statement. In "is my" a filler is part of the opening.
      if (name === 'whether')
        return [withoutFillers, begins(words)].some((start) => pattern.exec(start)?.[0].includes(' '));
      return pattern.test(withoutFillers);
    });
  };

  const onlyAsks = (folded: string): boolean => {
    if (!folded.includes('?') && !opens(folded)) return false;
    const matches = everywhere.flatMap((pattern) => [...folded.matchAll(pattern)]);
    const content = tokenize(folded).filter(({ word, start, end }) => {
      const isCue = matches.some(({ index, 0: match }) => index <= start && end <= index + match.length);
      return !isCue && !fillers.has(word);
    });
    return content.length <= MAX_CONTENT_WORDS;
  };

  return {
    kinds,
    /** True where a text begins like a question, or asks to be told something. */
    opens,
    /** True where a text begins by asking why. */
    asksWhy: (folded: string): boolean => why.exec(folded.trimStart())?.index === 0,
    /** True where a question contains hardly more than question words: "and when?", "the one before that?". */
    onlyAsks,
  };
}

/** The classes of which a text has words. */
export function classesIn(classes: Classes, text: string): readonly string[] {
  return classes.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
}

/** Finds any of these expressions as whole words. */
export function anyOf(sources: readonly string[]): RegExp {
  return sources.length === 0 ? /(?!)/ : new RegExp(`(?<!\\w)(?:${sources.join('|')})(?!\\w)`);
}
