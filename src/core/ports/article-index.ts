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

/**
 * The vector index. Throws HubError `index_unavailable` where it cannot be reached; callers go on with keywords.
 */
export interface ArticleIndex {
  /** Makes the collection hold exactly these vectors; unchanged content hashes are left alone. */
  sync(
    collection: string,
    vectors: readonly IndexedVector[],
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
