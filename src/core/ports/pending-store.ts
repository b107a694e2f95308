import type { Decision, PendingAction } from '../domain/pending.js';

export type NewPending = Omit<PendingAction, 'status' | 'createdAt' | 'decidedAt' | 'decidedBy' | 'reason'>;

/**
 * Open questions and the decisions taken on them. The rows decide; the graph only waits for them.
 * Expiry is applied on read with the Clock: a pending row past `expiresAt` reads (and is stored) as expired.
 */
export interface PendingStore {
  /** Opens a question; repeating the same id changes nothing and returns the stored row. An open
   * confirmation of the same thread with another id becomes `superseded` in the same transaction. */
  open(pending: NewPending): Promise<PendingAction>;
  get(pendingId: string): Promise<PendingAction | null>;
  /** The open confirmation of a thread, at most one. */
  findOpenConfirmation(threadId: string): Promise<PendingAction | null>;
  /** The newest question of a thread that was agreed to, whether it has been carried out yet or not. */
  findLatestAgreed(threadId: string): Promise<PendingAction | null>;
  /** All approvals that a ticket ever had, oldest first. */
  listApprovalsOfTicket(ticketId: string): Promise<readonly PendingAction[]>;
  /** Approvals that their customers withdrew at or after this time (ISO 8601 UTC), oldest first. */
  listWithdrawn(since: string): Promise<readonly PendingAction[]>;
  /** Open approvals, oldest first; of one thread where given. */
  listOpenApprovals(threadId?: string): Promise<readonly PendingAction[]>;
  /** Approvals that expired undecided and whose customer was not told so, oldest first; of one thread where given. */
  listLapsedApprovals(threadId?: string): Promise<readonly PendingAction[]>;
  /** The customer was told that it expired. Returns false where that had happened before, or where it did not expire. */
  settleLapsed(pendingId: string): Promise<boolean>;
  /** Decided or withdrawn, but not released: what a crash left to finish, oldest first; of one thread where given. */
  listUnreleased(threadId?: string): Promise<readonly PendingAction[]>;
  /**
   * Takes the decision if, in one statement, the row is still pending and not expired.
   * @throws HubError `pending_not_found`, `pending_decided` (fields: status), `pending_withdrawn`, `pending_expired`
   */
  decide(pendingId: string, decision: Decision): Promise<PendingAction>;
  /**
   * The customer takes an open approval back, in the same one statement as `decide`: of a withdrawal and an operator's
   * decision exactly one wins.
   * @param withdrawal `by` is `customer:<id>`, `words` are what the customer said
   * @throws HubError as `decide`
   */
  withdraw(
    pendingId: string,
    withdrawal: { readonly by: string; readonly words: string },
  ): Promise<PendingAction>;
  /**
   * Takes a customer's yes back whose turn broke off before anything was done, so that the question is open again.
   * Only for a confirmation that is approved and has not expired. Returns false where it is not.
   */
  reopen(pendingId: string): Promise<boolean>;
  /**
   * The decision was carried out and the customer told: approved → released; any other row is only marked so.
   * Returns false where that had happened before, or where nothing was decided.
   */
  release(pendingId: string): Promise<boolean>;
  /**
   * The ledger says that it was done, and nothing here does: the row is released as decided then by that one, whatever it
   * was. Returns false where it is approved or released, or where there is none.
   */
  settleDone(pendingId: string, by: string, at: string): Promise<boolean>;
  /** Withdraws an open question (a newer request replaced it). No effect on a decided one. */
  supersede(pendingId: string): Promise<void>;
}
