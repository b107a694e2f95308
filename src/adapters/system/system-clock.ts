import type { Clock } from '../../core/ports/clock.js';

/** The time of the machine. */
export function createSystemClock(): Clock {
  return { now: () => new Date() };
}
