import type { Article } from '../core/domain/article.js';
import { HubError } from '../core/errors.js';
import type { RankedSearch, ReadCandidate } from './article-reader.js';
import type { InForce } from './calibration-store.js';
import {
  type Calibration,
  type ConfidenceModels,
  confidenceOf,
  FEATURE_NAMES,
  type HitFeatures,
  inOrder,
  type LogisticModel,
  type SearchMode,
} from './confidence.js';
import { type ExampleScores, type ExampleTools, type Example as Text, teachExamples } from './examples.js';
import {
  answers,
  holds,
  type LabelledQuestion,
  measure,
  type Outcome,
  type RetrievalMetrics,
  type Searched,
  searchAll,
  unitQuestions,
} from './labelled.js';
import { type Example, fitLogistic } from './logistic.js';
import { splitSentences } from './parts.js';
import type { HybridRetriever } from './retriever.js';
import { fitUnits, type UnitMetrics } from './unit-weights.js';

/** What a calibration learned and how good the search is on its questions. */
export interface CalibrationReport {
  readonly embedder: string;
  /** How many were learned from. */
  readonly questions: number;
  /** Of these, each judged by models that did not see it. */
  readonly hybrid: RetrievalMetrics;
  readonly keyword: RetrievalMetrics;
  /** Of the questions that were held out; null where none were. */
  readonly heldOut: RetrievalMetrics | null;
  /** Of those by writer, where there are several. */
  readonly byHand: readonly { readonly hand: number; readonly metrics: RetrievalMetrics }[];
  /** Of the first hits, cross-validated: how often a confidence in the bin was right. */
  readonly reliability: readonly {
    readonly from: number;
    readonly to: number;
    readonly count: number;
    readonly right: number;
  }[];
  readonly models: ConfidenceModels;
  /** How well the sentence that answers is found; null where too few questions name theirs. */
  readonly units: { readonly heldOut: UnitMetrics | null; readonly unseenArticles: UnitMetrics } | null;
  /** All that was learned, as it is stored and shipped. */
  readonly stored: string;
}

const PENALTY = 5;
const FOLDS = 5;
const ENOUGH = 2000;
/** So many candidates of a search teach the order, and as many that labelled questions name. */
const ORDERED = 5;
/** Fewer labelled questions than this (or of one kind only) say too little to fit the parameters. */
const MIN_QUESTIONS = 20;

/**
 * Searches every question in both modes, learns from those that are not held out, and measures them.
 * @throws HubError `input_invalid` where they are too few
 */
export async function calibrateOn(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  embedder: string,
  tools: ExampleTools & { readonly articles: readonly Article[] },
): Promise<
  Omit<CalibrationReport, 'heldOut' | 'byHand' | 'stored' | 'models'> & { readonly calibration: Calibration }
> {
  const learned = questions.filter(({ heldOut }) => heldOut !== true);
  const answerable = learned.filter(({ articleId }) => articleId !== null).length;
  if (answerable < MIN_QUESTIONS / 2 || learned.length < MIN_QUESTIONS) {
    throw new HubError(
      'input_invalid',
      `At least ${MIN_QUESTIONS} questions are needed, half of them answerable; there are ${learned.length} and ${answerable}.`,
    );
  }
  const labelled = await unitQuestions(retriever, questions, tools.articles);
  const units = await fitUnits(retriever.units, labelled, tools);
  const texts: Text[] = [];
  for (const { query, articleId, hand } of learned)
    texts.push({ text: await retriever.asMeant(query), article: articleId, hand });
  const { stored, leftOut } = await teachExamples(tools, texts, tools.articles.flatMap(sentencesOf));
  const scores = new Map(texts.map(({ text }, i) => [text, leftOut[i] ?? null]));
  const examples = (meant: string): Promise<ExampleScores | null> =>
    Promise.resolve(scores.get(meant) ?? null);
  const hybrid = await searchAll(retriever, learned, { examples });
  const keyword = await searchAll(retriever, sampled(learned), { examples, only: 'keyword' });
  const [byHybrid, byKeyword] = [fitMode(hybrid), fitMode(keyword)];
  const outcomes = crossValidated(hybrid, 'hybrid');
  return {
    embedder,
    questions: learned.length,
    hybrid: measure(outcomes),
    keyword: measure(crossValidated(keyword, 'keyword')),
    reliability: reliabilityOf(outcomes),
    units: units && { heldOut: units.heldOut, unseenArticles: units.unseenArticles },
    calibration: {
      ...(units && { units: units.weights }),
      models: { hybrid: byHybrid.model, keyword: byKeyword.model },
      taught: {
        order: { hybrid: byHybrid.order, keyword: byKeyword.order },
        confidence: { hybrid: byHybrid.taught, keyword: byKeyword.taught },
        examples: stored,
        ...(units && { units: units.taught }),
      },
    },
  };
}

/** Some of many, evenly: so many suffice for the parameters of a search by keywords. */
function sampled<T>(items: readonly T[]): readonly T[] {
  const every = Math.ceil(items.length / ENOUGH);
  return items.filter((_, i) => i % every === 0);
}

/** What an article says itself counts as a question that it answers: it names what nobody has asked for yet. */
function sentencesOf({ articleId, title, tags, content }: Article): readonly Text[] {
  return [title, ...tags, ...splitSentences(content)].map((text) => ({ text, article: articleId }));
}

interface FittedMode {
  readonly model: LogisticModel;
  readonly order: LogisticModel;
  readonly taught: LogisticModel;
}

function fitMode(searched: readonly Searched[]): FittedMode {
  const model = fitModel(searched);
  const order = logistic(
    searched.flatMap(({ question, search }) =>
      question.articleId === null
        ? []
        : foremost(search).map((candidate) => exampleOf(candidate, question, vectorOf)),
    ),
  );
  const taught = logistic(
    searched.flatMap(({ question, search }) => {
      const [first] = sortedBy(order, model, search);
      return first ? [exampleOf(first, question, vectorOf)] : [];
    }),
  );
  return { model, order, taught };
}

/** Those that the search and those that labelled questions put first: what the order decides between. */
function foremost({ candidates }: RankedSearch): readonly ReadCandidate[] {
  const likely = [...candidates].sort((a, b) => b.features.example - a.features.example);
  return [...new Set([...candidates.slice(0, ORDERED), ...likely.slice(0, ORDERED)])];
}

/**
 * Fits the model that holds for any article. First hits only: they are what the threshold decides on, and learning
 * from others as well separated worse. Questions of several knowledge bases may be pooled.
 */
export function fitModel(searched: readonly Searched[]): LogisticModel {
  return logistic(
    searched.flatMap(({ question, search }) =>
      search.candidates.slice(0, 1).map((candidate) => exampleOf(candidate, question, plainVectorOf)),
    ),
  );
}

function logistic(examples: readonly Example[]): LogisticModel {
  const { bias, weights } = fitLogistic(examples, PENALTY);
  return { bias, weights: Object.fromEntries(FEATURE_NAMES.map((name, i) => [name, weights[i] ?? 0])) };
}

function exampleOf(
  candidate: ReadCandidate,
  question: LabelledQuestion,
  vector: (features: HitFeatures) => readonly number[],
): Example {
  return { x: vector(candidate.features), y: answers(candidate, question) ? 1 : 0 };
}

function vectorOf(features: HitFeatures): readonly number[] {
  return FEATURE_NAMES.map((name) => features[name]);
}

/** Without what labelled questions say: articles that none names have nothing there. */
function plainVectorOf(features: HitFeatures): readonly number[] {
  return vectorOf({ ...features, example: 0, exampleMargin: 0, foreign: 0 });
}

function sortedBy(
  order: LogisticModel,
  model: LogisticModel,
  search: RankedSearch,
): readonly ReadCandidate[] {
  return inOrder(calibrationOf({ model, order, taught: order }), search.mode, search.candidates);
}

/** A calibration of one mode, to judge searches of that mode by. */
function calibrationOf({ model, order, taught }: FittedMode): Calibration {
  const both = (one: LogisticModel): ConfidenceModels => ({ hybrid: one, keyword: one });
  const examples = { embedder: '', articles: [], features: '', weights: '', scales: [], bias: [] };
  return { models: both(model), taught: { order: both(order), confidence: both(taught), examples } };
}

/** Every question judged by models that did not see it. Folds go by position, so the outcome is always the same. */
function crossValidated(searched: readonly Searched[], mode: SearchMode): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const calibration = calibrationOf(fitMode(searched.filter((_, i) => i % FOLDS !== fold)));
    for (const [i, { question, search }] of searched.entries())
      if (i % FOLDS === fold) outcomes.push(outcomeOf(question, search, calibration, mode));
  }
  return outcomes;
}

/** How a search answered a labelled question. */
export function outcomeOf(
  question: LabelledQuestion,
  search: RankedSearch,
  calibration: Calibration,
  mode: SearchMode,
): Outcome {
  const candidates = inOrder(calibration, mode, search.candidates);
  const place = candidates.findIndex((candidate) => answers(candidate, question));
  const [first] = candidates;
  return {
    rank: place < 0 ? null : place + 1,
    answerable: question.articleId !== null,
    confidence: first === undefined ? 0 : confidenceOf(calibration, mode, first),
    isSaid:
      question.answer === undefined || first === undefined ? null : holds(first.passage, question.answer),
  };
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

/** Measures a search with a calibration that is given. */
export async function evaluateOn(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  calibration: InForce,
  mode: SearchMode = 'hybrid',
): Promise<RetrievalMetrics> {
  return measure(await outcomesOn(retriever, questions, calibration, mode));
}

/** Measures a search on the questions that were held out, all and by writer. */
export async function measureHeldOut(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  calibration: InForce,
): Promise<Pick<CalibrationReport, 'heldOut' | 'byHand'>> {
  const rest = questions.filter(({ heldOut }) => heldOut === true);
  const outcomes = await outcomesOn(retriever, rest, calibration, 'hybrid');
  const hands = [...new Set(rest.map(({ hand = 0 }) => hand))].sort((a, b) => a - b);
  const of = (one: number): RetrievalMetrics =>
    measure(outcomes.filter((_, i) => (rest[i]?.hand ?? 0) === one));
  return {
    heldOut: rest.length === 0 ? null : measure(outcomes),
    byHand: hands.length < 2 ? [] : hands.map((hand) => ({ hand, metrics: of(hand) })),
  };
}

async function outcomesOn(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  calibration: InForce,
  mode: SearchMode,
): Promise<readonly Outcome[]> {
  const searched = await searchAll(retriever, questions, {
    examples: (meant) => calibration.examples(meant),
    only: mode === 'keyword' ? 'keyword' : undefined,
  });
  return searched.map(({ question, search }) => outcomeOf(question, search, calibration, mode));
}
