import { ExponentialBackoff, handleWhen, type IBackoff, type IBackoffFactory, retry } from 'cockatiel';
import { HubError } from '../../core/errors.js';
import { abortReason, linkWithin } from '../../core/signals.js';

/** A fault that may be gone at the next attempt. */
export class TransientFault extends Error {
  override readonly name = 'TransientFault';
  /** Milliseconds the source asks to be left alone, 0 where it does not say. */
  readonly waitMs: number;
  /** True where all the time that an answer may take went by. */
  readonly isTimeout: boolean;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly waitMs?: number; readonly isTimeout?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.waitMs = options.waitMs ?? 0;
    this.isTimeout = options.isTimeout ?? false;
  }

  /** @param timeoutMs what an answer may take, in milliseconds */
  static timedOut(timeoutMs: number, cause?: unknown): TransientFault {
    return new TransientFault(`no answer within ${timeoutMs / 1_000} s`, { cause, isTimeout: true });
  }
}

/** However long a source asks to wait, a run does not wait longer. */
const MAX_WAIT_MS = 5_000;
/** So long a read that has taken all its time fails at once where it is asked again, as a turn may do several times. */
const LEFT_ALONE_MS = 2_000;

/** Does the work again after a {@link TransientFault}. */
interface Retrier {
  /**
   * Each attempt comes later than the last and never at the same moment as others. What took all its time is not asked
   * again, now or in the next moments: a customer waits for it.
   * @param retries further attempts after another fault
   * @param read what is asked, the same text for the same read; null of what changes something, which is always sent
   * @throws HubError `source_unavailable` where it never succeeds, and whatever else the work throws, at once
   */
  run<T>(retries: number, read: string | null, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** @param source its name, for errors */
export function createRetrier(source: string): Retrier {
  /** Reads that took all their time, and until when they are left alone. */
  const slow = new Map<string, number>();
  const guarded = async <T>(read: string, work: () => Promise<T>): Promise<T> => {
    const now = performance.now();
    for (const [key, until] of slow) if (until < now) slow.delete(key);
    if (slow.has(read)) throw new TransientFault('it took too long a moment ago', { isTimeout: true });
    try {
      return await work();
    } catch (error) {
      if (error instanceof TransientFault && error.isTimeout)
        slow.set(read, performance.now() + LEFT_ALONE_MS);
      throw error;
    }
  };
  return {
    async run(retries, read, signal, work) {
      const policy = retry(
        handleWhen((error) => error instanceof TransientFault && !error.isTimeout),
        {
          maxAttempts: retries,
          backoff: withRequestedWait(new ExponentialBackoff({ initialDelay: 80, maxDelay: 2_000 })),
        },
      );
      let attempts = 0;
      try {
        return await policy.execute(() => {
          attempts += 1;
          return read === null ? work() : guarded(read, work);
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
    },
  };
}

type Context = { readonly result: { readonly error: Error } | { readonly value: unknown } };

/** Waits at least as long as the source asked for. */
function withRequestedWait(factory: IBackoffFactory<unknown>): IBackoffFactory<Context> {
  const wrap = (inner: IBackoff<unknown>, { result }: Context): IBackoff<Context> => {
    const asked = 'error' in result && result.error instanceof TransientFault ? result.error.waitMs : 0;
    return {
      duration: Math.max(inner.duration, Math.min(asked, MAX_WAIT_MS)),
      next: (context) => wrap(inner.next(context), context),
    };
  };
  return { next: (context) => wrap(factory.next(context), context) };
}

interface TextRequest {
  readonly source: string;
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole answer. */
  readonly timeoutMs: number;
  /** Bytes after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface TextAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * One HTTP exchange. A redirect is an answer like any other: whoever follows it decides where credentials go.
 * @throws TransientFault on a network fault or a time-out; HubError `source_bad_answer` where it is too large,
 * `source_rejected` where it cannot be asked at all, and the signal's reason
 */
export async function fetchText(request: TextRequest): Promise<TextAnswer> {
  const { source, url, method, headers, body, timeoutMs, signal } = request;
  const limit = linkWithin(timeoutMs, () => TransientFault.timedOut(timeoutMs), signal);
  try {
    const prepared = prepare(source, url, {
      method,
      headers: { ...headers },
      redirect: 'manual',
      signal: limit.signal,
      ...(body === undefined ? {} : { body }),
    });
    const response = await fetch(prepared);
    return { status: response.status, headers: response.headers, text: await readText(response, request) };
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    if (limit.signal.reason instanceof TransientFault) throw limit.signal.reason;
    if (error instanceof HubError) throw error;
    throw new TransientFault(reasonOf(error), { cause: error });
  } finally {
    limit.release();
  }
}

/** Apart from sending it, so that a request which cannot be one is not taken for a network fault. */
function prepare(source: string, url: URL, init: RequestInit): Request {
  try {
    return new Request(url, init);
  } catch (error) {
    throw new HubError(
      'source_rejected',
      `${source} cannot be asked this: ${reasonOf(error)}.`,
      { source },
      { cause: error },
    );
  }
}

async function readText(response: Response, { source, maxBytes }: TextRequest): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new HubError('source_bad_answer', `The answer of ${source} is larger than ${maxBytes} bytes.`, {
        source,
        limit: maxBytes,
      });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The words of a failed fetch, which hides them in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  const message = cause instanceof Error && cause.message !== '' ? cause.message : String(code ?? cause);
  return typeof code === 'string' && !message.includes(code) ? `${message} (${code})` : message;
}
