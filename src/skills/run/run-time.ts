import { HubError } from '../../core/errors.js';
import type { Pack } from '../pack/pack.js';

/** However long a skill says it may take. */
const LONGEST_MS = 10 * 60_000;

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Lets the timer go. */
  clear(): void;
}

/** Milliseconds a run of this skill may take: its own time, and for a composite that of all its parts and tries. */
export function runTimeMs({ descriptor }: Pack): number {
  const { timeout_per_skill: seconds, retry_on_failure: retries } = descriptor.execution;
  const parts = Math.max(1, descriptor.sub_skills.length);
  const rounds = 1 + (descriptor.routing?.loops ?? []).reduce((sum, loop) => sum + loop.max, 0);
  const share = descriptor.type === 'composite' ? parts * rounds * (retries + 1) : 1;
  return Math.min(seconds * share * 1_000, LONGEST_MS);
}

/** Ends a run by its caller's signal, or when its time is up, with `skill_timeout` as the reason. */
export function limitTime(pack: Pack, ...outer: readonly (AbortSignal | undefined)[]): TimeLimit {
  const ms = runTimeMs(pack);
  const timer = new AbortController();
  const message = `${pack.id} did not end within ${ms / 1_000} s.`;
  const handle = setTimeout(
    () => timer.abort(new HubError('skill_timeout', message, { skill: pack.id })),
    ms,
  );
  const signals = outer.filter((signal) => signal !== undefined);
  return { signal: AbortSignal.any([timer.signal, ...signals]), clear: () => clearTimeout(handle) };
}
