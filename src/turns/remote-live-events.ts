import type { ThreadEventBody } from '../core/domain/conversation.js';
import type { Log, NewStoredEvent, Peers } from '../core/ports/index.js';
import { customerEvent } from './thread-streams.js';

/** How long what happens live may wait to be stored with what comes after it. */
const SOON_MS = 60;
/** How soon events of another process are seen. */
const POLL_MS = 250;
/** What other servers tell within this time is read once: with many servers each would read for each event of all others. */
const TOGETHER_MS = 25;
/** How soon, where servers notify each other and a notification was lost. */
const NOTIFIED_POLL_MS = 5_000;

/** Stores the events and delivers them; never throws. */
type Store = (events: readonly NewStoredEvent[]) => Promise<void>;

/** What happens live in one turn. */
class RemoteLiveTurn {
  #waiting: NewStoredEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  #storing: Promise<void> = Promise.resolve();

  constructor(
    private readonly threadId: string,
    private readonly store: Store,
  ) {}

  add(body: ThreadEventBody): void {
    const last = this.#waiting.at(-1);
    if (body.type === 'token' && last?.type === 'token') {
      const text = `${String(last.data.text)}${body.text}`;
      this.#waiting[this.#waiting.length - 1] = customerEvent(this.threadId, null, { type: 'token', text });
    } else this.#waiting.push(customerEvent(this.threadId, null, body));
    this.#timer ??= setTimeout(() => void this.flush(), SOON_MS).unref();
  }

  async take(): Promise<readonly NewStoredEvent[]> {
    const taken = this.#taken();
    await this.#storing;
    return taken;
  }

  async flush(): Promise<void> {
    const taken = this.#taken();
    if (taken.length > 0) this.#storing = this.#storing.then(() => this.store(taken));
    await this.#storing;
  }

  #taken(): readonly NewStoredEvent[] {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#waiting.splice(0);
  }
}

/**
 * The turns of this process that are followed on other servers too: what happens live in them is stored, like everything
 * else that other servers hear of, and read by them in the same order. Pieces of an answer that come in one moment are
 * stored as one.
 */
export class RemoteLiveEvents {
  readonly #turns = new Map<string, RemoteLiveTurn>();
  /** Conversations that are followed here: by how many, and what is being stored of that. */
  readonly #followed = new Map<string, { count: number; stored: Promise<void> }>();

  constructor(
    private readonly peers: Peers | null,
    private readonly log: Log,
    private readonly store: Store,
  ) {
    // The others took this server for gone, or the database has forgotten who follows what.
    peers?.onEvent((seq) => {
      if (seq === null) for (const threadId of this.#followed.keys()) this.#note(threadId);
    });
  }

  /** A client of this server follows the conversation from now on; turns that begin on other servers see that. Never throws. */
  async follow(threadId: string): Promise<void> {
    if (!this.peers) return;
    const known = this.#followed.get(threadId);
    if (known) known.count += 1;
    else this.#followed.set(threadId, { count: 1, stored: Promise.resolve() });
    await (known?.stored ?? this.#note(threadId));
  }

  unfollow(threadId: string): void {
    const known = this.#followed.get(threadId);
    if (!known) return;
    known.count -= 1;
    if (known.count === 0) void this.#note(threadId);
  }

  /** Stores whether it is followed, after whatever was being stored of it. */
  #note(threadId: string): Promise<void> {
    const known = this.#followed.get(threadId);
    if (!known) return Promise.resolve();
    const note = async (): Promise<void> => {
      if (known.count > 0) return this.peers?.follow(threadId);
      if (this.#followed.get(threadId) === known) this.#followed.delete(threadId);
      await this.peers?.unfollow(threadId);
    };
    known.stored = known.stored.then(note).catch((error: unknown) => {
      this.log.error({ agent: 'hub', action: 'following_not_stored', details: { threadId } }, error);
    });
    return known.stored;
  }

  /**
   * Calls back with the number of the newest stored event, or with null where that is not known: at once where it was quiet,
   * and then as often as `TOGETHER_MS` allows. The function ends it.
   */
  watch(onStored: (seq: number | null) => void): () => void {
    let newest: number | null | undefined;
    let resting: NodeJS.Timeout | null = null;
    const tell = (): void => {
      resting = null;
      if (newest === undefined) return;
      const seq = newest;
      newest = undefined;
      resting = setTimeout(tell, TOGETHER_MS).unref();
      onStored(seq);
    };
    const unlisten = this.peers?.onEvent((seq) => {
      newest = seq === null || newest === null ? null : Math.max(seq, newest ?? seq);
      if (resting === null) tell();
    });
    const timer = setInterval(() => onStored(null), this.peers ? NOTIFIED_POLL_MS : POLL_MS).unref();
    return () => {
      clearInterval(timer);
      if (resting !== null) clearTimeout(resting);
      unlisten?.();
    };
  }

  /** A turn begins. @returns its end */
  async begin(threadId: string): Promise<() => Promise<void>> {
    if (!(await this.peers?.isFollowedElsewhere(threadId))) return async () => undefined;
    const turn = new RemoteLiveTurn(threadId, this.store);
    this.#turns.set(threadId, turn);
    return async () => {
      this.#turns.delete(threadId);
      await turn.flush();
    };
  }

  has(threadId: string): boolean {
    return this.#turns.has(threadId);
  }

  /** @returns false where no turn is followed elsewhere */
  add(threadId: string, body: ThreadEventBody): boolean {
    const turn = this.#turns.get(threadId);
    turn?.add(body);
    return turn !== undefined;
  }

  /** What waits of the conversations of these events, see `take`. */
  async before(events: readonly NewStoredEvent[]): Promise<readonly NewStoredEvent[]> {
    if (this.#turns.size === 0) return [];
    const threads = [...new Set(events.map(({ threadId }) => threadId))];
    return (await Promise.all(threads.map((threadId) => this.take(threadId)))).flat();
  }

  /** What waits of the conversation, for who stores what comes after it; what was being stored is by then. */
  async take(threadId: string): Promise<readonly NewStoredEvent[]> {
    return (await this.#turns.get(threadId)?.take()) ?? [];
  }
}
