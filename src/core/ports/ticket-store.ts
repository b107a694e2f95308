import type { GuardrailHit } from '../domain/guardrail.js';
import type { EscalationReason } from '../domain/taxonomy.js';
import type {
  Audience,
  Channel,
  Classification,
  Escalation,
  EscalationRecord,
  MessageExtras,
  MessageRole,
  Ticket,
  TicketMessage,
  TicketOwner,
  TicketStatus,
} from '../domain/ticket.js';
import type { RouteStep, ToolCallRecord, Usage } from '../domain/turn.js';

export interface NewTicket {
  readonly customerId: string | null;
  readonly threadId: string;
  readonly channel: Channel;
}

/** What one finished turn leaves with its ticket, for reports and for the operator. */
export interface TurnRecord {
  readonly turnId: string;
  readonly ticketId: string;
  readonly provider: string;
  readonly route: readonly RouteStep[];
  readonly toolCalls: readonly ToolCallRecord[];
  readonly guardrails: readonly GuardrailHit[];
  readonly usage: Usage;
  readonly totalMs: number;
  readonly createdAt: string;
  /** The answer that it gave; null where it gave none, and of turns before answers were noted. */
  readonly messageId: string | null;
}

/** All conditions hold together. */
export interface TicketFilter {
  readonly owner?: TicketOwner;
  readonly status?: TicketStatus;
  /** The operator who has claimed it; null: nobody has. */
  readonly operatorId?: string | null;
  readonly customerId?: string;
  /** True: resolved tickets only; false: all others. */
  readonly resolved?: boolean;
  /** Words of its messages or summary, or its id; accents and case folded. */
  readonly text?: string;
  /** Of the newest, instead of the most pressing first. */
  readonly newestFirst?: boolean;
  readonly limit: number;
}

/** A ticket as the operator's queue shows it. */
export interface QueueEntry {
  readonly ticket: Ticket;
  readonly classification: Classification | null;
  readonly escalation: EscalationRecord | null;
}

/**
 * Tickets, their messages, metadata, turns and escalations.
 * Times are taken from the Clock and ids from Ids by the implementation.
 * All methods throw HubError `database_failed` or `disk_full` on a fault.
 */
export interface TicketStore {
  /** The newest ticket of the thread that is not resolved, or null. */
  findOpenByThread(threadId: string): Promise<Ticket | null>;
  /** The newest ticket of the thread, resolved or not. */
  findLatestByThread(threadId: string): Promise<Ticket | null>;
  /** All tickets of the thread, oldest first. */
  listByThread(threadId: string): Promise<readonly Ticket[]>;
  create(ticket: NewTicket): Promise<Ticket>;
  get(ticketId: string): Promise<Ticket | null>;
  /** A ticket in an operator's hands is not given back to the hub by this: releasing its conversation does that. */
  setStatus(ticketId: string, status: TicketStatus, owner: TicketOwner): Promise<void>;
  /**
   * A client's message id that the conversation has already is not kept twice: the first message is returned.
   * @throws HubError `not_found`, `taken_over` (see MessageExtras.claim)
   */
  addMessage(
    ticketId: string,
    role: MessageRole,
    content: string,
    extras?: MessageExtras,
  ): Promise<TicketMessage>;
  /** Oldest first, the newest `limit` messages, those for the desk too. */
  listMessages(ticketId: string, limit: number): Promise<readonly TicketMessage[]>;
  /** Same, over all tickets of a thread; only those for this audience where given. */
  listThreadMessages(threadId: string, limit: number, audience?: Audience): Promise<readonly TicketMessage[]>;
  saveClassification(ticketId: string, classification: Classification): Promise<void>;
  getClassification(ticketId: string): Promise<Classification | null>;
  saveTurn(turn: TurnRecord): Promise<void>;
  listTurns(ticketId: string): Promise<readonly TurnRecord[]>;
  /** Opens an escalation and gives the ticket to the operators, in one transaction. */
  escalate(ticketId: string, escalation: Escalation): Promise<EscalationRecord>;
  /**
   * Makes one ticket of two of the same thread, in one transaction: messages and turns go to `into`, and the other one is
   * resolved.
   */
  merge(ticketId: string, into: string): Promise<void>;
  /** Those for this reason are answered; the ticket stays whose it is. */
  closeEscalations(ticketId: string, reason: EscalationReason): Promise<void>;
  listEscalations(ticketId: string): Promise<readonly EscalationRecord[]>;
  /** Most pressing first: priority, then age. */
  queue(filter: TicketFilter): Promise<readonly QueueEntry[]>;
}
