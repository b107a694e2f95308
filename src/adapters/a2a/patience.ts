/** How long is waited for what, in milliseconds where nothing else is said. */
export interface Patience {
  /** Before the second try; each further one waits twice as long, with chance in it. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** A longer `Retry-After` than this is not waited for: the call fails at once. */
  readonly maxRetryAfterMs: number;
  /** Before a task is looked at again; grows up to the second figure. */
  readonly pollMs: number;
  readonly maxPollMs: number;
  /** Failed calls in a row that keep further ones away. */
  readonly circuitFailures: number;
  /** For how long they are kept away. */
  readonly circuitPauseMs: number;
  /** Milliseconds of a clock that only goes forward: the time of calls, and the pause of the circuit. */
  readonly now: () => number;
  /** How long a card counts as fresh: at least, at most, and where it does not say. */
  readonly cardMinMs: number;
  readonly cardMaxMs: number;
  readonly cardDefaultMs: number;
  /** How long an old card is used where no newer one can be had. */
  readonly cardStaleMs: number;
  /** After a card could not be read, how long nobody tries again. */
  readonly cardRetryMs: number;
}

export const PATIENCE: Patience = {
  backoffMs: 200,
  maxBackoffMs: 2_000,
  maxRetryAfterMs: 5_000,
  pollMs: 250,
  maxPollMs: 2_000,
  circuitFailures: 3,
  circuitPauseMs: 20_000,
  now: () => performance.now(),
  cardMinMs: 60_000,
  cardMaxMs: 3_600_000,
  cardDefaultMs: 300_000,
  cardStaleMs: 86_400_000,
  cardRetryMs: 10_000,
};

/** Waits, or ends at once with the signal: then false. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (whole: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(whole);
    };
    const stop = (): void => end(false);
    const timer = setTimeout(() => end(true), ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
