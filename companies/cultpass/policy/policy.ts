import { z } from 'zod';
import type { ErrorCode } from '../../../src/core/errors.js';
import {
  type Charge,
  type ReservationDetails,
  SAO_PAULO_OFFSET_MS,
  type Subscription,
  type User,
} from '../data/records.js';

/** Why an operator has to agree. */
type ApprovalReason = 'late_cancellation' | 'amount_above_limit' | 'cancelled_late' | 'no_show';

/**
 * What a rule says of an action. `terms` are the exact effects the customer agrees to; they are part of what is
 * confirmed, so an action whose terms have changed since is not carried out.
 */
export type Verdict<Terms> =
  | { readonly kind: 'allowed'; readonly terms: Terms }
  | { readonly kind: 'needs_approval'; readonly terms: Terms; readonly reason: ApprovalReason }
  | { readonly kind: 'denied'; readonly code: ErrorCode };

/** @returns a denial with the code the caller reports */
export function denied(code: ErrorCode): { readonly kind: 'denied'; readonly code: ErrorCode } {
  return { kind: 'denied', code };
}

const planSchema = z.strictObject({ price_cents: z.number().int().min(1), visits: z.number().int().min(0) });

/** CultPass's own sections of `policy.yaml`; amounts in centavos. */
export const cultpassPolicySchema = z.strictObject({
  cancellation: z.strictObject({ full_refund_hours: z.number().min(0).max(720) }),
  refund: z.strictObject({ approval_above_cents: z.number().int().min(0) }),
  plans: z.strictObject({ basic: planSchema, premium: planSchema }),
  subscription: z
    .strictObject({
      pause_default_days: z.number().int().min(1),
      pause_max_days: z.number().int().min(1).max(365),
      withdrawal_days: z.number().int().min(0).max(365),
    })
    .refine((value) => value.pause_default_days <= value.pause_max_days, {
      message: 'pause_default_days must not exceed pause_max_days',
    }),
});

/** The numbers of CultPass's rules. */
export type CultpassPolicy = z.infer<typeof cultpassPolicySchema>;

interface CancellationTerms {
  readonly refundCents: number;
}

const HOUR_MS = 3_600_000;

/** Whole and fractional hours from `now` until the ISO time; negative once it has passed. */
export function hoursUntil(iso: string, now: Date): number {
  return (Date.parse(iso) - now.getTime()) / HOUR_MS;
}

/**
 * May this customer cancel this reservation now?
 * Only an upcoming, own, still reserved one; full refund at least `full_refund_hours` before the start, later an
 * operator decides; a refund above the limit needs an operator too.
 */
export function decideCancellation(
  user: User,
  reservation: ReservationDetails,
  policy: Pick<CultpassPolicy, 'cancellation' | 'refund'>,
  now: Date,
): Verdict<CancellationTerms> {
  if (reservation.userId !== user.userId) return denied('not_found');
  if (user.isBlocked) return denied('customer_blocked');
  if (reservation.status === 'cancelled' || reservation.status === 'refunded') return denied('already_done');
  if (reservation.status === 'attended') return denied('attended');
  const { startsAt } = reservation.experience;
  if (hoursUntil(startsAt, now) <= 0) return denied('not_upcoming');
  return cancellationTerms(startsAt, reservation.refund ? 0 : reservation.paidCents, policy, now);
}

/** What cancelling what is still ahead gives back now, and whether an operator decides it. @param refundCents what was paid for it */
export function cancellationTerms(
  startsAt: string,
  refundCents: number,
  policy: Pick<CultpassPolicy, 'cancellation' | 'refund'>,
  now: Date,
): Exclude<Verdict<CancellationTerms>, { readonly kind: 'denied' }> {
  const hours = hoursUntil(startsAt, now);
  const terms = { refundCents };
  if (hours < policy.cancellation.full_refund_hours) {
    return { kind: 'needs_approval', terms, reason: 'late_cancellation' };
  }
  if (terms.refundCents > policy.refund.approval_above_cents) {
    return { kind: 'needs_approval', terms, reason: 'amount_above_limit' };
  }
  return { kind: 'allowed', terms };
}

interface RefundTerms {
  readonly amountCents: number;
}

/**
 * May this reservation be refunded now?
 * Never twice, never for an attended one, never where nothing was paid. An upcoming reservation is cancelled
 * first (the cancellation refunds it): `wrong_status`. A cancelled one is refunded in full where it was
 * cancelled early enough; everything else, and any amount above the limit, needs an operator.
 */
export function decideRefund(
  user: User,
  reservation: ReservationDetails,
  policy: CultpassPolicy,
  now: Date,
): Verdict<RefundTerms> {
  if (reservation.userId !== user.userId) return denied('not_found');
  if (user.isBlocked) return denied('customer_blocked');
  if (reservation.status === 'refunded' || reservation.refund !== null) return denied('already_refunded');
  if (reservation.status === 'attended') return denied('attended');
  if (reservation.paidCents <= 0) return denied('nothing_paid');
  const terms = { amountCents: reservation.paidCents };
  if (reservation.status === 'reserved') {
    return hoursUntil(reservation.experience.startsAt, now) > 0
      ? denied('wrong_status')
      : { kind: 'needs_approval', terms, reason: 'no_show' };
  }
  if (terms.amountCents > policy.refund.approval_above_cents) {
    return { kind: 'needs_approval', terms, reason: 'amount_above_limit' };
  }
  const noticeHours =
    (Date.parse(reservation.experience.startsAt) - Date.parse(reservation.updatedAt)) / HOUR_MS;
  return noticeHours >= policy.cancellation.full_refund_hours
    ? { kind: 'allowed', terms }
    : { kind: 'needs_approval', terms, reason: 'cancelled_late' };
}

/** What a withdrawal from a subscription does. */
interface WithdrawalTerms {
  /** False where the subscription has ended before, and only money goes back. */
  readonly ends: boolean;
  readonly charges: readonly { readonly paymentId: string; readonly amountCents: number }[];
}

const DAY_MS = 86_400_000;

/** The last moment at which a customer may withdraw: the end of the last day in São Paulo. */
export function withdrawalEnds({ startedAt }: Pick<Subscription, 'startedAt'>, policy: CultpassPolicy): Date {
  const bought = new Date(Date.parse(startedAt) - SAO_PAULO_OFFSET_MS).setUTCHours(0, 0, 0, 0);
  const days = policy.subscription.withdrawal_days + 1;
  return new Date(bought + days * DAY_MS + SAO_PAULO_OFFSET_MS - 1);
}

/**
 * May this customer withdraw from the subscription that they bought?
 * Within `withdrawal_days` of the purchase, for no reason: it ends, and all that was paid for it goes back. One that was
 * cancelled in these days is paid back as well. A sum above the limit needs an operator.
 * @param charges all charges of the customer
 */
export function decideWithdrawal(
  user: User,
  subscription: Subscription | null,
  charges: readonly Charge[],
  policy: CultpassPolicy,
  now: Date,
): Verdict<WithdrawalTerms> {
  if (user.isBlocked) return denied('customer_blocked');
  if (subscription === null || subscription.userId !== user.userId) return denied('not_found');
  const ends = subscription.status !== 'cancelled';
  const since = Date.parse(subscription.startedAt) - DAY_MS;
  const due = charges
    .filter(({ reservationId, status, refundedCents, createdAt }) => {
      const isFee = reservationId === null && status === 'paid' && refundedCents === 0;
      return isFee && Date.parse(createdAt) >= since;
    })
    .map(({ paymentId, amountCents }) => ({ paymentId, amountCents }));
  if (!ends && due.length === 0) return denied('already_done');
  if (now > withdrawalEnds(subscription, policy)) return denied('policy_denied');
  const terms = { ends, charges: due };
  return amountOf(terms) > policy.refund.approval_above_cents
    ? { kind: 'needs_approval', terms, reason: 'amount_above_limit' }
    : { kind: 'allowed', terms };
}

/** What goes back in all, in centavos. */
export function amountOf({ charges }: Pick<WithdrawalTerms, 'charges'>): number {
  return charges.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

export type SubscriptionChange =
  | { readonly action: 'pause'; readonly days: number | null }
  | { readonly action: 'resume' }
  | { readonly action: 'cancel' };

interface SubscriptionTerms {
  readonly action: SubscriptionChange['action'];
  /** Length of a pause in days; null otherwise. */
  readonly days: number | null;
}

/** May this subscription be paused, resumed or cancelled? A pause is 1 to `pause_max_days` days. */
export function decideSubscriptionChange(
  user: User,
  subscription: Subscription | null,
  change: SubscriptionChange,
  policy: CultpassPolicy,
): Verdict<SubscriptionTerms> {
  if (user.isBlocked) return denied('customer_blocked');
  if (subscription === null || subscription.userId !== user.userId) return denied('not_found');
  const { status } = subscription;
  if (change.action === 'pause') {
    if (status === 'paused') return denied('already_done');
    if (status !== 'active') return denied('wrong_status');
    const days = change.days ?? policy.subscription.pause_default_days;
    if (!Number.isInteger(days) || days < 1 || days > policy.subscription.pause_max_days) {
      return denied('policy_denied');
    }
    return { kind: 'allowed', terms: { action: 'pause', days } };
  }
  if (change.action === 'resume') {
    if (status === 'active') return denied('already_done');
    return status === 'paused'
      ? { kind: 'allowed', terms: { action: 'resume', days: null } }
      : denied('wrong_status');
  }
  return status === 'cancelled'
    ? denied('already_done')
    : { kind: 'allowed', terms: { action: 'cancel', days: null } };
}

/**
 * The day of the next monthly fee: that of the last one in the first month that is still to come, or the last day of that month.
 * @param iso when the last fee was paid, ISO 8601
 * @param now ISO 8601
 */
export function nextBillingDay(iso: string, now: string): string {
  const paid = new Date(iso);
  for (let months = 1; ; months += 1) {
    const next = new Date(paid);
    next.setUTCMonth(paid.getUTCMonth() + months);
    if (next.getUTCDate() !== paid.getUTCDate()) next.setUTCDate(0);
    if (next.toISOString() > now) return next.toISOString();
  }
}
