/** Whoever has served this long was all right; the next death is counted anew. */
const SOUND_MS = 60_000;
const FIRST_MS = 100;
const AT_MOST = 5;

/** Says how soon a worker that died is replaced: at once the first time, ever later where they die in a row. */
export class Restarts {
  /** The longest pause. */
  static readonly LONGEST_MS = 30_000;
  readonly #since = new Map<number, number>();
  #inARow = 0;

  /** @param now milliseconds that only grow */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The worker listens. */
  served(worker: number): void {
    this.#since.set(worker, this.now());
  }

  /** @returns milliseconds until the next one is to start; null where too many have died in a row */
  died(worker: number): number | null {
    const since = this.#since.get(worker);
    this.#since.delete(worker);
    const isSound = since !== undefined && this.now() - since >= SOUND_MS;
    this.#inARow = isSound ? 1 : this.#inARow + 1;
    if (this.#inARow > AT_MOST) return null;
    return this.#inARow === 1 ? FIRST_MS : Math.min(Restarts.LONGEST_MS, 500 * 4 ** (this.#inARow - 2));
  }
}
