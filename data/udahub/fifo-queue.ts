import { HubError } from '../../src/core/errors.js';

interface Waiter {
  readonly start: () => void;
}

/** Beyond this a timer of Node fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Lets one caller at a time hold a key, in the order they came. Within this process only. */
export interface FifoQueue {
  /**
   * Waits for the turn. The returned function gives it to the next and must be called exactly once.
   * @throws HubError `thread_busy` when the wait is over
   */
  enter(key: string, waitMs: number): Promise<() => void>;
}

export function createFifoQueue(): FifoQueue {
  /** A key is present while somebody holds it. */
  const waiting = new Map<string, Waiter[]>();

  const leave = (key: string): void => {
    const next = waiting.get(key)?.shift();
    if (next === undefined) waiting.delete(key);
    else next.start();
  };

  return {
    enter(key, waitMs) {
      const queue = waiting.get(key);
      if (queue === undefined) {
        waiting.set(key, []);
        return Promise.resolve(() => leave(key));
      }
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          start: () => {
            clearTimeout(timer);
            resolve(() => leave(key));
          },
        };
        const timer = setTimeout(
          () => {
            queue.splice(queue.indexOf(waiter), 1);
            reject(
              new HubError('thread_busy', 'This conversation is still busy with an earlier message.', {
                threadId: key,
                waitMs,
              }),
            );
          },
          Math.min(waitMs, LONGEST_TIMER_MS),
        );
        queue.push(waiter);
      });
    },
  };
}
