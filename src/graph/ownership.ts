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
interface OwnedTurn {
  /** Aborted when an operator claims the conversation, or the customer stops the answer. */
  readonly signal: AbortSignal;
  /** Why the turn has failed: `taken_over` where it was dropped before it had answered, else the error itself. */
  causeOf(error: unknown): unknown;
  end(): void;
}

interface RunningTurn {
  readonly threadId: string;
  readonly claim: number;
  /** Null where the customer cannot stop it: what was agreed to is carried out and told. */
  readonly stops: number | null;
  readonly abort: AbortController;
  /** True once its answer is being stored: from here on the stored claim decides, not the signal. */
  speaking: boolean;
  /** Why nothing more of it is done or said; null while it goes on. */
  dropped: HubError | null;
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

  /**
   * From here on until its end, the turn is stopped where an operator claims the conversation, and where `stops` is given
   * also where the customer wishes it.
   */
  begin(
    turnId: string,
    { threadId, claim, stops }: Pick<ThreadRecord, 'threadId' | 'claim'> & { readonly stops?: number },
  ): OwnedTurn {
    const abort = new AbortController();
    const place = { threadId, claim, stops: stops ?? null };
    const turn: RunningTurn = { ...place, abort, speaking: false, dropped: null };
    this.#turns.set(turnId, turn);
    const look = setInterval(() => void this.#look(turn), LOOK_MS).unref();
    return {
      signal: turn.abort.signal,
      causeOf: (error) => turn.dropped ?? error,
      end: () => {
        clearInterval(look);
        this.#turns.delete(turnId);
      },
    };
  }

  /** Stops what this process is doing on the conversation, unless its answer is stored by now. */
  drop(threadId: string): void {
    for (const turn of this.#turns.values()) if (turn.threadId === threadId) drop(turn, takenOver(threadId));
  }

  /** The customer wishes no answer any more: it stops at once here, and soon in whatever process gives it. */
  async stop(threadId: string): Promise<void> {
    await this.threads.stop(threadId);
    for (const turn of this.#turns.values())
      if (turn.threadId === threadId && turn.stops !== null) drop(turn, stopped(threadId));
  }

  /** A step that goes on after its turn has ended (a model that ignored its signal) owns nothing any more. */
  async #stillOwned(turnId: string): Promise<RunningTurn> {
    const turn = this.#turns.get(turnId);
    if (!turn) throw takenOver(null);
    if (!turn.dropped) lookAt(turn, await this.threads.get(turn.threadId));
    if (turn.dropped) throw turn.dropped;
    return turn;
  }

  async #look(turn: RunningTurn): Promise<void> {
    // A database that cannot be read at the moment is found out by the turn itself.
    lookAt(turn, await this.threads.get(turn.threadId).catch(() => null));
  }
}

function lookAt(turn: RunningTurn, row: ThreadRecord | null): void {
  if (row && row.claim !== turn.claim) drop(turn, takenOver(turn.threadId));
  else if (row && turn.stops !== null && row.stops !== turn.stops) drop(turn, stopped(turn.threadId));
}

function drop(turn: RunningTurn, cause: HubError): void {
  if (turn.speaking) return;
  turn.dropped ??= cause;
  turn.abort.abort(turn.dropped);
}

function takenOver(threadId: string | null): HubError {
  return new HubError('taken_over', 'A person has taken this conversation over.', { threadId });
}

/** The same code, because every step treats it the same: it is no fault, and no answer is made of it. */
function stopped(threadId: string): HubError {
  return new HubError('taken_over', 'The customer has stopped the answer.', { threadId, stopped: true });
}

/** True where the customer has stopped the turn, and nobody has taken the conversation over. */
export function isStopped({ code, fields }: HubError): boolean {
  return code === 'taken_over' && fields.stopped === true;
}
