import type { Article } from '../domain/article.js';

export interface KeywordHit {
  readonly articleId: string;
  /** BM25 of FTS5, sign turned so that more is better. */
  readonly score: number;
}

/** The articles themselves and their full-text index. The vector index is a copy that can be rebuilt from here. */
export interface KnowledgeStore {
  /** Makes the stored articles exactly these, in one transaction. */
  replaceAll(
    articles: readonly Article[],
  ): Promise<{ readonly added: number; readonly updated: number; readonly removed: number }>;
  list(): Promise<readonly Article[]>;
  get(articleId: string): Promise<Article | null>;
  getMany(articleIds: readonly string[]): Promise<readonly Article[]>;
  /** BM25 over title, tags and content (title and tags weigh more); any text is accepted as query. Best first. */
  keywordSearch(query: string, limit: number): Promise<readonly KeywordHit[]>;
  /** Cached embedding of a content hash for an embedding model, or null. */
  getEmbeddings(model: string, contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  putEmbeddings(model: string, embeddings: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** Named JSON documents beside the index (calibration, index fingerprint). */
  getSetting(key: string): Promise<string | null>;
  putSetting(key: string, value: string): Promise<void>;
}
