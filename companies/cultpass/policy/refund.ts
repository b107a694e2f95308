import type { ReservationDetails, User } from '../data/records.js';
import { hoursUntil } from './cancellation.js';
import type { CultpassPolicy } from './policy.js';
import { denied, type Verdict } from './verdict.js';

export interface RefundTerms {
  readonly amountCents: number;
}

const HOUR_MS = 3_600_000;

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
