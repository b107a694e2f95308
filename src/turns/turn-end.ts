import type { TurnReply } from '../core/domain/turn.js';
import type { HubError } from '../core/errors.js';
import type {
  Inbox,
  InboxItem,
  Log,
  NewStoredEvent,
  StoredEvent,
  ThreadStore,
  TicketStore,
} from '../core/ports/index.js';
import { ownerOf } from './conversation-view.js';
import type { EventBus } from './event-bus.js';
import { eventsOfTurn, type OpenTurn } from './open-turns.js';
import { FailedAfterAnswer, isFinal, type Outcome } from './waiting-senders.js';

export interface TurnEndDeps {
  readonly inbox: Inbox;
  readonly bus: EventBus;
  readonly tickets: TicketStore;
  readonly threads: ThreadStore;
  readonly log: Log;
}

/** An answer that was given, but could not be stored with its message. */
export interface Unstored {
  readonly itemIds: readonly string[];
  readonly outcome: Outcome;
  readonly events: readonly NewStoredEvent[];
}

/** How one turn ends: its answer and its events are stored together, and published once it is over. */
export class TurnEnd {
  #stored: readonly StoredEvent[] | null = null;
  #unstored: Unstored | null = null;
  #reply: TurnReply | null = null;

  constructor(
    private readonly deps: TurnEndDeps,
    private readonly turn: OpenTurn,
    private readonly items: readonly InboxItem[],
    private readonly place: { readonly turnId: string; readonly since: string },
    private readonly keep: (unstored: Unstored) => void,
  ) {}

  /**
   * What was said is said, whether or not this can be noted: a fault here must not undo the turn. Until it can be stored
   * it is kept in memory, and after a crash the conversation itself holds the answer.
   */
  async store(reply: TurnReply): Promise<void> {
    const { threadId, ownerChanged, said } = this.turn;
    const full: TurnReply = { ...reply, messageId: said.at(-1)?.messageId ?? reply.messageId ?? null };
    this.#reply = full;
    const outcome: Outcome = { reply: full, ...this.place };
    const itemIds = this.items.map(({ itemId }) => itemId);
    try {
      const owner = ownerChanged ? await ownerOf(this.deps, threadId) : null;
      const event = owner && ({ type: 'owner', owner } as const);
      const events = eventsOfTurn(this.turn, full, this.place.turnId, event);
      this.#unstored = { itemIds, outcome, events };
      this.#stored = await this.deps.inbox.answer(itemIds, outcome, events);
    } catch (error) {
      this.deps.log.error({ agent: 'hub', action: 'answer_not_stored', ticketId: reply.ticketId }, error);
      this.#unstored ??= { itemIds, outcome, events: [] };
    }
  }

  /** The turn is over; its answer is stored now if it was not before. */
  async publish(reply: TurnReply): Promise<TurnReply> {
    if (!this.#reply) await this.store(reply);
    const full = this.#reply ?? reply;
    if (this.#stored) await this.deps.bus.deliver(this.#stored);
    else if (this.#unstored) {
      this.keep(this.#unstored);
      const { threadId, said } = this.turn;
      this.deps.bus.live(threadId, { type: 'message', message: said.at(-1) ?? null, reply: full });
      this.deps.bus.live(threadId, { type: 'done', turn: this.place.turnId });
    }
    return full;
  }

  /**
   * A refusal that is the answer is kept as one; otherwise the message is forgotten. Subscribers are notified that the
   * turn is over, the sender by the error itself.
   * @throws HubError the error, always, but where the answer had been given before; FailedAfterAnswer, which is not
   * published, where the answer stands on the conversation and nothing else of the turn is known
   */
  async failed(error: HubError, beforePublish: () => void): Promise<TurnReply> {
    const { deps, turn } = this;
    if (this.#reply) return this.publish(this.#reply);
    if (turn.said.length > 0 && !isFinal(error)) throw new FailedAfterAnswer(error);
    beforePublish();
    const { code, message } = error;
    const itemIds = this.items.map(({ itemId }) => itemId);
    if (isFinal(error)) await deps.inbox.answer(itemIds, { error: { code, message } } satisfies Outcome);
    deps.bus.live(turn.threadId, { type: 'error', code, message });
    deps.bus.live(turn.threadId, { type: 'done', turn: this.place.turnId });
    throw error;
  }
}
