import type { ThreadEvent, ThreadEventBody } from '../core/domain/conversation.js';
import { HubError } from '../core/errors.js';

/** Live events kept of one conversation; a turn has some dozens. */
const KEPT_EVENTS = 1_000;
/** Conversations without a subscriber that are kept, for one who comes back after a moment. */
const KEPT_THREADS = 200;

/** What is live on one conversation. */
interface ThreadStream {
  readonly subscribers: Set<Subscriber<ThreadEvent>>;
  /** The last event. */
  place: EventPosition;
  readonly kept: { readonly place: EventPosition; readonly event: ThreadEvent }[];
}

/** The conversations that have subscribers, and those that had some a moment ago. */
export class ThreadStreams {
  readonly #streams = new Map<string, ThreadStream>();
  /** Those without a subscriber, the oldest first. */
  readonly #idle = new Set<string>();

  get(threadId: string): ThreadStream | undefined {
    return this.#streams.get(threadId);
  }

  /** @param stored where a conversation that is not known here stands */
  open(threadId: string, stored: number): ThreadStream {
    const known = this.#streams.get(threadId);
    if (known) return known;
    const stream: ThreadStream = { subscribers: new Set(), place: { stored, live: 0 }, kept: [] };
    this.#streams.set(threadId, stream);
    this.#rest(threadId);
    return stream;
  }

  follow(threadId: string, stored: number, subscriber: Subscriber<ThreadEvent>): void {
    this.open(threadId, stored).subscribers.add(subscriber);
    this.#idle.delete(threadId);
  }

  /** @returns false where it had left already */
  unfollow(threadId: string, subscriber: Subscriber<ThreadEvent>): boolean {
    const stream = this.#streams.get(threadId);
    if (!stream?.subscribers.delete(subscriber)) return false;
    if (stream.subscribers.size === 0) this.#rest(threadId);
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
    const event: ThreadEvent = { id: formatEventId(place), threadId, body };
    stream.place = place;
    stream.kept.push({ place, event });
    if (stream.kept.length > KEPT_EVENTS) stream.kept.splice(0, stream.kept.length - KEPT_EVENTS);
    for (const subscriber of stream.subscribers) subscriber.offer(place, event);
  }

  /** Live events after a place, oldest first. */
  keptAfter(threadId: string, after: EventPosition): ThreadStream['kept'] {
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
export interface EventPosition {
  readonly stored: number;
  readonly live: number;
}

const FORM = /^(\d{1,15})\.(\d{1,9})$/;

/** The id a client is given: `<stored>.<live>`. */
export function formatEventId({ stored, live }: EventPosition): string {
  return `${stored}.${live}`;
}

/** @throws HubError `input_invalid` where it is no id that `formatPlace` makes */
export function parseEventId(id: string): EventPosition {
  const [, stored, live] = FORM.exec(id.trim()) ?? [];
  if (stored === undefined || live === undefined) {
    throw new HubError('input_invalid', 'The id of the last event is none that was given out.', {
      field: 'after',
    });
  }
  return { stored: Number(stored), live: Number(live) };
}

/** True where `a` comes after `b`. */
export function isAfter(a: EventPosition, b: EventPosition): boolean {
  return a.stored === b.stored ? a.live > b.live : a.stored > b.stored;
}

/** Delivers events to one subscriber in their order, each once. */
export class Subscriber<E> {
  /** Events published while those it has missed are still delivered. */
  #waiting: { readonly place: EventPosition; readonly event: E }[] | null = [];
  #delivered: EventPosition;

  /**
   * @param delivered the last event it knows
   * @param onFault called where `onEvent` throws; nothing more is delivered then
   */
  constructor(
    delivered: EventPosition,
    private readonly onEvent: (event: E) => void,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.#delivered = delivered;
  }

  get delivered(): EventPosition {
    return this.#delivered;
  }

  /** An event that has just happened. */
  offer(place: EventPosition, event: E): void {
    if (this.#waiting) this.#waiting.push({ place, event });
    else this.#deliver(place, event);
  }

  /** Delivers what was missed, then what was published meanwhile, and from now on every event at once. */
  open(missed: readonly { readonly place: EventPosition; readonly event: E }[]): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const { place, event } of [...missed, ...waiting]) this.#deliver(place, event);
  }

  #deliver(place: EventPosition, event: E): void {
    if (!isAfter(place, this.#delivered)) return;
    this.#delivered = place;
    try {
      this.onEvent(event);
    } catch (error) {
      this.#delivered = { stored: Number.POSITIVE_INFINITY, live: 0 };
      this.onFault(error);
    }
  }
}
