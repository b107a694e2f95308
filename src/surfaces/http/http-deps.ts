import type { App } from '../../app.js';
import type { Config } from '../../config.js';
import type { EventStreams } from './event-streams.js';
import type { RateLimits } from './rate-limits.js';
import type { Rendered } from './workers/messages.js';

export type { HubEnv, LaterResponse } from './http-env.js';

/** What the routes work with. */
export interface HttpDeps {
  readonly app: App;
  readonly config: Config;
  readonly streams: EventStreams;
  readonly limits: RateLimits;
  /** What /metrics says: the figures of the whole server. */
  readonly figures: () => Promise<Rendered>;
  /** Work that goes on although the client is gone; a stopping server waits for it. */
  readonly work: RunningWork;
}

/** Keeps count of what a stop must wait for. */
export interface RunningWork {
  /** Gives the same promise back. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is left, or after the time. @returns how much is left */
  settled(ms: number): Promise<number>;
}

/** Counts promises that have not settled. */
export function createRunningWork(): RunningWork {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      running.add(work);
      const forget = (): void => void running.delete(work);
      work.then(forget, forget);
      return work;
    },
    async settled(ms) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      const all = async (): Promise<void> => {
        while (running.size > 0) await Promise.allSettled([...running]);
      };
      await Promise.race([all(), late]);
      clearTimeout(timer);
      return running.size;
    },
  };
}
