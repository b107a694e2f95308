import type { Terminal } from '../../command.js';

/** Shows how far a batch is, on a terminal only; elsewhere it is silent. */
export interface Progress {
  update(tickets: number, errors: number): void;
  /** Takes the line away. */
  done(): void;
}

export interface ProgressSource {
  /** Bytes of the input; null where nobody knows. */
  readonly totalBytes: number | null;
  readonly readBytes: () => number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

const EVERY_MS = 100;
const BAR = 24;

/** A line that is rewritten in place. */
export function createProgress(err: Terminal, source: ProgressSource): Progress {
  if (err.isTTY !== true) return { update: () => {}, done: () => {} };
  const begun = source.now();
  let shownAt = 0;
  return {
    update(tickets, errors) {
      const now = source.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      const rate = tickets / Math.max(0.001, (now - begun) / 1000);
      const share = source.totalBytes ? Math.min(1, source.readBytes() / source.totalBytes) : null;
      const bar = share === null ? '' : `[${'#'.repeat(Math.round(share * BAR)).padEnd(BAR, '.')}] `;
      err.write(
        `\r\u001b[K${bar}${tickets} tickets, ${rate.toFixed(0)}/s${errors > 0 ? `, ${errors} errors` : ''}`,
      );
    },
    done() {
      if (shownAt > 0) err.write('\r\u001b[K');
    },
  };
}
