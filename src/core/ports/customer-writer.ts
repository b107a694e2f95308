import type { Refund, ReservationDetails, Subscription } from '../domain/customer.js';

/** What every write carries. */
export interface WriteContext {
  /** The verified owner; the statement itself is limited to rows of this customer. */
  readonly customerId: string;
  /** The same key never has a second effect: the first outcome is returned again. */
  readonly idempotencyKey: string;
  /** SHA-256 of tool and arguments; the same key with another hash is refused (`pending_mismatch`). */
  readonly argsHash: string;
  readonly ticketId: string;
  /** Who released it, e.g. `customer:u_01` or `operator:op_1`. */
  readonly releasedBy: string;
  /** Time of the effect, from the Clock. */
  readonly at: Date;
}

export interface CancelReservationResult {
  readonly reservation: ReservationDetails;
  /** Null where nothing was paid. */
  readonly refund: Refund | null;
}

/** Committed effects, read back to reconcile the audit log after a crash. */
export interface LedgerEntry {
  readonly idempotencyKey: string;
  readonly customerId: string;
  readonly ticketId: string;
  readonly tool: string;
  readonly argsHash: string;
  readonly releasedBy: string;
  readonly outcome: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

/**
 * Changes CultPass. Each method is ONE synchronous transaction: the change guarded by
 * `WHERE id = ? AND user_id = ? AND status = ?`, the ledger row (unique by idempotency key), the refund
 * row (unique by reservation and by key). A repeated key returns the stored outcome and changes nothing.
 * Throws HubError: `not_found` (missing or somebody else's), `already_done`, `already_refunded`,
 * `wrong_status`, `pending_mismatch`, `disk_full`, `database_failed`; after a throw nothing was written.
 */
export interface CustomerWriter {
  /** reserved → cancelled, gives the slot back, and refunds `refundCents` where above 0. */
  cancelReservation(
    context: WriteContext,
    reservationId: string,
    refundCents: number,
  ): Promise<CancelReservationResult>;
  /** cancelled or reserved (no-show) → refunded, with one ledger row of `amountCents`. */
  refundReservation(context: WriteContext, reservationId: string, amountCents: number): Promise<Refund>;
  /** active → paused; `until` is when it resumes by itself (stored in ended_at). */
  pauseSubscription(context: WriteContext, until: Date): Promise<Subscription>;
  /** paused → active. */
  resumeSubscription(context: WriteContext): Promise<Subscription>;
  /** active or paused → cancelled as of now. */
  cancelSubscription(context: WriteContext): Promise<Subscription>;
  /** The stored outcome of a key, or null where it never took effect. */
  findOutcome(idempotencyKey: string): Promise<LedgerEntry | null>;
  /** Ledger rows created at or after the time, oldest first. */
  listLedger(since: Date): Promise<readonly LedgerEntry[]>;
}
