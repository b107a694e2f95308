import { isAfter, type Place } from './event-place.js';

/** Somebody who is told events in their order, each once. */
export class Follower<E> {
  /** What happens while it is still told what it has missed. */
  #waiting: { readonly place: Place; readonly event: E }[] | null = [];
  #told: Place;

  /**
   * @param told the last event it knows
   * @param onFault called where `tell` throws; nothing more is told then
   */
  constructor(
    told: Place,
    private readonly tell: (event: E) => void,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.#told = told;
  }

  get told(): Place {
    return this.#told;
  }

  /** An event that has just happened. */
  offer(place: Place, event: E): void {
    if (this.#waiting) this.#waiting.push({ place, event });
    else this.#tell(place, event);
  }

  /** Tells what was missed, then what has happened meanwhile, and from now on every event at once. */
  open(missed: readonly { readonly place: Place; readonly event: E }[]): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const { place, event } of [...missed, ...waiting]) this.#tell(place, event);
  }

  #tell(place: Place, event: E): void {
    if (!isAfter(place, this.#told)) return;
    this.#told = place;
    try {
      this.tell(event);
    } catch (error) {
      this.#told = { stored: Number.POSITIVE_INFINITY, live: 0 };
      this.onFault(error);
    }
  }
}
