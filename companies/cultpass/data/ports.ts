import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';
import type {
  Experience,
  Payment,
  QuotaUsage,
  Refund,
  ReservationDetails,
  Subscription,
  User,
} from './records.js';

/** Filters for the public catalogue; all optional and combined with AND. */
export interface ExperienceQuery {
  /** Words looked for in title, description and location, accents and case folded. */
  readonly text?: string;
  /** City or venue. */
  readonly location?: string;
  /** ISO 8601 UTC, inclusive. */
  readonly from?: string;
  /** ISO 8601 UTC, exclusive. */
  readonly to?: string;
  readonly isPremium?: boolean;
  readonly limit: number;
}

/**
 * Reads CultPass. Every method that touches personal data takes the verified customer id and returns
 * nothing of anybody else, even when it is given an id that exists.
 * Implemented over a read-only database handle. All methods throw HubError `database_failed` on a fault.
 */
export interface CustomerReader {
  /** For sign-in only. Case-insensitive. */
  findUserByEmail(email: string): Promise<User | null>;
  getUser(customerId: string): Promise<User | null>;
  /** The newest subscription of the customer. */
  getSubscription(customerId: string): Promise<Subscription | null>;
  /** All reservations of the customer, soonest upcoming first, then past ones newest first. */
  listReservations(customerId: string): Promise<readonly ReservationDetails[]>;
  /** Null where the reservation does not exist or is not this customer's: the two look the same. */
  getReservation(customerId: string, reservationId: string): Promise<ReservationDetails | null>;
  /** Newest first. */
  listPayments(customerId: string): Promise<readonly Payment[]>;
  /** Visits used and left in the calendar month of `at` in America/Sao_Paulo. Null without a subscription. */
  getQuotaUsage(customerId: string, at: Date): Promise<QuotaUsage | null>;
  /** Upcoming public experiences (no personal data), soonest first. */
  findExperiences(query: ExperienceQuery, at: Date): Promise<readonly Experience[]>;
}

export interface CancelReservationResult {
  readonly reservation: ReservationDetails;
  /** Null where nothing was paid. */
  readonly refund: Refund | null;
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
}
