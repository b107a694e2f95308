import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';

/** A customer of CultPass. */
export interface User {
  readonly userId: string;
  readonly fullName: string;
  readonly email: string;
  readonly isBlocked: boolean;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

export type SubscriptionStatus = 'active' | 'paused' | 'cancelled';
export type Tier = 'basic' | 'premium';

export interface Subscription {
  readonly subscriptionId: string;
  readonly userId: string;
  readonly status: SubscriptionStatus;
  readonly tier: Tier;
  /** Visits included in a calendar month. */
  readonly monthlyQuota: number;
  readonly startedAt: string;
  /** When it ended (cancelled) or will resume by itself (paused); null while active. */
  readonly endedAt: string | null;
}

export interface Experience {
  readonly experienceId: string;
  readonly title: string;
  readonly description: string;
  /** City and venue, e.g. "São Paulo - Theatro Municipal". */
  readonly location: string;
  readonly startsAt: string;
  readonly slotsAvailable: number;
  readonly isPremium: boolean;
  /** Extra price on top of the visit, in centavos; 0 when the plan covers it. */
  readonly priceCents: number;
}

export type ReservationStatus = 'reserved' | 'attended' | 'cancelled' | 'refunded';

export interface Reservation {
  readonly reservationId: string;
  readonly userId: string;
  readonly experienceId: string;
  readonly status: ReservationStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type PaymentStatus = 'paid' | 'failed' | 'pending';

export interface Payment {
  readonly paymentId: string;
  readonly userId: string;
  /** Null for a subscription charge. */
  readonly reservationId: string | null;
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: PaymentStatus;
  readonly createdAt: string;
}

/** A charge, and what of it went back by itself, in centavos. */
export interface Charge extends Payment {
  readonly refundedCents: number;
  /** When; null where nothing did. */
  readonly refundedAt: string | null;
}

type RefundStatus = 'processing' | 'completed' | 'failed';

/** One row of the refund ledger; at most one a reservation and one a charge, whatever happens. */
export interface Refund {
  readonly refundId: string;
  /** Null where one charge went back. */
  readonly reservationId: string | null;
  /** The charge that went back because it was a mistake; null where a reservation was refunded. */
  readonly paymentId: string | null;
  readonly amountCents: number;
  readonly status: RefundStatus;
  readonly idempotencyKey: string;
  readonly createdAt: string;
}

/** A reservation with all that is needed to talk about it or to apply a rule to it. */
export interface ReservationDetails extends Reservation {
  readonly experience: Experience;
  /** What was paid for it and not failed, without charges that went back one by one; in centavos. */
  readonly paidCents: number;
  readonly refund: Refund | null;
}

/** Visits of the current calendar month (America/Sao_Paulo). */
export interface QuotaUsage {
  readonly monthlyQuota: number;
  readonly used: number;
  readonly remaining: number;
  /** When the next quota begins, ISO 8601 UTC. */
  readonly resetsAt: string;
}

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
interface Withdrawal {
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
  /** blocked → not blocked. */
  | { readonly kind: 'unblock' }
  /** A visit that has passed and was not had counts no longer: reserved → cancelled. */
  | { readonly kind: 'return_visit'; readonly reservationId: string }
  /** cancelled or paused → active; a new subscription where there was none. */
  | { readonly kind: 'restore_plan'; readonly tier: Tier; readonly visits: number }
  /** Another plan for an active subscription. */
  | { readonly kind: 'apply_plan'; readonly tier: Tier; readonly visits: number };

/** São Paulo is UTC-3 all year since daylight saving ended in 2019. */
export const SAO_PAULO_OFFSET_MS = 3 * 3_600_000;

/** A calendar month in São Paulo as a half-open interval of instants. */
interface MonthInterval {
  readonly start: Date;
  readonly end: Date;
}

/** The calendar month in São Paulo that contains the instant. */
export function monthInSaoPaulo(at: Date): MonthInterval {
  const local = new Date(at.getTime() - SAO_PAULO_OFFSET_MS);
  const firstOf = (month: number): Date =>
    new Date(Date.UTC(local.getUTCFullYear(), month, 1) + SAO_PAULO_OFFSET_MS);
  return { start: firstOf(local.getUTCMonth()), end: firstOf(local.getUTCMonth() + 1) };
}
