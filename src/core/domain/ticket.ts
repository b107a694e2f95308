import type { AttachedFile } from '../file-types.js';
import type { Citation } from './article.js';
import type { EscalationReason, IssueType, Language, Priority, Route, Sentiment } from './taxonomy.js';

export type TicketStatus = 'open' | 'waiting_customer' | 'waiting_operator' | 'resolved';
export type TicketOwner = 'hub' | 'operator';
export type Channel = 'chat' | 'batch' | 'http' | 'studio' | 'mcp' | 'a2a' | 'email';

/** One customer problem. Its thread is the LangGraph conversation. */
export interface Ticket {
  readonly ticketId: string;
  readonly customerId: string | null;
  readonly threadId: string;
  readonly channel: Channel;
  readonly status: TicketStatus;
  readonly owner: TicketOwner;
  /** The operator who has claimed it; null while it is the hub's or waits in the queue. */
  readonly operatorId: string | null;
  readonly operatorName: string | null;
  readonly claimedAt: string | null;
  readonly resolvedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const SPOKEN = 6;

/** Between the matters that the summary of a ticket is made of. */
export const MATTERS_APART = ' · ';

/** What the ticket was about first, of a summary to which other matters were added; empty where there is none. */
export function firstMatter(summary: string): string {
  return summary.split(MATTERS_APART)[0]?.trim() ?? '';
}

/** What people call a ticket by: six signs of its id in two groups, `4EE-CNK`; typed at the desk, it finds the ticket. */
export function requestNumber(ticketId: string): string {
  const signs = ticketId
    .slice(ticketId.indexOf('_') + 1)
    .slice(0, SPOKEN)
    .toUpperCase();
  return signs.length < SPOKEN ? signs : `${signs.slice(0, SPOKEN / 2)}-${signs.slice(SPOKEN / 2)}`;
}

/** How the id of the ticket begins whose number somebody has typed, in any case and grouping; null where it is no number. */
export function idOfNumber(typed: string): string | null {
  const [, first, last] = /^\s*#?([a-z0-9]{3})[\s-]?([a-z0-9]{3})\s*$/i.exec(typed) ?? [];
  if (first === undefined || last === undefined) return null;
  // Ids have no letter that is read for a digit.
  return `tkt_${`${first}${last}`.toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1')}`;
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

/** `desk`: operators only. Nothing that a customer is shown is made from it. */
export type Audience = 'customer' | 'desk';

/**
 * What a message does to who waits for whom, where its role does not say it: the customer's that only thanks or says goodbye asks
 * for `nothing`; the hub's that tells what an operator has just done is an `answer` of the team.
 */
type MessageWeight = 'nothing' | 'answer';

export interface TicketMessage {
  readonly messageId: string;
  readonly ticketId: string;
  /** A message of an operator for the desk is an internal note. */
  readonly role: MessageRole;
  readonly content: string;
  readonly audience: Audience;
  /** Name of the operator who wrote it. */
  readonly author: string | null;
  /** Sources of an answer of the hub. */
  readonly citations: readonly Citation[];
  /** The id that the customer's client gave it. */
  readonly clientMessageId: string | null;
  /** What came with it; absent where nothing did. */
  readonly files?: readonly AttachedFile[];
  readonly createdAt: string;
  /** Null or absent for what its role says. */
  readonly countsAs?: MessageWeight | null;
}

/** What a message may carry besides its words. */
export interface MessageExtras {
  /** `customer` where absent; of a `system` message `desk`. */
  readonly audience?: Audience;
  readonly author?: string;
  readonly citations?: readonly Citation[];
  readonly clientMessageId?: string;
  /** Files of this conversation that belong to no message yet; else `not_found`. */
  readonly files?: readonly AttachedFile[];
  readonly countsAs?: MessageWeight | null;
  /** Kept only while the conversation's claim is this one; else `taken_over`. */
  readonly claim?: number;
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

/** A ticket among the others of its customer: what each is about tells them apart. */
export interface CustomerTicket extends Ticket {
  /** What it was classified as and in which words; null where it was not. */
  readonly issueType: IssueType | null;
  readonly summary: string | null;
  /** How many approvals are open. */
  readonly approvals: number;
}
