import type { DeskEvent } from '../core/desk-events.js';
import type { ThreadEvent, ThreadEventBody } from '../core/domain/conversation.js';
import type { EventLog, Log, NewStoredEvent, StoredEvent } from '../core/ports/index.js';
import { toDeskEvent } from './desk-event.js';
import { Follower, formatPlace, isAfter, type Place, parsePlace, ThreadStreams } from './thread-streams.js';

/** How soon events of another process are seen. */
const POLL_MS = 250;
const PAGE = 500;
/** How long a screen of the desk may be behind. */
const SOON_MS = 50;

/**
 * Tells whoever follows a conversation what happens on it. Stored events are told in the order of the log, whichever
 * process wrote them, so that the id of any event says exactly what was seen before it. Live ones come in between.
 */
export class EventBus {
  readonly #streams = new ThreadStreams();
  readonly #desks = new Set<Follower<DeskEvent>>();
  /** Everything up to this number was told; null while nobody follows. */
  #cursor: number | null = null;
  #users = 0;
  #starting: Promise<void> | null = null;
  #draining: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #soon = new Map<string, NewStoredEvent>();
  #soonTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly log: EventLog,
    private readonly diary: Log,
  ) {}

  /** Stores events of the queue with the next ones, or after a moment; of several of one ticket only the last. */
  publishSoon(events: readonly NewStoredEvent[]): void {
    for (const event of events) this.#soon.set(`${event.type} ${event.ticketId}`, event);
    this.#soonTimer ??= setTimeout(() => void this.publish([]), SOON_MS).unref();
  }

  /** Stores the events and tells them. What cannot be stored is not told, and noted: what it is about is stored. */
  async publish(events: readonly NewStoredEvent[]): Promise<void> {
    if (this.#soonTimer) clearTimeout(this.#soonTimer);
    this.#soonTimer = null;
    const all = [...events, ...this.#soon.values()];
    this.#soon.clear();
    try {
      await this.deliver(await this.log.append(all));
    } catch (error) {
      this.diary.error({ agent: 'hub', action: 'event_not_published' }, error);
    }
  }

  /** Tells events that are stored already. Resolves when they were told. */
  async deliver(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      if (this.#cursor === null || event.seq <= this.#cursor) continue;
      // Something of another process comes first.
      if (event.seq !== this.#cursor + 1) return this.#drain();
      this.#tell(event);
    }
  }

  /** Tells something that is not stored. */
  live(threadId: string, body: ThreadEventBody): void {
    if (this.#cursor === null) return;
    this.#streams.live(threadId, this.#cursor, body);
  }

  isFollowed(threadId: string): boolean {
    return (this.#streams.get(threadId)?.followers.size ?? 0) > 0;
  }

  /** The id of everything that has happened so far: whatever happens on the conversation from now on comes after it. */
  async mark(threadId: string): Promise<string> {
    if (this.#cursor === null) return formatPlace({ stored: await this.log.latest(), live: 0 });
    await this.#drain();
    const stream = this.#streams.get(threadId);
    const now = { stored: this.#cursor, live: 0 };
    if (!stream) return formatPlace(now);
    if (isAfter(now, stream.place)) stream.place = now;
    return formatPlace(stream.place);
  }

  /** Keeps live events coming while a turn runs that somebody listens to. The function ends it. */
  async attend(): Promise<() => void> {
    this.#users += 1;
    await this.#start();
    let over = false;
    return () => {
      if (!over) this.#leave();
      over = true;
    };
  }

  /** Tells every event of the conversation from this moment on; somebody attends. The function ends it. */
  listen(threadId: string, onEvent: (event: ThreadEvent) => void): () => void {
    const cursor = this.#cursor ?? 0;
    const stop = (): void => void this.#streams.unfollow(threadId, follower);
    const follower = this.#follower(this.#streams.open(threadId, cursor).place, onEvent, stop);
    this.#streams.follow(threadId, cursor, follower);
    follower.open([]);
    return stop;
  }

  /** See `Conversations.follow`. @throws HubError `input_invalid`, `database_failed` */
  async follow(
    threadId: string,
    after: string | undefined,
    onEvent: (event: ThreadEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const seen = after === undefined ? null : parsePlace(after);
    const leave = await this.attend();
    const cursor = this.#cursor ?? 0;
    const stop = (): void => {
      if (this.#streams.unfollow(threadId, follower)) leave();
    };
    // An id from the future (a restored backup) cannot say what was missed.
    const from = seen && seen.stored <= cursor ? seen : this.#streams.open(threadId, cursor).place;
    const follower = this.#follower(from, onEvent, stop);
    this.#streams.follow(threadId, cursor, follower);
    signal.addEventListener('abort', stop, { once: true });
    try {
      follower.open(seen ? await this.#missed(threadId, from) : []);
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
    const leave = await this.attend();
    const stop = (): void => {
      if (this.#desks.delete(follower)) leave();
    };
    const cursor = this.#cursor ?? 0;
    const from = { stored: after !== undefined && after < cursor ? after : cursor, live: 0 };
    const follower = this.#follower(from, onEvent, stop);
    this.#desks.add(follower);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const rows = from.stored === cursor ? [] : await this.#stored(from.stored);
      follower.open(rows.flatMap(placedForDesk));
    } catch (error) {
      stop();
      throw error;
    }
    if (signal.aborted) stop();
  }

  /** What has happened on the conversation after an id, as far as it is still known. */
  async replay(threadId: string, after: string): Promise<readonly ThreadEvent[]> {
    const leave = await this.attend();
    try {
      await this.#drain();
      return (await this.#missed(threadId, parsePlace(after))).map(({ event }) => event);
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
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#cursor = null;
  }

  #follower<E>(from: Place, onEvent: (event: E) => void, stop: () => void): Follower<E> {
    return new Follower(from, onEvent, (error) => {
      stop();
      this.diary.error({ agent: 'hub', action: 'follower_failed' }, error);
    });
  }

  /** Only what was told to others too: what lies beyond comes in its order. */
  async #missed(threadId: string, after: Place) {
    const rows = await this.#stored(after.stored, threadId);
    const stored = rows
      .filter(({ seq, audience }) => audience === 'customer' && seq <= (this.#cursor ?? 0))
      .map((row) => ({ place: placeOf(row), event: toThreadEvent(row) }));
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

  #tell(event: StoredEvent): void {
    this.#cursor = event.seq;
    const place = placeOf(event);
    const stream = this.#streams.get(event.threadId);
    if (stream) {
      stream.place = place;
      if (event.audience === 'customer' && stream.followers.size > 0) {
        const told = toThreadEvent(event);
        for (const follower of stream.followers) follower.offer(place, told);
      }
    }
    if (this.#desks.size === 0) return;
    for (const { event: told } of placedForDesk(event))
      for (const desk of this.#desks) desk.offer(place, told);
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
      for (const event of page) if (this.#cursor !== null && event.seq > this.#cursor) this.#tell(event);
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
        this.diary.error({ agent: 'hub', action: 'events_not_read' }, error);
      });
    };
    this.#timer = setInterval(poll, POLL_MS).unref();
  }

  #leave(): void {
    this.#users = Math.max(0, this.#users - 1);
    if (this.#users === 0) this.#stop();
  }
}

function placeOf({ seq }: StoredEvent): Place {
  return { stored: seq, live: 0 };
}

function toThreadEvent(event: StoredEvent): ThreadEvent {
  const body = { type: event.type, ...event.data } as ThreadEventBody;
  return { id: formatPlace(placeOf(event)), threadId: event.threadId, body };
}

function placedForDesk(event: StoredEvent) {
  const told = toDeskEvent(event);
  return told ? [{ place: placeOf(event), event: told }] : [];
}
