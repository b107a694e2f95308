import { z } from 'zod';
import { readJsonl } from '../../../data/jsonl.js';
import type { experiences, payments, refunds, reservations, subscriptions, users } from './schema.js';
import { daysAgo, type RelativeStart, resolveStart, WEEKDAY_NAMES } from './seed-time.js';

const days = z.number().nonnegative();
const cents = z.int().nonnegative();
const clockTime = z.string().regex(/^\d\d:\d\d$/);

const userLine = z.strictObject({
  user_id: z.string(),
  full_name: z.string(),
  email: z.email(),
  is_blocked: z.boolean().default(false),
  created_days_ago: days,
});
const subscriptionLine = z.strictObject({
  subscription_id: z.string(),
  user_id: z.string(),
  status: z.enum(['active', 'paused', 'cancelled']),
  tier: z.enum(['basic', 'premium']),
  monthly_quota: z.int().positive(),
  started_days_ago: days,
  ended_days_ago: days.optional(),
  resumes_in_days: days.optional(),
});
const experienceLine = z.strictObject({
  experience_id: z.string(),
  title: z.string(),
  description: z.string(),
  location: z.string(),
  starts_in_days: z.int().optional(),
  starts_in_hours: z.number().optional(),
  starts_on: z.enum(WEEKDAY_NAMES).optional(),
  in_weeks: z.int().nonnegative().optional(),
  at: clockTime.optional(),
  slots_available: z.int().nonnegative(),
  is_premium: z.boolean(),
  price_cents: cents,
});
const reservationLine = z.strictObject({
  reservation_id: z.string(),
  user_id: z.string(),
  experience_id: z.string(),
  status: z.enum(['reserved', 'attended', 'cancelled', 'refunded']),
  created_days_ago: days,
  /** When it was cancelled or refunded; a visit counts as attended two hours after its start. */
  changed_days_ago: days.optional(),
});
const paymentLine = z.strictObject({
  payment_id: z.string(),
  user_id: z.string(),
  reservation_id: z.string().nullable(),
  amount_cents: cents,
  status: z.enum(['paid', 'failed', 'pending']),
  days_ago: days,
});
const refundLine = z.strictObject({
  refund_id: z.string(),
  reservation_id: z.string(),
  amount_cents: cents,
  status: z.enum(['processing', 'completed', 'failed']),
  days_ago: days,
});

/** All seeded rows with absolute times, in the order in which foreign keys allow them to be inserted. */
export interface SeedRows {
  readonly users: readonly (typeof users.$inferInsert)[];
  readonly subscriptions: readonly (typeof subscriptions.$inferInsert)[];
  readonly experiences: readonly (typeof experiences.$inferInsert)[];
  readonly reservations: readonly (typeof reservations.$inferInsert)[];
  readonly payments: readonly (typeof payments.$inferInsert)[];
  readonly refunds: readonly (typeof refunds.$inferInsert)[];
}

function lines<T>(file: string, schema: z.ZodType<T>): readonly T[] {
  return readJsonl(new URL(`./seed/${file}.jsonl`, import.meta.url), schema) ?? [];
}

function startOf(line: z.infer<typeof experienceLine>): RelativeStart {
  const at = line.at ?? '20:00';
  if (line.starts_in_hours !== undefined) return { starts_in_hours: line.starts_in_hours };
  if (line.starts_on !== undefined) return { starts_on: line.starts_on, in_weeks: line.in_weeks ?? 0, at };
  return { starts_in_days: line.starts_in_days ?? 0, at };
}

/** Reads the seed and fixes its relative times to `now`. */
export function readSeedRows(now: Date): SeedRows {
  const ago = (count: number): string => daysAgo(now, count).toISOString();
  const experienceRows = lines('experiences', experienceLine).map((line) => ({
    experienceId: line.experience_id,
    title: line.title,
    description: line.description,
    location: line.location,
    startsAt: resolveStart(startOf(line), now).toISOString(),
    slotsAvailable: line.slots_available,
    isPremium: line.is_premium,
    priceCents: line.price_cents,
  }));
  const startsAt = new Map(experienceRows.map((row) => [row.experienceId, row.startsAt]));
  const updatedAt = (line: z.infer<typeof reservationLine>): string => {
    if (line.changed_days_ago !== undefined) return ago(line.changed_days_ago);
    const start = startsAt.get(line.experience_id);
    if (line.status !== 'attended' || start === undefined) return ago(line.created_days_ago);
    return new Date(Date.parse(start) + 2 * 3_600_000).toISOString();
  };
  return {
    users: lines('users', userLine).map((line) => ({
      userId: line.user_id,
      fullName: line.full_name,
      email: line.email,
      isBlocked: line.is_blocked,
      createdAt: ago(line.created_days_ago),
    })),
    subscriptions: lines('subscriptions', subscriptionLine).map((line) => ({
      subscriptionId: line.subscription_id,
      userId: line.user_id,
      status: line.status,
      tier: line.tier,
      monthlyQuota: line.monthly_quota,
      startedAt: ago(line.started_days_ago),
      endedAt: endOf(line, now),
    })),
    experiences: experienceRows,
    reservations: lines('reservations', reservationLine).map((line) => ({
      reservationId: line.reservation_id,
      userId: line.user_id,
      experienceId: line.experience_id,
      status: line.status,
      createdAt: ago(line.created_days_ago),
      updatedAt: updatedAt(line),
    })),
    payments: lines('payments', paymentLine).map((line) => ({
      paymentId: line.payment_id,
      userId: line.user_id,
      reservationId: line.reservation_id,
      amountCents: line.amount_cents,
      currency: 'BRL',
      status: line.status,
      createdAt: ago(line.days_ago),
    })),
    refunds: lines('refunds', refundLine).map((line) => ({
      refundId: line.refund_id,
      reservationId: line.reservation_id,
      amountCents: line.amount_cents,
      status: line.status,
      idempotencyKey: `seed:${line.refund_id}`,
      createdAt: ago(line.days_ago),
    })),
  };
}

function endOf(line: z.infer<typeof subscriptionLine>, now: Date): string | null {
  if (line.resumes_in_days !== undefined) return daysAgo(now, -line.resumes_in_days).toISOString();
  return line.ended_days_ago === undefined ? null : daysAgo(now, line.ended_days_ago).toISOString();
}
