import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { softmax } from '../core/softmax.js';
import { foldText } from './slots/text.js';
import { pattern, readLanguages, readWords } from './words.js';

/** What a message wants of a record that it names: changed as it says, left as it is, or nothing, as of a reason that it gives. */
export const MENTION_ROLES = ['wanted', 'kept', 'aside'] as const;
export type MentionRole = (typeof MENTION_ROLES)[number];

/** Where a message names a record. */
export interface Mention {
  readonly start: number;
  readonly end: number;
}

/** A role with its chance, 0 to 1. */
export interface RoleGuess {
  readonly role: MentionRole;
  readonly chance: number;
}

/** Weights of a softmax regression, by the name of a feature: one for each of {@link MENTION_ROLES}. */
export interface RoleWeights {
  readonly bias: readonly number[];
  readonly weights: Readonly<Record<string, readonly number[]>>;
}

/** Tells in which role a message names each of several records, whatever the company's records are. */
export interface RoleReader {
  readonly words: MentionWords;
  /** @param mentions in the order written, not overlapping */
  rolesOf(text: string, mentions: readonly Mention[], language: Language): readonly RoleGuess[];
}

const FILE = new URL('../../data/nlu/mentions.json', import.meta.url);
/** Stands for a record that is named. */
export const NAMED = '<x>';
/** Words on each side of a mention that are looked at by their place. */
const WINDOW = 4;
/** The beginning by which forms of a word are known for the same. */
const STEM = 5;
const PUNCTUATION = /^[.,;:!?()]+$/;

const words = z.array(z.string());
const schema = z.strictObject({
  negations: words,
  joints: words,
  leading: words,
  parts: z.array(pattern),
  all: z.array(pattern),
  each_of: z.array(pattern),
  others: z.array(pattern),
  pointing: z.array(pattern),
  counts: z.record(z.string(), z.number().int()),
});

/** How messages speak of the records that they name, in all languages of the engine: one model reads them all. */
export interface MentionWords {
  readonly negations: ReadonlySet<string>;
  readonly joints: ReadonlySet<string>;
  /** By language, without its country. */
  readonly leading: ReadonlyMap<string, ReadonlySet<string>>;
  /** Between what may be named one after the other, or set against each other. */
  readonly parts: RegExp;
  readonly all: RegExp;
  /** "The ones in December" are all of them. */
  readonly eachOf: RegExp;
  readonly others: RegExp;
  /** Beside a day that says which is meant: "the one on the 3rd". */
  readonly pointing: RegExp;
  readonly counts: ReadonlyMap<string, number>;
}

/** @throws HubError `config_invalid` where a language of the engine has no such words */
export function readMentionWords(): MentionWords {
  const files = readLanguages().map(
    (language) => [language, readWords(language, 'mentions', schema)] as const,
  );
  const all = files.map(([, file]) => file);
  const any = (sources: readonly string[]): string => `(?<![\\p{L}'])(?:${sources.join('|')})(?![\\p{L}'])`;
  return {
    negations: new Set(all.flatMap(({ negations }) => negations)),
    joints: new Set(all.flatMap(({ joints }) => joints)),
    leading: new Map(files.map(([language, { leading }]) => [primaryOf(language), new Set(leading)])),
    // The dot of "20.30" and the colon of "20:30" end nothing.
    parts: new RegExp(
      `(?<!\\d)[.:]|[.:](?!\\d)|[,;!?\\n()&+]|${any(all.flatMap(({ parts }) => parts))}`,
      'giu',
    ),
    all: new RegExp(any(all.flatMap((file) => file.all)), 'iu'),
    eachOf: new RegExp(any(all.flatMap((file) => file.each_of)), 'iu'),
    others: new RegExp(any(all.flatMap(({ others }) => others)), 'iu'),
    pointing: new RegExp(any(all.flatMap(({ pointing }) => pointing)), 'iu'),
    counts: new Map(all.flatMap(({ counts }) => Object.entries(counts))),
  };
}

/** Reads the weights that `npm run train:mentions` learned. @throws Error where they are missing or damaged */
export function readRoleReader(file: URL | string = FILE): RoleReader {
  return createRoleReader(JSON.parse(readFileSync(file, 'utf8')) as RoleWeights);
}

export function createRoleReader({ bias, weights }: RoleWeights): RoleReader {
  const words = readMentionWords();
  return {
    words,
    rolesOf(text, mentions, language) {
      const tokens = mentionTokens(words, text, mentions, language);
      const guesses: RoleGuess[] = [];
      for (const [at, token] of tokens.entries()) {
        if (token !== NAMED) continue;
        const logits = Float32Array.from(bias);
        for (const name of roleFeatures(words, tokens, at, guesses.at(-1)?.role ?? null))
          for (const [column, weight] of (weights[name] ?? []).entries())
            logits[column] = (logits[column] ?? 0) + weight;
        const chances = softmax(logits, 1);
        const best = chances.indexOf(Math.max(...chances));
        guesses.push({ role: MENTION_ROLES[best] ?? 'wanted', chance: chances[best] ?? 0 });
      }
      return guesses;
    },
  };
}

/** The words and marks of a message, folded, with {@link NAMED} for each record that it names. */
export function mentionTokens(
  { leading }: Pick<MentionWords, 'leading'>,
  text: string,
  mentions: readonly Mention[],
  language: Language,
): readonly string[] {
  const small = leading.get(primaryOf(language)) ?? new Set();
  const tokens: string[] = [];
  let done = 0;
  const take = (part: string): void => {
    tokens.push(...(foldText(part).match(/[\p{L}\p{N}']+|[.,;:!?()]+/gu) ?? []));
  };
  for (const { start, end } of mentions) {
    take(text.slice(done, start));
    // What leads to a name belongs to it: "no balé" denies nothing.
    while (small.has(tokens.at(-1) ?? '')) tokens.pop();
    tokens.push(NAMED);
    done = end;
  }
  take(text.slice(done));
  return tokens;
}

/** What is looked at around one mention: the words beside it, its clause with whether that denies something, and the other clauses. */
export function roleFeatures(
  words: MentionWords,
  tokens: readonly string[],
  at: number,
  before: MentionRole | null,
): readonly string[] {
  const features: string[] = [`before ${before}`];
  const word = (place: number): string => tokens[place] ?? '$';
  for (let distance = 1; distance <= WINDOW; distance += 1)
    for (const [side, place] of [['left', at - distance] as const, ['right', at + distance] as const]) {
      if (place < 0 || place >= tokens.length) continue;
      features.push(`${side} ${Math.min(distance, 3)} ${word(place)}`, `${side} ${stemOf(word(place))}`);
    }
  features.push(`left ${word(at - 2)} ${word(at - 1)}`, `right ${word(at + 1)} ${word(at + 2)}`);
  features.push(`left ${word(at - 3)} ${word(at - 2)} ${word(at - 1)}`);
  const [from, to] = clauseAt(tokens, at, words.joints);
  const [whole, end] = clauseAt(tokens, at, null);
  const inner = tokens.slice(from, to + 1).filter((token) => token !== NAMED);
  const denies = inner.some((token) => words.negations.has(token));
  features.push(`denies ${denies}`, `denies ${denies} after ${before}`);
  for (const token of inner) features.push(`in ${stemOf(token)}`, `in ${denies} ${stemOf(token)}`);
  const framed = ['^', ...inner, '$'];
  for (let i = 1; i < framed.length; i += 1)
    features.push(`in ${stemOf(framed[i - 1] ?? '')} ${stemOf(framed[i] ?? '')}`);
  for (const token of tokens.slice(whole, end + 1))
    if (token !== NAMED) features.push(`sentence ${stemOf(token)}`);
  for (const token of tokens.slice(from, at)) if (token !== NAMED) features.push(`ahead ${stemOf(token)}`);
  for (const token of tokens.slice(at + 1, to + 1))
    if (token !== NAMED) features.push(`behind ${stemOf(token)}`);
  features.push(
    `joint ${from > 0 ? word(from - 1) : '^'}`,
    `next ${word(to + 1)}`,
    `ends ${word(end + 1)[0]}`,
  );
  for (const token of tokens.slice(0, from))
    if (token !== NAMED && !PUNCTUATION.test(token)) features.push(`earlier ${stemOf(token)}`);
  for (const token of tokens.slice(to + 1))
    if (token !== NAMED && !PUNCTUATION.test(token)) features.push(`later ${stemOf(token)}`);
  const count = (some: readonly string[]): number => Math.min(3, some.filter((one) => one === NAMED).length);
  features.push(`named ${count(tokens)}`, `place ${count(tokens.slice(0, at))}`, `first ${word(0)}`);
  return [...new Set(features)];
}

function stemOf(token: string): string {
  return token.slice(0, STEM);
}

/** The clause that a token stands in: up to the next mark, and to the next joint where those part clauses too. */
function clauseAt(
  tokens: readonly string[],
  at: number,
  joints: ReadonlySet<string> | null,
): readonly [number, number] {
  const parts = (place: number): boolean => {
    const token = tokens[place] ?? '';
    return PUNCTUATION.test(token) || joints?.has(token) === true;
  };
  let [from, to] = [at, at];
  while (from > 0 && !parts(from - 1)) from -= 1;
  while (to + 1 < tokens.length && !parts(to + 1)) to += 1;
  return [from, to];
}
