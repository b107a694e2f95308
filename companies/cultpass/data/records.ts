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

export type PaymentStatus = 'paid' | 'failed' | 'pending';

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

export type RefundStatus = 'processing' | 'completed' | 'failed';

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
