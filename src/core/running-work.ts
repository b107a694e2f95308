import { setMaxListeners } from 'node:events';
import { pause } from './signals.js';

/** Background work that whoever stops waits for. */
export interface RunningWork {
  /** Aborted by `stop`: nothing is begun any more. */
  readonly closing: AbortSignal;
  /** Counts work until it settles. Gives the same promise back. */
  track<T>(work: Promise<T>): Promise<T>;
  stop(): void;
  /**
   * Resolves when nothing is left, or after the time.
   * @param ms how long to wait; without it, until the end
   * @returns how much is left
   */
  settled(ms?: number): Promise<number>;
}

/** Counts promises that have not settled. */
export function createRunningWork(): RunningWork {
  const closing = new AbortController();
  // Each call that is under way listens for the end.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<unknown>>();
  return {
    closing: closing.signal,
    track(work) {
      running.add(work);
      const forget = (): void => void running.delete(work);
      work.then(forget, forget);
      return work;
    },
    stop: () => closing.abort(),
    async settled(ms) {
      const all = async (): Promise<void> => {
        while (running.size > 0) await Promise.allSettled([...running]);
      };
      if (ms === undefined) await all();
      else {
        const late = new AbortController();
        await Promise.race([all(), pause(ms, late.signal)]);
        late.abort();
      }
      return running.size;
    },
  };
}
