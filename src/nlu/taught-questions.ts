import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EntityWords } from '../core/domain/entity.js';
import type { Features } from './features.js';
import { questionsFile, readModel } from './model-file.js';
import type { OwnQuestion, ReadOwnAsked } from './slots/own-questions.js';

/** What a text asks, as the model was taught by a company's sentences. */
export interface QuestionGuess {
  readonly name: string;
  /** Calibrated, 0 to 1. */
  readonly chance: number;
  /** The chance that it asks any of the questions that entities declare. */
  readonly own: number;
  /** The chance that it asks about a detail of one record: when, where, for whom. */
  readonly detail: number;
  /** The chance that it is one of the other kinds. */
  chanceOf(kind: OtherKind): number;
}

/** What may sound like a question about the customer's own records, and is none. */
export const OTHER_KINDS = ['general', 'order', 'programme', 'trouble', 'talk'] as const;
export type OtherKind = (typeof OTHER_KINDS)[number];
/** What the name of a detail of one record begins with; the id of the attribute follows. */
export const DETAIL = 'its.';

function guessOf(classes: readonly string[], chances: ArrayLike<number>): QuestionGuess {
  const all = classes.map((name, at) => ({ name, chance: chances[at] ?? 0 }));
  const best = all.reduce((one, other) => (other.chance > one.chance ? other : one));
  const isOther = (name: string): boolean => (OTHER_KINDS as readonly string[]).includes(name);
  const sum = (holds: (name: string) => boolean): number =>
    all.reduce((total, { name, chance }) => (holds(name) ? total + chance : total), 0);
  return {
    ...best,
    own: sum((name) => !isOther(name) && !name.startsWith(DETAIL)),
    detail: sum((name) => name.startsWith(DETAIL)),
    chanceOf: (kind) => all.find(({ name }) => name === kind)?.chance ?? 0,
  };
}

/** From here on a question is believed that no rule holds for; less is enough where it surely is one of them. */
export const SURE_QUESTION = 0.65;
const [LIKELIEST_OF_OWN, SURELY_OWN] = [0.55, 0.85];
/** And against a rule. */
const SURE_OTHER = 0.95;
/** From here on a message is general, whatever rules hold. */
const [GENERAL, SURELY_GENERAL] = [0.85, 0.97];
/** Fewer words lean on what was said before, a longer message tells a story. */
const FEWEST_WORDS = 4;
const MOST_WORDS = 45;
/** So few words that begin so go on from what was asked before. */
const LEANING_WORDS = 6;
/** Names what is the customer's own, and nothing else: "my plan". */
const NAMES_OWN = /^\P{L}*(?:my|our|meus?|minhas?|noss[oa]s?|mis?|nuestr[oa]s?)\s+\p{L}+\P{L}*$/iu;
/** From here on it is believed of such words, where it surely is one of these questions. */
const LIKELIEST_NAMED = 0.45;
const LEANS = /^\P{L}*(?:(?:u[eé]|ok|so|t[aá])\P{L}+)?(?:and|or|but|e|ou|mas|y|o|pero)\s/iu;

/**
 * The same reader with what a model was taught of these questions: it reads what no rule holds for, and what it is sure is another
 * question than the rules make of it.
 * @param guess null where nothing was taught
 */
export function withTaught<S extends { readonly readOwnAsked: ReadOwnAsked }>(
  slots: S,
  entities: readonly EntityWords[],
  guess: (text: string) => QuestionGuess | null,
): S {
  const questions = new Map(
    entities.flatMap(({ id, single, asks = {}, asks_person: by = [], asks_named: may = [] }) =>
      Object.keys(asks).map((name): [string, OwnQuestion] => [
        name,
        {
          ...{ entity: id, name, single, person: by.includes(name), names: may.includes(name) },
          ruleless: asks[name]?.length === 0,
        },
      ]),
    ),
  );
  const readOwnAsked: ReadOwnAsked = (text, known = {}) => {
    const asked = slots.readOwnAsked(text, known);
    const words = text.trim().split(/\s+/).length;
    const isFew = words < FEWEST_WORDS || (words <= LEANING_WORDS && LEANS.test(text));
    const isNamed = NAMES_OWN.test(text);
    const taught = (isFew && !isNamed) || words > MOST_WORDS ? null : guess(text);
    if (taught === null) return asked;
    const isRuled = asked.questions.length > 0;
    // What may name any record says more exactly what is asked.
    if (asked.questions.some(({ names }) => names)) return asked;
    if (taught.chanceOf('general') >= (isRuled ? SURELY_GENERAL : GENERAL))
      return { ...asked, questions: [] };
    const isSure =
      taught.chance >= SURE_QUESTION ||
      (taught.chance >= (isNamed ? LIKELIEST_NAMED : LIKELIEST_OF_OWN) && taught.own >= SURELY_OWN);
    if (isRuled ? taught.chance < SURE_OTHER : !isSure) return asked;
    const question = questions.get(taught.name);
    if (!question) return asked;
    if (asked.questions.some(({ name }) => name === taught.name)) return asked;
    if (question.single && known.isNamed && !question.names) return asked;
    return { ...asked, questions: [{ ...question, taught: true, ruled: asked.questions }] };
  };
  return { ...slots, readOwnAsked };
}

/** Tells what a text asks of the customer's own records, from its features; null where no sentences taught that. */
export type QuestionReader = (features: Features) => QuestionGuess | null;

/**
 * Loads the model of a company's questions, where it has one.
 * @param modelFile that of its intents, beside which it stands
 * @throws Error where it is damaged
 */
export async function createQuestionReader(modelFile: URL | string): Promise<QuestionReader> {
  const file = questionsFile(modelFile);
  if (!existsSync(file)) return () => null;
  const model = readModel(await readFile(file));
  const classes = model.classesOf('question');
  return (features) => guessOf(classes, model.predict(model.vectorize(features))[0] ?? []);
}
