import { setMaxListeners } from 'node:events';
import { HubError } from './errors.js';

/** A signal that ends with any of its sources, until it is let go. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Must be called when the work is over, whatever came of it. */
  release(): void;
}

/**
 * Joins signals for one piece of work. Node keeps what `AbortSignal.any` and `AbortSignal.timeout` give for as long as
 * anything listens to it, and with it all that the listener knows; LangGraph listens and never stops. What this gives
 * has no such hold on memory, and listens to its sources only until it is released.
 * @param sources undefined ones are left out
 */
export function linkSignals(...sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links = sources.flatMap((source) => {
    if (source === undefined) return [];
    const forward = (): void => controller.abort(source.reason);
    if (source.aborted) forward();
    else source.addEventListener('abort', forward, { once: true });
    return [() => source.removeEventListener('abort', forward)];
  });
  const release = (): void => {
    for (const unlink of links) unlink();
  };
  return { signal: controller.signal, release };
}

/**
 * Joins signals as {@link linkSignals} does, and ends the work too when its time is up.
 * @param ms how long the work may take
 * @param late the reason then
 */
export function linkWithin(
  ms: number,
  late: () => unknown,
  ...sources: readonly (AbortSignal | undefined)[]
): LinkedSignal {
  const timer = new AbortController();
  const handle = setTimeout(() => timer.abort(late()), ms);
  const link = linkSignals(timer.signal, ...sources);
  return {
    signal: link.signal,
    release() {
      clearTimeout(handle);
      link.release();
    },
  };
}

/** Why a signal was aborted, as an error of the hub: its reason where that is one, else `skill_timeout`. */
export function abortReason(signal: AbortSignal): HubError {
  const reason: unknown = signal.reason;
  if (reason instanceof HubError) return reason;
  return new HubError(
    'skill_timeout',
    'The run was stopped before the work was done.',
    {},
    { cause: reason },
  );
}

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

/** Waits, but no longer than until the signal is aborted. @returns whether the whole time has passed */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (whole: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(whole);
    };
    const stop = (): void => end(false);
    const timer = setTimeout(() => end(true), ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Waits until work has settled, but no longer than this. @param ms how long */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([work.catch(() => undefined), pause(ms, late.signal)]);
  late.abort();
}

/** A system that is down, and one that answers with something else than it says. */
const NO_ANSWER: ReadonlySet<string> = new Set([
  'source_unavailable',
  'source_bad_answer',
  'source_rejected',
]);

/**
 * What is only needed to speak of something (a name, a title), from a system that may not answer just now. What is to be
 * answered or changed asks without this, so that an outage is told and never taken for "there is none".
 */
export async function unlessUnreachable<Value>(work: Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HubError && NO_ANSWER.has(error.code)) return otherwise;
    throw error;
  }
}

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
      else await waitAtMost(ms, all());
      return running.size;
    },
  };
}

/**
 * A signal that tells the work why it ends, whatever reason the caller's signal carries.
 * @returns `release` must be called when the work is over
 */
export function withReason(signal: AbortSignal | undefined, reason: () => HubError): LinkedSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort(reason());
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return { signal: controller.signal, release: () => signal?.removeEventListener('abort', stop) };
}
