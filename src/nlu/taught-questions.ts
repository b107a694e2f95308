import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EntityWords } from '../core/domain/entity.js';
import type { Features } from './features.js';
import { questionsFile, readModel } from './model-file.js';
import type { OwnQuestion, ReadOwnAsked } from './slots/own-questions.js';

/** The question that the classifier, trained on a company's sentences, finds in a text. */
export interface QuestionGuess {
  readonly name: string;
  /** Calibrated probability of this question, 0 to 1. */
  readonly chance: number;
  /** Probability of any question that an entity declares. */
  readonly own: number;
  /** Probability of a question about a detail of one record: when, where, for whom. */
  readonly detail: number;
  /** Probability of one of the other kinds. */
  chanceOf(kind: OtherKind): number;
}

/** Kinds of text that resemble a question about the customer's own records. */
export const OTHER_KINDS = ['general', 'order', 'programme', 'trouble', 'talk'] as const;
export type OtherKind = (typeof OTHER_KINDS)[number];
/** Prefix of the class of a detail of one record, before the id of the attribute. */
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

/** Minimum probability of a question that no rule recognizes. */
export const SURE_QUESTION = 0.65;
/** The same where it certainly is about the customer's own records, and the probability from which it is. */
const [MIN_OWN_QUESTION, CERTAINLY_OWN] = [0.55, 0.85];
/** The same for a text that contains nothing but a record of the customer's, such as "my plan". */
const MIN_OWN_NAME = 0.45;
/** The same for a question other than the one that a rule recognizes. */
const MIN_AGAINST_RULE = 0.95;
/** Probability from which a text is a general question: where no rule applies, and where one does. */
const [GENERAL, GENERAL_AGAINST_RULE] = [0.85, 0.97];
/** Limits in words: a shorter text depends on the one before it, and a longer one is a story. */
const [MIN_WORDS, MAX_WORDS] = [4, 45];
/** Maximum number of words in a text that continues a question with a conjunction. */
const MAX_CONTINUATION_WORDS = 6;
/** A text that names something of the customer's own, and nothing else: "my plan". */
const NAMES_OWN = /^\P{L}*(?:my|our|meus?|minhas?|noss[oa]s?|mis?|nuestr[oa]s?)\s+\p{L}+\P{L}*$/iu;
/** A text that begins with a conjunction. */
const CONTINUES = /^\P{L}*(?:(?:u[eé]|ok|so|t[aá])\P{L}+)?(?:and|or|but|e|ou|mas|y|o|pero)\s/iu;

/**
 * Adds the classifier to the rules that recognize questions about the customer's own records. The classifier decides where no rule
 * applies, and overrules one where it is certain.
 * @param guess returns null where the company has no classifier
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
    const isDependent = words < MIN_WORDS || (words <= MAX_CONTINUATION_WORDS && CONTINUES.test(text));
    const isNamed = NAMES_OWN.test(text);
    const taught = (isDependent && !isNamed) || words > MAX_WORDS ? null : guess(text);
    if (taught === null) return asked;
    const isRuled = asked.questions.length > 0;
    // A rule that may name any record is more exact than the classifier.
    if (asked.questions.some(({ names }) => names)) return asked;
    if (taught.chanceOf('general') >= (isRuled ? GENERAL_AGAINST_RULE : GENERAL))
      return { ...asked, questions: [] };
    const isSure =
      taught.chance >= SURE_QUESTION ||
      (taught.chance >= (isNamed ? MIN_OWN_NAME : MIN_OWN_QUESTION) && taught.own >= CERTAINLY_OWN);
    if (isRuled ? taught.chance < MIN_AGAINST_RULE : !isSure) return asked;
    const question = questions.get(taught.name);
    if (!question) return asked;
    if (asked.questions.some(({ name }) => name === taught.name)) return asked;
    if (question.single && known.isNamed && !question.names) return asked;
    return { ...asked, questions: [{ ...question, taught: true, ruled: asked.questions }] };
  };
  return { ...slots, readOwnAsked };
}

/** Classifies the question in a text by its features; null where the company has no classifier of questions. */
export type QuestionReader = (features: Features) => QuestionGuess | null;

/**
 * Loads a company's classifier of questions, where it has one.
 * @param modelFile the model of its intents; that of the questions is the file beside it
 * @throws Error where the file is damaged
 */
export async function createQuestionReader(modelFile: URL | string): Promise<QuestionReader> {
  const file = questionsFile(modelFile);
  if (!existsSync(file)) return () => null;
  const model = readModel(await readFile(file));
  const classes = model.classesOf('question');
  return (features) => guessOf(classes, model.predict(model.vectorize(features))[0] ?? []);
}
