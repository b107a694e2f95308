import type { Session } from '../core/domain/session.js';
import { HubError } from '../core/errors.js';
import type { ThreadRecord, ThreadStore } from '../core/ports/index.js';

/** How often a running turn looks whether a person has taken over in another process, in milliseconds. */
const LOOK_MS = 500;

type TurnOf = Pick<Session, 'turnId' | 'threadId'>;

/** What a turn must ask before it writes or says something. */
export interface Ownership {
  /** @throws HubError `taken_over` where the conversation has changed hands since the turn began, or the turn is over */
  check(turn: TurnOf): Promise<void>;
  /**
   * Says something to the customer, or nothing at all: `store` keeps it only while the conversation's claim is the given
   * one. What was said is not taken back by a claim that comes after it.
   * @throws HubError `taken_over`
   */
  speak<T>(turn: TurnOf, store: (claim: number | undefined) => Promise<T>): Promise<T>;
}

/** For a graph that nobody can take over (Studio). */
export const UNOWNED: Ownership = {
  check: async () => undefined,
  speak: (_turn, store) => store(undefined),
};

/** A turn of the hub that runs: whoever began it ends it. */
export interface OwnedTurn {
  /** Aborted when an operator claims the conversation. */
  readonly signal: AbortSignal;
  /** Why the turn has failed: `taken_over` where it was dropped before it had answered, else the error itself. */
  causeOf(error: unknown): unknown;
  end(): void;
}

interface RunningTurn {
  readonly threadId: string;
  readonly claim: number;
  readonly abort: AbortController;
  /** True once its answer is being stored: from here on the stored claim decides, not the signal. */
  speaking: boolean;
  dropped: boolean;
}

/** The turns of this process, and under which claim of their conversation each began. */
export class TurnOwnership implements Ownership {
  readonly #turns = new Map<string, RunningTurn>();

  constructor(private readonly threads: ThreadStore) {}

  async check({ turnId }: TurnOf): Promise<void> {
    await this.#stillOwned(turnId);
  }

  async speak<T>({ turnId }: TurnOf, store: (claim: number | undefined) => Promise<T>): Promise<T> {
    const turn = await this.#stillOwned(turnId);
    turn.speaking = true;
    try {
      return await store(turn.claim);
    } catch (error) {
      turn.speaking = false;
      throw error;
    }
  }

  /** From here on until its end, the turn is stopped where an operator claims the conversation. */
  begin(turnId: string, { threadId, claim }: Pick<ThreadRecord, 'threadId' | 'claim'>): OwnedTurn {
    const turn = { threadId, claim, abort: new AbortController(), speaking: false, dropped: false };
    this.#turns.set(turnId, turn);
    const look = setInterval(() => void this.#look(turn), LOOK_MS).unref();
    return {
      signal: turn.abort.signal,
      causeOf: (error) => (turn.dropped ? takenOver(threadId) : error),
      end: () => {
        clearInterval(look);
        this.#turns.delete(turnId);
      },
    };
  }

  /** Stops what this process is doing on the conversation, unless its answer is stored by now. */
  drop(threadId: string): void {
    for (const turn of this.#turns.values()) if (turn.threadId === threadId) stop(turn);
  }

  /** A step that goes on after its turn has ended (a model that ignored its signal) owns nothing any more. */
  async #stillOwned(turnId: string): Promise<RunningTurn> {
    const turn = this.#turns.get(turnId);
    if (!turn || turn.dropped) throw takenOver(turn?.threadId ?? null);
    const row = await this.threads.get(turn.threadId);
    if (row && row.claim !== turn.claim) {
      stop(turn);
      throw takenOver(turn.threadId);
    }
    return turn;
  }

  async #look(turn: RunningTurn): Promise<void> {
    // A database that cannot be read at the moment is found out by the turn itself.
    const row = await this.threads.get(turn.threadId).catch(() => null);
    if (row && row.claim !== turn.claim) stop(turn);
  }
}

function stop(turn: RunningTurn): void {
  if (turn.speaking) return;
  turn.dropped = true;
  turn.abort.abort(takenOver(turn.threadId));
}

function takenOver(threadId: string | null): HubError {
  return new HubError('taken_over', 'A person has taken this conversation over.', { threadId });
}
