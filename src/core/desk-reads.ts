import type { Away } from './desk-away.js';
import type { Customer, CustomerMemory, Operator } from './domain/customer.js';
import type { RecordSection, RecordTone } from './domain/entity.js';
import type { PendingAction } from './domain/pending.js';
import type { SkillWords } from './domain/skill.js';
import type { Language } from './domain/taxonomy.js';
import type { CustomerTicket, TicketMessage } from './domain/ticket.js';
import type {
  Activity,
  ActivityQuery,
  DeskCounts,
  DeskFacets,
  DeskTicketQuery,
  DeskTicketRow,
  IssueTypeFigures,
  TimelineEvent,
} from './ports/desk-queries.js';
import type { ThreadRecord } from './ports/thread-store.js';
import type { QueueEntry } from './ports/ticket-store.js';

/**
 * Something an operator's screen should show: `ticket` { ticketId, threadId, what }, `message` { threadId, message } and
 * `approval` { id, threadId, status }, `presence` { ticketId, threadId, operator, watching, typing }, `read` { threadId, by,
 * messageId, at } and `typing` { threadId, by, name, typing }.
 */
export interface DeskEvent {
  /** The number of the stored event; a client sends the last one back to continue. */
  readonly id: string;
  readonly type: 'ticket' | 'message' | 'approval' | 'presence' | 'read' | 'typing';
  readonly data: Readonly<Record<string, unknown>>;
}

/** Tells operators what changes, whichever process changed it. */
export interface DeskEvents {
  /**
   * Resolves when following has begun; what was missed since `after` has been told by then.
   * @throws HubError `input_invalid` for an `after` that is no id, `database_failed`
   */
  follow(input: {
    readonly after?: string | undefined;
    readonly onEvent: (event: DeskEvent) => void;
    /** Ends it. */
    readonly signal: AbortSignal;
  }): Promise<void>;
}

/** A customer as an operator sees one. */
export interface CustomerRecord {
  readonly user: Customer;
  /** What the company has on record, in the operator's language. */
  readonly sections: readonly RecordSection[];
  readonly memory: CustomerMemory;
  readonly tickets: readonly CustomerTicket[];
}

/**
 * How long a ticket has waited, on a clock that runs in business hours only. It starts when the ticket is handed to the
 * operators or an approval is asked for, stops with their answer or decision, and starts again when the customer writes
 * after that.
 */
export interface ServiceClock {
  /** Business minutes since it was handed to the operators. */
  readonly waitedMinutes: number;
  /** Business minutes it may wait, by priority. */
  readonly targetMinutes: number;
  /** When the target is reached, ISO 8601 UTC. */
  readonly dueAt: string;
  /** False out of hours. */
  readonly running: boolean;
  /** When it runs again, ISO 8601 UTC; null while it does. */
  readonly resumesAt: string | null;
  readonly breached: boolean;
}

/** A ticket of the queue with what the list shows. */
export interface DeskEntry
  extends QueueEntry,
    Pick<DeskTicketRow, 'customerMessage' | 'unread' | 'tags' | 'snoozedUntil' | 'mergedInto'> {
  /** The team that it was given to, else the one that the company's rules name; null where none. */
  readonly team: string | null;
  /** Null where nobody waits for an operator. */
  readonly clock: ServiceClock | null;
  readonly customerName: string | null;
  readonly lastMessage: TicketMessage | null;
  /** Open approvals of the ticket. */
  readonly approvals: number;
  /** See DeskTicketRow. */
  readonly withdrawnAt: string | null;
}

/** An action that waits for an operator, with what deciding it means. */
export interface ApprovalDetails {
  readonly pending: PendingAction;
  readonly customerName: string | null;
  /** What happens on a yes, then what happens on a no, in plain sentences. */
  readonly consequences: readonly string[];
  /** See DeskTicket. */
  readonly recordNames: Readonly<Record<string, string>>;
}

/** What an operator must know of the customer before the first word. */
export interface CustomerFlag {
  /** `blocked`: may change nothing; `record`: the company's record says it. */
  readonly kind: 'blocked' | 'record';
  /** In the operator's language; empty for `blocked`. */
  readonly label: string;
  readonly tone: RecordTone;
}

/** A ticket with what only its own page shows. */
export interface DeskTicket extends DeskEntry {
  readonly customerFlags: readonly CustomerFlag[];
  /** What people call the customer's records, by id, in the operator's language. */
  readonly recordNames: Readonly<Record<string, string>>;
  /** Of the whole conversation, oldest first, with what only operators see. */
  readonly messages: readonly TicketMessage[];
  /** True where older messages were left off. */
  readonly hasEarlier: boolean;
  /** How far the customer and the operators have read it. */
  readonly readBy: ThreadRecord['readBy'];
  /** IANA name of the time zone where the customer is; null where it is not known. */
  readonly customerTimeZone: string | null;
  readonly approvalsOpen: readonly ApprovalDetails[];
}

/** A suggested reply, to accept or edit. */
export interface Suggestion {
  readonly text: string;
  readonly citations: readonly {
    readonly articleId: string;
    readonly title: string;
    readonly confidence: number;
  }[];
  /** Who wrote it. */
  readonly provider: 'openai' | 'offline';
  /** True where something was looked up, and no article surely answers it. */
  readonly unanswered: boolean;
}

/** One day and issue type of the dashboard. */
interface ReportRow extends IssueTypeFigures {
  /** Local date, YYYY-MM-DD. */
  readonly day: string;
}

/** What one operator did in the time of a report. Times are medians in minutes of business hours; null where there is none. */
export interface OperatorFigures {
  /** The name, as customers read it. */
  readonly operator: string;
  /** Tickets with an answer of theirs. */
  readonly answered: number;
  /** Tickets with an escalation that was answered first by them. */
  readonly firstAnswered: number;
  /** From the escalation to that answer. */
  readonly firstAnswerMinutes: number | null;
  readonly resolved: number;
  /** From the escalation, or the claim where there was none, to the resolution. */
  readonly resolutionMinutes: number | null;
  /** Of the resolved ones, those whose customer wrote again within seven days. */
  readonly reopened: number;
  readonly helpful: number;
  readonly unhelpful: number;
}

/** The whole time of a report in figures. */
interface ReportTotals {
  readonly opened: number;
  /** Of the opened ones, those that are resolved now. */
  readonly openedResolved: number;
  /** Of the opened ones, those that were resolved without an operator, and not reopened within seven days. */
  readonly deflected: number;
  readonly resolved: number;
  /** Of the resolved ones, those whose customer wrote again within seven days. */
  readonly reopened: number;
  /** Median of operators' first answers, business minutes. */
  readonly firstAnswerMinutes: number | null;
  /** Median of what operators resolved, business minutes. */
  readonly resolutionMinutes: number | null;
  /** Ratings of the hub's answers. */
  readonly hubHelpful: number;
  readonly hubUnhelpful: number;
}

/** What the dashboard plots. */
export interface Report {
  /** The first and the last local day, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly rows: readonly ReportRow[];
  readonly escalationReasons: readonly { readonly reason: string; readonly count: number }[];
  readonly sentiments: readonly {
    readonly day: string;
    readonly sentiment: string;
    readonly count: number;
  }[];
  /** Of the hub's answers (milliseconds) and of operators' first replies (business minutes). */
  readonly responseTimes: readonly {
    readonly day: string;
    readonly hubMedianMs: number | null;
    readonly hubP95Ms: number | null;
    readonly operatorMedianMinutes: number | null;
  }[];
  readonly ratings: readonly { readonly day: string; readonly helpful: number; readonly unhelpful: number }[];
  /** The reasons by day; days without any are left out. */
  readonly escalations: readonly { readonly day: string; readonly reason: string; readonly count: number }[];
  readonly totals: ReportTotals;
  /** Those who answered most first. */
  readonly operators: readonly OperatorFigures[];
}

/** Which tickets a list of the desk shows; all conditions hold together. */
export interface DeskListQuery extends Omit<DeskTicketQuery, 'customerIds' | 'team' | 'from' | 'to'> {
  /** Id of a team of the company. */
  readonly team?: string | undefined;
  /** The first and the last local day of what happened, YYYY-MM-DD. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** See DeskFacets: of how many local days, today included, those opened are. */
export interface DeskListFacets extends Omit<DeskFacets, 'opened'> {
  readonly opened: readonly { readonly days: number; readonly count: number }[];
}

/** One thing that was done, with the customer's name. */
export interface NamedActivity extends Activity {
  readonly customerName: string | null;
}

/** What operators look up. */
export interface DeskReads {
  /** The queue with clocks and names. `view` picks what an operator's tabs show; `mine` needs the operator's id. */
  entries(query: DeskListQuery): Promise<readonly DeskEntry[]>;
  /** How many tickets that query has, whatever its limit. */
  total(query: DeskListQuery): Promise<number>;
  /** What would be left of that query by status, channel, operator, language and time. */
  facets(query: Omit<DeskListQuery, 'limit'>): Promise<DeskListFacets>;
  /** How many tickets each tab holds, whatever else is asked for. */
  counts(operatorId?: string, operatorName?: string): Promise<DeskCounts>;
  /**
   * @param language of the consequences
   * @param count how many of the newest messages; 1,000 where not said
   * @throws HubError `not_found`
   */
  ticket(ticketId: string, language: Language, count?: number): Promise<DeskTicket>;
  /** Open approvals, oldest first. */
  approvalDetails(language: Language): Promise<readonly ApprovalDetails[]>;
  /** Why the graph took a step, in words. @param by as stored with a turn, e.g. `rule:R5` */
  why(by: string, language: Language): string;
  /** What the investigation engine says by itself, in the operator's language; any other text as it is. */
  worded(text: string, language: Language, words?: SkillWords): string;
  /** @throws HubError `not_found` */
  clock(ticketId: string): Promise<ServiceClock | null>;
  /** By name, e-mail address or id. */
  findCustomers(text: string, limit: number): Promise<readonly Customer[]>;
  /** What stands against a customer. @param language of the labels */
  flags(customerId: string, language: Language): Promise<readonly CustomerFlag[]>;
  /** @param language of the labels @throws HubError `not_found` */
  customer(customerId: string, language: Language): Promise<CustomerRecord>;
  /** What happened with a customer across all tickets, the newest first. @throws HubError `not_found` */
  timeline(customerId: string): Promise<readonly TimelineEvent[]>;
  /** A reply that the hub would give. Nothing is stored or done. @throws HubError `not_found` */
  suggest(ticketId: string): Promise<Suggestion>;
  /** What was done across all tickets, the newest first. */
  history(query: ActivityQuery): Promise<readonly NamedActivity[]>;
  /** @param since ISO 8601 UTC */
  away(operator: Operator, since: string): Promise<Away>;
  /** @param days how many local days back, today included */
  report(days: number): Promise<Report>;
}
