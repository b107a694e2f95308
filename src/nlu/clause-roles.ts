import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { softmax } from '../core/softmax.js';
import { foldText } from './slots/text.js';
import type { WordVectors } from './word-vectors.js';
import { readLanguages, readWords } from './words.js';

/**
 * What a clause of a message is for whoever answers it: asked (a question, an order, a report that wants a reaction), needed (which
 * record, when, under what condition), or an aside, without which the same answer is right.
 */
export const CLAUSE_ROLES = ['asked', 'needed', 'aside'] as const;
export type ClauseRole = (typeof CLAUSE_ROLES)[number];

/** A clause as it was written, with the chance of each role, 0 to 1, in the order of {@link CLAUSE_ROLES}. */
export interface ReadClause {
  readonly text: string;
  readonly chances: readonly number[];
}

/** Weights of a softmax regression, by the name of a feature: one for each of {@link CLAUSE_ROLES}. */
export interface ClauseWeights {
  readonly bias: readonly number[];
  readonly weights: Readonly<Record<string, readonly number[]>>;
}

/** Tells what a message asks from what it tells beside it, whatever the company does. */
export interface ClauseReader {
  /** @param clauses those of one message, in its order */
  rolesOf(clauses: readonly string[]): readonly ReadClause[];
  /**
   * A message without its asides; the whole where it has none, is short, or nothing of it asks surely.
   * @param text as the customer wrote it
   * @param stays true for a clause that is no aside, whatever it sounds like: one that surely orders something
   */
  withoutAsides(text: string, stays?: (clause: string) => boolean): string;
}

const FILE = new URL('../../data/nlu/clauses.json', import.meta.url);
/** Behind a mark; the dot of "20.30", the comma of "45,00" and the colon of "20:30" end nothing. */
const MARK = /(?<=[.!?…;\n]["')]?|[,:](?=\s)|\s[-–—])(?=\s)(?!\s*$)/u;
/** Fewer words before or behind a joint are no clause of their own. */
const CLAUSE_WORDS = 3;
/** The beginning by which forms of a word are known for the same. */
const STEM = 5;
/** Words of a clause that are looked at, and clauses of a message: beyond them it is a report. */
const [MOST_WORDS, MOST_CLAUSES] = [40, 24];
/** A message of fewer words has no room for asides that could mislead; one of more is a letter or a report, and its story may count. */
const [FEWEST_WORDS, LETTER_WORDS] = [6, 45];
/** A number may be what the rest is about. */
const NUMBER = /\d/;
/** From here on a question is one that wants no answer: "how are you all?". */
const ASIDE_QUESTION = 0.95;
/** From here on a clause is an aside; and one that stays surely asks. */
const [SURELY_ASIDE, SURELY_ASKED] = [0.65, 0.5];
const ASKED = CLAUSE_ROLES.indexOf('asked');
const ASIDE = CLAUSE_ROLES.indexOf('aside');
/** So few words lean on the clause before them. */
const LEANING_WORDS = 4;

const joints = z.object({ clause_joints: z.array(z.string()).min(1) });
const standing = z.object({ standing_for: z.array(z.string()), persons: z.array(z.string()) });
const pointing = z.object({ pointing: z.array(z.string()) });

/** What begins a clause where no mark does, in all languages of the engine. */
export type ClauseJoints = RegExp;

/** @throws HubError `config_invalid` where a language of the engine has no such words */
export function readClauseJoints(): ClauseJoints {
  const all = readLanguages().flatMap((language) => readWords(language, 'courtesy', joints).clause_joints);
  return new RegExp(`(?<=\\s)(?=(?:${all.join('|')})(?![\\p{L}']))`, 'iu');
}

/** What stands for something that was spoken of before: "cancel it". */
function readPointing(): RegExp {
  const words = readLanguages().flatMap((language) => {
    const { standing_for: things, persons } = readWords(language, 'dialogue', standing);
    return [...things, ...persons, ...readWords(language, 'letters', pointing).pointing];
  });
  return new RegExp(`\\b(?:${words.join('|')})(?![a-z'])`);
}

/** Cuts a message into clauses, which joined are the message. */
export function clausesIn(joints: ClauseJoints, text: string): readonly string[] {
  return text.split(MARK).flatMap((part) => joinedShort(part.split(joints)));
}

/** Joints part clauses, and not "bread and butter". */
function joinedShort(pieces: readonly string[]): readonly string[] {
  const clauses: string[] = [];
  for (const piece of pieces) {
    const last = clauses.at(-1);
    const isShort = wordsOf(piece).length < CLAUSE_WORDS || (last && wordsOf(last).length < CLAUSE_WORDS);
    if (last !== undefined && isShort) clauses[clauses.length - 1] = last + piece;
    else clauses.push(piece);
  }
  return clauses;
}

function wordsOf(text: string): readonly string[] {
  return foldText(text).match(/[\p{L}\p{N}']+/gu) ?? [];
}

/** Of how many features a clause has each counts so much; and each number of what its words mean. */
const [WORDS_WEIGHT, MEANING_WEIGHT] = [2, 2];

/** What is looked at of a clause, by name: its words in their order, its place, the clauses beside it, and what its words mean. */
export function clauseFeatures(
  vectors: WordVectors,
  clauses: readonly string[],
  at: number,
): ReadonlyMap<string, number> {
  const names = new Set([...wordFeatures(clauses[at] ?? ''), ...placeFeatures(clauses, at)]);
  const value = WORDS_WEIGHT / Math.sqrt(names.size);
  const meaning = [...vectors.mean(wordsOf(clauses[at] ?? ''))].flatMap((number, place) =>
    number === 0 ? [] : [[`means ${place}`, number * MEANING_WEIGHT] as const],
  );
  return new Map([...[...names].map((name) => [name, value] as const), ...meaning]);
}

function wordFeatures(clause: string): readonly string[] {
  const words = wordsOf(clause).slice(0, MOST_WORDS);
  const framed = ['^', ...words, '$'];
  const asks = clause.includes('?');
  return [
    ...words.flatMap((word) => [`says ${word}`, `stem ${word.slice(0, STEM)}`, `asks ${asks} ${word}`]),
    ...framed.slice(1).map((word, before) => `pair ${framed[before]} ${word}`),
    ...framed.slice(2).map((word, before) => `three ${framed[before]} ${framed[before + 1]} ${word}`),
    ...[`first ${words[0]}`, `begins ${words[0]} ${words[1]}`, `last ${words.at(-1)}`],
    ...[`asks ${asks}`, `length ${Math.min(8, words.length)}`],
    `ends ${clause
      .trim()
      .at(-1)
      ?.replace(/[\p{L}\p{N}]/u, 'w')}`,
  ];
}

function placeFeatures(clauses: readonly string[], at: number): readonly string[] {
  const asks = clauses[at]?.includes('?') === true;
  const isEnd = at === clauses.length - 1;
  const place = clauses.length === 1 ? 'only' : at === 0 ? 'first' : isEnd ? 'last' : 'middle';
  const others = clauses.some((one, index) => index !== at && one.includes('?'));
  const before = wordsOf(clauses[at - 1] ?? '');
  const next = wordsOf(clauses[at + 1] ?? '');
  return [
    ...[`clauses ${Math.min(4, clauses.length)}`, `place ${place}`, `place ${place} ${asks}`],
    ...[
      `others ask ${others} ${asks}`,
      `before ${before[0] ?? '^'}`,
      `next ${next[0] ?? '$'} ${next[1] ?? '$'}`,
    ],
    `before asks ${clauses[at - 1]?.includes('?') === true}`,
    `next asks ${clauses[at + 1]?.includes('?') === true}`,
  ];
}

/** Reads the weights that `npm run train:clauses` learned. @throws Error where they are missing or damaged */
export function readClauseReader(vectors: WordVectors, file: URL | string = FILE): ClauseReader {
  return createClauseReader(JSON.parse(readFileSync(file, 'utf8')) as ClauseWeights, vectors);
}

export function createClauseReader({ bias, weights }: ClauseWeights, vectors: WordVectors): ClauseReader {
  const joints = readClauseJoints();
  const points = readPointing();
  const chancesAt = (clauses: readonly string[], at: number): readonly number[] => {
    const logits = Float32Array.from(bias);
    for (const [name, value] of clauseFeatures(vectors, clauses, at))
      for (const [column, weight] of (weights[name] ?? []).entries())
        logits[column] = (logits[column] ?? 0) + value * weight;
    return [...softmax(logits, 1)];
  };
  const rolesOf = (clauses: readonly string[]): readonly ReadClause[] =>
    clauses.map((text, at) => ({ text, chances: chancesAt(clauses, at) }));
  return {
    rolesOf,
    withoutAsides(text, mayStay = () => false) {
      const { length } = wordsOf(text);
      if (length < FEWEST_WORDS || length > LETTER_WORDS) return text;
      const clauses = clausesIn(joints, text);
      if (clauses.length < 2 || clauses.length > MOST_CLAUSES) return text;
      const roles = rolesOf(clauses);
      const stays = roles.map(({ text: clause, chances }) => {
        const least = clause.includes('?') ? ASIDE_QUESTION : SURELY_ASIDE;
        return (chances[ASIDE] ?? 0) < least || NUMBER.test(clause) || mayStay(clause);
      });
      if (!roles.some(({ chances }, at) => stays[at] && (chances[ASKED] ?? 0) >= SURELY_ASKED)) return text;
      const leans = (at: number): boolean =>
        stays[at] === true &&
        (wordsOf(clauses[at] ?? '').length <= LEANING_WORDS || points.test(foldText(clauses[at] ?? '')));
      // "I can't go to the samba night. Please cancel it": what is pointed at stands in the clause before.
      const first = stays.indexOf(true);
      const kept = clauses.filter((clause, at) => {
        const isShort = wordsOf(clause).length < CLAUSE_WORDS;
        // "No, sorry," and "please" belong to what stands beside them, unless they begin the message.
        return stays[at] || (isShort ? at > first : leans(at + 1));
      });
      const left = kept.reduce((sum, clause) => sum + wordsOf(clause).length, 0);
      // "Nice." misleads nobody.
      if (length - left < CLAUSE_WORDS) return text;
      return kept
        .join('')
        .trim()
        .replace(/[\s,;:–—-]+$/u, '');
    },
  };
}
