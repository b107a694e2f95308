import type { ReservationDetails, User } from '../data/records.js';
import { type CultpassPolicy, denied, type Verdict } from './policy.js';

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
  policy: CultpassPolicy,
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
