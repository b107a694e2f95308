/** Turns text into unit vectors. */
export interface Embedder {
  /** Names provider, model and dimension, e.g. `local-hash-v1-1024`; vectors of two ids never mix. */
  readonly id: string;
  readonly dimensions: number;
  /** Same order as the input; each of length `dimensions` and L2 norm 1. Throws HubError `embedding_failed`. */
  embedDocuments(texts: readonly string[]): Promise<number[][]>;
  embedQuery(text: string): Promise<number[]>;
}
