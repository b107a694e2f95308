import { desc, eq, sql } from 'drizzle-orm';
import { type Database, storeOf, type Work } from '../../../data/database.js';
import type { Ledger } from '../../../data/ledger.js';
import { insertInto, preparedOnUse } from '../../../data/statements.js';
import { HubError } from '../../../src/core/errors.js';
import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';
import type { Ids } from '../../../src/core/ports/system.js';
import { prepareCorrections } from './correction-writes.js';
import { prepareReservationDetails, type ReservationDetailsQueries } from './reader.js';
import type {
  CancelReservationResult,
  CustomerWriter,
  Refund,
  ReservationDetails,
  ReservationStatus,
  Subscription,
  SubscriptionStatus,
} from './records.js';
import { refunds, subscriptions } from './schema.js';

/** Changes of a customer's newest subscription; each runs inside the caller's transaction. */
interface SubscriptionWrites {
  pause(context: WriteContext, until: Date): Work<Subscription>;
  resume(context: WriteContext): Work<Subscription>;
  cancel(context: WriteContext): Work<Subscription>;
  /** As `cancel`; one that is cancelled stays as it is. */
  end(context: WriteContext): Work<Subscription>;
}

interface Change {
  readonly from: readonly SubscriptionStatus[];
  readonly to: SubscriptionStatus;
  readonly endedAt: string | null;
}

interface ReservationWrites {
  readonly details: ReservationDetailsQueries;
  /** The guarded update; throws where the row is not what the caller read. */
  move(context: WriteContext, reservation: ReservationDetails, to: ReservationStatus): Work<void>;
  refund(context: WriteContext, reservation: ReservationDetails, amountCents: number): Work<Refund>;
}

function prepareReservationWrites(database: Database, ids: Ids): ReservationWrites {
  const update = database.prepare<[string, string, string, string, string]>(
    'UPDATE reservations SET status = ?, updated_at = ? WHERE reservation_id = ? AND user_id = ? AND status = ?',
  );
  const giveSlotBack = database.prepare<[string]>(
    'UPDATE experiences SET slots_available = slots_available + 1 WHERE experience_id = ?',
  );
  const insertRefund = insertInto(database, refunds);
  return {
    details: prepareReservationDetails(database),
    *move(context, reservation, to) {
      const { reservationId, status, experience } = reservation;
      const at = context.at.toISOString();
      const { changes } = yield* update.run(to, at, reservationId, context.customerId, status);
      if (changes !== 1)
        throw new HubError('wrong_status', 'The reservation changed in the meantime.', { reservationId });
      const freesSlot = status === 'reserved' && (to === 'cancelled' || experience.startsAt > at);
      if (freesSlot) yield* giveSlotBack.run(experience.experienceId);
    },
    *refund(context, reservation, amountCents) {
      checkAmount(reservation, amountCents);
      const refund: Refund = {
        refundId: ids.next('rfd'),
        reservationId: reservation.reservationId,
        paymentId: null,
        amountCents,
        status: 'completed',
        idempotencyKey: context.idempotencyKey,
        createdAt: context.at.toISOString(),
      };
      yield* insertRefund(refund);
      return refund;
    },
  };
}

/** The last line of defence: policy decides what is due, but never more than was paid. */
function checkAmount({ reservationId, paidCents, refund }: ReservationDetails, amountCents: number): void {
  const fields = { reservationId, amountCents, paidCents };
  if (refund !== null)
    throw new HubError('already_refunded', 'This reservation has been refunded already.', fields);
  if (paidCents === 0) throw new HubError('nothing_paid', 'Nothing was paid for this reservation.', fields);
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0 || amountCents > paidCents) {
    throw new HubError('input_invalid', 'The refund must be above zero and at most what was paid.', fields);
  }
}

function owned(reservation: ReservationDetails | null, reservationId: string): ReservationDetails {
  if (reservation !== null) return reservation;
  throw new HubError('not_found', 'There is no such reservation.', { reservationId });
}

function refuse(reservation: ReservationDetails): never {
  const { status, reservationId } = reservation;
  const fields = { reservationId, status };
  if (status === 'attended') throw new HubError('attended', 'This visit has taken place.', fields);
  if (status === 'refunded')
    throw new HubError('already_refunded', 'This reservation has been refunded already.', fields);
  if (status === 'cancelled')
    throw new HubError('already_done', 'This reservation is cancelled already.', fields);
  throw new HubError('wrong_status', 'The reservation is not in a state that allows this.', fields);
}

/** Changes CultPass; see the port for what each method promises. */
export function createCustomerWriter(
  database: Database,
  ledger: Pick<Ledger, 'once'>,
  ids: Ids,
): CustomerWriter {
  const writes = preparedOnUse(() => prepareReservationWrites(database, ids));
  const subscriptions = preparedOnUse(() => prepareSubscriptionWrites(database));
  const correct = preparedOnUse(() => prepareCorrections(database, ids));

  function* cancel(
    context: WriteContext,
    reservationId: string,
    refundCents: number,
  ): Work<CancelReservationResult> {
    const before = owned(yield* writes.details.one(context.customerId, reservationId), reservationId);
    if (before.status !== 'reserved') refuse(before);
    if (!Number.isSafeInteger(refundCents) || refundCents < 0) {
      throw new HubError('input_invalid', 'The refund must be a whole number of centavos.', { refundCents });
    }
    yield* writes.move(context, before, 'cancelled');
    const refund = refundCents > 0 ? yield* writes.refund(context, before, refundCents) : null;
    return {
      reservation: owned(yield* writes.details.one(context.customerId, reservationId), reservationId),
      refund,
    };
  }
  function* refund(context: WriteContext, reservationId: string, amountCents: number): Work<Refund> {
    const before = owned(yield* writes.details.one(context.customerId, reservationId), reservationId);
    if (before.status !== 'reserved' && before.status !== 'cancelled') refuse(before);
    const row = yield* writes.refund(context, before, amountCents);
    yield* writes.move(context, before, 'refunded');
    return row;
  }

  return storeOf<CustomerWriter>(database, {
    cancelReservation: (context, reservationId, refundCents) =>
      ledger.once('cancel_reservation', context, () => cancel(context, reservationId, refundCents)),
    refundReservation: (context, reservationId, amountCents) =>
      ledger.once('process_refund', context, () => refund(context, reservationId, amountCents)),
    pauseSubscription: (context, until) =>
      ledger.once('update_subscription', context, () => subscriptions.pause(context, until)),
    resumeSubscription: (context) =>
      ledger.once('update_subscription', context, () => subscriptions.resume(context)),
    cancelSubscription: (context) =>
      ledger.once('update_subscription', context, () => subscriptions.cancel(context)),
    withdrawSubscription: (context, charges) =>
      ledger.once('withdraw_subscription', context, function* () {
        const subscription = yield* subscriptions.end(context);
        yield* correct(context, { kind: 'refund_charges', charges });
        return {
          subscription,
          refundedCents: charges.reduce((sum, { amountCents }) => sum + amountCents, 0),
        };
      }),
    correct: (tool, context, outcome, change) =>
      ledger.once(tool, context, function* () {
        if (change.kind === 'refund_reservation')
          yield* refund(context, change.reservationId, change.amountCents);
        else yield* correct(context, change);
        return outcome;
      }),
  });
}

/** Prepares the statements once for a database. */
function prepareSubscriptionWrites(database: Database): SubscriptionWrites {
  const newest = database.query((orm) =>
    orm
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.userId, sql.placeholder('customerId')))
      .orderBy(desc(subscriptions.startedAt), desc(subscriptions.subscriptionId))
      .limit(1),
  );
  const endPause = database.prepare<[string, string]>(
    `UPDATE subscriptions SET status = 'active', ended_at = NULL WHERE user_id = ? AND status = 'paused' AND ended_at <= ?`,
  );
  const update = database.prepare<[string, string | null, string, string, string]>(
    'UPDATE subscriptions SET status = ?, ended_at = ? WHERE subscription_id = ? AND user_id = ? AND status = ?',
  );

  function* change(context: WriteContext, { from, to, endedAt }: Change): Work<Subscription> {
    // What the reader shows as resumed must also be resumed for the rules here.
    yield* endPause.run(context.customerId, context.at.toISOString());
    const before = yield* newest.get({ customerId: context.customerId });
    if (before === undefined)
      throw new HubError('not_found', 'There is no subscription.', { customerId: context.customerId });
    const { subscriptionId, status } = before;
    if (status === to)
      throw new HubError('already_done', `The subscription is ${to} already.`, { subscriptionId, status });
    if (!from.includes(status)) {
      throw new HubError('wrong_status', `A subscription that is ${status} cannot become ${to}.`, {
        subscriptionId,
        status,
      });
    }
    const { changes } = yield* update.run(to, endedAt, subscriptionId, context.customerId, status);
    if (changes !== 1)
      throw new HubError('wrong_status', 'The subscription changed in the meantime.', { subscriptionId });
    return { ...before, status: to, endedAt };
  }

  const cancel = (context: WriteContext): Work<Subscription> =>
    change(context, { from: ['active', 'paused'], to: 'cancelled', endedAt: context.at.toISOString() });

  return {
    pause(context, until) {
      if (!(until.getTime() > context.at.getTime())) {
        throw new HubError('input_invalid', 'A pause must end in the future.', {
          at: context.at.toISOString(),
        });
      }
      return change(context, { from: ['active'], to: 'paused', endedAt: until.toISOString() });
    },
    resume: (context) => change(context, { from: ['paused'], to: 'active', endedAt: null }),
    cancel,
    *end(context) {
      const before = yield* newest.get({ customerId: context.customerId });
      return before?.status === 'cancelled' ? before : yield* cancel(context);
    },
  };
}
