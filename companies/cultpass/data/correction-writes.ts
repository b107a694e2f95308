import type { Database, Work } from '../../../data/database.js';
import { insertInto } from '../../../data/statements.js';
import { HubError } from '../../../src/core/errors.js';
import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';
import type { Ids } from '../../../src/core/ports/system.js';
import type { ChargeRefund, Correction, Subscription, Tier } from './records.js';
import { refunds, subscriptions } from './schema.js';

interface ChargeRow {
  readonly amountCents: number;
  readonly status: string;
  readonly refunded: number | null;
}

/** Corrections, each inside the caller's transaction; what throws leaves nothing behind. */
export function prepareCorrections(
  database: Database,
  ids: Ids,
): (context: WriteContext, change: Exclude<Correction, { kind: 'refund_reservation' }>) => Work<void> {
  const charge = database.prepare<[string, string], ChargeRow>(
    `SELECT p.amount_cents AS amountCents, p.status, f.amount_cents AS refunded FROM payments p
     LEFT JOIN refunds f ON f.payment_id = p.payment_id WHERE p.payment_id = ? AND p.user_id = ?`,
  );
  const retry = database.prepare<[string, string]>(
    `UPDATE refunds SET status = 'processing' WHERE refund_id = ? AND status = 'failed'
       AND reservation_id IN (SELECT reservation_id FROM reservations WHERE user_id = ?)`,
  );
  const returnVisit = database.prepare<[string, string, string, string]>(
    `UPDATE reservations SET status = 'cancelled', updated_at = ? WHERE reservation_id = ? AND user_id = ?
       AND status = 'reserved' AND experience_id IN (SELECT experience_id FROM experiences WHERE starts_at <= ?)`,
  );
  const unblock = database.prepare<[string]>(
    'UPDATE users SET is_blocked = 0 WHERE user_id = ? AND is_blocked = 1',
  );
  const newest = database.prepare<[string], { id: string; status: Subscription['status']; tier: Tier }>(
    `SELECT subscription_id AS id, status, tier FROM subscriptions WHERE user_id = ?
     ORDER BY started_at DESC, subscription_id DESC LIMIT 1`,
  );
  const setPlan = database.prepare<[Tier, number, string]>(
    `UPDATE subscriptions SET status = 'active', ended_at = NULL, tier = ?, monthly_quota = ? WHERE subscription_id = ?`,
  );
  const insertRefund = insertInto(database, refunds);
  const insertSubscription = insertInto(database, subscriptions);

  function* refundCharge(
    context: WriteContext,
    { paymentId, amountCents }: ChargeRefund,
    nth: number,
  ): Work<void> {
    const row = yield* charge.get(paymentId, context.customerId);
    if (!row) throw new HubError('not_found', 'There is no such charge.', { paymentId });
    if (row.status !== 'paid')
      throw new HubError('nothing_paid', 'This charge was never taken.', { paymentId });
    if (row.refunded !== null)
      throw new HubError('already_refunded', 'This charge has gone back already.', { paymentId });
    if (!Number.isSafeInteger(amountCents) || amountCents <= 0 || amountCents > row.amountCents) {
      const fields = { paymentId, amountCents, paidCents: row.amountCents };
      throw new HubError('input_invalid', 'A refund is above zero and at most what was charged.', fields);
    }
    yield* insertRefund({
      refundId: ids.next('rfd'),
      reservationId: null,
      paymentId,
      amountCents,
      status: 'completed',
      // Several charges may go back by one decision: the ledger holds the decision, each row a part of it.
      idempotencyKey: nth === 0 ? context.idempotencyKey : `${context.idempotencyKey}:${nth}`,
      createdAt: context.at.toISOString(),
    });
  }

  const changed = (changes: number, message: string, fields: Readonly<Record<string, unknown>>): void => {
    if (changes !== 1) throw new HubError('wrong_status', message, fields);
  };

  function* startPlan(context: WriteContext, tier: Tier, visits: number): Work<void> {
    const before = yield* newest.get(context.customerId);
    if (before?.status === 'active')
      throw new HubError('already_done', 'The subscription is active.', { subscriptionId: before.id });
    if (before) return void (yield* setPlan.run(tier, visits, before.id));
    yield* insertSubscription({
      subscriptionId: ids.next('sub'),
      userId: context.customerId,
      status: 'active',
      tier,
      monthlyQuota: visits,
      startedAt: context.at.toISOString(),
      endedAt: null,
    });
  }

  function* applyPlan(context: WriteContext, tier: Tier, visits: number): Work<void> {
    const before = yield* newest.get(context.customerId);
    if (before?.status !== 'active') throw new HubError('wrong_status', 'There is no active subscription.');
    if (before.tier === tier) throw new HubError('already_done', `The plan is ${tier} already.`, { tier });
    yield* setPlan.run(tier, visits, before.id);
  }

  return function* (context, change) {
    const at = context.at.toISOString();
    switch (change.kind) {
      case 'refund_charges':
        for (const [nth, one] of change.charges.entries()) yield* refundCharge(context, one, nth);
        return;
      case 'retry_refund': {
        const { changes } = yield* retry.run(change.refundId, context.customerId);
        return changed(changes, 'There is no failed refund to send again.', { refundId: change.refundId });
      }
      case 'return_visit': {
        const { reservationId } = change;
        const { changes } = yield* returnVisit.run(at, reservationId, context.customerId, at);
        return changed(changes, 'There is no visit to give back.', { reservationId });
      }
      case 'unblock': {
        const { changes } = yield* unblock.run(context.customerId);
        return changed(changes, 'The account is not blocked.', { customerId: context.customerId });
      }
      case 'restore_plan':
        return yield* startPlan(context, change.tier, change.visits);
      case 'apply_plan':
        return yield* applyPlan(context, change.tier, change.visits);
    }
  };
}
