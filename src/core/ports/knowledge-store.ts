import type { Article } from '../domain/article.js';

/** An article that is being written. */
export interface StoredDraft extends Article {
  /** The operator who wrote it last. */
  readonly updatedBy: string;
}

/** A text under which an article was published. */
export interface ArticleVersion extends Omit<Article, 'updatedAt'> {
  /** Counts from 1. */
  readonly version: number;
  /** The operator's name; null where it came with an import. */
  readonly publishedBy: string | null;
  /** ISO 8601 UTC. */
  readonly publishedAt: string;
}

/**
 * Articles that are being written, and the step to the published ones. What is published is found by keywords as soon as
 * the call returns. Throws HubError `database_failed` or `disk_full` on a fault.
 */
export interface KnowledgeDrafts {
  /** By id. */
  list(): Promise<readonly StoredDraft[]>;
  get(articleId: string): Promise<StoredDraft | null>;
  put(draft: StoredDraft): Promise<void>;
  /**
   * Keeps a draft under an id that neither a draft nor a published article has.
   * @returns false where one has it
   */
  add(draft: StoredDraft): Promise<boolean>;
  /** @returns false where there is none */
  remove(articleId: string): Promise<boolean>;
  /**
   * The draft becomes the published article and is a draft no more, in one transaction. The text that was published until
   * now, and the new one, are kept as versions.
   * @param publishedBy the operator's name
   * @param publishedAt ISO 8601 UTC
   * @returns null where there is no draft
   */
  publish(articleId: string, publishedBy: string, publishedAt: string): Promise<Article | null>;
  /** The newest first; none of an article that was published only by an import. */
  versions(articleId: string): Promise<readonly ArticleVersion[]>;
  /**
   * The published article becomes a draft, unless there is a newer one already, in one transaction.
   * @returns false where it is not published
   */
  unpublish(articleId: string, operatorId: string): Promise<boolean>;
}

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
