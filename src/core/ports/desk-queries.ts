import type { HandNote } from '../desk-away.js';
import type { KnowledgeGap } from '../desk-work.js';
import type { Operator } from '../domain/customer.js';
import type { CustomerTicket, TicketMessage } from '../domain/ticket.js';
import type { QueueEntry } from './ticket-store.js';

/**
 * What a list of the desk holds. `waiting`: the hub has it, and waits for the customer or for an approval; `hub`: the hub is
 * at work on it; `team`: people have it, and the customer waits; `customer`: people have it, and wait for the customer;
 * `approvals`: an action waits for an operator; `snoozed`: put aside until a time, or until the customer writes; `mentioned`: a
 * colleague's note names the operator, who has written nothing on it since.
 */
export const DESK_VIEWS = [
  'unassigned',
  'mine',
  'waiting',
  'resolved',
  'all',
  'hub',
  'team',
  'customer',
  'approvals',
  'snoozed',
  'mentioned',
] as const;
export type DeskView = (typeof DESK_VIEWS)[number];

/** `pressing`: by priority and then by age; `newest` and `oldest` by the last change. */
export const DESK_SORTS = ['pressing', 'newest', 'oldest'] as const;
export type DeskSort = (typeof DESK_SORTS)[number];

/**
 * What happened with a ticket in a span of time, by which figures count it. `escalated`: handed to the operators; `answered`: by
 * an operator; `first_answered`: the first answer of an operator to an escalation; `hub_answered`: a turn of the hub;
 * `resolved`: and not merged; `reopened`: resolved, and the customer wrote again in the conversation within seven days; `rated`:
 * by its customer; `deflected`: opened, and resolved without an operator and without being reopened.
 */
export const FIGURE_EVENTS = [
  'opened',
  'deflected',
  'escalated',
  'answered',
  'first_answered',
  'hub_answered',
  'resolved',
  'reopened',
  'rated',
] as const;
export type FigureEvent = (typeof FIGURE_EVENTS)[number];

/** What stands behind a figure of the reports; all conditions hold together. */
export interface FigureQuery {
  /** Within `from` and `to`; `opened` where absent. */
  readonly happened?: FigureEvent | undefined;
  /** ISO 8601 UTC, inclusive. */
  readonly from?: string | undefined;
  /** ISO 8601 UTC, exclusive. */
  readonly to?: string | undefined;
  /** The name of the operator who answered; of what is no answer, of the one whose ticket it is. */
  readonly person?: string | undefined;
  /** Why it was escalated. */
  readonly reason?: string | undefined;
  readonly rating?: 'helpful' | 'unhelpful' | undefined;
  readonly sentiment?: string | undefined;
  /** Any of these; `none` is a ticket without triage. */
  readonly issueTypes?: readonly string[] | undefined;
  /** The article that an answer of it cites. */
  readonly article?: string | undefined;
  /** Whether an operator had claimed it, or was asked about it. */
  readonly human?: 'with' | 'without' | undefined;
}

/** What a list of the desk holds; all conditions hold together. */
export interface DeskNarrowing extends FigureQuery {
  readonly view: DeskView;
  /** Whose tickets `mine` are; without it there are none. */
  readonly operatorId?: string | undefined;
  /** Who is named in the notes of `mentioned`; without it there are none. */
  readonly operatorName?: string | undefined;
  readonly priority?: string | undefined;
  readonly issueType?: string | undefined;
  readonly status?: string | undefined;
  readonly owner?: string | undefined;
  readonly channel?: string | undefined;
  /** Of the conversation, as its triage says. */
  readonly language?: string | undefined;
  readonly tag?: string | undefined;
  /** Those that were given to this team, and those about its issue types that were given to none. */
  readonly team?: { readonly id: string; readonly issueTypes: readonly string[] } | undefined;
}

/** One page of a list. */
export interface DeskTicketQuery extends DeskNarrowing {
  /** Words of one message or of the summary, or the beginning of an id; accents and case are folded. */
  readonly text?: string | undefined;
  /** Customers whose tickets fit the text too, because their name does. */
  readonly customerIds?: readonly string[] | undefined;
  /** The order of the view where absent. */
  readonly sort?: DeskSort | undefined;
  readonly limit: number;
  /** How many of the list are left out at its beginning. */
  readonly offset?: number | undefined;
}

/** A value that a list can be narrowed to (of an operator the name), and how many tickets it would then hold. */
export interface DeskFacet {
  readonly value: string;
  readonly count: number;
}

/** What a list can be narrowed by, the most frequent first. A choice does not count within its own facet. */
export interface DeskFacets {
  readonly status: readonly DeskFacet[];
  readonly channel: readonly DeskFacet[];
  readonly operator: readonly DeskFacet[];
  readonly language: readonly DeskFacet[];
  /** How many were opened since each of the moments asked for. */
  readonly opened: readonly number[];
}

/** A ticket with what the desk's list shows. */
export interface DeskTicketRow extends QueueEntry {
  /** The last one that the customer saw or wrote. */
  readonly lastMessage: TicketMessage | null;
  /** The customer's last words; null where the customer has written nothing. */
  readonly customerMessage: Pick<TicketMessage, 'content' | 'createdAt'> | null;
  /** Messages of the customer that no operator has looked at; 0 while the hub has it. */
  readonly unread: number;
  readonly tags: readonly string[];
  /** The team that it was given to by hand; null where none was named. */
  readonly team: string | null;
  /** The ticket that it was merged into. */
  readonly mergedInto: string | null;
  /** Until when it is put aside, ISO 8601 UTC; null where it is not. */
  readonly snoozedUntil: string | null;
  /** How many are open. */
  readonly approvals: number;
  /** When the customer took back the ticket's newest approval, ISO 8601 UTC; null where that is not what became of it. */
  readonly withdrawnAt: string | null;
  /** Since when a person's answer or decision is awaited, ISO 8601 UTC; null where none is. */
  readonly waitingSince: string | null;
}

/** A claimed ticket whose customer waits, and since when (ISO 8601 UTC) nothing was heard from its operator. */
export interface WaitingClaim {
  readonly ticketId: string;
  readonly threadId: string;
  readonly holder: Operator;
  readonly silentSince: string;
}

/** One thing that happened with a customer. */
export interface TimelineEvent {
  readonly kind: 'opened' | 'escalated' | 'answered' | 'resolved' | 'merged' | 'done' | 'refused' | 'rated';
  readonly ticketId: string | null;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** What it was about: the summary, the reason, the tool, or what the customer thought. */
  readonly about: string;
  /** The operator's name, or an action's actor, whose `details` are JSON; null where it was the hub or the customer. */
  readonly by: string | null;
  readonly details: string | null;
}

/** What people and the hub do at the desk, as its history tells it. */
export const ACTIVITY_KINDS = [
  'escalated',
  'answered',
  'noted',
  'took_over',
  'given',
  'taken',
  'put_back',
  'lapsed',
  'shift_ended',
  'handed_back',
  'resolved',
  'merged',
  'snoozed',
  'woken',
  'done',
  'refused',
  'failed',
] as const;

/** One thing that was done. */
export interface Activity {
  readonly kind: (typeof ACTIVITY_KINDS)[number];
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: 'operator' | 'customer' | 'hub';
  /** The operator's name; null of anybody else, and where it is not known. */
  readonly person: string | null;
  readonly ticketId: string | null;
  readonly customerId: string | null;
  /**
   * The action, whose `details` are JSON; why it was escalated; the colleague it was given to or taken from; until when it was put
   * aside; null of anything else.
   */
  readonly about: string | null;
  /** The title of the article, or the path of the company's file, that it was done to; null of anything else. */
  readonly article: string | null;
  readonly details: string | null;
}

/** How many tickets each of the desk's tabs holds; as `unread` those of `mine` with words of the customer that nobody has seen. */
export type DeskCounts = Readonly<Record<Exclude<DeskView, 'all'> | 'unread', number>>;

/** A local day as instants, ISO 8601 UTC: from inclusive, to exclusive. */
export interface DayInterval {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly from: string;
  readonly to: string;
}

/** A ticket behind a figure. */
export interface FigureRow {
  readonly ticketId: string;
  /** The operator's name; null where there is none. */
  readonly person: string | null;
  /** The reason of an escalation, or `helpful` and `unhelpful` of a rating; null of anything else. */
  readonly detail: string | null;
  /** What took time: from the escalation to the answer, or to the resolution; ISO 8601 UTC. */
  readonly begun: string | null;
  readonly ended: string | null;
}

/** What is counted of one day and issue type. */
export interface IssueTypeFigures {
  readonly issueType: string;
  readonly tickets: number;
  /** No operator ever had it, and none was asked to approve anything. */
  readonly withoutHuman: number;
  readonly turns: number;
  readonly costUsd: number;
  readonly negative: number;
}

/** What was done across all tickets in a span of time. */
export interface ActivityQuery {
  /** ISO 8601 UTC, inclusive; at the desk the first local day, YYYY-MM-DD. */
  readonly from: string;
  /** ISO 8601 UTC, exclusive; at the desk the last local day, YYYY-MM-DD. */
  readonly to: string;
  /** Part of an operator's name; all operators, customers and the hub where absent. */
  readonly person?: string | undefined;
  readonly limit: number;
}

/** What is counted of one day. */
export interface DayFigures {
  readonly day: string;
  readonly types: readonly IssueTypeFigures[];
  readonly sentiments: readonly { readonly sentiment: string; readonly count: number }[];
  /** Milliseconds of the hub's turns. */
  readonly hubMedianMs: number | null;
  readonly hubP95Ms: number | null;
  /** Of the tickets opened on the day. */
  readonly openedResolved: number;
  readonly deflected: number;
  /** A row for each reason of a ticket. */
  readonly escalated: readonly FigureRow[];
  readonly answered: readonly FigureRow[];
  readonly firstAnswered: readonly FigureRow[];
  readonly resolved: readonly FigureRow[];
  readonly reopened: readonly FigureRow[];
  readonly rated: readonly FigureRow[];
}

/** What operators ask of all tickets at once. Read-only; quick with 100,000 tickets. @throws HubError `database_failed` on a fault */
export interface DeskQueries {
  /** Most pressing first and then the longest waiting; resolved ones and `all` the newest first. */
  tickets(query: DeskTicketQuery): Promise<readonly DeskTicketRow[]>;
  /** How many there are of them, whatever the limit. */
  total(query: DeskTicketQuery): Promise<number>;
  /** @param since moments, the latest first, ISO 8601 UTC */
  facets(query: Omit<DeskTicketQuery, 'limit'>, since: readonly string[]): Promise<DeskFacets>;
  ticket(ticketId: string): Promise<DeskTicketRow | null>;
  /** The newest first. */
  ofCustomer(customerId: string, limit: number): Promise<readonly CustomerTicket[]>;
  counts(operatorId?: string, operatorName?: string): Promise<DeskCounts>;
  /** What happened on all tickets of a customer, the newest first. */
  timeline(customerId: string, limit: number): Promise<readonly TimelineEvent[]>;
  /** Questions that were passed on because no article answered them, since then (ISO 8601 UTC), the most frequent first. */
  gaps(since: string): Promise<readonly KnowledgeGap[]>;
  /** What was done across all tickets, the newest first. */
  activities(query: ActivityQuery): Promise<readonly Activity[]>;
  /** What the desk noted since then that names an operator, oldest first; of too many the newest. @param since ISO 8601 UTC, inclusive */
  handedSince(since: string, name: string): Promise<readonly HandNote[]>;
  /** Claimed tickets whose customers wait and whose operators were not heard from since then. */
  claims(before: Date): Promise<readonly WaitingClaim[]>;
  /** Issue types are those of the tickets' newest triage, `none` where there was none. */
  figures(day: DayInterval): Promise<DayFigures>;
}
