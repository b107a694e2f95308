import type { ThreadEvent, ThreadEventBody } from '../core/domain/conversation.js';
import { HubError } from '../core/errors.js';

/** Live events kept of one conversation; a turn has some dozens. */
const KEPT_EVENTS = 1_000;
/** Conversations that are kept although nobody follows them, for whoever comes back after a moment. */
const KEPT_THREADS = 200;

/** What is live on one conversation. */
export interface ThreadStream {
  readonly followers: Set<Follower<ThreadEvent>>;
  /** The last event. */
  place: Place;
  readonly kept: { readonly place: Place; readonly event: ThreadEvent }[];
}

/** The conversations somebody follows, and those that were live a moment ago. */
export class ThreadStreams {
  readonly #streams = new Map<string, ThreadStream>();
  /** Those that nobody follows, the oldest first. */
  readonly #idle = new Set<string>();

  get(threadId: string): ThreadStream | undefined {
    return this.#streams.get(threadId);
  }

  /** @param stored where a conversation that is not known here stands */
  open(threadId: string, stored: number): ThreadStream {
    const known = this.#streams.get(threadId);
    if (known) return known;
    const stream: ThreadStream = { followers: new Set(), place: { stored, live: 0 }, kept: [] };
    this.#streams.set(threadId, stream);
    this.#rest(threadId);
    return stream;
  }

  follow(threadId: string, stored: number, follower: Follower<ThreadEvent>): void {
    this.open(threadId, stored).followers.add(follower);
    this.#idle.delete(threadId);
  }

  /** @returns false where it had left already */
  unfollow(threadId: string, follower: Follower<ThreadEvent>): boolean {
    const stream = this.#streams.get(threadId);
    if (!stream?.followers.delete(follower)) return false;
    if (stream.followers.size === 0) this.#rest(threadId);
    return true;
  }

  /** Nothing up to this number will happen any more. */
  raise(stored: number): void {
    for (const stream of this.#streams.values()) {
      if (stream.place.stored < stored) stream.place = { stored, live: 0 };
    }
  }

  /** Adds an event that only lives here. @param stored as for `open` */
  live(threadId: string, stored: number, body: ThreadEventBody): void {
    const stream = this.open(threadId, stored);
    const place = { stored: stream.place.stored, live: stream.place.live + 1 };
    const event: ThreadEvent = { id: formatPlace(place), threadId, body };
    stream.place = place;
    stream.kept.push({ place, event });
    if (stream.kept.length > KEPT_EVENTS) stream.kept.splice(0, stream.kept.length - KEPT_EVENTS);
    for (const follower of stream.followers) follower.offer(place, event);
  }

  /** Live events after a place, oldest first. */
  keptAfter(threadId: string, after: Place): ThreadStream['kept'] {
    return (this.#streams.get(threadId)?.kept ?? []).filter(({ place }) => isAfter(place, after));
  }

  #rest(threadId: string): void {
    this.#idle.delete(threadId);
    this.#idle.add(threadId);
    if (this.#idle.size <= KEPT_THREADS) return;
    const [oldest] = this.#idle;
    if (oldest === undefined) return;
    this.#idle.delete(oldest);
    this.#streams.delete(oldest);
  }
}

/** Where an event stands on a conversation: after which stored event, and as which of the live ones that follow it. */
export interface Place {
  readonly stored: number;
  readonly live: number;
}

const FORM = /^(\d{1,15})\.(\d{1,9})$/;

/** The id a client is given: `<stored>.<live>`. */
export function formatPlace({ stored, live }: Place): string {
  return `${stored}.${live}`;
}

/** @throws HubError `input_invalid` where it is no id that `formatPlace` makes */
export function parsePlace(id: string): Place {
  const [, stored, live] = FORM.exec(id.trim()) ?? [];
  if (stored === undefined || live === undefined) {
    throw new HubError('input_invalid', 'The id of the last event is none that was given out.', {
      field: 'after',
    });
  }
  return { stored: Number(stored), live: Number(live) };
}

/** True where `a` comes after `b`. */
export function isAfter(a: Place, b: Place): boolean {
  return a.stored === b.stored ? a.live > b.live : a.stored > b.stored;
}

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
