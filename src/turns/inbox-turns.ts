import type { TurnInput } from '../core/app.js';
import type { ThreadEvent, ThreadEventBody } from '../core/domain/conversation.js';
import { ANONYMOUS, type Identity } from '../core/domain/customer.js';
import type { TicketMessage } from '../core/domain/ticket.js';
import type { MessagePart, TurnEvent, TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import { isLeaseLost } from '../core/held-lease.js';
import type {
  Customers,
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
import type { EventBus } from './event-bus.js';
import { eventsOfTurn, isAfter, type OpenTurn, type OpenTurns, parseEventId } from './thread-streams.js';
import {
  type Batch,
  FailedAfterAnswer,
  isFinal,
  type Outcome,
  type Sender,
  shownTextOf,
} from './waiting-senders.js';

interface TurnEndDeps {
  readonly inbox: Inbox;
  readonly bus: EventBus;
  readonly tickets: TicketStore;
  readonly threads: ThreadStore;
  readonly log: Log;
}

/** An answer that was given, but could not be stored with its message. */
interface Unstored {
  readonly itemIds: readonly string[];
  readonly outcome: Outcome;
  readonly events: readonly NewStoredEvent[];
}

/** How one turn ends: its answer and its events are stored together, and published once it is over. */
class TurnEnd {
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
    const { threadId, ownerChanged, messages: said } = this.turn;
    const full: TurnReply = { ...reply, messageId: said.at(-1)?.messageId ?? reply.messageId ?? null };
    this.#reply = full;
    const outcome: Outcome = { reply: full, ...this.place };
    const itemIds = this.items.map(({ itemId }) => itemId);
    try {
      const owner = ownerChanged ? await ownerOf(this.deps, threadId) : null;
      const event = owner && ({ type: 'owner', owner } as const);
      const ofTurn = eventsOfTurn(this.turn, full, this.place.turnId, event);
      const events = [...(await this.deps.bus.remote.take(threadId)), ...ofTurn];
      this.#unstored = { itemIds, outcome, events };
      this.#stored = await this.deps.inbox.answer(itemIds, outcome, events);
    } catch (error) {
      if (isLeaseLost(error)) throw error;
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
      const { threadId, messages: said } = this.turn;
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
    // The present holder of the lease answers.
    if (isLeaseLost(error)) throw error;
    if (this.#reply) return this.publish(this.#reply);
    if (turn.messages.length > 0 && !isFinal(error)) throw new FailedAfterAnswer(error);
    beforePublish();
    const { code, message } = error;
    const itemIds = this.items.map(({ itemId }) => itemId);
    if (isFinal(error)) await deps.inbox.answer(itemIds, { error: { code, message } } satisfies Outcome);
    deps.bus.live(turn.threadId, { type: 'error', code, message });
    deps.bus.live(turn.threadId, { type: 'done', turn: this.place.turnId });
    throw error;
  }
}

/** A turn of which the caller holds the conversation. */
type HeldInput = TurnInput & { readonly threadId: string };

/** Runs the turns. */
interface HeldTurns {
  /** As `App.handle`. */
  handleHeld(input: HeldInput): Promise<TurnReply>;
}

interface InboxTurnsDeps extends TurnEndDeps {
  readonly turns: HeldTurns;
  readonly open: OpenTurns;
  readonly customers: Pick<Customers, 'get'>;
  readonly ids: Ids;
}

/** How far back a message is looked for whose first turn broke off. */
const RECENT_MESSAGES = 200;
/** Published as stored events when the turn ends. */
const PUBLISHED_AT_END: ReadonlySet<TurnEvent['type']> = new Set(['message', 'pending', 'escalation']);

/** Runs the turns that answer messages of the inbox, and stores their answers. */
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
      await this.deps.bus.deliver(stored);
    }
  }

  /**
   * Answers the batch in one turn, and stores what it was answered with. The caller holds the conversation.
   * @throws HubError where nothing was answered
   */
  async answer({ items, text, receivedAt }: Batch, senders: () => readonly Sender[]): Promise<TurnReply> {
    const { bus, open } = this.deps;
    const [first] = items;
    if (!first) throw new HubError('internal', 'There is nothing to answer.');
    const { threadId } = first;
    const leave = senders().some(({ onEvent }) => onEvent) ? await bus.keepRunning() : undefined;
    const listeners: (() => void)[] = [];
    try {
      const turnId = this.deps.ids.next('trn');
      const known = await this.#known(items);
      const identity = senders()[0]?.identity ?? (await this.#identityOf(first));
      const since = await bus.mark(threadId);
      const endLive = await bus.remote.begin(threadId);
      for (const { itemId } of items) this.#since.set(itemId, since);
      for (const { onEvent } of senders()) if (onEvent) listeners.push(bus.subscribe(threadId, onEvent));
      const turn = open.open(threadId, known);
      const end = new TurnEnd(this.deps, turn, items, { turnId, since }, (unstored) =>
        this.#unstored.add(unstored),
      );
      const live = (event: TurnEvent): void => {
        if (event.type !== 'message' && !PUBLISHED_AT_END.has(event.type))
          bus.live(threadId, event as ThreadEventBody);
      };
      const input: HeldInput = {
        identity,
        threadId,
        text,
        channel: first.channel,
        receivedAt,
        parts: items.map(partOf),
        ...(first.content.kind === 'answer' ? buttonOf(first.content) : {}),
        ...hopsOf(items),
        ...languageOf(items),
        // A terminal shows the events it gets, and nothing of the conversation besides.
        showsThread: first.channel !== 'chat',
        signal: senders()[0]?.signal,
        onStored: (reply) => end.store(reply),
        ...(bus.isFollowed(threadId) ? { onEvent: live } : {}),
      };
      try {
        return await end.publish(await this.deps.turns.handleHeld(input));
      } catch (error) {
        return await end.failed(toHubError(error), () => {
          for (const item of items) this.noteTried(item);
          for (const stop of listeners.splice(0)) stop();
        });
      } finally {
        open.close(turn);
        await endLive();
      }
    } finally {
      for (const stop of listeners) stop();
      for (const { itemId } of items) this.#since.delete(itemId);
      leave?.();
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
    const user = await this.deps.customers.get(customerId);
    if (!user) throw new HubError('customer_erased', 'This customer is not known any more.', { customerId });
    return { kind: 'customer', customerId, email: user.email };
  }

  /** Publishes the events of a turn to a sender who has not got them. Nothing more where it has got all. */
  async replay(
    { threadId, onEvent, after }: Pick<Sender, 'threadId' | 'onEvent' | 'after'>,
    outcome: Outcome,
  ): Promise<void> {
    if (!onEvent || 'error' in outcome) return;
    const { since, turnId } = outcome;
    const from = after !== undefined && isAfter(parseEventId(after), parseEventId(since)) ? after : since;
    const events = await this.deps.bus.replay(threadId, from);
    const end = events.findIndex(({ body }) => body.type === 'done' && body.turn === turnId);
    for (const event of events.slice(0, end + 1)) onEvent(event);
  }
}

function partOf(item: InboxItem): MessagePart {
  const { content, clientMessageId } = item;
  const files = content.kind === 'text' && content.files ? { files: content.files } : {};
  return { text: shownTextOf(item), clientMessageId, ...files };
}

function buttonOf({
  pendingId,
  answer,
}: Extract<InboxContent, { kind: 'answer' }>): Pick<TurnInput, 'answer' | 'withdraw'> {
  if (answer === 'withdraw') return { withdraw: { pendingId } };
  return { answer: { pendingId, approved: answer === 'yes' } };
}

/** What the last client that sent nothing but files shows. */
function languageOf(items: readonly InboxItem[]): Pick<HeldInput, 'language'> {
  const last = items.findLast(({ content }) => content.kind === 'text' && content.language !== undefined);
  return last?.content.kind === 'text' && last.content.language ? { language: last.content.language } : {};
}

/** The most hubs that any of them came through. */
function hopsOf(items: readonly InboxItem[]): Pick<HeldInput, 'hops'> {
  const said = items.flatMap(({ content }) => (content.kind === 'text' ? (content.hops ?? []) : []));
  return said.length === 0 ? {} : { hops: Math.max(...said) };
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
