import type { Article } from '../domain/article.js';

/** An article that is being written. */
export interface StoredDraft extends Article {
  /** The operator who wrote it last. */
  readonly updatedBy: string;
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
   * The draft becomes the published article and is a draft no more, in one transaction.
   * @param publishedAt ISO 8601 UTC
   * @returns null where there is no draft
   */
  publish(articleId: string, publishedAt: string): Promise<Article | null>;
  /**
   * The published article becomes a draft, unless there is a newer one already, in one transaction.
   * @returns false where it is not published
   */
  unpublish(articleId: string, operatorId: string): Promise<boolean>;
}
