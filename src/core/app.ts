import type { Identity, Operator } from './domain/customer.js';
import type { PendingAction } from './domain/pending.js';
import type { SkillRun } from './domain/skill.js';
import type { ProviderName } from './domain/taxonomy.js';
import type { Channel, Classification, EscalationRecord, Ticket, TicketMessage } from './domain/ticket.js';
import type { TurnEvent, TurnReply } from './domain/turn.js';
import type { AuditEntry } from './ports/audit-log.js';
import type { Log } from './ports/log.js';
import type { TicketClassifier } from './ports/ticket-classifier.js';
import type { QueueEntry, TicketFilter, TurnRecord } from './ports/ticket-store.js';

/** One message of a customer. */
export interface TurnInput {
  /** Verified by the surface. */
  readonly identity: Identity;
  readonly text: string;
  readonly channel: Channel;
  /** Continues a conversation; a new one is begun where absent. */
  readonly threadId?: string;
  /** Called while the turn runs; must not throw. */
  readonly onEvent?: (event: TurnEvent) => void;
  readonly signal?: AbortSignal;
}

/** What an operator did to a pending action, and what came of it. */
export interface ApprovalOutcome {
  readonly pending: PendingAction;
  /** What the customer is told; null where the conversation goes on elsewhere. */
  readonly reply: string | null;
}

/** What an operator's choice led to. */
export interface ChoiceOutcome {
  readonly run: SkillRun;
  /** What the customer is told; null where the ticket stays with the operators. */
  readonly reply: string | null;
  /** The change the customer is asked about now, where the finding advises one. */
  readonly pending: PendingAction | null;
}

/** Everything about a ticket that an operator needs. */
export interface TicketView {
  readonly ticket: Ticket;
  readonly classification: Classification | null;
  readonly messages: readonly TicketMessage[];
  readonly turns: readonly TurnRecord[];
  readonly escalations: readonly EscalationRecord[];
  readonly audit: readonly AuditEntry[];
  /** What skills found out for it, oldest first. */
  readonly investigations: readonly SkillRun[];
}

/** The operators' side. Every method throws HubError with a code. */
export interface Desk {
  queue(filter: TicketFilter): Promise<readonly QueueEntry[]>;
  /** @throws HubError `not_found` */
  show(ticketId: string): Promise<TicketView>;
  approvals(): Promise<readonly PendingAction[]>;
  /** @throws HubError `pending_not_found`, `pending_decided`, `pending_expired` */
  approve(pendingId: string, operator: Operator): Promise<ApprovalOutcome>;
  /** Same errors as approve. */
  reject(pendingId: string, operator: Operator, reason: string): Promise<ApprovalOutcome>;
  /**
   * Answers the question of an investigation that waits on this ticket (A, B, C, ...). What is found then goes to the
   * customer, and what it advises to change is put to the customer as a question.
   * @throws HubError `not_found`, `run_not_waiting`, `choice_unknown`, `thread_busy`
   */
  choose(ticketId: string, choice: string, operator: Operator): Promise<ChoiceOutcome>;
}

/** What surfaces and scripts call. Made by `createApp`. */
export interface App {
  readonly provider: ProviderName;
  readonly log: Log;
  readonly classifier: TicketClassifier;
  readonly desk: Desk;
  /**
   * The identity of a customer whose e-mail address the surface has verified.
   * @throws HubError `customer_unknown`
   */
  signIn(email: string): Promise<Identity>;
  /**
   * One turn: answers the message, or the open question it replies to. Turns of one thread run one after another.
   * @throws HubError `input_too_large`, `not_owner` (the thread is somebody else's), `thread_busy`, `disk_full`,
   * `database_failed`; a failing model or index is not an error but an answer that says so
   */
  handle(input: TurnInput): Promise<TurnReply>;
  close(): Promise<void>;
}
