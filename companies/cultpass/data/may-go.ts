import type { CustomerReader } from './ports.js';
import type { Experience, QuotaUsage } from './records.js';

/** Whether somebody may go, under the names that the sentence `record_fact` knows for `may_go`. */
export type MayGo =
  | 'booked'
  | 'sold_out'
  | 'blocked'
  | 'no_plan'
  | 'paused'
  | 'premium_only'
  | 'no_visits'
  | 'premium'
  | 'anyone'
  | 'yes';

/**
 * Reads once what a customer has, and tells of each experience whether they may book it: the reason that weighs most, where they
 * may not. What books it is the app; this refuses nothing.
 * @param customerId null for a visitor, who hears what holds for everybody
 */
export async function mayGoOf(
  reader: Pick<CustomerReader, 'getUser' | 'getSubscription' | 'getQuotaUsage' | 'listReservations'>,
  customerId: string | null,
): Promise<(experience: Experience) => Promise<MayGo>> {
  const soldOutOr = (experience: Experience, otherwise: MayGo): MayGo =>
    experience.slotsAvailable > 0 ? otherwise : 'sold_out';
  if (customerId === null)
    return async (experience) => soldOutOr(experience, experience.isPremium ? 'premium' : 'anyone');
  const [user, subscription, reservations] = await Promise.all([
    reader.getUser(customerId),
    reader.getSubscription(customerId),
    reader.listReservations(customerId),
  ]);
  const booked = new Set(
    reservations.flatMap(({ status, experience }) =>
      status === 'reserved' ? [experience.experienceId] : [],
    ),
  );
  const quotas = new Map<string, Promise<QuotaUsage | null>>();
  // A visit counts in the month in which it is.
  const quotaAt = (startsAt: string): Promise<QuotaUsage | null> => {
    const known = quotas.get(startsAt) ?? reader.getQuotaUsage(customerId, new Date(startsAt));
    quotas.set(startsAt, known);
    return known;
  };
  return async (experience) => {
    if (booked.has(experience.experienceId)) return 'booked';
    if (user?.isBlocked) return 'blocked';
    if (!subscription || subscription.status === 'cancelled') return 'no_plan';
    if (experience.isPremium && subscription.tier !== 'premium') return 'premium_only';
    if (subscription.status === 'paused') return 'paused';
    if (experience.slotsAvailable <= 0) return 'sold_out';
    return ((await quotaAt(experience.startsAt))?.remaining ?? 0) > 0 ? 'yes' : 'no_visits';
  };
}
