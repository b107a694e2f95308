import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type ExampleScores,
  type ExampleTools,
  type StoredExamples,
  TaughtExamples,
  teachExamples,
} from './examples.js';
import { choose } from './logistic.js';
import { unitsOf } from './parts.js';
import {
  type MeasuredUnit,
  type Readable,
  type StoredUnits,
  UNIT_FEATURES,
  type UnitWeights,
} from './unit-features.js';

/** A question with the units of its article that answer it. */
interface Labelled {
  readonly text: string;
  readonly article: Readable;
  /** Numbers of units, from 1. */
  readonly units: readonly number[];
  readonly hand?: number | undefined;
}

/** What is known of a unit from the labelled questions of its article: 0 for all units where there are none. */
export const TAUGHT_FEATURES = ['taught', 'taughtLog'] as const;

/** Fewer questions than this say too little of the units of an article. */
const LEAST = 12;
/** Keeps the logarithm of a unit that no question names finite. */
const FLOOR = 0.02;
const CACHED = 200;
const KEY_LENGTH = 16;
/** Classes of units have nothing in common with each other. */
const AS_IT_IS = (unit: string): string => unit;

/**
 * Learns which unit answers, for each article by itself.
 * @param measures false where only what is stored is wanted
 * @returns what is stored, and the features of each question's units by learners that did not see it; null for a question whose article has too few
 */
export async function teachUnits(
  tools: ExampleTools,
  questions: readonly Labelled[],
  { measures = true }: { readonly measures?: boolean } = {},
): Promise<{
  readonly articles: StoredUnits['articles'];
  readonly leftOut: readonly (readonly (readonly number[])[] | null)[];
}> {
  const own = { ...tools, keyOf: AS_IT_IS };
  const articles: Record<string, StoredExamples> = {};
  const leftOut = new Array<readonly (readonly number[])[] | null>(questions.length).fill(null);
  for (const [key, indices] of byArticle(questions)) {
    if (indices.length < LEAST) continue;
    const article = questions[indices[0] ?? 0]?.article;
    if (!article) continue;
    const examples = indices.map((at) => {
      const { text = '', units = [], hand } = questions[at] ?? {};
      const [first = '', ...also] = units.map(String);
      return { text, article: first, also, hand };
    });
    const texts = unitsOf(article.content);
    const besides = texts.map(({ text, at }) => ({ text, article: String(at + 1) }));
    const { stored, leftOut: scores } = await teachExamples(
      own,
      examples,
      besides,
      measures ? undefined : [],
    );
    articles[key] = stored;
    if (!measures) continue;
    for (const [i, at] of indices.entries()) leftOut[at] = featuresOf(scores[i], texts.length);
  }
  return { articles, leftOut };
}

/** Tells how probably each unit of an article answers a question. */
export interface UnitChances {
  (article: Readable, measured: readonly MeasuredUnit[], question: string): Promise<readonly number[]>;
  /** True where labelled questions of this article say so: what is known of any article is far less sure. */
  isTaught(article: Readable): boolean;
}

/**
 * @param weights for any article
 * @param taught for those that labelled questions name
 */
export function unitChances(
  tools: ExampleTools,
  weights: UnitWeights,
  taught: StoredUnits | undefined,
): UnitChances {
  const [anyArticle, known] = [listed(weights), listed(taught?.weights ?? {})];
  const units = new TaughtUnits(tools, taught?.articles ?? {});
  const chances = async (article: Readable, measured: readonly MeasuredUnit[], question: string) => {
    const own = await units.measure(article, question);
    return choose(
      own ? known : anyArticle,
      measured.map(({ features }, i) => [...features, ...(own?.[i] ?? [])]),
    );
  };
  return Object.assign(chances, { isTaught: (article: Readable) => units.knows(article) });
}

/** The weights as a list, in the order of the features. */
function listed(weights: UnitWeights): readonly number[] {
  return [...UNIT_FEATURES, ...TAUGHT_FEATURES].map((name) => weights[name] ?? 0);
}

/** Says of the units of an article how like a question is to those that each answers. */
export class TaughtUnits {
  private readonly known = new LRUCache<string, TaughtExamples>({ max: CACHED });

  constructor(
    private readonly tools: ExampleTools,
    private readonly articles: StoredUnits['articles'],
  ) {}

  /** True where questions were labelled for this article. */
  knows(article: Readable): boolean {
    return this.articles[keyOf(article)] !== undefined;
  }

  /** @returns {@link TAUGHT_FEATURES} of each unit; null for an article that no questions were labelled for */
  async measure(article: Readable, question: string): Promise<readonly (readonly number[])[] | null> {
    const key = keyOf(article);
    const stored = this.articles[key];
    if (!stored) return null;
    const examples = this.known.get(key) ?? new TaughtExamples({ ...this.tools, keyOf: AS_IT_IS }, stored);
    this.known.set(key, examples);
    return featuresOf(await examples.score(question), unitsOf(article.content).length);
  }
}

function featuresOf(scores: ExampleScores | undefined, units: number): readonly (readonly number[])[] {
  return Array.from({ length: units }, (_, at) => {
    const chance = scores?.of(String(at + 1)) ?? 0;
    return [chance, Math.log(FLOOR + chance)];
  });
}

function byArticle(questions: readonly Labelled[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [at, { article }] of questions.entries()) {
    const key = keyOf(article);
    groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  return groups;
}

function keyOf({ content }: Readable): string {
  return createHash('sha256').update(content).digest('hex').slice(0, KEY_LENGTH);
}
