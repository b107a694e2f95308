import type { Clock } from '../../src/core/ports/system.js';

/** A clock that stands still until it is told to move. */
export interface FixedClock extends Clock {
  set(iso: string): void;
  advance(by: {
    readonly ms?: number;
    readonly minutes?: number;
    readonly hours?: number;
    readonly days?: number;
  }): void;
}

/** @param iso where it starts; the default is a Wednesday noon in São Paulo, in the middle of a month */
export function createFixedClock(iso = '2026-03-11T15:00:00.000Z'): FixedClock {
  let at = Date.parse(iso);
  return {
    now: () => new Date(at),
    set(next) {
      at = Date.parse(next);
    },
    advance({ ms = 0, minutes = 0, hours = 0, days = 0 }) {
      at += ms + 60_000 * (minutes + 60 * (hours + 24 * days));
    },
  };
}
