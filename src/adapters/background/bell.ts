import { pause } from '../../core/signals.js';

/** Cuts a pause short. */
export class Bell {
  #rung = false;
  #cut: (() => void) | null = null;

  constructor(private readonly ended: AbortSignal) {}

  ring(): void {
    this.#rung = true;
    this.#cut?.();
  }

  /** @returns whether it was rung before the time had passed */
  async heard(ms: number): Promise<boolean> {
    const cut = new AbortController();
    this.#cut = () => cut.abort();
    const stop = (): void => cut.abort();
    this.ended.addEventListener('abort', stop, { once: true });
    if (!this.#rung && !this.ended.aborted) await pause(ms, cut.signal);
    this.ended.removeEventListener('abort', stop);
    this.#cut = null;
    const rung = this.#rung;
    this.#rung = false;
    return rung;
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
