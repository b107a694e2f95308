import type { ThreadView } from '../domain/conversation.js';
import type { Operator } from '../domain/customer.js';
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

/** An answer that operators give often. */
export interface Macro {
  readonly macroId: string;
  readonly name: string;
  /** With variables such as `{customer.first_name}`. */
  readonly text: string;
  readonly tags: readonly string[];
  /** True where sending it resolves the ticket. */
  readonly resolves: boolean;
  /** Name of the operator who wrote it last. */
  readonly updatedBy: string;
  readonly updatedAt: string;
}

/** Macros of the desk. Throws HubError `database_failed`. */
export interface MacroStore {
  /** By name. */
  list(): Promise<readonly Macro[]>;
  get(macroId: string): Promise<Macro | null>;
  /** Writes it, new or anew. @throws HubError `input_invalid` (field `name`) where another one has the name */
  put(macro: Macro): Promise<void>;
  /** Returns false where there was none. */
  delete(macroId: string): Promise<boolean>;
}

/** A list of the desk with its filters, under a name that an operator gave it. */
export interface SavedView {
  readonly name: string;
  /** What narrows the list, as the page that saved it has it. */
  readonly choice: Readonly<Record<string, string>>;
}

/** The views that each operator has saved. Throws HubError `database_failed`. */
export interface ViewStore {
  /** In the order in which they were first saved. */
  list(operatorId: string): Promise<readonly SavedView[]>;
  /** The same name again replaces it, in its place. */
  put(operatorId: string, view: SavedView): Promise<void>;
  delete(operatorId: string, name: string): Promise<void>;
}

/** What customers rate: the hub's answers on a ticket, and its resolution by an operator. */
export const RATED = ['answer', 'resolution'] as const;

/** What a customer thought of it. */
interface Rating {
  readonly threadId: string;
  readonly ticketId: string;
  readonly about: (typeof RATED)[number];
  readonly customerId: string | null;
  readonly helpful: boolean;
  readonly comment: string | null;
}

/** A rating with its time, ISO 8601 UTC. */
export type StoredRating = Rating & { readonly createdAt: string };

/** Of each ticket at most one of each kind. Throws HubError `database_failed` or `disk_full`. */
export interface RatingStore {
  /**
   * Takes the place of an older one.
   * @returns false where a resolution is rated and no operator has resolved that ticket; nothing is kept then
   */
  put(rating: Rating): Promise<boolean>;
  /** The newest ticket of the conversation, where an operator has resolved it and that is not rated yet. */
  asked(threadId: string): Promise<ThreadView['asksRating']>;
  list(ticketId: string): Promise<readonly StoredRating[]>;
}

/** Where an operator is at the desk. */
export interface Presence extends Operator {
  /** The ticket that is open on the operator's screen; null for none. */
  readonly ticketId: string | null;
  /** True while the operator writes to the customer of that ticket. */
  readonly typing: boolean;
  /** When the operator's shift ends by itself, ISO 8601 UTC; null where no time is set. */
  readonly shiftEndsAt: string | null;
  /** When the operator's page was last heard from, ISO 8601 UTC. */
  readonly seenAt: string;
}

/** One row an operator: the newest word of their page. Throws HubError `database_failed`. */
export interface PresenceStore {
  /**
   * A ticket that nobody else has counts as looked at from then on. The end of the shift stays where none is given; `isOver` says that it
   * is over, until the operator is heard of again.
   * @returns what was known before, null where that is nothing
   */
  put(
    operator: Operator,
    at: Pick<Presence, 'ticketId' | 'typing'> &
      Partial<Pick<Presence, 'shiftEndsAt'>> & { readonly isOver?: boolean },
  ): Promise<Presence | null>;
  /** Those whose shift is over by then and whose page was not heard from since, and when it ended, ISO 8601 UTC. */
  shiftsEnded(by: Date): Promise<readonly (Operator & { readonly endedAt: string })[]>;
  get(operatorId: string): Promise<Presence | null>;
  /** Those that reported since then and whose shift is not over, by name. */
  since(from: Date): Promise<readonly Presence[]>;
}

/** What the desk keeps of tickets besides; none of it reaches customers. Throws HubError `database_failed`. */
export interface TicketDeskStore {
  /** Replaces the tags. */
  setTags(ticketId: string, tags: readonly string[]): Promise<void>;
  /** Adds those that it has not; the oldest ones stay where there would be too many (10). */
  addTags(ticketId: string, tags: readonly string[]): Promise<void>;
  /** Gives it to a team; null leaves it to the company's rules. */
  setTeam(ticketId: string, team: string | null): Promise<void>;
  /** Its tags go to the other ticket too, and it leads there from now on. In one transaction. */
  merge(ticketId: string, into: string): Promise<void>;
  /** What became of its question that no article answers. */
  settleGap(ticketId: string, gap: 'drafted' | 'dismissed'): Promise<void>;
  /** Puts the ticket out of the lists until then, or with null back into them; what was written so far counts as seen. */
  snooze(ticketId: string, until: string | null): Promise<void>;
}
