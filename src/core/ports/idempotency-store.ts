/** An answer that was given to a request. */
export interface StoredResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type IdempotencyClaim =
  /** First time: do the work, then `complete` or `abandon`. */
  | { readonly kind: 'new' }
  /** Done before: give the same answer. */
  | { readonly kind: 'done'; readonly response: StoredResponse }
  /** Being worked on by a request that has not ended. */
  | { readonly kind: 'running' }
  /** The key was used for another request. */
  | { readonly kind: 'conflict' };

/** Answers by idempotency key, kept a day. A key belongs to its caller. Throws HubError `database_failed`, `disk_full`. */
export interface IdempotencyStore {
  /**
   * Takes the key in one statement, or says what is known of it. One whose process is gone is taken over.
   * @param caller e.g. `customer:u_01`
   * @param requestHash SHA-256 of method, path and body
   */
  claim(caller: string, key: string, requestHash: string): Promise<IdempotencyClaim>;
  complete(caller: string, key: string, response: StoredResponse): Promise<void>;
  /** The work failed without an effect: the key may be used again. */
  abandon(caller: string, key: string): Promise<void>;
  /** @returns how many were forgotten */
  prune(before: Date): Promise<number>;
}
