import type { DaySpan } from '../../../src/core/domain/entity.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import { dashed } from '../../../src/runtime/offline-step.js';
import { type CultpassPolicy, nextBillingDay } from '../policy/policy.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import {
  type AnswerPolicy,
  cancellable,
  cancelledBookings,
  nextBooking,
  over,
  visitBack,
  visitsAfter,
  visitsCounted,
  visitsThen,
} from './bookings.js';
import { before, charged, failed, isFee, lastFee, lateFeeText } from './charges.js';
import { attended, cancelledBy } from './looking-back.js';
import { lateFees, payments as listed, paymentFacts, settled, wouldRefund } from './money.js';
import { ofAmount, owes, paidWith, whyCharged } from './payments.js';
import { refundsComing, whyRefunded } from './refunds.js';

/** A question that the record answers. @returns null where this customer's does not */
type Answer = (asked: Asked, record: CustomerRecord, policy: AnswerPolicy) => string | null;

const DAY_MS = 86_400_000;
/** What was paid for visits in so many days before is told to who asks about charges after the end. */
const LATELY_DAYS = 62;

/** By the names under which the entities declare the questions. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  next_charge: (asked, record, { plans }) =>
    plan(asked, record, plans, isOfLarger(asked, record, true) ? 'upgrade_price' : 'next_charge'),
  fee_paid: (asked, record) => settled(asked, record, true),
  refunds_coming: refundsComing,
  visits_after: visitsAfter,
  visits_then: visitsThen,
  monthly_fee: (asked, record, { plans }) =>
    plan(asked, record, plans, isOfLarger(asked, record) ? 'upgrade_price' : 'monthly_fee'),
  which_plan: (asked, record, { plans }) => plan(asked, record, plans, 'which_plan'),
  pause_began: (asked, record, { plans }) => plan(asked, record, plans, 'pause_began'),
  pause_longer: (asked, record, { plans }) => plan(asked, record, plans, 'pause_longer'),
  pause_ends: (asked, record, { plans }) => plan(asked, record, plans, 'pause_ends'),
  pause_keeps: (asked, record, { plans }) => plan(asked, record, plans, 'pause_keeps'),
  quit_keeps: (asked, record, { plans }) => plan(asked, record, plans, 'quit_keeps'),
  on_plan: (asked, record, { plans }) => plan(asked, record, plans, 'on_plan'),
  upgrade_me: (asked, record, { plans }) => plan(asked, record, plans, 'upgrade_me'),
  month_back: (asked, record, { plans }) => plan(asked, record, plans, 'month_back'),
  book_now: (asked, record, { plans }) => plan(asked, record, plans, 'book_now'),
  book_in_pause: (asked, record, { plans }) => plan(asked, record, plans, 'book_in_pause'),
  charged_in_pause: (asked, record, { plans }) => plan(asked, record, plans, 'charged_in_pause'),
  charged_after_end: afterEnd,
  ended: (asked, record, { plans }) => plan(asked, record, plans, 'ended'),
  change_down: (asked, record, { plans }) => plan(asked, record, plans, 'change_down'),
  change_lose: (asked, record, { plans }) => plan(asked, record, plans, 'change_lose'),
  guest_allowed: (asked, record, { plans }) => plan(asked, record, plans, 'guest_allowed'),
  on_day: onDay,
  cancelled_on: cancelledOn,
  ended_on: (asked, record, { plans }) => plan(asked, record, plans, 'ended_on'),
  began_on: (asked, record, { plans }) => plan(asked, record, plans, 'began_on'),
  come_back: (asked, record, { plans }) =>
    pauseOnDay(asked, record) ?? plan(asked, record, plans, 'come_back'),
  upgrade_price: (asked, record, { plans }) => plan(asked, record, plans, upgradeKey(asked, record)),
  last_payments: (asked, record) => [listed(asked, record), ...receiptsOf(asked)].join('\n\n'),
  last_charge: charged,
  last_fee: lastFee,
  charge_before: (asked, record) => before(asked, record, record.payments),
  fee_before: (asked, record) => before(asked, record, record.payments.filter(isFee)),
  amount: ofAmount,
  charged_while_blocked: (asked, record, { plans }) => plan(asked, record, plans, 'charged_while_blocked'),
  block_why: (asked, record, { plans }) =>
    block(asked, record, 'why') ?? plan(asked, record, plans, 'held_up'),
  held_up: (asked, record, { plans }) =>
    record.user.is_blocked ? block(asked, record, 'why') : plan(asked, record, plans, 'held_up'),
  pause_who: (asked, record, { plans }) => plan(asked, record, plans, 'pause_who'),
  block_dispute: (asked, record) => block(asked, record, disputes(asked) ? 'dispute' : 'why'),
  block_review: (asked, record) => block(asked, record, 'review'),
  guest_pass_left: (asked, record, { plans }) => plan(asked, record, plans, 'guest_pass_left'),
  attended_it: (asked, record) => attended(asked, record, 'went'),
  over_yet: (asked, record) => attended(asked, record, 'over'),
  ...{ cancelled_who: cancelledBy, cancelled_why: cancelledBy },
  block_lift: (asked, record) => block(asked, record, 'lift'),
  ...{ visits_counted: visitsCounted, fewer_visits: visitsCounted, visit_back: visitBack },
  next_booking: nextBooking,
  cancelled_bookings: cancelledBookings,
  past_visits: (asked, record) => over(asked, record),
  missed_visits: (asked, record) => over(asked, record, true),
  cancellable,
  would_refund: (asked, record, policy) => wouldRefund(asked, record, policy, true),
  spent: (asked, record) => listed(asked, record, true),
  failed_payment: failed,
  refund_why: whyRefunded,
  charge_why: whyCharged,
  paid_with: paidWith,
  owes,
  payment_method: ({ texts }) => texts.sayOwn('payment_method'),
};

/** Who has no plan starts one; of a paused one what is due counts, unless the larger plan is named. */
function upgradeKey({ said }: Asked, { subscription: current }: CustomerRecord): string {
  if (current?.status === 'cancelled') return 'upgrade_me';
  const isNamed = said('subscription').has('premium_named');
  return current?.status === 'paused' && !isNamed ? 'next_charge' : 'upgrade_price';
}

/** Told with another answer: who asks both is told once. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  ended_on: ['cancelled_who', 'cancelled_why', 'charged_after_end', 'ended', 'which_plan'],
  visits_left: ['visits_after', 'visits_then', 'visit_back', 'fewer_visits'],
  visits_counted: ['fewer_visits'],
  last_charge: ['charged_after_end', 'last_payments', 'last_fee'],
  last_fee: ['charged_after_end'],
  past_visits: ['attended_it', 'fewer_visits'],
  missed_visits: ['attended_it'],
  cancelled_bookings: ['cancelled_who', 'cancelled_why'],
  cancelled_on: ['cancelled_who', 'cancelled_why'],
  block_why: ['block_dispute', 'held_up'],
  pause_ends: ['charged_in_pause', 'pause_longer', 'pause_who'],
  guest_allowed: ['guest_pass_left'],
  amount: ['attended_it', 'refund_when', 'refund_why', 'charge_why', 'owes', 'paid_with'],
  still_valid: ['attended_it', 'over_yet', 'pause_keeps', 'quit_keeps', 'book_in_pause'],
  bookings: ['pause_keeps', 'quit_keeps', 'book_in_pause'],
  would_refund: ['month_back'],
  which_plan: ['monthly_fee', 'on_plan', 'upgrade_me'],
  upgrade_me: ['upgrade_price'],
  pause_longer: ['on_day', 'next_charge'],
  monthly_fee: ['upgrade_price', 'spent'],
  change_down: ['change_lose'],
  on_day: ['next_charge'],
  next_booking: ['cancellable'],
};

/** Who asks one of these must hear of a fee that was charged after the end, and a person gives it back. */
const OF_THE_END: ReadonlySet<string> = new Set([
  ...['ended', 'ended_on', 'charged_after_end', 'last_charge', 'last_fee', 'next_charge', 'charge_why'],
]);

/** True where the request asks what a fee that was charged after the end of the subscription is part of. */
export function isOfLateFee({ asks }: Asked, record: CustomerRecord): boolean {
  return asks.some((name) => OF_THE_END.has(name)) && lateFees(record).length > 0;
}

/**
 * What the record says to the questions that the request asks of it, one answer below the other.
 * @param more answers of the account itself, by the names of further questions
 * @returns null where the request asks none, or the record answers none
 */
export function ownAnswers(
  asked: Asked,
  record: CustomerRecord,
  policy: AnswerPolicy,
  more: Readonly<Record<string, () => string | null>>,
): string | null {
  const names = asked.asks.filter((name) => !WITHIN[name]?.some((other) => asked.asks.includes(other)));
  const said = names.flatMap((name) => ANSWERS[name]?.(asked, record, policy) ?? more[name]?.() ?? []);
  const late = isOfLateFee(asked, record) ? lateFeeText(asked, record) : null;
  const all = late === null ? said : [...said, late];
  return said.length === 0 ? null : [...new Set(all)].join('\n\n');
}

/** What is said of the plan: every sentence of it is made of the same facts. */
export function plan(
  { texts, time, context, dates, said }: Asked,
  { subscription: current, payments, user, quota }: CustomerRecord,
  plans: CultpassPolicy['plans'],
  key: string,
): string | null {
  if (!current) return texts.sayOwn('no_subscription');
  const date = (iso: string | null | undefined) => (iso ? time.date(iso, context.session.language) : null);
  const asked = dates().at(-1);
  const fees = payments.filter((payment) => payment.for === null && payment.status === 'paid');
  const [last] = fees;
  const from = current.status === 'paused' ? (current.ended_at ?? context.now) : context.now;
  const next = last && nextBillingDay(last.created_at, from);
  const larger = plans.premium.price_cents - plans[current.tier].price_cents;
  const daysLeft = next ? Math.round((Date.parse(next) - Date.parse(context.now)) / DAY_MS) : 0;
  const days = last && next ? Math.round((Date.parse(next) - Date.parse(last.created_at)) / DAY_MS) : 0;
  return texts.sayOwn(key, {
    ...{ status: current.status, blocked: user.is_blocked, larger: larger > 0 },
    tier: current.tier === 'premium' ? 'Premium' : 'Basic',
    amount: texts.money(plans[current.tier].price_cents),
    quota: current.monthly_quota,
    since: date(current.started_at),
    smallest: current.tier === 'basic',
    basic: texts.money(plans.basic.price_cents),
    basic_visits: plans.basic.visits,
    until: said('subscription').has('until'),
    lost: said('reservation').has('lost'),
    named: said('subscription').has('premium_named') === (current.tier === 'premium'),
    ended: date(current.ended_at),
    next: date(next),
    due:
      asked && next && said('subscription').has('whether_due')
        ? isDue(next, asked, said('subscription'))
        : null,
    last: date(last?.created_at),
    last_amount: last ? texts.money(last.amount_cents) : null,
    premium: texts.money(plans.premium.price_cents),
    visits: plans.premium.visits,
    gives: said('subscription').has('gives_more'),
    used: quota?.used ?? 0,
    remaining: quota?.remaining ?? 0,
    resets: date(quota?.resets_at),
    would_remain: Math.max(0, plans.premium.visits - (quota?.used ?? 0)),
    difference: texts.money(larger),
    less: texts.money(plans.premium.price_cents - plans.basic.price_cents),
    days_left: daysLeft,
    pro_rata:
      days > 0 && current.status === 'active' ? texts.money(Math.round((larger * daysLeft) / days)) : null,
  });
}

/** True where the message, or the one before, speaks of a larger plan than theirs: "and what do I pay?", "and what would I pay?". */
function isOfLarger(
  { said, own, context: { task, session } }: Asked,
  { subscription }: CustomerRecord,
  supposes = false,
): boolean {
  const here = said('subscription', own);
  if (here.has('plan_named') || (supposes && !here.has('would'))) return false;
  const around = [task.within ?? task.text, session.previousMessage ?? ''];
  const isNamed = around.some((text) => said('subscription', text).has('premium_named'));
  return isNamed && subscription?.tier === 'basic' && subscription.status === 'active';
}

/** That they come back on the day of a pause that cannot be planned ahead: "so I come back on the 4th and do it myself?" */
function pauseOnDay(asked: Asked, { subscription }: CustomerRecord): string | null {
  const { said, texts, time, context } = asked;
  const { previousMessage: before, language } = context.session;
  const day = asked.dates().at(-1);
  const isOfPause = said('subscription', before ?? '').has('pause_named');
  if (!day || day.from <= context.now || !isOfPause || subscription?.status !== 'active') return null;
  return texts.sayOwn('pause_on_day', { from: time.date(day.from, language) });
}

/** What comes on a day: the end of a pause, or the next charge. Null where neither does. */
function onDay(asked: Asked, record: CustomerRecord, { plans }: AnswerPolicy): string | null {
  const { subscription: current, payments } = record;
  if (current?.status === 'paused') return plan(asked, record, plans, 'pause_ends');
  const fee = payments.find((one) => one.for === null && one.status === 'paid');
  const next = fee && nextBillingDay(fee.created_at, asked.context.now);
  const isDue = next !== undefined && asked.dates().some(({ from, to }) => from <= next && next < to);
  return current?.status === 'active' && isDue ? plan(asked, record, plans, 'next_charge') : null;
}

/** When the subscription ended; of one that has not, which bookings were cancelled. */
function cancelledOn(asked: Asked, record: CustomerRecord, { plans }: AnswerPolicy): string | null {
  const isOver = record.subscription?.status === 'cancelled';
  return isOver ? plan(asked, record, plans, 'ended_on') : cancelledBookings(asked, record);
}

/** Whether a charge falls on the day that is asked about, or before it: "before the 5th", "by the end of the month", "this month". */
function isDue(next: string, { from, to }: DaySpan, about: ReadonlySet<string>): boolean {
  const isDay = Date.parse(to) - Date.parse(from) <= DAY_MS;
  if (!about.has('by_then')) return from <= next && next < to;
  return next < (isDay ? from : to);
}

/** Whether a fee was charged after the subscription ended, and what else was paid lately. */
function afterEnd(asked: Asked, record: CustomerRecord, { plans }: AnswerPolicy): string | null {
  const { texts, context } = asked;
  const { subscription: current, payments } = record;
  if (current?.status !== 'cancelled') return plan(asked, record, plans, 'not_ended');
  const ended = current.ended_at ?? context.now;
  // What was charged after it is told below.
  const late = lateFees(record);
  const since = new Date(Date.parse(ended) - LATELY_DAYS * DAY_MS).toISOString();
  const visits = payments.filter((one) => one.for !== null && one.created_at > since);
  if (late.length > 0) return texts.sayOwn('charged_late');
  const lines = visits.map((one) => texts.sayOwn('payment_line', paymentFacts(asked, record, one)));
  const first = plan(asked, record, plans, 'charged_after_end') ?? '';
  return [first, texts.sayOwn('charged_besides', { visits: dashed(lines) })].join('\n\n').trim();
}

/** Where the receipts are, for who asks for those. */
function receiptsOf({ said, texts }: Asked): readonly string[] {
  const none = { amount: null, date: null, what: null };
  return said('subscription').has('receipt') ? [texts.sayOwn('receipt', none)] : [];
}

/** True where the message speaks of a charge that was disputed at the bank. */
function disputes({ said, context: { task } }: Asked): boolean {
  return said('subscription', task.within ?? task.text).has('disputed');
}

/** Why and how long they are blocked; null for who is not, and speaks of no block: the question only sounds like one of those. */
function block({ said, texts }: Asked, { user }: CustomerRecord, about: string): string | null {
  if (!user.is_blocked && !said('subscription').has('blocked')) return null;
  return texts.sayOwn('block', { blocked: user.is_blocked, about });
}
