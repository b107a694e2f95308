import { HubError } from '../core/errors.js';

/** @throws HubError `cancelled` */
export function demandGoingOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}

/**
 * Waits for work that changes nothing, until it is cancelled; what it comes to after that is nobody's.
 * @throws HubError `cancelled`, and whatever the work throws
 */
export async function untilCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(cancelled());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    // Not waited for any more, so nobody else would hear of its failure.
    work.catch(() => undefined);
  }
}

/**
 * A signal that tells the work why it ends, whatever reason the caller's signal carries.
 * @returns `release` must be called when the work is over
 */
export function cancelling(signal: AbortSignal | undefined): {
  readonly signal: AbortSignal;
  release(): void;
} {
  const controller = new AbortController();
  const stop = (): void => controller.abort(cancelled());
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return { signal: controller.signal, release: () => signal?.removeEventListener('abort', stop) };
}

function cancelled(): HubError {
  return new HubError('cancelled', 'The call was cancelled; nothing was changed.');
}
