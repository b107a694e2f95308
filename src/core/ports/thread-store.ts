import type { ThreadLimits } from '../domain/access.js';
import type { Operator } from '../domain/customer.js';

/** A conversation: whose it is, which LangGraph thread carries it at present, and who has it in hand. */
export interface ThreadRecord extends ThreadLimits {
  readonly threadId: string;
  /** Null for an anonymous conversation. Never changes. */
  readonly customerId: string | null;
  /** Equal to `threadId` until a side question had to leave a paused graph alone. */
  readonly graphThreadId: string;
  /** Who has claimed it; null while it is the hub's. */
  readonly operator: Operator | null;
  /** Counts changes of hands. A turn that began under another number is over: nothing of it is written or sent. */
  readonly claim: number;
  /** Counts the customer's wishes to stop. An answer that began under another number is not given. */
  readonly stops: number;
  /**
   * Creation time of the first message of the human stretch that the agents have not heard yet (ISO 8601 UTC);
   * null once they have.
   */
  readonly unheardSince: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A conversation in a customer's list. */
export interface ThreadSummary extends ThreadRecord {
  readonly ticketId: string | null;
  /** How the conversation began, cut to 120 characters; null where nothing was said yet. */
  readonly title: string | null;
}

/** One row a conversation. Throws HubError `database_failed` or `disk_full` on a fault. */
export interface ThreadStore {
  get(threadId: string): Promise<ThreadRecord | null>;
  /** Creates the row, or moves it to another LangGraph thread; owner and limits of an existing row stay. */
  put(
    record: Pick<ThreadRecord, 'threadId' | 'customerId' | 'graphThreadId'> & Partial<ThreadLimits>,
  ): Promise<void>;
  /** The customer's conversations, the latest first. */
  list(customerId: string, limit: number): Promise<readonly ThreadSummary[]>;
  /**
   * Puts the conversation and its unresolved tickets into an operator's hands, in one transaction. Repeated by the same
   * operator it takes in tickets that were opened meanwhile, and changes nothing else.
   * @throws HubError `not_found`, `already_claimed` (fields: operator)
   */
  claim(threadId: string, operator: Operator): Promise<ThreadRecord>;
  /**
   * Takes it out of the operator's hands: `queue` leaves its tickets with the operators for whoever claims next, `hub`
   * gives them back to the hub. In one transaction.
   * @throws HubError `not_claimed` where it is not this operator's
   */
  release(threadId: string, operator: Operator, to: 'queue' | 'hub'): Promise<ThreadRecord>;
  /**
   * Puts it from one operator's hands into another's, with its unresolved tickets, in one transaction.
   * @throws HubError `not_claimed` where it is not the first one's (any more)
   */
  transfer(threadId: string, from: Operator, to: Operator): Promise<ThreadRecord>;
  /** Counts one wish more that the running answer be stopped. */
  stop(threadId: string): Promise<void>;
  /** The agents have been told of the human stretch. */
  heard(threadId: string): Promise<void>;
}
