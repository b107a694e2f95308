import type { Article, SearchResult } from '../core/domain/article.js';
import { languageAmong } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import type { KnowledgeStore, SearchOptions } from '../core/ports/knowledge-store.js';
import type { Clock } from '../core/ports/system.js';
import { type ArticleDraft, parseArticleFile, parseQuestionFile } from './article-file.js';
import type { CalibrationReport, FurtherReport, IndexReport, Knowledge, LabelledQuestion } from './index.js';
import { unitsOf } from './parts.js';

/** Something in an article that customers should not be sent before a person has looked at it. */
interface ArticleWarning {
  readonly articleId: string;
  readonly kind: 'instruction' | 'link';
  /** The words in question. */
  readonly text: string;
}

/** Words that are said to a program and not to a customer. In the languages of the analyzer. */
const INSTRUCTION =
  /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|rules|prompts?|guidelines)\b|\b(?:system|developer) prompt\b|\byou are (?:now )?(?:an? )?(?:ai|assistant|chatbot|language model)\b|\b(?:do not|don't|never) (?:tell|show|reveal)\b.{0,30}\b(?:user|customer)s?\b|\b(?:reply|respond|answer) (?:only|always) with\b|\b(?:ignore|desconsidere|esqueça)\b.{0,30}\b(?:instruções|regras)\b|\bprompt do sistema\b|\bvocê (?:é|agora é) (?:um|uma) (?:ia|assistente|chatbot|robô)\b|\b(?:não|nunca) (?:conte|diga|mostre|revele)\b.{0,30}\b(?:usuário|cliente)s?\b|\bresponda (?:apenas|somente|só|sempre) com\b/iu;
const LINK = /\b(?:https?:\/\/|www\.)([^\s/()<>"'\]]+)[^\s()<>"'\]]*/giu;
const HOST = /\b((?:[a-z0-9-]+\.)+(?:com|org|net|io|app|br|example|es|eu|info|shop|store))\b/giu;

/**
 * What is in articles that speaks to a program rather than to a customer, and links that lead to a host which is not the one
 * that most articles name. Answers quote articles word for word, so both would be sent.
 */
export function warningsAbout(articles: readonly Article[]): readonly ArticleWarning[] {
  const named = new Map<string, Set<string>>();
  for (const { articleId, content } of articles)
    for (const [, host = ''] of content.matchAll(HOST)) {
      const domain = domainOf(host);
      named.set(domain, (named.get(domain) ?? new Set()).add(articleId));
    }
  const [own] = [...named].sort((a, b) => b[1].size - a[1].size)[0] ?? [];
  return articles.flatMap(({ articleId, content }) => {
    const instructions = unitsOf(content).filter(({ text }) => INSTRUCTION.test(text));
    const links = [...content.matchAll(LINK)].filter(([, host = '']) => domainOf(host) !== own);
    return [
      ...instructions.map(({ text }) => ({ articleId, kind: 'instruction' as const, text })),
      ...links.map(([text]) => ({ articleId, kind: 'link' as const, text })),
    ];
  });
}

const SECOND_LEVEL = /^(?:com|org|net|gov|co|edu)$/u;

/** The part of a host that is somebody's: the last two labels, or three under a general one of a country. */
function domainOf(host: string): string {
  const labels = host
    .toLowerCase()
    .replace(/[.,;:!?]+$/u, '')
    .replace(/:\d+$/u, '')
    .split('.');
  const isCountry = labels.at(-1)?.length === 2 && SECOND_LEVEL.test(labels.at(-2) ?? '');
  return labels.slice(isCountry ? -3 : -2).join('.');
}

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
  /**
   * Learns the questions of a JSONL file beside the calibration in force, which is held to what it says of those in the others.
   * @throws HubError `input_invalid`
   */
  calibrateFurther(bytes: Uint8Array, known: readonly Uint8Array[]): Promise<FurtherReport>;
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
  const checkArticles = async (questions: readonly LabelledQuestion[]): Promise<void> => {
    await knowledge.ensureIndexed();
    const known = new Set((await store.list()).map((article) => article.articleId));
    const unknown = questions.find(({ articleId }) => articleId !== null && !known.has(articleId));
    if (unknown !== undefined) {
      throw new HubError(
        'input_invalid',
        `The question "${unknown.query}" names the article "${unknown.articleId}", which is not in the knowledge base.`,
      );
    }
  };

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
      await checkArticles(questions);
      return await knowledge.calibrate(questions);
    },
    calibrateFile: async (bytes) => await service.calibrate(parseQuestionFile(bytes)),
    calibrateFurther: async (bytes, known) => {
      const questions = parseQuestionFile(bytes);
      const before = known.flatMap((one) => parseQuestionFile(one));
      await checkArticles([...questions, ...before]);
      return await knowledge.calibrateFurther(questions, before);
    },
  };
  return service;
}
