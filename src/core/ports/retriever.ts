import type { Article, SearchResult } from '../domain/article.js';
import type { Language } from '../domain/taxonomy.js';

export interface SearchOptions {
  readonly topK: number;
  /** Prefers versions in this language; others only where there is none. */
  readonly language?: Language;
  /** The last words of the query, where the rest only says what it is about: parts of articles are chosen by them. */
  readonly asked?: string;
  /** What the customer has that articles tell apart, such as their plan: meant where a question for an amount names none. */
  readonly own?: readonly string[];
  /** What was said last: a passage of nothing but that is not sent again. */
  readonly said?: string;
}

/** What agents and surfaces ask of the knowledge base. */
export interface Retriever {
  /** Best first. An unreachable vector index degrades to keywords (`mode`), it does not throw. */
  search(query: string, options: SearchOptions): Promise<SearchResult>;
  getArticle(articleId: string): Promise<Article | null>;
}
