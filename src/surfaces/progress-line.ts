import type { Writable } from 'node:stream';

/** Shows how far a command is, on a terminal only; elsewhere it is silent. */
interface ProgressLine {
  /** @param share 0 to 1 of the whole; null where nobody knows */
  update(share: number | null, text: string): void;
  /** Takes the line away. */
  done(): void;
}

const EVERY_MS = 100;
const BAR = 24;

/** A line that is rewritten in place. @param now milliseconds of a clock that only goes forward */
export function createProgressLine(err: Terminal, now: () => number): ProgressLine {
  if (err.isTTY !== true) return { update: () => {}, done: () => {} };
  let shownAt = 0;
  return {
    update(share, text) {
      const at = now();
      if (at - shownAt < EVERY_MS) return;
      shownAt = at;
      const bar = share === null ? '' : `[${'#'.repeat(Math.round(share * BAR)).padEnd(BAR, '.')}] `;
      err.write(`\r\u001b[K${bar}${text}`);
    },
    done() {
      if (shownAt > 0) err.write('\r\u001b[K');
      shownAt = 0;
    },
  };
}

/** A stream that may be a terminal. */
export type Terminal = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  hasColors?(): boolean;
};
