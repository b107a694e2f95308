/** What a process of the simulation waits for. */
export type Step =
  | { readonly wait: number }
  | { readonly use: Resource; readonly ms: number }
  | { readonly take: Resource }
  | { readonly flush: Batch };

export type Process = Generator<Step, void>;

interface Event {
  readonly at: number;
  /** What happens at the same moment happens in the order in which it was planned. */
  readonly order: number;
  readonly run: () => void;
}

/** Something that so many processes have at a time; the others wait in their order. */
export interface Resource {
  readonly capacity: number;
  taken: number;
  /** Milliseconds in which one unit of it was taken, of all units together, until `since`. */
  busyMs: number;
  since: number;
  readonly waiting: (() => void)[];
}

/** Something that takes so long for however many it is done for: a disk that writes what has come together meanwhile. */
export interface Batch {
  readonly ms: number;
  isBusy: boolean;
  busyMs: number;
  waiting: (() => void)[];
}

export function resource(capacity: number): Resource {
  return { capacity, taken: 0, busyMs: 0, since: 0, waiting: [] };
}

export function batch(ms: number): Batch {
  return { ms, isBusy: false, busyMs: 0, waiting: [] };
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A simulation of discrete events: time goes from one event to the next. Times are milliseconds. */
export class Simulation {
  now = 0;
  #order = 0;
  readonly #heap: Event[] = [];

  /** Begins a process now. */
  start(process: Process): void {
    this.#go(process);
  }

  /** Goes on until nothing happens any more, or `isOver` says so, which is asked after each event. */
  run(isOver: () => boolean): void {
    for (let event = this.#pop(); event; event = this.#pop()) {
      this.now = event.at;
      event.run();
      if (isOver()) return;
    }
  }

  /** Gives one unit back, to the one that waits longest. */
  give(from: Resource): void {
    this.busyMs(from);
    const next = from.waiting.shift();
    if (next) this.#plan(0, next);
    else from.taken -= 1;
  }

  /** How long it has been taken until now, of all units together. */
  busyMs(of: Resource): number {
    of.busyMs += of.taken * (this.now - of.since);
    of.since = this.now;
    return of.busyMs;
  }

  #go(process: Process): void {
    const { done, value } = process.next();
    if (done) return;
    const goOn = (): void => this.#go(process);
    if ('wait' in value) this.#plan(value.wait, goOn);
    else if ('take' in value) this.#take(value.take, goOn);
    else if ('flush' in value) this.#flush(value.flush, goOn);
    else
      this.#take(value.use, () => {
        this.#plan(value.ms, () => {
          this.give(value.use);
          goOn();
        });
      });
  }

  #take(from: Resource, goOn: () => void): void {
    if (from.taken < from.capacity) {
      this.busyMs(from);
      from.taken += 1;
      goOn();
    } else from.waiting.push(goOn);
  }

  #flush(disk: Batch, goOn: () => void): void {
    disk.waiting.push(goOn);
    if (disk.isBusy) return;
    disk.isBusy = true;
    const write = (): void => {
      const those = disk.waiting;
      disk.waiting = [];
      disk.busyMs += disk.ms;
      this.#plan(disk.ms, () => {
        for (const each of those) this.#plan(0, each);
        if (disk.waiting.length > 0) write();
        else disk.isBusy = false;
      });
    };
    write();
  }

  #plan(after: number, run: () => void): void {
    const event = { at: this.now + after, order: this.#order++, run };
    const heap = this.#heap;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above] as Event;
      if (isBefore(parent, event)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (!left) break;
      if (right && isBefore(right, left)) child += 1;
      const smaller = heap[child] as Event;
      if (isBefore(last, smaller)) break;
      heap[place] = smaller;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
