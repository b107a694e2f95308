import type { Citation } from './article.js';
import type { ThreadLimits } from './customer.js';
import type { TicketMessage } from './ticket.js';
import type { PendingView, TurnEvent, TurnReply, Usage } from './turn.js';

/** Who answers on a conversation. `operator`: claimed, or waiting for one to claim it. */
export interface ThreadOwner {
  readonly kind: 'hub' | 'operator';
  /** The operator's name; null while nobody has claimed it. */
  readonly name: string | null;
}

/** Which side of a conversation has read it. */
export type Reader = 'customer' | 'operator';

/** How far a side has read a conversation. */
export interface ReadMark {
  /** The newest message that was on the screen. */
  readonly messageId: string;
  /** Since when, ISO 8601 UTC. */
  readonly at: string;
}

/** A conversation as its customer sees it. */
export interface ThreadView {
  readonly threadId: string;
  /** The newest ticket; null before the first message. */
  readonly ticketId: string | null;
  readonly owner: ThreadOwner;
  /** What the customer is asked, or waits for; null where nothing is open. */
  readonly pending: PendingView | null;
  /** Oldest first; never one for the desk. */
  readonly messages: readonly TicketMessage[];
  /** How far operators have read it; null where none has opened it. */
  readonly readByOperator: ReadMark | null;
  /** What the customer is asked to rate: the newest ticket, once an operator has resolved it, until it was rated. */
  readonly asksRating: { readonly ticketId: string; readonly operator: string } | null;
  readonly limits: ThreadLimits;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * What happens on a conversation, for the one who watches it. Events of a turn are those of the turn; the others come from
 * people and from other processes.
 */
export type ThreadEventBody =
  | Exclude<TurnEvent, { type: 'message' }>
  /**
   * A message that is stored: of the customer, of the hub or of an operator. The hub's answer comes with the whole reply;
   * `message` is null only for an acknowledgement that is not stored.
   */
  | { readonly type: 'message'; readonly message: TicketMessage | null; readonly reply: TurnReply | null }
  /** A source of the answer. */
  | { readonly type: 'citation'; readonly citation: Citation }
  /** What the turn cost. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** A side has read up to this message. */
  | ({ readonly type: 'read'; readonly by: Reader } & ReadMark)
  /** A side writes to the other, or has stopped; who hears nothing more for some seconds takes it as ended. */
  | { readonly type: 'typing'; readonly by: Reader; readonly name: string | null; readonly typing: boolean }
  /** The conversation changed hands. */
  | { readonly type: 'owner'; readonly owner: ThreadOwner }
  /** The open question was answered, expired or withdrawn. */
  | { readonly type: 'settled'; readonly pendingId: string; readonly status: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  /** A turn is over: everything it has to say was said. */
  | { readonly type: 'done'; readonly turn: string };

/** An event with its place on the conversation. */
export interface ThreadEvent {
  /**
   * `<stored>.<live>`: the number of the last stored event, and a counter of those after it that live only while the
   * turn does (tokens, progress). Sorts by both numbers; a client sends the last one back to continue.
   */
  readonly id: string;
  readonly threadId: string;
  readonly body: ThreadEventBody;
}
