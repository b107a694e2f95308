import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { actionLedgerTable } from '../../../data/ledger.js';
import { oneOf } from '../../../data/statements.js';

const SUBSCRIPTION_STATUSES = ['active', 'paused', 'cancelled'] as const;
const TIERS = ['basic', 'premium'] as const;
const RESERVATION_STATUSES = ['reserved', 'attended', 'cancelled', 'refunded'] as const;
const PAYMENT_STATUSES = ['paid', 'failed', 'pending'] as const;
const REFUND_STATUSES = ['processing', 'completed', 'failed'] as const;

/** Customers of CultPass. E-mail addresses are unique whatever their case. */
export const users = sqliteTable(
  'users',
  {
    userId: text('user_id').primaryKey(),
    fullName: text('full_name').notNull(),
    email: text('email').notNull(),
    isBlocked: integer('is_blocked', { mode: 'boolean' }).notNull().default(false),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    check('users_is_blocked', sql.raw('is_blocked in (0, 1)')),
  ],
);

/** `ended_at`: when it ended (cancelled) or resumes by itself (paused). */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    subscriptionId: text('subscription_id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.userId),
    status: text('status', { enum: SUBSCRIPTION_STATUSES }).notNull(),
    tier: text('tier', { enum: TIERS }).notNull(),
    monthlyQuota: integer('monthly_quota').notNull(),
    startedAt: text('started_at').notNull(),
    endedAt: text('ended_at'),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.startedAt),
    check('subscriptions_status', oneOf('status', SUBSCRIPTION_STATUSES)),
    check('subscriptions_tier', oneOf('tier', TIERS)),
    check('subscriptions_quota', sql.raw('monthly_quota >= 0')),
  ],
);

/** What can be visited. */
export const experiences = sqliteTable(
  'experiences',
  {
    experienceId: text('experience_id').primaryKey(),
    title: text('title').notNull(),
    description: text('description').notNull(),
    location: text('location').notNull(),
    startsAt: text('starts_at').notNull(),
    slotsAvailable: integer('slots_available').notNull(),
    isPremium: integer('is_premium', { mode: 'boolean' }).notNull().default(false),
    priceCents: integer('price_cents').notNull().default(0),
  },
  (table) => [
    index('experiences_starts_at').on(table.startsAt),
    check('experiences_slots', sql.raw('slots_available >= 0')),
    check('experiences_price', sql.raw('price_cents >= 0')),
    check('experiences_is_premium', sql.raw('is_premium in (0, 1)')),
  ],
);

export const reservations = sqliteTable(
  'reservations',
  {
    reservationId: text('reservation_id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.userId),
    experienceId: text('experience_id')
      .notNull()
      .references(() => experiences.experienceId),
    status: text('status', { enum: RESERVATION_STATUSES }).notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  (table) => [
    index('reservations_user').on(table.userId),
    index('reservations_experience').on(table.experienceId),
    check('reservations_status', oneOf('status', RESERVATION_STATUSES)),
  ],
);

/** Charges: of a reservation, or of the subscription where `reservation_id` is null. */
export const payments = sqliteTable(
  'payments',
  {
    paymentId: text('payment_id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.userId),
    reservationId: text('reservation_id').references(() => reservations.reservationId),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency', { enum: ['BRL'] })
      .notNull()
      .default('BRL'),
    status: text('status', { enum: PAYMENT_STATUSES }).notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('payments_user').on(table.userId),
    index('payments_reservation').on(table.reservationId),
    check('payments_status', oneOf('status', PAYMENT_STATUSES)),
    check('payments_amount', sql.raw('amount_cents >= 0')),
    check('payments_currency', oneOf('currency', ['BRL'])),
  ],
);

/**
 * The refund ledger: one row a reservation, one a charge and one a key, by constraint and not by good intentions.
 * `payment_id` is set, and `reservation_id` is not, where one charge went back that was a mistake.
 */
export const refunds = sqliteTable(
  'refunds',
  {
    refundId: text('refund_id').primaryKey(),
    reservationId: text('reservation_id').references(() => reservations.reservationId),
    paymentId: text('payment_id').references(() => payments.paymentId),
    amountCents: integer('amount_cents').notNull(),
    status: text('status', { enum: REFUND_STATUSES }).notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('refunds_reservation').on(table.reservationId),
    uniqueIndex('refunds_payment').on(table.paymentId),
    uniqueIndex('refunds_idempotency_key').on(table.idempotencyKey),
    check('refunds_status', oneOf('status', REFUND_STATUSES)),
    check('refunds_amount', sql.raw('amount_cents > 0')),
    check('refunds_of', sql.raw('(reservation_id is null) <> (payment_id is null)')),
  ],
);

/** Every effect that was committed; the hub keeps it, in the same transactions. */
export const actionLedger = actionLedgerTable(() => users.userId);

/** Facts about the file itself, e.g. that it was seeded and when. */
export const meta = sqliteTable('meta', { key: text('key').primaryKey(), value: text('value').notNull() });
