/** Counts how often something was done in a window of time. */
interface RateCounter {
  /** @throws a RateLimiterRes of `rate-limiter-flexible` where it is too often; says when the window ends */
  consume(key: string, weight?: number): Promise<unknown>;
}

/** Makes counters that all servers of a database share. `name` tells one from another. */
export type RateCounters = (name: string, points: number, seconds: number) => RateCounter;
