import { readFileSync } from 'node:fs';
import { primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { softmax } from '../core/softmax.js';
import { foldText } from './slots/text.js';

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
const NEGATIONS: ReadonlySet<string> = new Set(
  `no not don't dont nao n nunca nem ni sem never neither nor can't cant cannot won't wont isn't isnt without nada jamais tampoco`.split(
    ' ',
  ),
);
const JOINTS: ReadonlySet<string> = new Set(
  `and but e mas y pero because since as so porque pq pois que entonces entao though while if se si or ou o u plus tambem also`.split(
    ' ',
  ),
);

/** Articles and prepositions in front of a name. */
const SMALL: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set('the my our a an to for of from at on one'.split(' ')),
  pt: new Set('o a os as do da dos das no na nos nas ao aos de em um uma meu minha pro pra'.split(' ')),
  es: new Set('el la los las del al de en un una mi mis'.split(' ')),
};
const NONE: ReadonlySet<string> = new Set();

/** Reads the weights that `npm run train:mentions` learned. @throws Error where they are missing or damaged */
export function readRoleReader(file: URL | string = FILE): RoleReader {
  return createRoleReader(JSON.parse(readFileSync(file, 'utf8')) as RoleWeights);
}

export function createRoleReader({ bias, weights }: RoleWeights): RoleReader {
  return {
    rolesOf(text, mentions, language) {
      const tokens = tokensOf(text, mentions, language);
      const guesses: RoleGuess[] = [];
      for (const [at, token] of tokens.entries()) {
        if (token !== NAMED) continue;
        const logits = Float32Array.from(bias);
        for (const name of roleFeatures(tokens, at, guesses.at(-1)?.role ?? null))
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
export function tokensOf(text: string, mentions: readonly Mention[], language: Language): readonly string[] {
  const small = SMALL[primaryOf(language)] ?? NONE;
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
  const [from, to] = clauseAt(tokens, at, true);
  const [whole, end] = clauseAt(tokens, at, false);
  const inner = tokens.slice(from, to + 1).filter((token) => token !== NAMED);
  const denies = inner.some((token) => NEGATIONS.has(token));
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
function clauseAt(tokens: readonly string[], at: number, byJoints: boolean): readonly [number, number] {
  const parts = (place: number): boolean => {
    const token = tokens[place] ?? '';
    return PUNCTUATION.test(token) || (byJoints && JOINTS.has(token));
  };
  let [from, to] = [at, at];
  while (from > 0 && !parts(from - 1)) from -= 1;
  while (to + 1 < tokens.length && !parts(to + 1)) to += 1;
  return [from, to];
}
