import type { DaySpan } from '../../../src/core/domain/entity.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import type { ListedRecord } from '../../../src/runtime/define-tool.js';
import { dashed } from '../../../src/runtime/offline-step.js';
import { type CultpassPolicy, cancellationTerms } from '../policy/policy.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import { type ReservationShape, toListedRecord } from '../tools/shapes.js';

type Payment = CustomerRecord['payments'][number];

/** The receipt or the state of the fees that was asked about; null where neither was. */
export function charge(asked: Asked, record: CustomerRecord): string | null {
  const about = asked.said('subscription');
  if (about.has('receipt')) return receipt(asked, record, asked.asks.includes('last_charge'));
  return about.has('settled') ? settled(asked, record) : null;
}

/** A payment in a sentence: what became of it, and for what it was. */
export function paymentSentence(asked: Asked, record: CustomerRecord, payment: Payment): string {
  return asked.texts.sayOwn('payment_of', paymentFacts(asked, record, payment));
}

/** What is said of a payment in a line or a sentence. */
export function paymentFacts(asked: Asked, record: CustomerRecord, payment: Payment) {
  const back = backOf(record, payment);
  const { language } = asked.context.session;
  const refunded = back && asked.time.date(back.created_at, language);
  return { ...paymentWords(asked, payment), status: payment.status, refunded };
}

/** The refund of a payment, or of the booking that it alone was for; null where it was kept. */
function backOf({ payments: all, reservations }: CustomerRecord, { for: title, status, refund }: Payment) {
  const paid = all.filter((one) => one.for === title && one.status === 'paid');
  if (refund || title === null || status !== 'paid' || paid.length !== 1) return refund;
  const booked = reservations.filter((one) => one.title === title);
  return booked.length === 1 ? (booked[0]?.refund ?? null) : null;
}

/** Whether a monthly fee is still to be paid, or with `whether` whether it was paid: the newest one decides. Null where none was ever charged. */
export function settled(asked: Asked, { payments: all }: CustomerRecord, whether = false): string | null {
  const newest = all.find((payment) => payment.for === null);
  return newest
    ? asked.texts.sayOwn('fee_settled', { ...paymentWords(asked, newest), status: newest.status, whether })
    : null;
}

/** Where the receipt of a payment is: of the one that is named, or of the newest where that is meant. */
function receipt(asked: Asked, { payments: all }: CustomerRecord, isLast: boolean): string {
  const paid = all.filter(({ status }) => status === 'paid');
  const picked = isLast ? '0' : asked.named(paid.map(({ for: title }, at) => titled(title ?? '', at)));
  const one = picked === null ? undefined : paid[Number(picked)];
  return asked.texts.sayOwn(
    'receipt',
    one ? paymentWords(asked, one) : { amount: null, date: null, what: null },
  );
}

/** What a payment was for, as customers name it: no day, since a month holds more payments than the record shows. */
export function titled(title: string, at: number): ListedRecord {
  return {
    ...{ id: String(at), title, status: '', startsAt: null, place: null },
    ...{ upcoming: false, amount: null, attributes: {} },
  };
}

/** The amount of a payment, its day, and what it was for. */
export function paymentWords({ context, texts, time }: Asked, payment: Payment) {
  return {
    amount: texts.money(payment.amount_cents),
    date: time.date(payment.created_at, context.session.language),
    what: payment.for,
  };
}

/** Before anything was paid. */
const BEGINNING = '0';

/** So many of the latest are listed where no other number was asked for. */
const LISTED = 6;

/** The latest payments, one a line: those for what is named, or of the days that were asked for, with what they come to. */
export function payments(asked: Asked, record: CustomerRecord, inAll = false): string {
  const besides = asked.said('subscription').has('besides_fee');
  const all = record.payments.filter(({ for: title }) => !besides || title !== null);
  const { texts, context, said } = asked;
  const titles = [...new Set(all.flatMap(({ for: title }) => title ?? []))];
  const named = context.task.list
    ? undefined
    : titles[Number(asked.named(titles.map(titled), asked.own) ?? -1)];
  const [one, ...others] = named === undefined ? [] : all.filter(({ for: title }) => title === named);
  if (one && others.length === 0) return paymentSentence(asked, record, one);
  const about = said('subscription');
  const limit = about.has('before_day') ? lastBegun(asked.filters.days.at(-1)?.to, context.now) : null;
  const days = limit
    ? [{ from: BEGINNING, to: limit }]
    : asked.filters.days.map((day) => pastReading(day, context.now));
  const isThen = ({ created_at: at }: Payment) => days.some(({ from, to }) => from <= at && at < to);
  const then = all.filter(isThen);
  const isDated = days.length > 0;
  const isTotal = inAll || about.has('total_paid');
  const isWhole = !isDated && (about.has('every_payment') || isTotal);
  const latest = isWhole ? all : all.slice(0, asked.latest ?? LISTED);
  const shown = one ? [one, ...others] : then.length > 0 ? then : latest;
  const lines = shown.map((payment) => texts.sayOwn('payment_line', paymentFacts(asked, record, payment)));
  const adds = shown.length > 1 && (then.length > 0 || (!isDated && isTotal));
  const by = asked.narrowedTo({ ...asked.filters, days: days.map((day) => ({ ...day, alternatives: [] })) });
  const until = limit && asked.time.date(limit, context.session.language);
  return texts.sayOwn('payments', {
    list: dashed(lines),
    by: one || !isDated || until ? null : by,
    ...{ until, besides },
    none: isDated && then.length === 0,
    whether: isDated && !one && about.has('whether_paid'),
    ...totals(asked, record, adds ? shown : []),
  });
}

/** What payments come to, and what of that went back; null where nothing is added up. */
function totals({ texts }: Asked, record: CustomerRecord, shown: readonly Payment[]) {
  const paid = shown.filter(({ status }) => status === 'paid');
  const sum = paid.reduce((total, { amount_cents: amount }) => total + amount, 0);
  const back = paid.reduce((total, one) => total + (backOf(record, one)?.amount_cents ?? 0), 0);
  return { total: paid.length === 0 ? null : texts.money(sum), back: back === 0 ? null : texts.money(back) };
}

/** A day of a year that is not ahead: nothing was paid before an August to come. */
function lastBegun(iso: string | undefined, now: string): string | null {
  if (iso === undefined || iso <= now) return iso ?? null;
  const last = new Date(iso);
  last.setUTCFullYear(last.getUTCFullYear() - 1);
  return last.toISOString();
}

/** The reading of a day that is not ahead: what was paid "on the 6th" was paid on the last one. */
export function pastReading({ alternatives, ...day }: DaySpan, now: string) {
  return [day, ...alternatives].find(({ from }) => from <= now) ?? day;
}

/** What cancelling now would give back: of the booking that is named or spoken of, else of each. Null where that was not asked. */
export function wouldRefund(
  asked: Asked,
  { reservations, user }: CustomerRecord,
  policy: Pick<CultpassPolicy, 'cancellation' | 'refund'>,
  isAsked = asked.said('reservation').has('would_refund'),
): string | null {
  const { context, texts, time } = asked;
  if (!isAsked) return null;
  const ahead = reservations.filter(({ upcoming }) => upcoming);
  const picked = asked.named(ahead.map(toListedRecord), asked.own);
  // What is over or cancelled is asked after for what has been refunded.
  if (picked === null && asked.named(reservations.map(toListedRecord), asked.own) !== null) return null;
  const named = picked ?? (asked.said('reservation').has('pointed_at') ? context.dialogue?.focus : null);
  const one = ahead.filter(({ reservation_id: id }) => id === named);
  const [only, ...others] = one.length > 0 ? one : ahead;
  const words = ({ title, starts_at: startsAt, paid_cents: paid }: ReservationShape) => {
    const verdict = cancellationTerms(startsAt, paid, policy, new Date(context.now));
    return {
      title,
      when: time.dateTime(startsAt, context.session.language),
      refund: paid > 0 ? texts.money(paid) : null,
      reason: verdict.kind === 'needs_approval' ? verdict.reason : null,
      hours: policy.cancellation.full_refund_hours,
    };
  };
  const blocked = user.is_blocked;
  if (!only) return texts.sayOwn('would_refund', { list: null, blocked });
  if (others.length === 0) return texts.sayOwn('would_refund_one', { ...words(only), blocked });
  const lines = [only, ...others].map((record) => texts.sayOwn('would_refund_line', words(record)));
  return texts.sayOwn('would_refund', { list: dashed(lines), blocked });
}

const DAY_MS = 86_400_000;
/** What was refused is tried again within so many days. */
const RETRIED_DAYS = 8;

/** The payment that made good for one that was refused: the same amount for the same thing, soon after it. */
export function madeGood({ payments: all }: CustomerRecord, refused: Payment): Payment | undefined {
  const last = new Date(Date.parse(refused.created_at) + RETRIED_DAYS * DAY_MS).toISOString();
  return all.findLast(
    ({ status, for: title, amount_cents: amount, created_at: at }) =>
      status === 'paid' &&
      title === refused.for &&
      amount === refused.amount_cents &&
      refused.created_at <= at &&
      at <= last,
  );
}

/** The monthly fees that were charged after the subscription had ended, and were not given back. */
export function lateFees({ subscription, payments: all }: CustomerRecord): readonly Payment[] {
  const ended = subscription?.status === 'cancelled' ? subscription.ended_at : null;
  if (ended === null) return [];
  return all.filter(
    (one) => one.for === null && one.status === 'paid' && !one.refund && one.created_at > ended,
  );
}
