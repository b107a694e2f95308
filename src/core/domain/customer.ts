import type { Language } from './taxonomy.js';

/**
 * Who is speaking, as verified by the surface before the turn began.
 * Nothing in the conversation can change it.
 */
export type Identity =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'customer'; readonly customerId: string; readonly email: string };

export const ANONYMOUS: Identity = { kind: 'anonymous' };

/** An operator who decides approvals and answers tickets. */
export interface Operator {
  readonly operatorId: string;
  readonly name: string;
}

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

export type RefundStatus = 'processing' | 'completed' | 'failed';

/** One row of the refund ledger; at most one a reservation, whatever happens. */
export interface Refund {
  readonly refundId: string;
  readonly reservationId: string;
  readonly amountCents: number;
  readonly status: RefundStatus;
  readonly idempotencyKey: string;
  readonly createdAt: string;
}

/** A reservation with all that is needed to talk about it or to apply a rule to it. */
export interface ReservationDetails extends Reservation {
  readonly experience: Experience;
  /** What was paid for it and not failed, in centavos. */
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

/** What long-term memory knows of a customer when a conversation opens. */
export interface CustomerMemory {
  readonly preferredLanguage: Language | null;
  readonly preferences: readonly Preference[];
  readonly resolutions: readonly Resolution[];
}

export interface Preference {
  readonly customerId: string;
  /** e.g. `language`, `contact_method`. */
  readonly key: string;
  readonly value: string;
  readonly updatedAt: string;
}

/** How a ticket ended; kept as long-term memory. */
export interface Resolution {
  readonly resolutionId: string;
  readonly ticketId: string;
  readonly customerId: string | null;
  /** e.g. `answered`, `action_completed`, `escalated`, `declined`. */
  readonly resolutionType: string;
  readonly summary: string;
  readonly agent: string;
  readonly createdAt: string;
}
