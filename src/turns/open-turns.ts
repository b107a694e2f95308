import type { DeskEvent } from '../core/desk-reads.js';
import type { ThreadEventBody } from '../core/domain/conversation.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { TicketMessage } from '../core/domain/ticket.js';
import type { TurnReply } from '../core/domain/turn.js';
import type { NewStoredEvent, StoredEvent } from '../core/ports/index.js';

/** What a turn that is running has stored so far and will publish when it ends. */
export class OpenTurn {
  /** What the hub has said. */
  readonly said: TicketMessage[] = [];
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
    ...turn.said.slice(0, -1).map((message) => ({ type: 'message', message, reply: null }) as const),
    { type: 'message', message: turn.said.at(-1) ?? null, reply },
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
