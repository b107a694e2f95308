/** Adds up how long the parts of one piece of work took. Milliseconds, to a hundredth. */
export class Stopwatch {
  readonly #started = performance.now();
  readonly #spent = new Map<string, number>();

  /** Does the work and counts its time to the part. */
  time<T>(part: string, work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.#spent.set(part, (this.#spent.get(part) ?? 0) + performance.now() - started);
    }
  }

  of(part: string): number {
    return this.rounded(this.#spent.get(part) ?? 0);
  }

  /** Since it was made. */
  total(): number {
    return this.rounded(performance.now() - this.#started);
  }

  rounded(ms: number): number {
    return Math.round(ms * 100) / 100;
  }
}
