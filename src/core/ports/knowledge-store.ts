import type { Article, SearchResult } from '../domain/article.js';
import type { Language } from '../domain/taxonomy.js';

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
  /** How many articles there are. */
  count(): Promise<number>;
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

/** A vector to store, with what is needed to filter it. */
export interface IndexedVector {
  readonly articleId: string;
  readonly vector: readonly number[];
  readonly language: string;
  readonly contentHash: string;
  readonly document: string;
}

export interface VectorHit {
  readonly articleId: string;
  /** L2 distance between unit vectors, 0 to 2. */
  readonly distance: number;
}

/** Told how much of a work is done. */
export type Progress = (done: number, of: number) => void;

/** Told how far indexing is: articles embedded, or their vectors written, of those that have to be. */
export type OnIndexing = (stage: 'embedding' | 'writing', done: number, of: number) => void;

/**
 * The vector index. Throws HubError `index_unavailable` where it cannot be reached; callers continue with keywords.
 */
export interface ArticleIndex {
  /**
   * Makes the collection hold exactly these vectors; unchanged content hashes are left alone. What was written before it
   * fails stays, so that the next call has only the rest to write.
   * @param onProgress told of the vectors written, after each batch
   */
  sync(
    collection: string,
    vectors: readonly IndexedVector[],
    onProgress?: Progress,
  ): Promise<{ readonly upserted: number; readonly removed: number }>;
  query(collection: string, vector: readonly number[], limit: number): Promise<readonly VectorHit[]>;
  /** How many vectors a collection holds. */
  count(collection: string): Promise<number>;
  /** Calls the listener when the index was damaged and is empty now: what belongs into it has to be put back. */
  onEmptied(listener: () => void): void;
  /** True where it answers now. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

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
  /** What was said before that: a sentence of it is not sent again beside what is new. */
  readonly saidBefore?: string;
  /** The question that this answered: another one may be answered by a sentence of it. */
  readonly saidTo?: string;
}

/** What agents and surfaces ask of the knowledge base. */
export interface Retriever {
  /** Best first. An unreachable vector index degrades to keywords (`mode`), it does not throw. */
  search(query: string, options: SearchOptions): Promise<SearchResult>;
  getArticle(articleId: string): Promise<Article | null>;
  /**
   * True where a question asks for an amount, a time or a number and says nothing else ("and how much would that be?"), and the
   * article gives one.
   */
  asksOn(articleId: string, question: string): Promise<boolean>;
}

/** Turns text into unit vectors. */
export interface Embedder {
  /** Names provider, model and dimension, e.g. `local-hash-v1-1024`; vectors of two ids never mix. */
  readonly id: string;
  readonly dimensions: number;
  /** Same order as the input; each of length `dimensions` and L2 norm 1. Throws HubError `embedding_failed`. */
  embedDocuments(texts: readonly string[]): Promise<number[][]>;
  embedQuery(text: string): Promise<number[]>;
}
