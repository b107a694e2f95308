import type { ToWorker } from './messages.js';

interface Open {
  readonly worker: number;
  readonly token: string;
}

/**
 * Of the streams with one key the one whose opening is heard of last wins, in whichever worker it is. All workers are
 * heard in one order here, so that of two opened at the same moment exactly one stays.
 */
export class NewestStreams {
  readonly #open = new Map<string, Open>();

  constructor(private readonly tell: (worker: number, message: ToWorker) => void) {}

  opened(worker: number, key: string, token: string): void {
    const older = this.#open.get(key);
    this.#open.set(key, { worker, token });
    // Within one worker the older one was replaced already.
    if (older && older.worker !== worker)
      this.tell(older.worker, { hub: 'replace', key, token: older.token });
  }

  closed(key: string, token: string): void {
    if (this.#open.get(key)?.token === token) this.#open.delete(key);
  }

  /** The worker is gone with all its streams. */
  departed(worker: number): void {
    for (const [key, open] of this.#open) if (open.worker === worker) this.#open.delete(key);
  }
}
