import type { DeskEvent } from '../core/desk-reads.js';
import type { ThreadEvent, ThreadEventBody } from '../core/domain/conversation.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { TicketMessage } from '../core/domain/ticket.js';
import type { TurnReply } from '../core/domain/turn.js';
import { HubError } from '../core/errors.js';
import type { NewStoredEvent, StoredEvent } from '../core/ports/index.js';

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

  isFollowed(threadId: string): boolean {
    return (this.#streams.get(threadId)?.subscribers.size ?? 0) > 0;
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

/** Where a stored event stands. */
export function positionOf({ seq }: StoredEvent): EventPosition {
  return { stored: seq, live: 0 };
}

/** A stored event as the followers of its conversation get it. */
export function toThreadEvent(event: StoredEvent): ThreadEvent {
  const body = { type: event.type, ...event.data } as ThreadEventBody;
  return { id: formatEventId(positionOf(event)), threadId: event.threadId, body };
}

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

/** What a turn that is running has stored so far and will publish when it ends. */
export class OpenTurn {
  /** What the hub has said. */
  readonly messages: TicketMessage[] = [];
  /** Questions that were answered or withdrawn. */
  readonly settled = new Map<string, PendingAction>();
  /** Tickets that the queue shows differently now. */
  readonly touched = new Set<string>();
  /** True where a ticket went to the operators or came back. */
  ownerChanged = false;

  /** @param known messages of the customer that are stored already, by the id their client gave them */
  constructor(
    readonly threadId: string,
    readonly known: ReadonlyMap<string, TicketMessage>,
  ) {}
}

/** The turns that run in this process, one a conversation. */
export class OpenTurns {
  readonly #turns = new Map<string, OpenTurn>();

  of(threadId: string): OpenTurn | undefined {
    return this.#turns.get(threadId);
  }

  /** The caller holds the thread. */
  open(threadId: string, known: ReadonlyMap<string, TicketMessage> = new Map()): OpenTurn {
    const turn = new OpenTurn(threadId, known);
    this.#turns.set(threadId, turn);
    return turn;
  }

  close(turn: OpenTurn): void {
    if (this.#turns.get(turn.threadId) === turn) this.#turns.delete(turn.threadId);
  }
}

/** An event for the customer. */
export function customerEvent(
  threadId: string,
  ticketId: string | null,
  { type, ...data }: ThreadEventBody,
): NewStoredEvent {
  return { threadId, ticketId, audience: 'customer', type, data };
}

/** An event for the queue of the operators. */
export function ticketEvent(threadId: string, ticketId: string, what: string): NewStoredEvent {
  return { threadId, ticketId, audience: 'desk', type: 'ticket', data: { what } };
}

/** What the list of approvals shows differently: nothing, where the customer was asked. */
export function approvalEvents({
  kind,
  threadId,
  ticketId,
  pendingId,
  status,
}: PendingAction): NewStoredEvent[] {
  return kind === 'approval' ? [approvalEvent(threadId, ticketId, pendingId, status)] : [];
}

function approvalEvent(threadId: string, ticketId: string, id: string, status: string): NewStoredEvent {
  return { threadId, ticketId, audience: 'desk', type: 'approval', data: { id, status } };
}

/** All that a finished turn has to publish, in the order in which it makes sense. */
export function eventsOfTurn(
  turn: OpenTurn,
  reply: TurnReply,
  turnId: string,
  owner: Extract<ThreadEventBody, { type: 'owner' }> | null,
): readonly NewStoredEvent[] {
  const { threadId, ticketId } = reply;
  const bodies: ThreadEventBody[] = [
    ...[...turn.settled].map(([pendingId, { status }]) => ({ type: 'settled', pendingId, status }) as const),
    ...reply.citations.map((citation) => ({ type: 'citation', citation }) as const),
    ...(reply.pending ? [{ type: 'pending', pending: reply.pending } as const] : []),
    ...(reply.escalation ? [{ type: 'escalation', escalation: reply.escalation } as const] : []),
    ...(owner ? [owner] : []),
    ...turn.messages.slice(0, -1).map((message) => ({ type: 'message', message, reply: null }) as const),
    { type: 'message', message: turn.messages.at(-1) ?? null, reply },
    { type: 'usage', usage: reply.usage },
    { type: 'done', turn: turnId },
  ];
  const touched = new Set([...turn.touched, ticketId]);
  const approvals = [...turn.settled.values()].flatMap(approvalEvents);
  if (reply.pending?.kind === 'approval') {
    approvals.push(approvalEvent(threadId, ticketId, reply.pending.id, 'pending'));
  }
  return [
    ...bodies.map((body) => customerEvent(threadId, ticketId, body)),
    ...[...touched].map((id) => ticketEvent(threadId, id, 'turn')),
    ...approvals,
  ];
}

/** What of a stored event an operator's screen shows. */
export function toDeskEvent({ seq, type, threadId, ticketId, data }: StoredEvent): DeskEvent | null {
  const id = String(seq);
  switch (type) {
    case 'ticket':
    case 'presence':
      return { id, type, data: { ...data, threadId, ticketId } };
    case 'read':
    case 'typing':
    case 'approval':
      return { id, type, data: { ...data, threadId } };
    case 'message':
      return data.message === null ? null : { id, type, data: { threadId, ticketId, message: data.message } };
    default:
      return null;
  }
}

/** The same with its place; nothing where a screen shows nothing of it. */
export function positionedForDesk(event: StoredEvent) {
  const sent = toDeskEvent(event);
  return sent ? [{ place: positionOf(event), event: sent }] : [];
}
