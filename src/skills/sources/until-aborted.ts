import { abortReason } from '../../core/signals.js';

export { abortReason };

/**
 * Waits for the work no longer than the signal allows, also where the work does not look at the signal.
 * @throws the signal's reason where it is a HubError, else `skill_timeout`; and whatever the work throws
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(abortReason(signal));
    stop = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  // Whoever loses the race may still fail, and nobody is left to hear it.
  work.catch(() => undefined);
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stop();
  }
}
