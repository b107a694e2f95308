import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { fold } from './slots/text.js';
import { pattern, readWords } from './words.js';

/** What stands for the words by which a company calls its records. */
const THINGS = '{things}';
const worded = z
  .string()
  .refine((source) => pattern.safeParse(source.replaceAll(THINGS, 'thing')).success, 'is no valid pattern');

const schema = z.strictObject({
  denied: z.array(worded).min(1),
  meant: z.array(worded).min(1),
  asked: z.array(worded).min(1),
  asides: z.array(worded).min(1),
  stays: z.array(worded).min(1),
  unanswered: z.array(worded).min(1),
  conditions: z.array(worded).min(1),
  instead: z.array(worded).min(1),
});

/** Characters. A longer message tells a story, in which a denial is a part of it. */
const LONGEST = 300;
/** Of fewer words nothing that is meant is left. */
const FEWEST_WORDS = 2;
/** A clause, with what ends it. */
const CLAUSE = /[^.,;:!?\n]+(?:[.,;:!?\n]+|$)/gu;

/** What a message means, without what it says is not meant. */
export type ContrastReader = (text: string) => string;

/**
 * Makes the reader of corrections: "no, I do not want to pause, I want to see my bookings" means "I want to see my bookings",
 * and "there is no problem, I only asked when it opens" means "when it opens". Where nothing else is said, the whole text
 * stays: a denial by itself is for whoever asked.
 * @param things what the company's records are called, as alternatives of a pattern: `{things}` in the words stands for them
 * @throws HubError `config_invalid` where the engine has no words of a language
 */
export function createContrastReader(languages: readonly Language[], things: string): ContrastReader {
  const files = languages.map((language) => readWords(language, 'contrast', schema));
  const any = (key: keyof z.infer<typeof schema>) =>
    files
      .flatMap((words) => words[key])
      .join('|')
      .replaceAll(THINGS, () => things);
  const contrast = new RegExp(
    `(?<![a-z0-9'])(?:${any('denied')})(?![a-z0-9'])[^.!?\\n]{0,120}?(?<![a-z0-9'])(?=(?:${any('meant')}|${any('asked')})(?![a-z0-9']))`,
  );
  const asked = new RegExp(`^\\W*(?:${any('asked')})(?![a-z0-9'])[\\s,:]*`);
  const aside = new RegExp(`^\\W*(?:${any('asides')})\\W*$`);
  const stays = new RegExp(`^\\W*(?:${any('stays')})\\W*$`);
  const after = `(?<=[a-z0-9'][\\s,.!?-]+)`;
  const unanswered = new RegExp(`${after}(?:${any('unanswered')})\\W*$`);
  const condition = new RegExp(`${after}(?:${any('conditions')})[^a-z0-9?]*$`);
  const instead = new RegExp(`(?<![a-z0-9'])(?:${any('instead')})(?![a-z0-9'])[\\s,;:]*`);
  return (text) => {
    if (text.length > LONGEST) return text;
    const plain = withoutOther(text, instead);
    const said = withoutAsides(withoutEnd(withoutEnd(plain, unanswered), condition), aside, stays);
    const source = fold(said);
    const found = contrast.exec(source.folded);
    const from = found ? found.index + found[0].length : 0;
    if (from === 0 && said === text) return text;
    const lead = asked.exec(source.folded.slice(from))?.[0].length ?? 0;
    const left = said.slice(source.at[from + lead] ?? said.length).trim();
    return left.split(/\s+/).filter(Boolean).length < FEWEST_WORDS ? text : left;
  };
}

/** Without the change in the place of which another is wanted: "pause it instead of cancelling". */
function withoutOther(text: string, instead: RegExp): string {
  if (text.includes('?')) return text;
  const source = fold(text);
  const found = instead.exec(source.folded);
  if (!found) return text;
  const end = source.at[found.index + found[0].length] ?? text.length;
  return `${text.slice(0, source.at[found.index])}${text.slice(end)}`.replace(/[\s,;:]+$/u, '').trim();
}

/** Without its end, where that only complains that a question had no answer, or says on what condition it is wanted. */
function withoutEnd(text: string, unanswered: RegExp): string {
  const source = fold(text);
  const found = unanswered.exec(source.folded);
  return found ? text.slice(0, source.at[found.index]).trim() : text;
}

/**
 * Without the clauses that only say what is not so, and beside those without what says that all stays: "I do not want to cancel, I
 * still want to go". The whole where there are no others.
 */
function withoutAsides(text: string, aside: RegExp, stays: RegExp): string {
  const clauses = text.match(CLAUSE) ?? [];
  const isAside = (clause: string) => aside.test(fold(clause).folded);
  const isDenied = clauses.some(isAside);
  const kept = clauses.filter((clause) => !isAside(clause) && !(isDenied && stays.test(fold(clause).folded)));
  return kept.length === clauses.length || kept.length === 0 ? text : kept.join('').trim();
}
