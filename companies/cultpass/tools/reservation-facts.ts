import type { Choice } from '../../../src/core/domain/session.js';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import { cannotRun } from '../../../src/core/i18n/index.js';
import type { ActionPlan, DecisionView, ToolDeps } from '../../../src/runtime/define-tool.js';
import type { Verdict } from '../policy/policy.js';
import type { CultpassDeps } from './cultpass-deps.js';

type Deps = Pick<ToolDeps, 'time' | 'texts'> & Pick<CultpassDeps, 'customers' | 'policy'>;
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
  { customerId, customer, language }: DecisionView,
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
