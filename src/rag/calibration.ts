import { HubError } from '../core/errors.js';
import { type Candidate, twinKey } from './candidates.js';
import {
  type ConfidenceModels,
  confidence,
  FEATURE_NAMES,
  type HitFeatures,
  type LogisticModel,
  type SearchMode,
} from './confidence.js';
import { type Example, fitLogistic, predict } from './logistic.js';
import { measure, type Outcome, type RetrievalMetrics } from './metrics.js';
import type { HybridRetriever, RankedSearch } from './retriever.js';

/** A question with the article that answers it; null where none does. */
export interface LabelledQuestion {
  readonly query: string;
  readonly articleId: string | null;
}

/** What a calibration learned and how good the search is on its questions. */
export interface CalibrationReport {
  readonly embedder: string;
  readonly questions: number;
  /** Ranking of the search, with confidences from folds that did not see the question. */
  readonly hybrid: RetrievalMetrics;
  readonly keyword: RetrievalMetrics;
  /** Of the first hits, cross-validated: how often a confidence in the bin was right. */
  readonly reliability: readonly {
    readonly from: number;
    readonly to: number;
    readonly count: number;
    readonly right: number;
  }[];
  readonly models: ConfidenceModels;
}

const PENALTY = 5;
const FOLDS = 5;
/** Fewer labelled questions than this (or of one kind only) say too little to fit six parameters. */
export const MIN_QUESTIONS = 20;

/** Searches every question in both modes and fits the confidence of each. */
export async function calibrateOn(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  embedder: string,
): Promise<CalibrationReport> {
  const hybrid = await searchAll(retriever, questions);
  const keyword = await searchAll(retriever, questions, 'keyword');
  const models = { hybrid: fitModel(hybrid), keyword: fitModel(keyword) };
  const outcomes = crossValidated(hybrid);
  return {
    embedder,
    questions: questions.length,
    hybrid: measure(outcomes),
    keyword: measure(crossValidated(keyword)),
    reliability: reliabilityOf(outcomes),
    models,
  };
}

/** A labelled question with what the search found for it. */
export interface Searched {
  readonly question: LabelledQuestion;
  readonly search: RankedSearch;
}

/** @throws HubError `index_unavailable` where the vectors are asked for and do not answer */
export async function searchAll(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  only?: 'keyword',
): Promise<readonly Searched[]> {
  const searched: Searched[] = [];
  for (const question of questions) {
    const search = await retriever.rank(question.query, { only });
    if (only === undefined && search.mode === 'keyword') {
      throw new HubError(
        'index_unavailable',
        'The vector index does not answer, so its confidence cannot be calibrated.',
      );
    }
    searched.push({ question, search });
  }
  return searched;
}

/** The article itself or a version of it in another language. */
export function answers(candidate: Candidate, articleId: string | null): boolean {
  return (
    articleId !== null &&
    (candidate.articleIds.includes(articleId) || twinKey(candidate.article.articleId) === articleId)
  );
}

/** First hits only: they are what the threshold decides on, and learning from others as well separated worse. */
function examplesOf(searched: readonly Searched[]): readonly Example[] {
  return searched.flatMap(({ question, search }) =>
    search.candidates.slice(0, 1).map((candidate) => ({
      x: vectorOf(candidate.features),
      y: answers(candidate, question.articleId) ? (1 as const) : (0 as const),
    })),
  );
}

/** Fits one mode. Questions of several knowledge bases may be pooled. */
export function fitModel(searched: readonly Searched[]): LogisticModel {
  const { bias, weights } = fitLogistic(examplesOf(searched), PENALTY);
  return { bias, weights: Object.fromEntries(FEATURE_NAMES.map((name, i) => [name, weights[i] ?? 0])) };
}

/** Every question judged by a model that did not see it. Folds go by position, so the outcome is always the same. */
function crossValidated(searched: readonly Searched[]): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const fit = fitLogistic(examplesOf(searched.filter((_, i) => i % FOLDS !== fold)), PENALTY);
    for (const [i, { question, search }] of searched.entries()) {
      if (i % FOLDS === fold)
        outcomes.push(outcomeOf(question, search, (features) => predict(fit, vectorOf(features))));
    }
  }
  return outcomes;
}

/** How a search answered a labelled question. */
export function outcomeOf(
  question: LabelledQuestion,
  search: RankedSearch,
  confidenceOf: (features: HitFeatures) => number,
): Outcome {
  const place = search.candidates.findIndex((candidate) => answers(candidate, question.articleId));
  const [first] = search.candidates;
  return {
    rank: place < 0 ? null : place + 1,
    answerable: question.articleId !== null,
    confidence: first === undefined ? 0 : confidenceOf(first.features),
  };
}

/** Measures a search with models that are given. */
export async function evaluateOn(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  models: ConfidenceModels,
  mode: SearchMode = 'hybrid',
): Promise<RetrievalMetrics> {
  const searched = await searchAll(retriever, questions, mode === 'keyword' ? 'keyword' : undefined);
  return measure(
    searched.map(({ question, search }) =>
      outcomeOf(question, search, (features) => confidence(models, mode, features)),
    ),
  );
}

function vectorOf(features: HitFeatures): readonly number[] {
  return FEATURE_NAMES.map((name) => features[name]);
}

function reliabilityOf(outcomes: readonly Outcome[]): CalibrationReport['reliability'] {
  return [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
    const to = from + 0.2;
    const inside = outcomes.filter(
      (outcome) => outcome.confidence >= from && (outcome.confidence < to || to >= 1),
    );
    return {
      from,
      to: Math.round(to * 10) / 10,
      count: inside.length,
      right: inside.filter((outcome) => outcome.answerable && outcome.rank === 1).length,
    };
  });
}
