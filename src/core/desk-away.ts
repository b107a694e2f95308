import type { TicketMessage } from './domain/ticket.js';

/** What the desk noted on a ticket. */
export type HandNote = Pick<TicketMessage, 'ticketId' | 'role' | 'content' | 'createdAt'>;

/** A ticket that came to an operator, or went from them, while they were not at the desk. */
export interface AwayMove {
  readonly ticketId: string;
  readonly customerName: string | null;
  /** `lapsed` and `ended`: back into the queue, because nothing was heard of them or their shift was over. */
  readonly kind: 'taken' | 'given' | 'lapsed' | 'ended';
  /** The colleague who took or gave it. */
  readonly name: string | null;
  readonly note: string | null;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly now: 'queue' | 'claimed' | 'resolved';
  /** Who has it, or had it last. */
  readonly holder: string | null;
}

/** What has happened since an operator was last at the desk. */
export interface Away {
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly moved: readonly AwayMove[];
  /** Tickets that came to the team since then, and that operators resolved. */
  readonly escalated: number;
  readonly resolved: number;
  /** Tickets that nobody has now, and the operator's own with unread words. */
  readonly unassigned: number;
  readonly unread: number;
}
