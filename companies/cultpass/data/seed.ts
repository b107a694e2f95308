import { z } from 'zod';
import type { Database, Work } from '../../../data/database.js';
import { readJsonl } from '../../../data/jsonl.js';
import { insertInto } from '../../../data/statements.js';
import type { Clock } from '../../../src/core/ports/system.js';
import { SAO_PAULO_OFFSET_MS } from './records.js';
import { experiences, meta, payments, refunds, reservations, subscriptions, users } from './schema.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
type Weekday = (typeof WEEKDAYS)[number];
const WEEKDAY_NAMES: readonly [Weekday, ...Weekday[]] = WEEKDAYS;

/** A seeded time relative to the first use, so that the demo never expires. */
type RelativeStart =
  /** Day of the local calendar counted from today, at a local time of day (`20:00`). */
  | { readonly starts_in_days: number; readonly at: string }
  /** About so many hours from now, at an hour when people go out; for what must be near whatever the time of day. */
  | { readonly starts_in_hours: number }
  /** The next such weekday after today, plus whole weeks. */
  | { readonly starts_on: Weekday; readonly in_weeks: number; readonly at: string };

/** Turns a relative start into an instant. Local means America/Sao_Paulo. */
function resolveStart(start: RelativeStart, now: Date): Date {
  if ('starts_in_hours' in start) {
    return nearby(now, start.starts_in_hours * HOUR_MS);
  }
  if ('starts_in_days' in start) return localTime(now, start.starts_in_days, start.at);
  const today = new Date(now.getTime() - SAO_PAULO_OFFSET_MS).getUTCDay();
  const ahead = (WEEKDAYS.indexOf(start.starts_on) - today + 7) % 7 || 7;
  return localTime(now, ahead + 7 * start.in_weeks, start.at);
}

/** Local minutes of the day from which, and up to which, experiences start. */
const EARLIEST = 10 * 60;
const LATEST = 21 * 60;
/** What is near is not so near that it begins, or ended, while it is spoken of. */
const APART_MS = 3 * HOUR_MS;

/** The half hour nearest to that distance at which an experience starts. What lies within a day stays there, and the past past. */
function nearby(now: Date, distance: number): Date {
  const half = HOUR_MS / 2;
  const wanted = Math.ceil((now.getTime() + distance) / half) * half;
  const isFit = (at: number): boolean => {
    const minute = (new Date(at - SAO_PAULO_OFFSET_MS).getTime() % DAY_MS) / 60_000;
    const away = at - now.getTime();
    const onSameSide =
      distance < 0 ? away <= -APART_MS : away >= APART_MS && away < DAY_MS === distance < DAY_MS;
    return minute >= EARLIEST && minute <= LATEST && onSameSide;
  };
  for (let steps = 0; steps * half <= DAY_MS; steps += 1) {
    for (const at of [wanted - steps * half, wanted + steps * half]) if (isFit(at)) return new Date(at);
  }
  return new Date(wanted);
}

/** An instant some days (also fractions) before now. */
function daysAgo(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

function localTime(now: Date, inDays: number, at: string): Date {
  const local = new Date(now.getTime() - SAO_PAULO_OFFSET_MS);
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const utc = Date.UTC(
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate() + inDays,
    hours,
    minutes,
  );
  return new Date(utc + SAO_PAULO_OFFSET_MS);
}

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

const MARKER = 'seeded_at';

/**
 * Fills an empty database of CultPass with the demo data, once: rows and marker are one transaction, so that a process
 * killed half-way leaves a database that the next start fills.
 * @returns whether it seeded
 */
export const seedCultpass = (database: Database, clock: Clock): Work<boolean> =>
  database.transaction(function* () {
    const marker = database.prepare<[string], string>('SELECT value FROM meta WHERE key = ?');
    if ((yield* marker.get(MARKER)) !== undefined) return false;
    const now = clock.now();
    const rows = readSeedRows(now);
    yield* insertAll(insertInto(database, users), rows.users);
    yield* insertAll(insertInto(database, subscriptions), rows.subscriptions);
    yield* insertAll(insertInto(database, experiences), rows.experiences);
    yield* insertAll(insertInto(database, reservations), rows.reservations);
    yield* insertAll(insertInto(database, payments), rows.payments);
    yield* insertAll(insertInto(database, refunds), rows.refunds);
    yield* insertInto(database, meta)({ key: MARKER, value: now.toISOString() });
    return true;
  });

function* insertAll<Row>(insert: (row: Row) => Work<number>, rows: readonly Row[]): Work<void> {
  for (const row of rows) yield* insert(row);
}
