import { setMaxListeners } from 'node:events';

/** What a part of the App does in the background. */
export interface RunningWork {
  /** Aborted when the App closes: nothing is begun any more. */
  readonly closing: AbortSignal;
  /** Work that a closing App waits for. Gives the same promise back. */
  track<T>(work: Promise<T>): Promise<T>;
  stop(): void;
  /** Resolves when what was begun has come to its end. */
  settled(): Promise<void>;
}

/** Keeps count of background work, so that the App can end it. */
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
    async settled() {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
  };
}
