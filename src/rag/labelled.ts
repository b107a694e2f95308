import type { Article } from '../core/domain/article.js';
import { HubError } from '../core/errors.js';
import type { RankedSearch, RankOptions, ReadCandidate } from './article-reader.js';
import { twinKey } from './candidates.js';
import type { HybridRetriever } from './retriever.js';
import type { UnitQuestion } from './unit-weights.js';

/** A question with the article that answers it; null where none does. */
export interface LabelledQuestion {
  readonly query: string;
  readonly articleId: string | null;
  /** What the passage that is sent must hold: of each entry one of its texts. */
  readonly answer?: readonly (readonly string[])[] | undefined;
  /** Numbers of the sentences and items of the article that answer, from 1. */
  readonly units?: readonly number[] | undefined;
  /** Only measured, never learned from. */
  readonly heldOut?: boolean | undefined;
  /** Number of the writer; 0 where absent. What one writes is easier for what learned from the same one. */
  readonly hand?: number | undefined;
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
  options: {
    readonly only?: 'keyword' | undefined;
    readonly examples?: RankOptions['examples'];
  } = {},
): Promise<readonly Searched[]> {
  const searched: Searched[] = [];
  for (const question of questions) {
    const passages = question.answer !== undefined;
    const search = await retriever.rank(question.query, { ...options, passages });
    if (options.only === undefined && search.mode === 'keyword') {
      throw new HubError(
        'index_unavailable',
        'The vector index does not answer, so its confidence cannot be calibrated.',
      );
    }
    searched.push({ question, search });
  }
  return searched;
}

/** The article itself or a version of it in another language; or another one whose passage holds the answer. */
export function answers(candidate: ReadCandidate, { articleId, answer }: LabelledQuestion): boolean {
  if (articleId === null) return false;
  if (candidate.articleIds.includes(articleId) || twinKey(candidate.article.articleId) === articleId)
    return true;
  return answer !== undefined && holds(candidate.passage, answer);
}

/** True where a text has one of each entry's texts, white space apart. */
export function holds(text: string, answer: readonly (readonly string[])[]): boolean {
  const whole = text.replace(/\s+/gu, ' ');
  return answer.every((texts) => texts.some((one) => whole.includes(one)));
}

/** Questions that name the units of their article that answer. */
export async function unitQuestions(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  articles: readonly Article[],
): Promise<readonly UnitQuestion[]> {
  const byId = new Map(articles.map((article) => [article.articleId, article]));
  const found: UnitQuestion[] = [];
  for (const { query, articleId, units, hand, heldOut = false } of questions) {
    const article = articleId === null ? undefined : byId.get(articleId);
    if (article && units) found.push({ text: await retriever.asMeant(query), article, units, heldOut, hand });
  }
  return found;
}

/** Of one labelled question: where its article came, and how sure the first hit was. */
export interface Outcome {
  /** Place of the right article, 1 the best; null where it was not found. Ignored for an unanswerable question. */
  readonly rank: number | null;
  readonly answerable: boolean;
  /** Calibrated confidence of the first hit, 0 without hits. */
  readonly confidence: number;
  /** Whether the passage that would be sent holds the answer; null where the question does not say what that is. */
  readonly isSaid: boolean | null;
}

/** How well a set of labelled questions was answered. Shares are 0 to 1; NaN never appears. */
export interface RetrievalMetrics {
  readonly questions: number;
  readonly answerable: number;
  readonly hitAt1: number;
  readonly hitAt3: number;
  /** Mean reciprocal rank of the right article. */
  readonly mrr: number;
  /** Chance that an answerable question is surer than an unanswerable one; 0.5 where one kind is missing. */
  readonly auc: number;
  /** Of the first hits with confidence at or above the threshold, the share that is right. */
  readonly precisionAtThreshold: number;
  /** Of the answerable questions, the share whose first hit is right and at or above the threshold. */
  readonly recallAtThreshold: number;
  /** Of the unanswerable questions, the share that stays below the threshold. */
  readonly rejectedAtThreshold: number;
  /** Of the answerable questions that say what the answer is, the share answered at the threshold, and with it. */
  readonly saidAtThreshold: number;
  /** Of all questions answered at the threshold that say what the answer is or have none, the share without it. */
  readonly missedAtThreshold: number;
  readonly threshold: number;
}

/** The gate of the design. */
const CONFIDENCE_THRESHOLD = 0.7;

export function measure(
  outcomes: readonly Outcome[],
  threshold: number = CONFIDENCE_THRESHOLD,
): RetrievalMetrics {
  const answerable = outcomes.filter((outcome) => outcome.answerable);
  const unanswerable = outcomes.filter((outcome) => !outcome.answerable);
  const accepted = outcomes.filter((outcome) => outcome.confidence >= threshold);
  const judged = outcomes.filter((outcome) => !outcome.answerable || outcome.isSaid !== null);
  const judgedAndAccepted = judged.filter((outcome) => outcome.confidence >= threshold);
  const isSaid = (outcome: Outcome): boolean => outcome.answerable && outcome.isSaid === true;
  const isRight = (outcome: Outcome): boolean => outcome.answerable && outcome.rank === 1;
  const within = (place: number): number =>
    answerable.filter(({ rank }) => rank !== null && rank <= place).length;
  return {
    questions: outcomes.length,
    answerable: answerable.length,
    hitAt1: share(within(1), answerable.length),
    hitAt3: share(within(3), answerable.length),
    mrr: share(
      answerable.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / rank), 0),
      answerable.length,
    ),
    auc: areaUnderCurve(answerable, unanswerable),
    precisionAtThreshold: share(accepted.filter(isRight).length, accepted.length),
    recallAtThreshold: share(accepted.filter(isRight).length, answerable.length),
    rejectedAtThreshold: share(
      unanswerable.filter((outcome) => outcome.confidence < threshold).length,
      unanswerable.length,
    ),
    saidAtThreshold: share(
      judgedAndAccepted.filter(isSaid).length,
      judged.filter((outcome) => outcome.answerable).length,
    ),
    missedAtThreshold: share(
      judgedAndAccepted.filter((outcome) => !isSaid(outcome)).length,
      judgedAndAccepted.length,
    ),
    threshold,
  };
}

function areaUnderCurve(positives: readonly Outcome[], negatives: readonly Outcome[]): number {
  if (positives.length === 0 || negatives.length === 0) return 0.5;
  let wins = 0;
  for (const positive of positives) {
    for (const negative of negatives) {
      wins +=
        positive.confidence > negative.confidence ? 1 : positive.confidence === negative.confidence ? 0.5 : 0;
    }
  }
  return wins / (positives.length * negatives.length);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
