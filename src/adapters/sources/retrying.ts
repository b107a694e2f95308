import { ExponentialBackoff, handleWhen, type IBackoff, type IBackoffFactory, retry } from 'cockatiel';
import { HubError } from '../../core/errors.js';

/** A fault that may be gone at the next attempt. */
export class TransientFault extends Error {
  override readonly name = 'TransientFault';
  /** Milliseconds the source asks to be left alone, 0 where it does not say. */
  readonly waitMs: number;

  constructor(message: string, options: { readonly cause?: unknown; readonly waitMs?: number } = {}) {
    super(message, { cause: options.cause });
    this.waitMs = options.waitMs ?? 0;
  }
}

/** However long a source asks to wait, a run does not wait longer. */
const MAX_WAIT_MS = 5_000;

/**
 * Does the work again after a {@link TransientFault}, each time later than the last and never at the same moment as others.
 * @throws HubError `source_unavailable` where it never succeeds, and whatever else the work throws, at once
 */
export async function retrying<T>(
  source: string,
  retries: number,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const policy = retry(
    handleWhen((error) => error instanceof TransientFault),
    { maxAttempts: retries, backoff: patient(new ExponentialBackoff({ initialDelay: 80, maxDelay: 2_000 })) },
  );
  let attempts = 0;
  try {
    return await policy.execute(() => {
      attempts += 1;
      return work();
    }, signal);
  } catch (error) {
    if (!(error instanceof TransientFault)) throw error;
    throw new HubError(
      'source_unavailable',
      `${source} cannot be reached: ${error.message} (${attempts === 1 ? 'one attempt' : `${attempts} attempts`}).`,
      { source, attempts },
      { cause: error },
    );
  }
}

type Context = { readonly result: { readonly error: Error } | { readonly value: unknown } };

/** Waits at least as long as the source asked for. */
function patient(factory: IBackoffFactory<unknown>): IBackoffFactory<Context> {
  const wrap = (inner: IBackoff<unknown>, { result }: Context): IBackoff<Context> => {
    const asked = 'error' in result && result.error instanceof TransientFault ? result.error.waitMs : 0;
    return {
      duration: Math.max(inner.duration, Math.min(asked, MAX_WAIT_MS)),
      next: (context) => wrap(inner.next(context), context),
    };
  };
  return { next: (context) => wrap(factory.next(context), context) };
}
