import { AsyncLocalStorage } from 'node:async_hooks';
import type { DeskEvent } from '../core/desk-reads.js';
import type { ThreadEvent, ThreadEventBody } from '../core/domain/conversation.js';
import type { EventLog, Log, NewStoredEvent, Peers, StoredEvent } from '../core/ports/index.js';
import { RemoteLiveEvents } from './remote-live-events.js';
import {
  type EventPosition,
  formatEventId,
  isAfter,
  parseEventId,
  positionedForDesk,
  positionOf,
  Subscriber,
  ThreadStreams,
  toDeskEvent,
  toThreadEvent,
} from './thread-streams.js';

const PAGE = 500;
/** How long a screen of the desk may be behind. */
const SOON_MS = 50;

/**
 * Publishes events to the subscribers of a conversation. Stored events are delivered in the order of the log, whichever
 * process wrote them, so that the id of any event says exactly what was seen before it. Live ones come in between.
 */
export class EventBus {
  readonly #streams = new ThreadStreams();
  readonly #desks = new Set<Subscriber<DeskEvent>>();
  /** Everything up to this number was delivered; null while there is no subscriber. */
  #cursor: number | null = null;
  #users = 0;
  #starting: Promise<void> | null = null;
  #draining: Promise<void> | null = null;
  #unwatch: (() => void) | null = null;
  readonly #soon = new Map<string, NewStoredEvent>();
  #soonTimer: NodeJS.Timeout | null = null;
  readonly remote: RemoteLiveEvents;
  /** What several turns have begun together is no turn's. */
  readonly #asNoTurn = AsyncLocalStorage.snapshot();

  constructor(
    private readonly log: EventLog,
    private readonly logger: Log,
    peers: Peers | null,
  ) {
    this.remote = new RemoteLiveEvents(peers, logger, (events) => this.#store(events));
  }

  /** Stores events of the queue with the next ones, or after a moment; of several of one ticket only the last. */
  publishSoon(events: readonly NewStoredEvent[]): void {
    for (const event of events) this.#soon.set(`${event.type} ${event.ticketId}`, event);
    this.#soonTimer ??= this.#asNoTurn(() => setTimeout(() => void this.publish([]), SOON_MS).unref());
  }

  /** Stores the events and delivers them. What cannot be stored is not delivered, and logged: what it is about is stored. */
  async publish(events: readonly NewStoredEvent[]): Promise<void> {
    if (this.#soonTimer) clearTimeout(this.#soonTimer);
    this.#soonTimer = null;
    const soon = [...this.#soon.values()];
    this.#soon.clear();
    await this.#store([...(await this.remote.before(events)), ...events, ...soon]);
  }

  async #store(events: readonly NewStoredEvent[]): Promise<void> {
    try {
      await this.deliver(await this.log.append(events));
    } catch (error) {
      this.logger.error({ agent: 'hub', action: 'event_not_published' }, error);
    }
  }

  /** Delivers events that are stored already. Resolves when they were delivered. */
  async deliver(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      if (this.#cursor === null || event.seq <= this.#cursor) continue;
      // Something of another process comes first.
      if (event.seq !== this.#cursor + 1) return this.#drain();
      this.#send(event);
    }
  }

  /** Delivers an event that is not stored. */
  live(threadId: string, body: ThreadEventBody): void {
    if (this.remote.add(threadId, body) || this.#cursor === null) return;
    this.#streams.live(threadId, this.#cursor, body);
  }

  isFollowed(threadId: string): boolean {
    return this.#streams.isFollowed(threadId) || this.remote.has(threadId);
  }

  /** The id of everything that has happened so far: whatever happens on the conversation from now on comes after it. */
  async mark(threadId: string): Promise<string> {
    if (this.#cursor === null) return formatEventId({ stored: await this.log.latest(), live: 0 });
    await this.#drain();
    const stream = this.#streams.get(threadId);
    const now = { stored: this.#cursor, live: 0 };
    if (!stream) return formatEventId(now);
    if (isAfter(now, stream.place)) stream.place = now;
    return formatEventId(stream.place);
  }

  /** Keeps the bus reading while there is a subscriber. The function ends it. */
  async keepRunning(): Promise<() => void> {
    this.#users += 1;
    await this.#start();
    let over = false;
    return () => {
      if (!over) this.#leave();
      over = true;
    };
  }

  /** Subscribes to a conversation from this moment on, while the bus is kept running. The function ends it. */
  subscribe(threadId: string, onEvent: (event: ThreadEvent) => void): () => void {
    const cursor = this.#cursor ?? 0;
    const stop = (): void => void this.#streams.unfollow(threadId, subscriber);
    const subscriber = this.#subscriber(this.#streams.open(threadId, cursor).place, onEvent, stop);
    this.#streams.follow(threadId, cursor, subscriber);
    subscriber.open([]);
    return stop;
  }

  /** See `Conversations.follow`. @throws HubError `input_invalid`, `database_failed` */
  async follow(
    threadId: string,
    after: string | undefined,
    onEvent: (event: ThreadEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const seen = after === undefined ? null : parseEventId(after);
    const leave = await this.keepRunning();
    await this.remote.follow(threadId);
    const cursor = this.#cursor ?? 0;
    const stop = (): void => {
      if (!this.#streams.unfollow(threadId, subscriber)) return;
      this.remote.unfollow(threadId);
      leave();
    };
    // An id from the future (a restored backup) cannot say what was missed.
    const from = seen && seen.stored <= cursor ? seen : this.#streams.open(threadId, cursor).place;
    const subscriber = this.#subscriber(from, onEvent, stop);
    this.#streams.follow(threadId, cursor, subscriber);
    signal.addEventListener('abort', stop, { once: true });
    try {
      subscriber.open(seen ? await this.#missed(threadId, from) : []);
    } catch (error) {
      stop();
      throw error;
    }
    if (signal.aborted) stop();
  }

  /** See `DeskEvents.follow`. */
  async followDesk(
    after: number | undefined,
    onEvent: (event: DeskEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const leave = await this.keepRunning();
    const stop = (): void => {
      if (this.#desks.delete(subscriber)) leave();
    };
    const cursor = this.#cursor ?? 0;
    const from = { stored: after !== undefined && after < cursor ? after : cursor, live: 0 };
    const subscriber = this.#subscriber(from, onEvent, stop);
    this.#desks.add(subscriber);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const rows = from.stored === cursor ? [] : await this.#stored(from.stored);
      subscriber.open(rows.flatMap(positionedForDesk));
    } catch (error) {
      stop();
      throw error;
    }
    if (signal.aborted) stop();
  }

  /** What has happened on the conversation after an id, as far as it is still known. */
  async replay(threadId: string, after: string): Promise<readonly ThreadEvent[]> {
    const leave = await this.keepRunning();
    try {
      await this.#drain();
      return (await this.#missed(threadId, parseEventId(after))).map(({ event }) => event);
    } finally {
      leave();
    }
  }

  /** Stores what was to be stored soon. */
  async close(): Promise<void> {
    await this.publish([]);
    this.#stop();
  }

  #stop(): void {
    this.#unwatch?.();
    this.#unwatch = null;
    this.#cursor = null;
  }

  #subscriber<E>(from: EventPosition, onEvent: (event: E) => void, stop: () => void): Subscriber<E> {
    return new Subscriber(from, onEvent, (error) => {
      stop();
      this.logger.error({ agent: 'hub', action: 'subscriber_failed' }, error);
    });
  }

  /** Only what other subscribers have got too: what lies beyond comes in its order. */
  async #missed(threadId: string, after: EventPosition) {
    const rows = await this.#stored(after.stored, threadId);
    const stored = rows
      .filter(({ seq, audience }) => audience === 'customer' && seq <= (this.#cursor ?? 0))
      .map((row) => ({ place: positionOf(row), event: toThreadEvent(row) }));
    return [...stored, ...this.#streams.keptAfter(threadId, after)].sort((a, b) =>
      isAfter(a.place, b.place) ? 1 : -1,
    );
  }

  async #stored(after: number, threadId?: string): Promise<readonly StoredEvent[]> {
    const rows: StoredEvent[] = [];
    for (let from = after; ; ) {
      const page = await this.log.after(from, PAGE, threadId);
      rows.push(...page);
      if (page.length < PAGE) return rows;
      from = page.at(-1)?.seq ?? from;
    }
  }

  #send(event: StoredEvent): void {
    this.#cursor = event.seq;
    const place = positionOf(event);
    const stream = this.#streams.get(event.threadId);
    if (stream) {
      stream.place = place;
      if (event.audience === 'customer' && stream.subscribers.size > 0) {
        const sent = toThreadEvent(event);
        for (const subscriber of stream.subscribers) subscriber.offer(place, sent);
      }
    }
    if (this.#desks.size === 0) return;
    const sent = toDeskEvent(event);
    if (sent) for (const desk of this.#desks) desk.offer(place, sent);
  }

  /** Reads on in the log. Several callers share one reading, unless something was stored after it began. */
  async #drain(): Promise<void> {
    const before = this.#draining;
    if (before) await before;
    this.#draining ??= this.#read().finally(() => {
      this.#draining = null;
    });
    await this.#draining;
  }

  async #read(): Promise<void> {
    for (;;) {
      if (this.#cursor === null) return;
      const page = await this.log.after(this.#cursor, PAGE);
      for (const event of page) if (this.#cursor !== null && event.seq > this.#cursor) this.#send(event);
      if (page.length < PAGE) return;
    }
  }

  async #start(): Promise<void> {
    if (this.#cursor !== null) return;
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = null;
    });
    await this.#starting;
  }

  async #begin(): Promise<void> {
    try {
      this.#cursor = await this.log.latest();
    } catch (error) {
      this.#users = 0;
      throw error;
    }
    this.#streams.raise(this.#cursor);
    const poll = (): void => {
      this.#drain().catch((error: unknown) => {
        this.logger.error({ agent: 'hub', action: 'events_not_read' }, error);
      });
    };
    this.#unwatch = this.remote.watch((seq) => {
      if (seq === null || seq > (this.#cursor ?? seq)) poll();
    });
  }

  #leave(): void {
    this.#users = Math.max(0, this.#users - 1);
    if (this.#users === 0) this.#stop();
  }
}
