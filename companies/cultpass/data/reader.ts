import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { type Database, storeOf, type Work } from '../../../data/database.js';
import { preparedOnUse } from '../../../data/statements.js';
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
import { kindPatterns, readKinds, wordPatterns } from './search-words.js';

/** Reads reservations with experience, payments and refund; used by the reader and inside the writer's transactions. */
export interface ReservationDetailsQueries {
  /** Null unless the reservation exists and is the customer's. */
  one(customerId: string, reservationId: string): Work<ReservationDetails | null>;
  /** Soonest upcoming first, then past ones newest first. */
  all(customerId: string, nowIso: string): Work<readonly ReservationDetails[]>;
}

type Row = Omit<ReservationDetails, 'experience' | 'paidCents' | 'refund'>;
interface JoinedRow extends Pick<ReservationDetails, 'experience' | 'paidCents' | 'refund'> {
  readonly reservation: Row;
}

const toDetails = ({ reservation, ...rest }: JoinedRow): ReservationDetails => ({ ...reservation, ...rest });

/** Prepares the statements once for a database. */
export function prepareReservationDetails(database: Database): ReservationDetailsQueries {
  const selection = {
    reservation: getTableColumns(reservations),
    experience: getTableColumns(experiences),
    refund: getTableColumns(refunds),
    paidCents: sql<number>`(
      SELECT coalesce(sum(p.amount_cents - coalesce(f.amount_cents, 0)), 0) FROM payments p
      LEFT JOIN refunds f ON f.payment_id = p.payment_id
      WHERE p.reservation_id = ${reservations.reservationId} AND p.status = 'paid')`,
  };
  const joined = (orm: BetterSQLite3Database) =>
    orm
      .select(selection)
      .from(reservations)
      .innerJoin(experiences, eq(experiences.experienceId, reservations.experienceId))
      .leftJoin(refunds, eq(refunds.reservationId, reservations.reservationId));
  const own = eq(reservations.userId, sql.placeholder('customerId'));
  const one = database.query((orm) =>
    joined(orm).where(and(own, eq(reservations.reservationId, sql.placeholder('reservationId')))),
  );
  const upcoming = sql`${experiences.startsAt} > ${sql.placeholder('now')}`;
  const all = database.query((orm) =>
    joined(orm)
      .where(own)
      .orderBy(
        sql`${upcoming} DESC`,
        sql`CASE WHEN ${upcoming} THEN ${experiences.startsAt} END ASC`,
        sql`${experiences.startsAt} DESC`,
        reservations.reservationId,
      ),
  );
  return {
    *one(customerId, reservationId) {
      const row = yield* one.get({ customerId, reservationId });
      return row === undefined ? null : toDetails(row);
    },
    *all(customerId, now) {
      return (yield* all.all({ customerId, now })).map(toDetails);
    },
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

/** Of the query of experiences, each once: PostgreSQL asks of a value that stands alone what it is. */
const asked = {
  premium: sql`CAST(${sql.placeholder('premium')} AS BIGINT)`,
  free: sql`CAST(${sql.placeholder('free')} AS BIGINT)`,
};

function prepareReads(database: Database) {
  return {
    userByEmail: database.query((orm) =>
      orm
        .select()
        .from(users)
        .where(sql`lower(${users.email}) = ${sql.placeholder('email')}`),
    ),
    userById: database.query((orm) => orm.select().from(users).where(eq(users.userId, byUser))),
    subscription: database.query((orm) =>
      orm
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.userId, byUser))
        .orderBy(desc(subscriptions.startedAt), desc(subscriptions.subscriptionId))
        .limit(1),
    ),
    payments: database.query((orm) =>
      orm
        .select({
          ...getTableColumns(payments),
          refundedCents: sql<number>`coalesce(${refunds.amountCents}, 0)`,
          refundedAt: refunds.createdAt,
        })
        .from(payments)
        .leftJoin(refunds, eq(refunds.paymentId, payments.paymentId))
        .where(eq(payments.userId, byUser))
        .orderBy(desc(payments.createdAt), desc(payments.paymentId)),
    ),
    used: database
      .prepare<[string, string, string], number>(
        `SELECT count(*) FROM reservations r JOIN experiences e USING (experience_id)
         WHERE r.user_id = ? AND r.status IN ('reserved', 'attended') AND e.starts_at >= ? AND e.starts_at < ?`,
      )
      .pluck(),
    upcoming: database.query((orm) =>
      orm
        .select()
        .from(experiences)
        .where(
          sql`${experiences.startsAt} > ${sql.placeholder('now')}
          AND ${experiences.startsAt} >= ${sql.placeholder('from')} AND ${experiences.startsAt} < ${sql.placeholder('to')}
          AND (${asked.premium} IS NULL OR ${experiences.isPremium} = ${asked.premium})
          AND (${asked.free} = 0 OR ${experiences.priceCents} = 0)
          AND NOT EXISTS (SELECT 1 FROM json_each(${sql.placeholder('words')}) word
            WHERE NOT EXISTS (SELECT 1 FROM json_each(word.value) one
              WHERE fold(${experiences.title} || ' ' || ${experiences.description} || ' ' || ${experiences.location}) || ' ' LIKE one.value))
          AND NOT EXISTS (SELECT 1 FROM json_each(${sql.placeholder('places')}) WHERE fold(${experiences.location}) NOT LIKE value)`,
        )
        .orderBy(experiences.startsAt, experiences.experienceId)
        .limit(sql.placeholder('limit')),
    ),
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
 * Reads CultPass over a database that cannot be written.
 * @param database opened to read only; anything else is refused, so that "only reads" stays a fact
 */
export function createCustomerReader(database: Database, clock: Clock): CustomerReader {
  if (!database.readonly) throw new HubError('internal', 'The customer reader takes a read-only database.');
  const read = preparedOnUse(() => prepareReads(database));
  const kinds = readKinds();
  const details = preparedOnUse(() => prepareReservationDetails(database));

  function* subscriptionOf(customerId: string, now: Date): Work<Subscription | null> {
    const row = yield* read.subscription.get({ customerId });
    return row === undefined ? null : withPauseEnded(row, now);
  }
  return storeOf<CustomerReader>(database, {
    *findUserByEmail(email) {
      return (yield* read.userByEmail.get({ email: email.trim().toLowerCase() })) ?? null;
    },
    *getUser(customerId) {
      return (yield* read.userById.get({ customerId })) ?? null;
    },
    getSubscription: (customerId) => subscriptionOf(customerId, clock.now()),
    listReservations: (customerId) => details.all(customerId, clock.now().toISOString()),
    getReservation: (customerId, reservationId) => details.one(customerId, reservationId),
    listPayments: (customerId) => read.payments.all({ customerId }),
    *getQuotaUsage(customerId, at): Work<QuotaUsage | null> {
      const subscription = yield* subscriptionOf(customerId, at);
      if (subscription === null) return null;
      const { start, end } = monthInSaoPaulo(at);
      const used = (yield* read.used.get(customerId, start.toISOString(), end.toISOString())) ?? 0;
      const { monthlyQuota } = subscription;
      return {
        ...{ monthlyQuota, used },
        remaining: Math.max(0, monthlyQuota - used),
        resetsAt: end.toISOString(),
      };
    },
    findExperiences: (query: ExperienceQuery, at: Date): Work<readonly Experience[]> =>
      read.upcoming.all({
        now: at.toISOString(),
        from: isoBound(query.from, ''),
        to: isoBound(query.to, '9999'),
        premium: query.isPremium === undefined ? null : Number(query.isPremium),
        free: Number(query.isFree ?? false),
        words: JSON.stringify(kindPatterns(query.text ?? '', kinds.found)),
        places: JSON.stringify(wordPatterns(query.location ?? '')),
        limit: Math.max(0, Math.trunc(query.limit)),
      }),
  });
}
