import { setMaxListeners } from 'node:events';
import { deskSays } from '../../core/desk-notes.js';
import { HubError } from '../../core/errors.js';
import { linkWithin, untilAborted } from '../../core/signals.js';
import type { Pack } from '../pack/pack.js';

/** However long a skill says it may take. The store of runs takes what is much older for abandoned. */
const LONGEST_MS = 10 * 60_000;
/** How long a tree may take to put its question when its time is up. */
const TREE_GRACE_MS = 5_000;
/** How long a run that was ended may take to say what it has found so far. */
const GRACE_MS = 1_000;

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Ends the step of a tree that is under way when the time is up, so that a person is asked about what was found. */
  readonly stepSignal: AbortSignal;
  /** Lets the timer go. */
  clear(): void;
}

/** Milliseconds a run of this skill may take: its own time, and for a composite that of all its parts and tries. */
function runTimeMs({ descriptor }: Pack): number {
  const { timeout_per_skill: seconds, retry_on_failure: retries } = descriptor.execution;
  if (descriptor.type !== 'composite') return Math.min(seconds * 1_000, LONGEST_MS);
  const parts = Math.max(1, descriptor.sub_skills.length);
  const rounds = 1 + (descriptor.routing?.loops ?? []).reduce((sum, loop) => sum + loop.max, 0);
  return Math.min(seconds * parts * rounds * (retries + 1) * 1_000, LONGEST_MS);
}

/**
 * Ends a run by its caller's signal, or when its time is up, with `skill_timeout` as the reason. A tree whose time is up fails
 * in the step it is at, and asks; it is ended as a whole only where it does not come to that.
 */
export function limitTime(pack: Pack, ...outer: readonly (AbortSignal | undefined)[]): TimeLimit {
  const ms = runTimeMs(pack);
  const message = deskSays('slow', String(ms / 1_000));
  const timeIsUp = new HubError('skill_timeout', message, { skill: pack.id });
  const isTree = pack.descriptor.type === 'decision_tree';
  const run = linkWithin(isTree ? ms + TREE_GRACE_MS : ms, () => timeIsUp, ...outer);
  const ofStep = linkWithin(ms, () => timeIsUp, run.signal);
  const [signal, stepSignal] = [run.signal, ofStep.signal];
  // Every query and part that is under way listens to them; Node warns of a leak from eleven on.
  setMaxListeners(0, signal, stepSignal);
  return {
    signal,
    stepSignal,
    clear: () => {
      run.release();
      ofStep.release();
    },
  };
}

/**
 * Waits for work whose signal was aborted, and a moment longer, but not for work that ignores its signal.
 * @throws the signal's reason, and whatever the work throws
 */
export async function withGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new AbortController();
  let handle: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    handle = setTimeout(() => late.abort(signal.reason), GRACE_MS);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await untilAborted(work, late.signal);
  } finally {
    clearTimeout(handle);
    signal.removeEventListener('abort', onAbort);
  }
}
