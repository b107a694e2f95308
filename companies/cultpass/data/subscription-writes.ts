import { desc, eq, sql } from 'drizzle-orm';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { HubError } from '../../../src/core/errors.js';
import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';
import type { Subscription, SubscriptionStatus } from './records.js';
import { subscriptions } from './schema.js';

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

/** Prepares the statements once for a handle. */
export function prepareSubscriptionWrites({ orm, sqlite }: DatabaseHandle): SubscriptionWrites {
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
