/** Places that several share, of which nobody may hold more than some. */
export class FairPlaces {
  readonly #byOwner = new Map<string, number>();
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * @param all how many there are
   * @param each how many of them one owner may hold at the same time
   */
  constructor(
    private readonly all: number,
    private readonly each: number,
  ) {}

  /** Does the work as soon as there is a place for its owner. */
  async within<T>(owner: string, work: () => Promise<T>): Promise<T> {
    while (this.#taken >= this.all || this.#heldBy(owner) >= this.each)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#count(owner, 1);
    try {
      return await work();
    } finally {
      this.#count(owner, -1);
      // Whose turn it is depends on who holds how many: all look again, in their order.
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  #heldBy(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  #count(owner: string, change: 1 | -1): void {
    const held = this.#heldBy(owner) + change;
    if (held === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, held);
    this.#taken += change;
  }
}
