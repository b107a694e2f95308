import type { Unit } from './passages.js';
import { SAYS } from './scopes.js';

/** Which passages of the articles have the words of an answer. */
export class Sources {
  constructor(private readonly units: readonly Unit[]) {}

  /**
   * Units for the words that those found lack, of each the one whose passage has most of them.
   * @param rows how near each word is to each unit
   * @param most as many are enough
   */
  leftBy(rows: readonly Float32Array[], found: Iterable<Unit>, most: number): readonly Unit[] {
    const more: Unit[] = [];
    let open = rows.filter((row) => row.some((value) => value >= SAYS));
    for (const unit of found) open = open.filter((row) => !this.#has(row, unit));
    while (open.length > 0 && more.length < most) {
      const next = this.#withMost(open);
      if (next === null) break;
      more.push(next);
      open = open.filter((row) => !this.#has(row, next));
    }
    return more;
  }

  /** The unit whose passage has most of some words; null where none has any. */
  #withMost(rows: readonly Float32Array[]): Unit | null {
    const [most] = this.units
      .filter(({ article }) => article !== null)
      .map((unit) => ({ unit, count: rows.filter((row) => this.#has(row, unit)).length }))
      .toSorted((one, other) => other.count - one.count);
    return most && most.count > 0 ? most.unit : null;
  }

  #has(row: Float32Array, { passage }: Unit): boolean {
    return this.units.some((unit, at) => unit.passage === passage && (row[at] ?? 0) >= SAYS);
  }
}
