import type { EscalationReason, IssueType, Language, Priority, Route, Sentiment } from './taxonomy.js';

export type TicketStatus = 'open' | 'waiting_customer' | 'waiting_operator' | 'resolved';
export type TicketOwner = 'hub' | 'operator';
export type Channel = 'chat' | 'batch' | 'http' | 'studio' | 'mcp' | 'a2a';

/** One customer problem. Its thread is the LangGraph conversation. */
export interface Ticket {
  readonly ticketId: string;
  readonly customerId: string | null;
  readonly threadId: string;
  readonly channel: Channel;
  readonly status: TicketStatus;
  readonly owner: TicketOwner;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One thing the customer asks for; a compound message has several. */
export interface TicketRequest {
  /** The customer's words for this part. */
  readonly text: string;
  readonly route: Route;
}

/** The outcome of triage for one message. */
export interface Classification {
  readonly issueType: IssueType;
  readonly priority: Priority;
  readonly sentiment: Sentiment;
  readonly requiresHuman: boolean;
  readonly summary: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly language: Language;
  /** What the message asks to be done with it. */
  readonly route: Route;
  /** Why a person is needed, where one is. */
  readonly humanReason: EscalationReason | null;
  /** The parts of the message in the order they were asked; one for a plain message, none where there is no request. */
  readonly requests: readonly TicketRequest[];
}

export type MessageRole = 'customer' | 'hub' | 'operator' | 'system';

export interface TicketMessage {
  readonly messageId: string;
  readonly ticketId: string;
  readonly role: MessageRole;
  readonly content: string;
  readonly createdAt: string;
}

/** What an operator is handed with a ticket. */
export interface Escalation {
  readonly reason: EscalationReason;
  readonly summary: string;
  readonly found: readonly string[];
  readonly tried: readonly string[];
  readonly options: readonly string[];
}

export interface EscalationRecord extends Escalation {
  readonly escalationId: string;
  readonly ticketId: string;
  readonly status: 'open' | 'resolved';
  readonly createdAt: string;
}
