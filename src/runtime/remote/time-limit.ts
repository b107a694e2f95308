import { HubError } from '../../core/errors.js';

/** A stretch of time in which work must be done. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Waits for the work, but no longer than the limit, whether the work heeds the signal or not. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Must be called when the work is over. */
  release(): void;
}

/**
 * Limits work by time, and by the signal of whoever waits for it.
 * @param ms how long
 * @param outer ends it as well; what was thrown then is its own reason
 */
export function limitTime(ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const stop = (): void => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(tooLate(ms)), ms);
  if (outer?.aborted) stop();
  else outer?.addEventListener('abort', stop, { once: true });
  const { signal } = controller;
  return {
    signal,
    async within(work) {
      let onAbort = (): void => undefined;
      const over = new Promise<never>((_resolve, reject) => {
        onAbort = () => reject(signal.reason);
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      });
      // Whoever loses the race must not end the process.
      work.catch(() => undefined);
      try {
        return await Promise.race([work, over]);
      } catch (error) {
        // The work may see the signal first, and say so in words of its own.
        throw signal.aborted ? signal.reason : error;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
}

function tooLate(ms: number): HubError {
  return new HubError('remote_unreachable', `The other agent gave no answer within ${ms} ms.`, {
    certain: false,
    ms,
  });
}
