import type { Subscription, User } from '../data/records.js';
import { type CultpassPolicy, denied, type Verdict } from './policy.js';

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
