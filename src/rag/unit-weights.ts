import type { Article } from '../core/domain/article.js';
import { HubError } from '../core/errors.js';
import { answerOf, plain } from './answer.js';
import { twinKey } from './candidates.js';
import type { ExampleTools } from './examples.js';
import { type ChoiceExample, choose, fitChoice } from './logistic.js';
import { kindsAskedBy } from './question.js';
import { TAUGHT_FEATURES, TaughtUnits, teachUnits } from './taught-units.js';
import {
  type MeasuredUnit,
  type StoredUnits,
  UNIT_FEATURES,
  type UnitReader,
  type UnitWeights,
} from './unit-features.js';

/** A question with the units of the article that answer it. */
export interface UnitQuestion {
  /** The question as it was meant. */
  readonly text: string;
  readonly article: Article;
  /** Numbers of units, from 1. */
  readonly units: readonly number[];
  readonly heldOut: boolean;
  /** Number of the writer. */
  readonly hand?: number | undefined;
}

/** How well the units that answer are found. */
export interface UnitMetrics {
  readonly questions: number;
  /** Share whose most probable unit is one of those named. */
  readonly first: number;
  /** Share whose named units are all in what is sent, and share with at least one there. */
  readonly whole: number;
  readonly some: number;
  /** Words sent, on average. */
  readonly words: number;
}

const PENALTY = 3;
const FOLDS = 3;
/** Fewer say too little to learn from. */
const LEAST = 100;

/**
 * Learns which unit of an article answers, from questions that name theirs: for any article, and for each of those that were
 * asked about often. Measures it twice: on the questions that were held out, and on articles that it did not see.
 * @returns null where the questions are too few
 * @throws HubError `input_invalid` where a question names a unit that its article has not
 */
export async function fitUnits(
  reader: UnitReader,
  questions: readonly UnitQuestion[],
  tools: ExampleTools,
): Promise<{
  /** For any article. */
  readonly weights: UnitWeights;
  /** For those whose labelled questions are enough to learn from. */
  readonly taught: StoredUnits;
  readonly heldOut: UnitMetrics | null;
  readonly unseenArticles: UnitMetrics;
} | null> {
  const read: Read[] = [];
  for (const question of questions) {
    const measured = await reader.measure(question.article, await reader.ask(question.text));
    const beyond = question.units.find((unit) => unit > measured.length);
    if (beyond !== undefined)
      throw new HubError(
        'input_invalid',
        `The question "${question.text}" names unit ${beyond} of the article "${question.article.articleId}", which has ${measured.length}.`,
      );
    read.push({ question, measured });
  }
  const learned = read.filter(({ question }) => !question.heldOut);
  if (learned.length < LEAST) return null;
  const weights = fitChoice(learned.map(exampleOf), PENALTY);
  const keys = [...new Set(learned.map(keyOf))].sort();
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const isIn = (one: Read): boolean => keys.indexOf(keyOf(one)) % FOLDS === fold;
    const others = fitChoice(learned.filter((one) => !isIn(one)).map(exampleOf), PENALTY);
    return learned.filter(isIn).map((one) => outcomeOf(one, others));
  });
  const { articles, leftOut } = await teachUnits(
    tools,
    learned.map(({ question }) => question),
  );
  const withOwn = learned.flatMap((one, i) => withTaught(one, leftOut[i] ?? null) ?? []);
  const taught = withOwn.length === 0 ? weights : fitChoice(withOwn.map(exampleOf), PENALTY);
  const known = new TaughtUnits(tools, articles);
  const rest = await Promise.all(
    read
      .filter(({ question }) => question.heldOut)
      .map(async (one) => {
        const own = withTaught(one, await known.measure(one.question.article, one.question.text));
        return own ? outcomeOf(own, taught) : outcomeOf(one, weights);
      }),
  );
  return {
    weights: Object.fromEntries(UNIT_FEATURES.map((name, i) => [name, weights[i] ?? 0])),
    taught: {
      weights: Object.fromEntries(
        [...UNIT_FEATURES, ...TAUGHT_FEATURES].map((name, i) => [name, taught[i] ?? 0]),
      ),
      articles,
    },
    heldOut: rest.length === 0 ? null : metricsOf(rest),
    unseenArticles: metricsOf(folds.flat()),
  };
}

interface Read {
  readonly question: UnitQuestion;
  readonly measured: readonly MeasuredUnit[];
}

interface UnitOutcome {
  readonly isFirst: boolean;
  readonly isWhole: boolean;
  readonly isSome: boolean;
  readonly words: number;
}

/** A question whose units have what labelled questions say of them beside what is measured of any. */
function withTaught({ question, measured }: Read, own: readonly (readonly number[])[] | null): Read | null {
  if (own === null) return null;
  const more = measured.map((unit, i) => ({ ...unit, features: [...unit.features, ...(own[i] ?? [])] }));
  return { question, measured: more };
}

function keyOf({ question }: Read): string {
  return twinKey(question.article.articleId);
}

function exampleOf({ question: { units }, measured }: Read): ChoiceExample {
  return {
    options: measured.map(({ features }) => features),
    right: measured.map(({ at }) => (units.includes(at + 1) ? 1 / units.length : 0)),
  };
}

function outcomeOf({ question, measured }: Read, weights: readonly number[]): UnitOutcome {
  const chances = choose(
    weights,
    measured.map(({ features }) => features),
  );
  const units = measured.map((unit, i) => ({ ...unit, chance: chances[i] ?? 0 }));
  const sent = plain(answerOf(question.article.content, units, kindsAskedBy(question.text)));
  const named = units.filter(({ at }) => question.units.includes(at + 1));
  const there = named.filter(({ text }) => sent.includes(plain(text)));
  const best = chances.indexOf(Math.max(...chances));
  return {
    isFirst: question.units.includes(best + 1),
    isWhole: there.length === named.length,
    isSome: there.length > 0,
    words: sent.split(' ').length,
  };
}

function metricsOf(outcomes: readonly UnitOutcome[]): UnitMetrics {
  const share = (is: (outcome: UnitOutcome) => boolean): number =>
    outcomes.filter(is).length / Math.max(1, outcomes.length);
  return {
    questions: outcomes.length,
    first: share(({ isFirst }) => isFirst),
    whole: share(({ isWhole }) => isWhole),
    some: share(({ isSome }) => isSome),
    words: outcomes.reduce((sum, { words }) => sum + words, 0) / Math.max(1, outcomes.length),
  };
}
