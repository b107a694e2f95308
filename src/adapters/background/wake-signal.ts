import { pause } from '../../core/signals.js';

/** Ends a wait early. */
export class WakeSignal {
  #woken = false;
  #cut: (() => void) | null = null;

  constructor(private readonly ended: AbortSignal) {}

  wake(): void {
    this.#woken = true;
    this.#cut?.();
  }

  /** @returns true where it was woken before the time had passed */
  async wait(ms: number): Promise<boolean> {
    const cut = new AbortController();
    this.#cut = () => cut.abort();
    const stop = (): void => cut.abort();
    this.ended.addEventListener('abort', stop, { once: true });
    if (!this.#woken && !this.ended.aborted) await pause(ms, cut.signal);
    this.ended.removeEventListener('abort', stop);
    this.#cut = null;
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }
}

/** @returns true at most once in the time */
export function atMostEvery(ms: number): () => boolean {
  let last = performance.now();
  return () => {
    const now = performance.now();
    if (now - last < ms) return false;
    last = now;
    return true;
  };
}
