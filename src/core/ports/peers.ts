/** What servers on one database know of each other. Throws HubError `database_failed`. */
export interface Peers {
  /**
   * Calls back with the number of the newest event whenever a server has stored some, and with null where some may have
   * been missed. The function ends it.
   */
  onEvent(listener: (seq: number | null) => void): () => void;
  /** Pages of this server follow the conversation from now on, until `unfollow`. */
  follow(threadId: string): Promise<void>;
  unfollow(threadId: string): Promise<void>;
  isFollowedElsewhere(threadId: string): Promise<boolean>;
  /** Forgets what servers held that are gone. @returns true where one of them was at work */
  sweep(): Promise<boolean>;
}

/** Counts how often something was done in a window of time. */
interface RateCounter {
  /** @throws a RateLimiterRes of `rate-limiter-flexible` where it is too often; says when the window ends */
  consume(key: string, weight?: number): Promise<unknown>;
}

/** Makes counters that all servers of a database share. `name` tells one from another. */
export type RateCounters = (name: string, points: number, seconds: number) => RateCounter;
