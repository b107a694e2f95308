import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { preparedOnUse } from '../../../data/statements.js';
import { withTranslatedErrors } from '../../../data/storage-errors.js';
import { HubError } from '../../../src/core/errors.js';
import type { Clock } from '../../../src/core/ports/system.js';
import {
  type CustomerReader,
  type Experience,
  type ExperienceQuery,
  monthInSaoPaulo,
  type QuotaUsage,
  type ReservationDetails,
  type Subscription,
} from './records.js';
import { experiences, payments, refunds, reservations, subscriptions, users } from './schema.js';
import { fold, kindPatterns, readKinds, wordPatterns } from './search-words.js';

/** Reads reservations with experience, payments and refund; used by the reader and inside the writer's transactions. */
export interface ReservationDetailsQueries {
  /** Null unless the reservation exists and is the customer's. */
  one(customerId: string, reservationId: string): ReservationDetails | null;
  /** Soonest upcoming first, then past ones newest first. */
  all(customerId: string, nowIso: string): readonly ReservationDetails[];
}

type Row = Omit<ReservationDetails, 'experience' | 'paidCents' | 'refund'>;
interface JoinedRow extends Pick<ReservationDetails, 'experience' | 'paidCents' | 'refund'> {
  readonly reservation: Row;
}

const toDetails = ({ reservation, ...rest }: JoinedRow): ReservationDetails => ({ ...reservation, ...rest });

/** Prepares the statements once for a handle. */
export function prepareReservationDetails({ orm }: DatabaseHandle): ReservationDetailsQueries {
  const selection = {
    reservation: getTableColumns(reservations),
    experience: getTableColumns(experiences),
    refund: getTableColumns(refunds),
    paidCents: sql<number>`(
      SELECT coalesce(sum(p.amount_cents - coalesce(f.amount_cents, 0)), 0) FROM payments p
      LEFT JOIN refunds f ON f.payment_id = p.payment_id
      WHERE p.reservation_id = ${reservations.reservationId} AND p.status = 'paid')`,
  };
  const joined = () =>
    orm
      .select(selection)
      .from(reservations)
      .innerJoin(experiences, eq(experiences.experienceId, reservations.experienceId))
      .leftJoin(refunds, eq(refunds.reservationId, reservations.reservationId));
  const own = eq(reservations.userId, sql.placeholder('customerId'));
  const one = joined()
    .where(and(own, eq(reservations.reservationId, sql.placeholder('reservationId'))))
    .prepare();
  const upcoming = sql`${experiences.startsAt} > ${sql.placeholder('now')}`;
  const all = joined()
    .where(own)
    .orderBy(
      sql`${upcoming} DESC`,
      sql`CASE WHEN ${upcoming} THEN ${experiences.startsAt} END ASC`,
      sql`${experiences.startsAt} DESC`,
      reservations.reservationId,
    )
    .prepare();
  return {
    one: (customerId, reservationId) => {
      const row = one.get({ customerId, reservationId });
      return row === undefined ? null : toDetails(row);
    },
    all: (customerId, now) => all.all({ customerId, now }).map(toDetails),
  };
}

const byUser = sql.placeholder('customerId');

/** A pause that has run out reads as active: it ended by itself, nobody has to write that down first. */
function withPauseEnded(subscription: Subscription, now: Date): Subscription {
  const over =
    subscription.status === 'paused' &&
    subscription.endedAt !== null &&
    subscription.endedAt <= now.toISOString();
  return over ? { ...subscription, status: 'active', endedAt: null } : subscription;
}

function prepareReads({ orm, sqlite }: DatabaseHandle) {
  return {
    userByEmail: orm
      .select()
      .from(users)
      .where(sql`lower(${users.email}) = ${sql.placeholder('email')}`)
      .prepare(),
    userById: orm.select().from(users).where(eq(users.userId, byUser)).prepare(),
    subscription: orm
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.userId, byUser))
      .orderBy(desc(subscriptions.startedAt), desc(subscriptions.subscriptionId))
      .limit(1)
      .prepare(),
    payments: orm
      .select({
        ...getTableColumns(payments),
        refundedCents: sql<number>`coalesce(${refunds.amountCents}, 0)`,
        refundedAt: refunds.createdAt,
      })
      .from(payments)
      .leftJoin(refunds, eq(refunds.paymentId, payments.paymentId))
      .where(eq(payments.userId, byUser))
      .orderBy(desc(payments.createdAt), desc(payments.paymentId))
      .prepare(),
    used: sqlite
      .prepare<[string, string, string], number>(
        `SELECT count(*) FROM reservations r JOIN experiences e USING (experience_id)
         WHERE r.user_id = ? AND r.status IN ('reserved', 'attended') AND e.starts_at >= ? AND e.starts_at < ?`,
      )
      .pluck(),
    upcoming: orm
      .select()
      .from(experiences)
      .where(
        sql`${experiences.startsAt} > ${sql.placeholder('now')}
          AND ${experiences.startsAt} >= ${sql.placeholder('from')} AND ${experiences.startsAt} < ${sql.placeholder('to')}
          AND (${sql.placeholder('premium')} IS NULL OR ${experiences.isPremium} = ${sql.placeholder('premium')})
          AND (${sql.placeholder('free')} = 0 OR ${experiences.priceCents} = 0)
          AND NOT EXISTS (SELECT 1 FROM json_each(${sql.placeholder('words')}) word
            WHERE NOT EXISTS (SELECT 1 FROM json_each(word.value) one
              WHERE fold(${experiences.title} || ' ' || ${experiences.description} || ' ' || ${experiences.location}) || ' ' LIKE one.value))
          AND NOT EXISTS (SELECT 1 FROM json_each(${sql.placeholder('places')}) WHERE fold(${experiences.location}) NOT LIKE value)`,
      )
      .orderBy(experiences.startsAt, experiences.experienceId)
      .limit(sql.placeholder('limit'))
      .prepare(),
  };
}

/** Normalised, because the comparison in SQL is one of text. */
function isoBound(value: string | undefined, fallback: string): string {
  if (value === undefined) return fallback;
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) throw new HubError('input_invalid', `"${value}" is not a time.`, { value });
  return at.toISOString();
}

/**
 * Reads CultPass over a handle that cannot write.
 * @param handle opened with `readonly`; anything else is refused, so that "only reads" stays a fact
 */
export function createCustomerReader(handle: DatabaseHandle, clock: Clock): CustomerReader {
  if (!handle.sqlite.readonly)
    throw new HubError('internal', 'The customer reader takes a read-only handle.');
  handle.sqlite.function('fold', { deterministic: true }, (text: unknown) => fold(String(text)));
  const read = preparedOnUse(() => prepareReads(handle));
  const kinds = readKinds();
  const details = preparedOnUse(() => prepareReservationDetails(handle));

  const subscriptionOf = (customerId: string, now: Date): Subscription | null => {
    const row = read.subscription.get({ customerId });
    return row === undefined ? null : withPauseEnded(row, now);
  };
  const quotaUsage = (customerId: string, at: Date): QuotaUsage | null => {
    const subscription = subscriptionOf(customerId, at);
    if (subscription === null) return null;
    const { start, end } = monthInSaoPaulo(at);
    const used = read.used.get(customerId, start.toISOString(), end.toISOString()) ?? 0;
    const { monthlyQuota } = subscription;
    return { monthlyQuota, used, remaining: Math.max(0, monthlyQuota - used), resetsAt: end.toISOString() };
  };
  const findExperiences = (query: ExperienceQuery, at: Date): readonly Experience[] =>
    read.upcoming.all({
      now: at.toISOString(),
      from: isoBound(query.from, ''),
      to: isoBound(query.to, '9999'),
      premium: query.isPremium === undefined ? null : Number(query.isPremium),
      free: Number(query.isFree ?? false),
      words: JSON.stringify(kindPatterns(query.text ?? '', kinds.found)),
      places: JSON.stringify(wordPatterns(query.location ?? '')),
      limit: Math.max(0, Math.trunc(query.limit)),
    });

  return withTranslatedErrors<CustomerReader>(handle, {
    findUserByEmail: async (email) => read.userByEmail.get({ email: email.trim().toLowerCase() }) ?? null,
    getUser: async (customerId) => read.userById.get({ customerId }) ?? null,
    getSubscription: async (customerId) => subscriptionOf(customerId, clock.now()),
    listReservations: async (customerId) => details.all(customerId, clock.now().toISOString()),
    getReservation: async (customerId, reservationId) => details.one(customerId, reservationId),
    listPayments: async (customerId) => read.payments.all({ customerId }),
    getQuotaUsage: async (customerId, at) => quotaUsage(customerId, at),
    findExperiences: async (query, at) => findExperiences(query, at),
  });
}
