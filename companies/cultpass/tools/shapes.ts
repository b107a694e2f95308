import { z } from 'zod';
import type { Choice } from '../../../src/core/domain/session.js';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import { cannotRun } from '../../../src/core/i18n/index.js';
import type { ActionPlan, DecisionView, ListedRecord, ToolDeps } from '../../../src/runtime/define-tool.js';
import type {
  CustomerReader,
  CustomerWriter,
  QuotaUsage,
  ReservationDetails,
  Subscription,
  User,
} from '../data/records.js';
import type { CultpassPolicy, Verdict } from '../policy/policy.js';

/** The wire shapes of account data; names as in the database. */
export const userShape = z.object({
  full_name: z.string(),
  email: z.string(),
  is_blocked: z.boolean(),
  created_at: z.string(),
});

export const subscriptionShape = z.object({
  status: z.enum(['active', 'paused', 'cancelled']),
  tier: z.enum(['basic', 'premium']),
  monthly_quota: z.number(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
});

export const quotaShape = z.object({
  monthly_quota: z.number(),
  used: z.number(),
  remaining: z.number(),
  resets_at: z.string(),
});

export const refundShape = z.object({ amount_cents: z.number(), status: z.string(), created_at: z.string() });

export const reservationShape = z.object({
  reservation_id: z.string(),
  title: z.string(),
  location: z.string(),
  starts_at: z.string(),
  status: z.enum(['reserved', 'attended', 'cancelled', 'refunded']),
  upcoming: z.boolean(),
  paid_cents: z.number(),
  /** When it was cancelled; null where it was not, or only the refund tells. */
  cancelled_at: z.string().nullable(),
  refund: refundShape.nullable(),
});

export type ReservationShape = z.infer<typeof reservationShape>;

const SHOWN_ATTENDED = 3;

/** Reservations as a model is given them: what has passed with less detail, what was attended by the latest few. */
export function reservationsView(reservations: readonly ReservationShape[]) {
  const past = reservations.filter((reservation) => !reservation.upcoming);
  const attended = past.filter((reservation) => reservation.status === 'attended').slice(0, SHOWN_ATTENDED);
  const shown = past.filter(
    (reservation) => reservation.status !== 'attended' || attended.includes(reservation),
  );
  return {
    upcoming: reservations
      .filter((reservation) => reservation.upcoming)
      .map(({ upcoming: _upcoming, status: _status, cancelled_at: _off, ...rest }) => rest),
    past: shown.map(({ upcoming: _upcoming, location: _location, refund, ...rest }) => ({
      ...rest,
      refunded_cents: refund?.amount_cents ?? null,
      refunded_at: refund?.created_at ?? null,
    })),
  };
}

export function toUserShape(user: User): z.infer<typeof userShape> {
  return {
    full_name: user.fullName,
    email: user.email,
    is_blocked: user.isBlocked,
    created_at: user.createdAt,
  };
}

export function toSubscriptionShape(subscription: Subscription): z.infer<typeof subscriptionShape> {
  return {
    status: subscription.status,
    tier: subscription.tier,
    monthly_quota: subscription.monthlyQuota,
    started_at: subscription.startedAt,
    ended_at: subscription.endedAt,
  };
}

export function toQuotaShape(quota: QuotaUsage): z.infer<typeof quotaShape> {
  return {
    monthly_quota: quota.monthlyQuota,
    used: quota.used,
    remaining: quota.remaining,
    resets_at: quota.resetsAt,
  };
}

export function toReservationShape(reservation: ReservationDetails, now: Date): ReservationShape {
  const { experience, refund } = reservation;
  return {
    reservation_id: reservation.reservationId,
    title: experience.title,
    location: experience.location,
    starts_at: experience.startsAt,
    status: reservation.status,
    upcoming: reservation.status === 'reserved' && Date.parse(experience.startsAt) > now.getTime(),
    paid_cents: reservation.paidCents,
    cancelled_at: reservation.status === 'cancelled' ? reservation.updatedAt : null,
    refund: refund && {
      amount_cents: refund.amountCents,
      status: refund.status,
      created_at: refund.createdAt,
    },
  };
}

/** A reservation as a customer chooses it. */
export function toListedRecord(reservation: ReservationShape): ListedRecord {
  return {
    id: reservation.reservation_id,
    title: reservation.title,
    status: reservation.status,
    startsAt: reservation.starts_at,
    place: reservation.location,
    upcoming: reservation.upcoming,
    amount: { minorUnits: reservation.paid_cents, currency: 'BRL' },
    attributes: { paid_cents: reservation.paid_cents, refunded: reservation.refund !== null },
  };
}

/** What CultPass's tools close over. */
export interface CultpassDeps {
  readonly customers: CustomerReader;
  readonly customerWrites: CustomerWriter;
  readonly policy: CultpassPolicy;
}

type Deps = Pick<ToolDeps, 'clock' | 'time' | 'texts'> & Pick<CultpassDeps, 'customers' | 'policy'>;
type Customer = NonNullable<Awaited<ReturnType<Deps['customers']['getUser']>>>;
type Reservation = NonNullable<Awaited<ReturnType<Deps['customers']['getReservation']>>>;

/** How one action on a reservation reads to the operator who decides it. */
interface ReservationEffect {
  readonly tool: string;
  /** Says what is done, e.g. that the reservation is cancelled. */
  readonly what: 'cancels' | 'refunds_reservation';
  /** The rules as they stand now. @returns the verdict and the amount that goes back, in cents */
  decide(
    customer: Customer,
    reservation: Reservation,
  ): { readonly verdict: Verdict<unknown>; readonly cents: number };
}

/** What a yes to an action on a reservation does now, one sentence a line. */
export async function reservationConsequences(
  deps: Deps,
  reservationId: string,
  { customerId, customer, language, askedAt }: DecisionView,
  { tool, what, decide }: ReservationEffect,
): Promise<readonly string[]> {
  const texts = deps.texts.for(language);
  const [user, reservation] = await Promise.all([
    deps.customers.getUser(customerId),
    deps.customers.getReservation(customerId, reservationId),
  ]);
  if (!user || !reservation) {
    return [texts.say('runs', { tool: texts.sayOf('tool', tool), customer }), cannotRun(texts, 'not_found')];
  }
  const { title, location: place, startsAt } = reservation.experience;
  const when = deps.time.dateTime(startsAt, language);
  const first = texts.sayOwn(what, { title, when, place, customer });
  const { verdict, cents } = decide(user, reservation);
  if (verdict.kind === 'denied') return [first, cannotRun(texts, verdict.code)];
  const hours = deps.policy.cancellation.full_refund_hours;
  return [
    first,
    cents > 0 ? texts.sayOwn('pays_back', { amount: texts.money(cents) }) : texts.sayOwn('pays_nothing'),
    ...(what === 'cancels' ? [texts.sayOwn('visit_returns')] : []),
    ...(what === 'cancels' && askedAt !== undefined && Date.parse(startsAt) <= deps.clock.now().getTime()
      ? [texts.sayOwn('asked_in_time', { asked: deps.time.dateTime(askedAt, language) })]
      : []),
    ...(verdict.kind === 'needs_approval'
      ? [texts.sayOwn('approval_needed', { reason: verdict.reason, hours })]
      : []),
  ];
}

/** A refusal, with the refund that was made where that is the reason. */
export function refusedFor(
  { texts: all, time }: Pick<ToolDeps, 'time' | 'texts'>,
  verdict: Extract<Verdict<unknown>, { kind: 'denied' }>,
  { experience: { title }, refund }: Reservation,
  language: Language,
): Extract<ActionPlan, { kind: 'denied' }> {
  if (verdict.code !== 'already_refunded' || refund === null) return verdict;
  const texts = all.for(language);
  const [day, amount] = [time.date(refund.createdAt, language), texts.money(refund.amountCents)];
  return { ...verdict, said: texts.sayOwn('refund_was_made', { title, day, amount }) };
}

/** How many reservations of the customer are still ahead. */
export async function countUpcoming(
  { customers }: Pick<CultpassDeps, 'customers'>,
  { clock }: Pick<ToolDeps, 'clock'>,
  customerId: string,
): Promise<number> {
  const now = clock.now().getTime();
  const all = await customers.listReservations(customerId);
  return all.filter(
    ({ status, experience }) => status === 'reserved' && Date.parse(experience.startsAt) > now,
  ).length;
}

/** A reservation as its customer speaks of it; by its id alone where it is gone. */
interface ReservationMatter {
  readonly title: string;
  readonly when: string;
  readonly status: string | null;
  readonly about: Choice | null;
}

/** Reads what a change of a reservation is about. */
export async function reservationMatter(
  { customers, time }: Pick<ToolDeps, 'time'> & Pick<CultpassDeps, 'customers'>,
  reservationId: string,
  customerId: string,
  language: Language,
): Promise<ReservationMatter> {
  const reservation = await customers.getReservation(customerId, reservationId);
  if (!reservation) return { title: reservationId, when: '', status: null, about: null };
  const { title, startsAt } = reservation.experience;
  return {
    title,
    when: time.dateTime(startsAt, language),
    status: reservation.status,
    about: { id: reservationId, title, startsAt },
  };
}
