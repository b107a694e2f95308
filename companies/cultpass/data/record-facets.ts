import { type CultpassPolicy, decideCancellation } from '../policy/policy.js';
import {
  type CustomerReader,
  type Experience,
  monthInSaoPaulo,
  type QuotaUsage,
  type ReservationDetails,
  type Subscription,
  type User,
} from './records.js';

/** The rules that say until when a reservation may be given up, and what comes back then. */
export type ReservationTerms = Pick<CultpassPolicy, 'cancellation' | 'refund'>;

/** Whose reservation it is, and when that is asked. */
interface Owner {
  readonly user: User | null;
  readonly subscription: Subscription | null;
  /** What anybody may choose from. */
  readonly offered: readonly Experience[];
  readonly now: Date;
}

/**
 * The rules of the house as they are for one reservation, under the names that its entity asks for: until when it can be given up
 * freely, that it is too late for that, what would come back, who may come along. Null where there is nothing to tell.
 */
export function facetsOf(details: ReservationDetails, owner: Owner, policy: ReservationTerms) {
  const { user, subscription, offered, now } = owner;
  const { startsAt } = details.experience;
  const verdict = user ? decideCancellation(user, details, policy, now) : null;
  const isLate = verdict?.kind === 'needs_approval' && verdict.reason === 'late_cancellation';
  const isOpen = verdict !== null && verdict.kind !== 'denied';
  const freeUntil = new Date(Date.parse(startsAt) - policy.cancellation.full_refund_hours * 3_600_000);
  const isPaid = isOpen && verdict.terms.refundCents > 0;
  const back = isLate ? (isPaid ? 'late_money' : 'late_visit') : isPaid ? 'money' : 'visit';
  return {
    free_until: isOpen && !isLate ? freeUntil.toISOString() : null,
    too_late: isLate ? 'late' : null,
    back: isOpen ? (verdict.kind === 'needs_approval' && !isLate ? 'agree' : back) : null,
    guest: guestOf(subscription, false),
    once: onceOf(details.experience, offered),
    may_go: details.status === 'reserved' && Date.parse(startsAt) > now.getTime() ? 'booked' : null,
  };
}

/** When it is on, where the programme has it on that date alone; null where it is over, or on at other times too. */
export function onceOf({ title, experienceId, startsAt }: Experience, offered: readonly Experience[]) {
  const all = offered.filter((one) => one.title === title);
  return all.length === 1 && all[0]?.experienceId === experienceId ? startsAt : null;
}

/** Whether somebody may come along, under the names that the sentence `record_fact` knows for `guest`. */
export function guestOf(
  subscription: Subscription | null,
  isVisitor: boolean,
): 'anyone' | 'none' | 'paused' | 'premium' | 'basic' {
  if (isVisitor) return 'anyone';
  if (!subscription || subscription.status === 'cancelled') return 'none';
  return subscription.status === 'paused' ? 'paused' : subscription.tier;
}

/** Whether somebody may go, under the names that the sentence `record_fact` knows for `may_go`. */
type Permission =
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
 * @param customerId null for a visitor, who sees what holds for everybody
 */
export async function permissionOf(
  reader: Pick<CustomerReader, 'getUser' | 'getSubscription' | 'getQuotaUsage' | 'listReservations'>,
  customerId: string | null,
): Promise<(experience: Experience) => Promise<Permission>> {
  const soldOutOr = (experience: Experience, otherwise: Permission): Permission =>
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
  const quotas = new Map<number, Promise<QuotaUsage | null>>();
  // A visit counts in the month in which it is.
  const quotaAt = (startsAt: string): Promise<QuotaUsage | null> => {
    const at = new Date(startsAt);
    const month = monthInSaoPaulo(at).start.getTime();
    const known = quotas.get(month) ?? reader.getQuotaUsage(customerId, at);
    quotas.set(month, known);
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
