import { z } from 'zod';
import type { ListedRecord } from '../../../src/runtime/define-tool.js';
import type { QuotaUsage, ReservationDetails, Subscription, User } from '../data/records.js';

/** The wire shapes of account data; names as in the database. */
export const userShape = z.object({
  full_name: z.string(),
  email: z.string(),
  is_blocked: z.boolean(),
  created_at: z.string(),
});

export const subscriptionShape = z.object({
  status: z.enum(['active', 'paused', 'cancelled']),
  tier: z.enum(['basic', 'premium']),
  monthly_quota: z.number(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
});

export const quotaShape = z.object({
  monthly_quota: z.number(),
  used: z.number(),
  remaining: z.number(),
  resets_at: z.string(),
});

export const refundShape = z.object({ amount_cents: z.number(), status: z.string(), created_at: z.string() });

export const reservationShape = z.object({
  reservation_id: z.string(),
  title: z.string(),
  location: z.string(),
  starts_at: z.string(),
  status: z.enum(['reserved', 'attended', 'cancelled', 'refunded']),
  upcoming: z.boolean(),
  paid_cents: z.number(),
  refund: refundShape.nullable(),
});

export type ReservationShape = z.infer<typeof reservationShape>;

const SHOWN_ATTENDED = 3;

/** Reservations as a model is given them: what has passed with less detail, what was attended by the latest few. */
export function reservationsView(reservations: readonly ReservationShape[]) {
  const past = reservations.filter((reservation) => !reservation.upcoming);
  const attended = past.filter((reservation) => reservation.status === 'attended').slice(0, SHOWN_ATTENDED);
  const shown = past.filter(
    (reservation) => reservation.status !== 'attended' || attended.includes(reservation),
  );
  return {
    upcoming: reservations
      .filter((reservation) => reservation.upcoming)
      .map(({ upcoming: _upcoming, status: _status, ...rest }) => rest),
    past: shown.map(({ upcoming: _upcoming, location: _location, refund, ...rest }) => ({
      ...rest,
      refunded_cents: refund?.amount_cents ?? null,
      refunded_at: refund?.created_at ?? null,
    })),
  };
}

export function toUserShape(user: User): z.infer<typeof userShape> {
  return {
    full_name: user.fullName,
    email: user.email,
    is_blocked: user.isBlocked,
    created_at: user.createdAt,
  };
}

export function toSubscriptionShape(subscription: Subscription): z.infer<typeof subscriptionShape> {
  return {
    status: subscription.status,
    tier: subscription.tier,
    monthly_quota: subscription.monthlyQuota,
    started_at: subscription.startedAt,
    ended_at: subscription.endedAt,
  };
}

export function toQuotaShape(quota: QuotaUsage): z.infer<typeof quotaShape> {
  return {
    monthly_quota: quota.monthlyQuota,
    used: quota.used,
    remaining: quota.remaining,
    resets_at: quota.resetsAt,
  };
}

export function toReservationShape(reservation: ReservationDetails, now: Date): ReservationShape {
  const { experience, refund } = reservation;
  return {
    reservation_id: reservation.reservationId,
    title: experience.title,
    location: experience.location,
    starts_at: experience.startsAt,
    status: reservation.status,
    upcoming: reservation.status === 'reserved' && Date.parse(experience.startsAt) > now.getTime(),
    paid_cents: reservation.paidCents,
    refund: refund && {
      amount_cents: refund.amountCents,
      status: refund.status,
      created_at: refund.createdAt,
    },
  };
}

/** A reservation as a customer chooses it. */
export function toListedRecord(reservation: ReservationShape): ListedRecord {
  return {
    id: reservation.reservation_id,
    title: reservation.title,
    status: reservation.status,
    startsAt: reservation.starts_at,
    place: reservation.location,
    upcoming: reservation.upcoming,
    amount: { minorUnits: reservation.paid_cents, currency: 'BRL' },
    attributes: { paid_cents: reservation.paid_cents, refunded: reservation.refund !== null },
  };
}
