import type {
  Channel,
  Classification,
  Escalation,
  EscalationRecord,
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
  readonly usage: Usage;
  readonly totalMs: number;
  readonly createdAt: string;
}

export interface TicketFilter {
  readonly owner?: TicketOwner;
  readonly status?: TicketStatus;
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
  create(ticket: NewTicket): Promise<Ticket>;
  get(ticketId: string): Promise<Ticket | null>;
  setStatus(ticketId: string, status: TicketStatus, owner: TicketOwner): Promise<void>;
  addMessage(ticketId: string, role: MessageRole, content: string): Promise<TicketMessage>;
  /** Oldest first, the newest `limit` messages. */
  listMessages(ticketId: string, limit: number): Promise<readonly TicketMessage[]>;
  /** Same, over all tickets of a thread. */
  listThreadMessages(threadId: string, limit: number): Promise<readonly TicketMessage[]>;
  saveClassification(ticketId: string, classification: Classification): Promise<void>;
  getClassification(ticketId: string): Promise<Classification | null>;
  saveTurn(turn: TurnRecord): Promise<void>;
  listTurns(ticketId: string): Promise<readonly TurnRecord[]>;
  /** Opens an escalation and gives the ticket to the operators, in one transaction. */
  escalate(ticketId: string, escalation: Escalation): Promise<EscalationRecord>;
  listEscalations(ticketId: string): Promise<readonly EscalationRecord[]>;
  /** Most pressing first: priority, then age. */
  queue(filter: TicketFilter): Promise<readonly QueueEntry[]>;
}
