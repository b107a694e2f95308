import { SAO_PAULO_OFFSET_MS } from '../data/calendar-month.js';
import type { Charge, Subscription, User } from '../data/records.js';
import { type CultpassPolicy, denied, type Verdict } from './policy.js';

/** What a withdrawal from a subscription does. */
interface WithdrawalTerms {
  /** False where the subscription has ended before, and only money goes back. */
  readonly ends: boolean;
  readonly charges: readonly { readonly paymentId: string; readonly amountCents: number }[];
}

const DAY_MS = 86_400_000;

/** The last moment at which a customer may withdraw: the end of the last day in São Paulo. */
export function withdrawalEnds({ startedAt }: Pick<Subscription, 'startedAt'>, policy: CultpassPolicy): Date {
  const bought = new Date(Date.parse(startedAt) - SAO_PAULO_OFFSET_MS).setUTCHours(0, 0, 0, 0);
  const days = policy.subscription.withdrawal_days + 1;
  return new Date(bought + days * DAY_MS + SAO_PAULO_OFFSET_MS - 1);
}

/**
 * May this customer withdraw from the subscription that they bought?
 * Within `withdrawal_days` of the purchase, for no reason: it ends, and all that was paid for it goes back. One that was
 * cancelled in these days is paid back as well. A sum above the limit needs an operator.
 * @param charges all charges of the customer
 */
export function decideWithdrawal(
  user: User,
  subscription: Subscription | null,
  charges: readonly Charge[],
  policy: CultpassPolicy,
  now: Date,
): Verdict<WithdrawalTerms> {
  if (user.isBlocked) return denied('customer_blocked');
  if (subscription === null || subscription.userId !== user.userId) return denied('not_found');
  const ends = subscription.status !== 'cancelled';
  const since = Date.parse(subscription.startedAt) - DAY_MS;
  const due = charges
    .filter(({ reservationId, status, refundedCents, createdAt }) => {
      const isFee = reservationId === null && status === 'paid' && refundedCents === 0;
      return isFee && Date.parse(createdAt) >= since;
    })
    .map(({ paymentId, amountCents }) => ({ paymentId, amountCents }));
  if (!ends && due.length === 0) return denied('already_done');
  if (now > withdrawalEnds(subscription, policy)) return denied('policy_denied');
  const terms = { ends, charges: due };
  return amountOf(terms) > policy.refund.approval_above_cents
    ? { kind: 'needs_approval', terms, reason: 'amount_above_limit' }
    : { kind: 'allowed', terms };
}

/** What goes back in all, in centavos. */
export function amountOf({ charges }: Pick<WithdrawalTerms, 'charges'>): number {
  return charges.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

export type SubscriptionChange =
  | { readonly action: 'pause'; readonly days: number | null }
  | { readonly action: 'resume' }
  | { readonly action: 'cancel' };

interface SubscriptionTerms {
  readonly action: SubscriptionChange['action'];
  /** Length of a pause in days; null otherwise. */
  readonly days: number | null;
}

/** May this subscription be paused, resumed or cancelled? A pause is 1 to `pause_max_days` days. */
export function decideSubscriptionChange(
  user: User,
  subscription: Subscription | null,
  change: SubscriptionChange,
  policy: CultpassPolicy,
): Verdict<SubscriptionTerms> {
  if (user.isBlocked) return denied('customer_blocked');
  if (subscription === null || subscription.userId !== user.userId) return denied('not_found');
  const { status } = subscription;
  if (change.action === 'pause') {
    if (status === 'paused') return denied('already_done');
    if (status !== 'active') return denied('wrong_status');
    const days = change.days ?? policy.subscription.pause_default_days;
    if (!Number.isInteger(days) || days < 1 || days > policy.subscription.pause_max_days) {
      return denied('policy_denied');
    }
    return { kind: 'allowed', terms: { action: 'pause', days } };
  }
  if (change.action === 'resume') {
    if (status === 'active') return denied('already_done');
    return status === 'paused'
      ? { kind: 'allowed', terms: { action: 'resume', days: null } }
      : denied('wrong_status');
  }
  return status === 'cancelled'
    ? denied('already_done')
    : { kind: 'allowed', terms: { action: 'cancel', days: null } };
}
