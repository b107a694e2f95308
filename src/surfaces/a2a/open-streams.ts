import { HubError } from '../../core/errors.js';
import type { EventStream } from '../http/event-streams.js';

/** What one caller may follow at the same time. */
export const MOST_STREAMS_PER_CALLER = 300;

/** Counts the streams of each caller, so that nobody takes the memory and the sockets of all. */
export interface StreamCounter {
  /**
   * Opens one more for a caller; it counts until it is over.
   * @throws HubError `rate_limited`
   */
  open(callerKey: string, open: () => EventStream): EventStream;
}

export function createStreamCounter(): StreamCounter {
  const byCaller = new Map<string, number>();
  const count = (callerKey: string, change: 1 | -1): void => {
    const own = (byCaller.get(callerKey) ?? 0) + change;
    if (own === 0) byCaller.delete(callerKey);
    else byCaller.set(callerKey, own);
  };
  return {
    open(callerKey, open) {
      if ((byCaller.get(callerKey) ?? 0) >= MOST_STREAMS_PER_CALLER)
        throw new HubError('rate_limited', 'Too many streams are open. Close some, or try again later.');
      const stream = open();
      count(callerKey, 1);
      stream.signal.addEventListener('abort', () => count(callerKey, -1), { once: true });
      return stream;
    },
  };
}
