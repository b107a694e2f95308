import type { Article } from '../core/domain/article.js';
import { HubError } from '../core/errors.js';
import { twinKey } from './candidates.js';
import type { RankedSearch, RankOptions, ReadCandidate } from './ranked-search.js';
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
