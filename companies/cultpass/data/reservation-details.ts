import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { DatabaseHandle } from '../../../data/open-database.js';
import type { ReservationDetails } from './records.js';
import { experiences, refunds, reservations } from './schema.js';

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
