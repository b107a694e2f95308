import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';
import type {
  Charge,
  Experience,
  QuotaUsage,
  Refund,
  ReservationDetails,
  Subscription,
  Tier,
  User,
} from './records.js';

/** Filters for the public catalogue; all optional and combined with AND. */
export interface ExperienceQuery {
  /** Words looked for in title, description and location, or names of kinds; accents and case folded. */
  readonly text?: string;
  /** City or venue. */
  readonly location?: string;
  /** ISO 8601 UTC, inclusive. */
  readonly from?: string;
  /** ISO 8601 UTC, exclusive. */
  readonly to?: string;
  readonly isPremium?: boolean;
  /** True: only what costs nothing beside the plan. */
  readonly isFree?: boolean;
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
  listPayments(customerId: string): Promise<readonly Charge[]>;
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
  /** active or paused → cancelled as of now, unless it is cancelled, and these charges go back, all of them or none. */
  withdrawSubscription(context: WriteContext, charges: readonly ChargeRefund[]): Promise<Withdrawal>;
  /**
   * Puts right what went wrong on CultPass's side; only an operator's decision leads here.
   * @param tool which correction it is
   * @param outcome what is stored with it, and returned whenever the key is repeated
   */
  correct<T extends object>(tool: string, context: WriteContext, outcome: T, change: Correction): Promise<T>;
}

/** One charge, and how much of it goes back, in centavos. */
export interface ChargeRefund {
  readonly paymentId: string;
  readonly amountCents: number;
}

/** A subscription that its customer has withdrawn from. */
export interface Withdrawal {
  readonly subscription: Subscription;
  readonly refundedCents: number;
}

/** What a correction changes. */
export type Correction =
  /** Charges go back that were a mistake, all of them or none; each once, and at most what was taken. */
  | { readonly kind: 'refund_charges'; readonly charges: readonly ChargeRefund[] }
  | { readonly kind: 'refund_reservation'; readonly reservationId: string; readonly amountCents: number }
  /** failed → processing. */
  | { readonly kind: 'retry_refund'; readonly refundId: string }
  /** A visit that has passed and was not had counts no longer: reserved → cancelled. */
  | { readonly kind: 'return_visit'; readonly reservationId: string }
  /** cancelled or paused → active; a new subscription where there was none. */
  | { readonly kind: 'restore_plan'; readonly tier: Tier; readonly visits: number }
  /** Another plan for an active subscription. */
  | { readonly kind: 'apply_plan'; readonly tier: Tier; readonly visits: number };
