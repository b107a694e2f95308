import type { StoredExamples } from './examples.js';
import type { StoredUnits, UnitWeights } from './unit-features.js';

/** How a search was made; each mode has parameters of its own. */
export type SearchMode = 'hybrid' | 'keyword';

/** What is measured of an article as a whole. All independent of the knowledge base's size and language. */
export interface ArticleFeatures {
  /** 1 / (1 + L2), 0 where the vector index took no part. */
  readonly raw: number;
  /** How far this article is ahead of (or behind) the best other one in raw confidence, -1 to 1. */
  readonly margin: number;
  /** Share of the query's words (weighed by rarity) that the article has, synonyms counting 0.8; 0 to 1. */
  readonly overlap: number;
  /** The same without synonyms. */
  readonly exactOverlap: number;
  /** `overlap` with title and tags alone. */
  readonly headingOverlap: number;
  /** Share of title and tags that the query speaks of, 0 to 1. */
  readonly headingShare: number;
  /** BM25 relative to the best of this search, 0 to 1. */
  readonly keyword: number;
  /** ln(1 + number of words and phrases the query is about). */
  readonly length: number;
}

/** What a confidence is made from. */
export interface HitFeatures extends ArticleFeatures {
  /** Cosine of the query with the part of the article that is nearest, in the embedding computed in process. */
  readonly part: number;
  /** How far that is ahead of (or behind) the best part of another article, -1 to 1. */
  readonly partMargin: number;
  /** Highest share of the query's words that one part has, 0 to 1. */
  readonly partOverlap: number;
  /** Share of the query's words that no article has, nor another word for them, 0 to 1: names of what is elsewhere. */
  readonly unknown: number;
  /** How much the query is like the questions this article is known to answer, about 0 to 1. */
  readonly example: number;
  /** How far that is ahead of (or behind) the best other article. */
  readonly exampleMargin: number;
  /** How much the query is like questions that no article answers, about 0 to 1. */
  readonly foreign: number;
}

export const FEATURE_NAMES = [
  'raw',
  'margin',
  'overlap',
  'exactOverlap',
  'headingOverlap',
  'headingShare',
  'keyword',
  'length',
  'part',
  'partMargin',
  'partOverlap',
  'unknown',
  'example',
  'exampleMargin',
  'foreign',
] as const satisfies readonly (keyof HitFeatures)[];

/** A logistic model over the features: P = 1 / (1 + exp(-(bias + sum of weight * feature))). */
export interface LogisticModel {
  readonly bias: number;
  readonly weights: Readonly<Partial<Record<keyof HitFeatures, number>>>;
}

export type ConfidenceModels = Readonly<Record<SearchMode, LogisticModel>>;

/** What a knowledge base learned from its labelled questions. */
export interface Taught {
  /** Of articles that labelled questions name. */
  readonly confidence: ConfidenceModels;
  /** Orders those articles. */
  readonly order: ConfidenceModels;
  readonly examples: StoredExamples;
  /** Which sentence of those articles answers. */
  readonly units?: StoredUnits | undefined;
}

/** How confidences are made: by models that hold for any article, and by those that labelled questions taught. */
export interface Calibration {
  readonly models: ConfidenceModels;
  readonly taught: Taught | null;
  /** Which sentence of any article answers; absent where nothing taught it. */
  readonly units?: UnitWeights | undefined;
}

/** Distance of two vectors. */
export function l2(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return Math.sqrt(sum);
}

/** The formula of the source design: 1 / (1 + L2 distance), 0 without a distance. */
export function rawConfidence(distance: number | null): number {
  return distance === null ? 0 : 1 / (1 + distance);
}

/** A candidate as confidences look at it. */
interface Judged {
  readonly features: HitFeatures;
  /** True where labelled questions name the article. */
  readonly isTaught: boolean;
  /** True where the query names something that no article knows: what is said of such things is about others. */
  readonly isElsewhere?: boolean;
}

const ELSEWHERE = 0.5;

/** Calibrated probability that a candidate answers the query, 0 to 1. */
export function confidenceOf(
  { models, taught }: Calibration,
  mode: SearchMode,
  { features, isTaught, isElsewhere }: Judged,
): number {
  const value = confidence(taught && isTaught ? taught.confidence : models, mode, features);
  return isElsewhere === true ? value * ELSEWHERE : value;
}

/**
 * Candidates in the order of a calibration: where labelled questions taught it, the most probable first; else as
 * given. An article that no question names is as probable as it would be anywhere.
 */
export function inOrder<T extends Judged>(
  { models, taught }: Calibration,
  mode: SearchMode,
  candidates: readonly T[],
): readonly T[] {
  if (!taught || !candidates.some(({ isTaught }) => isTaught)) return candidates;
  const values = new Map(
    candidates.map((candidate) => [
      candidate,
      confidence(candidate.isTaught ? taught.order : models, mode, candidate.features),
    ]),
  );
  return [...candidates].sort((a, b) => (values.get(b) ?? 0) - (values.get(a) ?? 0));
}

/** Probability by one model, 0 to 1. */
export function confidence(models: ConfidenceModels, mode: SearchMode, features: HitFeatures): number {
  const model = models[mode];
  return sigmoid(
    FEATURE_NAMES.reduce((sum, name) => sum + (model.weights[name] ?? 0) * features[name], model.bias),
  );
}

/**
 * Confidences of hits in their order. The model judges a hit as if it came first; one that did not is right only
 * where those before it are wrong, and never surer than they are. So they sum up to at most 1, and the sum is the
 * probability that one of them answers.
 */
export function shareOut(judged: readonly number[]): readonly number[] {
  let left = 1;
  let ceiling = 1;
  return judged.map((value) => {
    ceiling = Math.min(ceiling, value * left);
    left -= ceiling;
    return ceiling;
  });
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/**
 * For an embedding model that was never calibrated: with text-embedding-3-small a raw confidence of 0.42 to 0.435
 * separated 36 of 37 good questions from 7 of 7 off-topic ones, so 0.7 lies in the middle of that. Keyword mode
 * has no such figure and asks for three quarters of the query's words, half of them in title or tags.
 */
export const UNCALIBRATED: ConfidenceModels = {
  hybrid: logisticThrough({ raw: 0.4275 }, { raw: 60 }),
  keyword: logisticThrough({ overlap: 0.75, headingOverlap: 0.5 }, { overlap: 5, headingOverlap: 3 }),
};

function logisticThrough(
  at: Partial<Record<keyof HitFeatures, number>>,
  weights: Partial<Record<keyof HitFeatures, number>>,
): LogisticModel {
  const sum = FEATURE_NAMES.reduce((total, name) => total + (weights[name] ?? 0) * (at[name] ?? 0), 0);
  return { bias: Math.log(0.7 / 0.3) - sum, weights };
}
