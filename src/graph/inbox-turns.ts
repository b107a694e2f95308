import type { TurnInput } from '../core/app.js';
import type { ThreadEvent, ThreadEventBody } from '../core/domain/conversation.js';
import { ANONYMOUS, type Identity } from '../core/domain/customer.js';
import type { TicketMessage } from '../core/domain/ticket.js';
import type { TurnEvent, TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import type {
  CustomerReader,
  Ids,
  Inbox,
  InboxContent,
  InboxItem,
  Log,
  NewStoredEvent,
  StoredEvent,
  ThreadStore,
  TicketStore,
} from '../core/ports/index.js';
import { ownerOf } from './conversation-view.js';
import type { EventFeed } from './event-feed.js';
import { isAfter, parsePlace } from './event-place.js';
import type { Batch } from './inbox-batches.js';
import { isFinal, type Outcome } from './inbox-outcome.js';
import { eventsOfTurn, type OpenTurn, type OpenTurns } from './open-turns.js';
import type { Sender } from './waiting-senders.js';

/** A turn of which the caller holds the conversation. */
export type HeldInput = TurnInput & { readonly threadId: string };

/** Who runs the turns. */
export interface HeldTurns {
  /** As `App.handle`. */
  handleHeld(input: HeldInput): Promise<TurnReply>;
}

export interface InboxTurnsDeps {
  readonly turns: HeldTurns;
  readonly inbox: Inbox;
  readonly feed: EventFeed;
  readonly open: OpenTurns;
  readonly tickets: TicketStore;
  readonly threads: ThreadStore;
  readonly customers: CustomerReader;
  readonly ids: Ids;
  readonly log: Log;
}

/** How far back a message is looked for whose first turn broke off. */
const RECENT_MESSAGES = 200;

/** An answer that was given, but could not be stored with its message. */
interface Unstored {
  readonly itemIds: readonly string[];
  readonly outcome: Outcome;
  readonly events: readonly NewStoredEvent[];
}

/** Told by the stored events of the turn's end. */
const TOLD_AT_THE_END: ReadonlySet<TurnEvent['type']> = new Set(['message', 'pending', 'escalation']);

/** Runs the turns that answer messages of the inbox, and keeps what they were answered with. */
export class InboxTurns {
  /** Messages that are being answered, and where their turns began. */
  readonly #since = new Map<string, string>();
  /** Messages, as thread and client id, whose turn broke off, so that they may be stored with the ticket already. */
  readonly #tried = new Set<string>();
  readonly #unstored = new Set<Unstored>();

  constructor(private readonly deps: InboxTurnsDeps) {}

  /** Where the turn began that is answering the message; null where none is. */
  sinceOf(itemId: string): string | null {
    return this.#since.get(itemId) ?? null;
  }

  /** Says that the message was in a turn before. */
  noteTried({ threadId, clientMessageId }: InboxItem): void {
    this.#tried.add(`${threadId} ${clientMessageId}`);
  }

  /** See PumpDeps. @throws HubError `disk_full`, `database_failed` where it still cannot be stored */
  async storeUnstored(): Promise<void> {
    for (const unstored of this.#unstored) {
      const { itemIds, outcome, events } = unstored;
      const stored = await this.deps.inbox.answer(itemIds, outcome, events);
      this.#unstored.delete(unstored);
      await this.deps.feed.deliver(stored);
    }
  }

  /** Answers the batch in one turn. The caller holds the conversation. @throws HubError where nothing was answered */
  async answer(batch: Batch, senders: () => readonly Sender[]): Promise<TurnReply> {
    const { feed } = this.deps;
    const leave = senders().some(({ onEvent }) => onEvent) ? await feed.attend() : undefined;
    const listeners: (() => void)[] = [];
    try {
      return await this.#listened(batch, senders, listeners);
    } finally {
      for (const stop of listeners) stop();
      for (const { itemId } of batch.items) this.#since.delete(itemId);
      leave?.();
    }
  }

  async #listened(
    { items, text, receivedAt }: Batch,
    senders: () => readonly Sender[],
    listeners: (() => void)[],
  ): Promise<TurnReply> {
    const { feed, open } = this.deps;
    const [first] = items;
    if (!first) throw new HubError('internal', 'There is nothing to answer.');
    const { threadId } = first;
    const turnId = this.deps.ids.next('trn');
    const known = await this.#known(items);
    const identity = senders()[0]?.identity ?? (await this.#identityOf(first));
    const since = await feed.mark(threadId);
    for (const { itemId } of items) this.#since.set(itemId, since);
    for (const { onEvent } of senders()) if (onEvent) listeners.push(feed.listen(threadId, onEvent));
    const turn = open.open(threadId, known);
    const end = new TurnEnd(this.deps, turn, items, { turnId, since }, (unstored) =>
      this.#unstored.add(unstored),
    );
    const live = (event: TurnEvent): void => {
      if (event.type !== 'message' && !TOLD_AT_THE_END.has(event.type))
        feed.live(threadId, event as ThreadEventBody);
    };
    const input: HeldInput = {
      identity,
      threadId,
      text,
      channel: first.channel,
      receivedAt,
      parts: items.map((item) => ({ text: wordsOf(item), clientMessageId: item.clientMessageId })),
      ...(first.content.kind === 'answer' ? { answer: buttonOf(first.content) } : {}),
      showsThread: true,
      onStored: (reply) => end.store(reply),
      ...(feed.isFollowed(threadId) ? { onEvent: live } : {}),
    };
    try {
      return await end.told(await this.deps.turns.handleHeld(input));
    } catch (error) {
      return await end.failed(toHubError(error), () => {
        for (const item of items) this.noteTried(item);
        for (const stop of listeners.splice(0)) stop();
      });
    } finally {
      open.close(turn);
    }
  }

  async #known(items: readonly InboxItem[]): Promise<ReadonlyMap<string, TicketMessage>> {
    const tried = items.filter(({ threadId, clientMessageId }) =>
      this.#tried.delete(`${threadId} ${clientMessageId}`),
    );
    const [first] = tried;
    if (!first) return new Map();
    const messages = await this.deps.tickets.listThreadMessages(first.threadId, RECENT_MESSAGES);
    return new Map(
      messages.flatMap((message) => (message.clientMessageId ? [[message.clientMessageId, message]] : [])),
    );
  }

  async #identityOf({ customerId }: InboxItem): Promise<Identity> {
    if (customerId === null) return ANONYMOUS;
    const user = await this.deps.customers.getUser(customerId);
    if (!user) throw new HubError('customer_erased', 'This customer is not known any more.', { customerId });
    return { kind: 'customer', customerId, email: user.email };
  }

  /** Tells what a turn had to tell, to somebody who did not hear it. Nothing more where all was heard. */
  async retell(
    { threadId, onEvent, after }: Pick<Sender, 'threadId' | 'onEvent' | 'after'>,
    outcome: Outcome,
  ): Promise<void> {
    if (!onEvent || 'error' in outcome) return;
    const { since, turnId } = outcome;
    const from = after !== undefined && isAfter(parsePlace(after), parsePlace(since)) ? after : since;
    const events = await this.deps.feed.replay(threadId, from);
    const end = events.findIndex(({ body }) => body.type === 'done' && body.turn === turnId);
    for (const event of events.slice(0, end + 1)) onEvent(event);
  }
}

function buttonOf({ pendingId, answer }: Extract<InboxContent, { kind: 'answer' }>) {
  return { pendingId, approved: answer === 'yes' };
}

/** What a person wrote, or which button was pressed. */
export function wordsOf({ content }: InboxItem): string {
  return content.kind === 'text' ? content.text : content.answer;
}

/** How one turn ends: its answer and its events are stored together, and told once it is over. */
class TurnEnd {
  #stored: readonly StoredEvent[] | null = null;
  #unstored: Unstored | null = null;
  #reply: TurnReply | null = null;

  constructor(
    private readonly deps: InboxTurnsDeps,
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
  async told(reply: TurnReply): Promise<TurnReply> {
    if (!this.#reply) await this.store(reply);
    const full = this.#reply ?? reply;
    if (this.#stored) await this.deps.feed.deliver(this.#stored);
    else if (this.#unstored) {
      this.keep(this.#unstored);
      const { threadId, said } = this.turn;
      this.deps.feed.live(threadId, { type: 'message', message: said.at(-1) ?? null, reply: full });
      this.deps.feed.live(threadId, { type: 'done', turn: this.place.turnId });
    }
    return full;
  }

  /**
   * A refusal that is the answer is kept as one; otherwise the message is forgotten. Whoever looks on is told that the
   * turn is over, the sender by the error itself.
   * @throws HubError the error, always, but where the answer had been given before
   */
  async failed(error: HubError, beforeTold: () => void): Promise<TurnReply> {
    const { deps, turn } = this;
    if (this.#reply) return this.told(this.#reply);
    beforeTold();
    const { code, message } = error;
    const itemIds = this.items.map(({ itemId }) => itemId);
    if (isFinal(error)) await deps.inbox.answer(itemIds, { error: { code, message } } satisfies Outcome);
    deps.feed.live(turn.threadId, { type: 'error', code, message });
    deps.feed.live(turn.threadId, { type: 'done', turn: this.place.turnId });
    throw error;
  }
}

/** Passes events on up to the end of the turn. */
export function untilDone(onEvent: (event: ThreadEvent) => void): (event: ThreadEvent) => void {
  let over = false;
  return (event) => {
    if (over) return;
    over = event.body.type === 'done';
    onEvent(event);
  };
}
