import { desc, eq, sql } from 'drizzle-orm';
import type { Ledger } from '../../../data/ledger.js';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { preparedOnUse, prepareInsert } from '../../../data/statements.js';
import { withTranslatedErrors } from '../../../data/storage-errors.js';
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
  pause(context: WriteContext, until: Date): Subscription;
  resume(context: WriteContext): Subscription;
  cancel(context: WriteContext): Subscription;
  /** As `cancel`; one that is cancelled stays as it is. */
  end(context: WriteContext): Subscription;
}

interface Change {
  readonly from: readonly SubscriptionStatus[];
  readonly to: SubscriptionStatus;
  readonly endedAt: string | null;
}

interface ReservationWrites {
  readonly details: ReservationDetailsQueries;
  /** The guarded update; throws where the row is not what the caller read. */
  move(context: WriteContext, reservation: ReservationDetails, to: ReservationStatus): void;
  refund(context: WriteContext, reservation: ReservationDetails, amountCents: number): Refund;
}

function prepareReservationWrites(handle: DatabaseHandle, ids: Ids): ReservationWrites {
  const update = handle.sqlite.prepare<[string, string, string, string, string]>(
    'UPDATE reservations SET status = ?, updated_at = ? WHERE reservation_id = ? AND user_id = ? AND status = ?',
  );
  const giveSlotBack = handle.sqlite.prepare<[string]>(
    'UPDATE experiences SET slots_available = slots_available + 1 WHERE experience_id = ?',
  );
  const insertRefund = prepareInsert(handle.orm, refunds);
  return {
    details: prepareReservationDetails(handle),
    move(context, reservation, to) {
      const { reservationId, status, experience } = reservation;
      const at = context.at.toISOString();
      const { changes } = update.run(to, at, reservationId, context.customerId, status);
      if (changes !== 1)
        throw new HubError('wrong_status', 'The reservation changed in the meantime.', { reservationId });
      const freesSlot = status === 'reserved' && (to === 'cancelled' || experience.startsAt > at);
      if (freesSlot) giveSlotBack.run(experience.experienceId);
    },
    refund(context, reservation, amountCents) {
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
      insertRefund(refund);
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
  handle: DatabaseHandle,
  ledger: Pick<Ledger, 'once'>,
  ids: Ids,
): CustomerWriter {
  const writes = preparedOnUse(() => prepareReservationWrites(handle, ids));
  const subscriptions = preparedOnUse(() => prepareSubscriptionWrites(handle));
  const correct = preparedOnUse(() => prepareCorrections(handle, ids));

  const cancel = (
    context: WriteContext,
    reservationId: string,
    refundCents: number,
  ): CancelReservationResult => {
    const before = owned(writes.details.one(context.customerId, reservationId), reservationId);
    if (before.status !== 'reserved') refuse(before);
    if (!Number.isSafeInteger(refundCents) || refundCents < 0) {
      throw new HubError('input_invalid', 'The refund must be a whole number of centavos.', { refundCents });
    }
    writes.move(context, before, 'cancelled');
    const refund = refundCents > 0 ? writes.refund(context, before, refundCents) : null;
    return {
      reservation: owned(writes.details.one(context.customerId, reservationId), reservationId),
      refund,
    };
  };
  const refund = (context: WriteContext, reservationId: string, amountCents: number): Refund => {
    const before = owned(writes.details.one(context.customerId, reservationId), reservationId);
    if (before.status !== 'reserved' && before.status !== 'cancelled') refuse(before);
    const row = writes.refund(context, before, amountCents);
    writes.move(context, before, 'refunded');
    return row;
  };

  return withTranslatedErrors<CustomerWriter>(handle, {
    cancelReservation: async (context, reservationId, refundCents) =>
      ledger.once('cancel_reservation', context, () => cancel(context, reservationId, refundCents)),
    refundReservation: async (context, reservationId, amountCents) =>
      ledger.once('process_refund', context, () => refund(context, reservationId, amountCents)),
    pauseSubscription: async (context, until) =>
      ledger.once('update_subscription', context, () => subscriptions.pause(context, until)),
    resumeSubscription: async (context) =>
      ledger.once('update_subscription', context, () => subscriptions.resume(context)),
    cancelSubscription: async (context) =>
      ledger.once('update_subscription', context, () => subscriptions.cancel(context)),
    withdrawSubscription: async (context, charges) =>
      ledger.once('withdraw_subscription', context, () => {
        const subscription = subscriptions.end(context);
        correct(context, { kind: 'refund_charges', charges });
        return {
          subscription,
          refundedCents: charges.reduce((sum, { amountCents }) => sum + amountCents, 0),
        };
      }),
    correct: async (tool, context, outcome, change) =>
      ledger.once(tool, context, () => {
        if (change.kind === 'refund_reservation') refund(context, change.reservationId, change.amountCents);
        else correct(context, change);
        return outcome;
      }),
  });
}

/** Prepares the statements once for a handle. */
function prepareSubscriptionWrites({ orm, sqlite }: DatabaseHandle): SubscriptionWrites {
  const newest = orm
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, sql.placeholder('customerId')))
    .orderBy(desc(subscriptions.startedAt), desc(subscriptions.subscriptionId))
    .limit(1)
    .prepare();
  const endPause = sqlite.prepare<[string, string]>(
    `UPDATE subscriptions SET status = 'active', ended_at = NULL WHERE user_id = ? AND status = 'paused' AND ended_at <= ?`,
  );
  const update = sqlite.prepare<[string, string | null, string, string, string]>(
    'UPDATE subscriptions SET status = ?, ended_at = ? WHERE subscription_id = ? AND user_id = ? AND status = ?',
  );

  const change = (context: WriteContext, { from, to, endedAt }: Change): Subscription => {
    // What the reader shows as resumed must also be resumed for the rules here.
    endPause.run(context.customerId, context.at.toISOString());
    const before = newest.get({ customerId: context.customerId });
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
    const { changes } = update.run(to, endedAt, subscriptionId, context.customerId, status);
    if (changes !== 1)
      throw new HubError('wrong_status', 'The subscription changed in the meantime.', { subscriptionId });
    return { ...before, status: to, endedAt };
  };

  const cancel = (context: WriteContext): Subscription =>
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
    end(context) {
      const before = newest.get({ customerId: context.customerId });
      return before?.status === 'cancelled' ? before : cancel(context);
    },
  };
}
