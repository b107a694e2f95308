import { MemoryArticleIndex } from '../../src/adapters/retrieval/memory-article-index.js';
import type { VectorHit } from '../../src/core/ports/knowledge-store.js';

/** The real index in memory, whose answers a test can hold back: a turn that lasts as long as it likes. */
export class GatedIndex extends MemoryArticleIndex {
  #gate: Promise<void> = Promise.resolve();
  #open = (): void => {};
  /** How many questions stand before the gate. */
  waiting = 0;

  /** From now on questions wait. */
  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Those that wait are answered, and all after them. */
  release(): void {
    this.#open();
    this.#gate = Promise.resolve();
  }

  override async query(
    collection: string,
    vector: readonly number[],
    limit: number,
  ): Promise<readonly VectorHit[]> {
    this.waiting += 1;
    await this.#gate;
    this.waiting -= 1;
    return super.query(collection, vector, limit);
  }
}
