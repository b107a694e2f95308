import type { Article, SearchResult } from '../core/domain/article.js';
import { languageAmong } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import type { Clock } from '../core/ports/clock.js';
import type { KnowledgeStore } from '../core/ports/knowledge-store.js';
import type { SearchOptions } from '../core/ports/retrieval.js';
import { type ArticleDraft, parseArticleFile, parseQuestionFile } from './article-file.js';
import { type ArticleWarning, warningsAbout } from './article-warnings.js';
import type { CalibrationReport, IndexReport, Knowledge, LabelledQuestion } from './index.js';

interface KbServiceDeps {
  readonly knowledge: Knowledge;
  readonly store: KnowledgeStore;
  readonly clock: Clock;
  /** Language of an article whose file does not say. */
  readonly detectLanguage: (text: string) => Language;
  /** Those of the company. */
  readonly languages: readonly Language[];
}

/** What `npm run kb` and other surfaces do with the knowledge base. */
export interface KbService {
  /**
   * Replaces the knowledge base; without articles, indexes what the database holds.
   * @throws HubError `input_invalid`, `embedding_failed`, `database_failed`, `disk_full`
   */
  index(articles?: readonly ArticleDraft[]): Promise<IndexReport>;
  /** The same from the bytes of a JSONL file; nothing is replaced unless every line is good. */
  indexFile(bytes: Uint8Array): Promise<IndexReport>;
  search(query: string, options: SearchOptions): Promise<SearchResult>;
  /** @throws HubError `not_found` */
  show(articleId: string): Promise<Article>;
  /** What a person should look at before customers are sent it: words to a program, and links that lead elsewhere. */
  warnings(): Promise<readonly ArticleWarning[]>;
  /** All articles, by id. */
  list(): Promise<readonly Article[]>;
  /** @throws HubError `input_invalid` (too few), `index_unavailable` */
  calibrate(questions: readonly LabelledQuestion[]): Promise<CalibrationReport>;
  /** The same from the bytes of a JSONL file. */
  calibrateFile(bytes: Uint8Array): Promise<CalibrationReport>;
}

/** Wires the operations; does nothing by itself. */
export function createKbService(deps: KbServiceDeps): KbService {
  const { knowledge, store } = deps;
  const toArticle = (draft: ArticleDraft): Article => ({
    articleId: draft.articleId,
    title: draft.title,
    content: draft.content,
    tags: draft.tags,
    language:
      languageAmong(draft.language, deps.languages) ??
      deps.detectLanguage(`${draft.title}\n${draft.content}`),
    updatedAt: deps.clock.now().toISOString(),
  });

  const service: KbService = {
    index: async (articles) =>
      articles === undefined
        ? await knowledge.ensureIndexed()
        : await knowledge.reindex(articles.map(toArticle)),
    indexFile: async (bytes) => await service.index(parseArticleFile(bytes)),
    search: async (query, options) => {
      await knowledge.ensureIndexed();
      return await knowledge.retriever.search(query, options);
    },
    show: async (articleId) => {
      const article = await store.get(articleId);
      if (article === null)
        throw new HubError('not_found', `There is no article "${articleId}".`, { articleId });
      return article;
    },
    list: async () => [...(await store.list())].sort((a, b) => (a.articleId < b.articleId ? -1 : 1)),
    warnings: async () => warningsAbout(await service.list()),
    calibrate: async (questions) => {
      await knowledge.ensureIndexed();
      const known = new Set((await store.list()).map((article) => article.articleId));
      const unknown = questions.find(
        (question) => question.articleId !== null && !known.has(question.articleId),
      );
      if (unknown !== undefined) {
        throw new HubError(
          'input_invalid',
          `The question "${unknown.query}" names the article "${unknown.articleId}", which is not in the knowledge base.`,
        );
      }
      return await knowledge.calibrate(questions);
    },
    calibrateFile: async (bytes) => await service.calibrate(parseQuestionFile(bytes)),
  };
  return service;
}
