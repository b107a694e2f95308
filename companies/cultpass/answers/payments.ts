import type { Asked } from '../../../src/runtime/company-answers.js';
import { dashed } from '../../../src/runtime/offline-step.js';
import { nextBillingDay } from '../policy/policy.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import {
  lateFees,
  payments as listed,
  madeGood,
  pastReading,
  paymentFacts,
  paymentWords,
  titled,
} from './money.js';

type Payment = CustomerRecord['payments'][number];

/** What was paid or given back, as customers name it. */
interface Named {
  /** What it was for; null for the monthly fee. */
  readonly title: string | null;
  readonly cents: number;
}

const DAY_MS = 86_400_000;
/** Of more words a message stands by itself. */
const LEANING_WORDS = 9;
/** An amount; a number beside a month, or with an ending, is a day or an hour instead. */
const AMOUNT =
  /(?<!(?:dia|jan\w*|fe[bv]\w*|mar\w*|a[pb]r\w*|ma[iy]\w*|ju[nl]\w*|a[ug]\w*|se[pt]\w*|o[cu]t\w*|nov\w*|de[cz]\w*) )(?<![\d/:.,])\d{1,6}(?:[.,]\d{2})?(?![\d/:]|st\b|nd\b|rd\b|th\b|h\b|x\b| (?:de )?(?:jan|fe[bv]|mar|a[pb]r|ma[iy]|ju[nl]|ago|aug|se[pt]|o[cu]t|nov|de[cz]))/giu;

/** The amounts that a text names, in minor units. */
function amountsIn(text: string): readonly number[] {
  return [...text.matchAll(AMOUNT)].map(([one]) => Math.round(Number(one.replace(',', '.')) * 100));
}

/**
 * Those that a request means: by the amount, by what they were for; a short one that names neither goes on about what the message
 * before it named, or what is spoken of.
 */
export function meantAmong<T>(
  asked: Asked,
  { reservations }: Pick<CustomerRecord, 'reservations'>,
  items: readonly T[],
  of: (item: T) => Named,
): readonly T[] {
  const { context, own } = asked;
  const titles = [...new Set(items.flatMap((item) => of(item).title ?? []))];
  const namedIn = (text: string): readonly T[] => {
    const amounts = amountsIn(text);
    const byAmount = items.filter((item) => amounts.includes(of(item).cents));
    const title = titles[Number(asked.named(titles.map(titled), text) ?? -1)];
    const byTitle = items.filter((item) => title !== undefined && of(item).title === title);
    const both = byTitle.filter((item) => byAmount.includes(item));
    return both.length > 0 ? both : byTitle.length > 0 ? byTitle : byAmount;
  };
  const here = namedIn(own);
  const isShort = own.split(/\s+/).length <= LEANING_WORDS;
  if (here.length > 0 || !isShort) return here;
  const before = namedIn(context.session.previousMessage ?? '');
  if (before.length > 0) return before;
  const spoken = reservations.find(({ reservation_id: id }) => id === context.dialogue?.focus);
  return items.filter((item) => spoken !== undefined && of(item).title === spoken.title);
}

/** The payments that a request means. */
export function paymentsMeant(asked: Asked, record: CustomerRecord): readonly Payment[] {
  return meantAmong(asked, record, record.payments, ({ for: title, amount_cents: cents }) => ({
    title,
    cents,
  }));
}

/** How what was paid was paid: that stands on the receipt. */
export function paidWith(asked: Asked, record: CustomerRecord): string {
  const isLatest = asked.said('reservation').has('latest');
  const meant = isLatest ? record.payments : paymentsMeant(asked, record);
  const paid = meant.find(({ status }) => status === 'paid');
  const none = { amount: null, date: null, what: null };
  return asked.texts.sayOwn('paid_with', paid ? paymentWords(asked, paid) : none);
}

/** Two payments of the same for the same thing so close to each other are one too many. */
const TWICE_MS = 3 * DAY_MS;

/** True where the same was charged twice, and neither given back. */
function isTwice(one: Payment, all: readonly Payment[]): boolean {
  return all.some(
    (other) =>
      other !== one &&
      [one, other].every(({ status, refund }) => status === 'paid' && !refund) &&
      other.for === one.for &&
      other.amount_cents === one.amount_cents &&
      Math.abs(Date.parse(other.created_at) - Date.parse(one.created_at)) < TWICE_MS,
  );
}

/** What is charged about which somebody asks why: what is named, else that of the days that are named, else the newest. */
function askedAbout(asked: Asked, record: CustomerRecord): readonly Payment[] {
  const days = asked.filters.days.map((day) => pastReading(day, asked.context.now));
  const isThen = ({ created_at: at }: Payment) => days.some(({ from, to }) => from <= at && at < to);
  const named = paymentsMeant(asked, record);
  // "Why 210, if I pay the 119.90 already?" sets a visit against the fee; and of two tries for the same the one that was paid counts.
  const visits = named.filter(({ for: title }) => title !== null);
  const meant = (visits.length > 0 ? visits : named).filter(
    (one) => one.status === 'paid' || madeGood(record, one) === undefined,
  );
  const among = meant.length > 0 ? meant : record.payments;
  const then = among.filter(isThen);
  return days.length > 0 && (then.length > 0 || meant.length === 0) ? then : among.slice(0, 1);
}

/** A pause that nobody chose the length of lasts so long, and its first day is on no record. */
const PAUSE_MS = 30 * DAY_MS;

/** True for a monthly fee that was charged when the plan is likely to have been paused already. */
function isInPause({ subscription }: CustomerRecord, one: Payment): boolean {
  if (subscription?.status !== 'paused' || !subscription.ended_at) return false;
  const left = Date.parse(subscription.ended_at) - Date.parse(one.created_at);
  return one.for === null && one.status === 'paid' && !one.refund && left < PAUSE_MS;
}

/** True for a monthly fee of a subscription that ended later. */
function endedAfter({ subscription }: CustomerRecord, one: Payment): boolean {
  const { status, ended_at: ended } = subscription ?? {};
  return status === 'cancelled' && one.for === null && ended != null && one.created_at <= ended;
}

/** True where what somebody asks about should not have been charged: a person looks, and gives it back. */
export function isWrongCharge(asked: Asked, record: CustomerRecord): boolean {
  return (
    asked.asks.includes('charge_why') &&
    askedAbout(asked, record).some((one) => isTwice(one, record.payments) || isInPause(record, one))
  );
}

/** Why something was charged: the monthly fee, or the extra price of a visit. Null where nothing was. */
export function whyCharged(asked: Asked, record: CustomerRecord): string | null {
  const { texts, time, context } = asked;
  const shown = askedAbout(asked, record);
  const [one, ...others] = shown;
  if (!one) return null;
  if (shown.every((payment) => lateFees(record).includes(payment))) return texts.sayOwn('charged_late');
  const fee = record.payments.find(({ for: title }) => title === null);
  const isRunning = record.subscription?.status === 'active';
  const next = isRunning && fee ? nextBillingDay(fee.created_at, context.now) : null;
  const facts = {
    ...paymentFacts(asked, record, one),
    tier: record.subscription?.tier === 'premium' ? 'Premium' : 'Basic',
    next: next && time.date(next, context.session.language),
    // Who had cancelled hears on which day it ended, and that this was before.
    ended: endedAfter(record, one)
      ? time.date(record.subscription?.ended_at ?? '', context.session.language)
      : null,
    paused: shown.some((payment) => isInPause(record, payment))
      ? time.date(record.subscription?.ended_at ?? '', context.session.language)
      : null,
    twice: shown.some((payment) => isTwice(payment, record.payments)),
  };
  if (others.length === 0) return texts.sayOwn('charge_why', { ...facts, list: null });
  const lines = shown.map((payment) => texts.sayOwn('payment_line', paymentFacts(asked, record, payment)));
  return texts.sayOwn('charge_why', { ...facts, list: dashed(lines) });
}

/** What is still to be paid, yes or no first: of what is named, else of everything. */
export function owes(asked: Asked, record: CustomerRecord): string {
  const { texts, time, context } = asked;
  const meant = paymentsMeant(asked, record);
  const isOpen = (one: Payment) => one.status !== 'paid' && madeGood(record, one) === undefined;
  // Of several tries for the same the newest tells.
  const open = record.payments
    .filter(isOpen)
    .filter(
      (one, at, all) =>
        all.findIndex(
          (other) => other.for === one.for && other.created_at.slice(0, 7) === one.created_at.slice(0, 7),
        ) === at,
    );
  const among = meant.length > 0 ? open.filter((one) => meant.includes(one)) : open;
  const [refused] = (meant.length > 0 ? meant : record.payments).filter(({ status }) => status !== 'paid');
  const paid = meant.find(({ status }) => status === 'paid');
  const settled = among.length === 0 ? (paid ?? null) : null;
  const fee = record.payments.find(({ for: title, status }) => title === null && status === 'paid');
  const next =
    record.subscription?.status === 'active' && fee ? nextBillingDay(fee.created_at, context.now) : null;
  return texts.sayOwn('owes', {
    list: texts.list(among.map((one) => texts.sayOwn('owed_part', paymentFacts(asked, record, one)))) || null,
    ...(settled ? paymentWords(asked, settled) : { amount: null, date: null, what: null }),
    refused: refused ? time.date(refused.created_at, context.session.language) : null,
    next: next && next > context.now ? time.date(next, context.session.language) : null,
  });
}

/** An amount that is remembered roughly is off by this part of it at most. */
const NEARLY = 0.15;

/** What a payment of an amount that the request names was for. */
export function ofAmount(asked: Asked, record: CustomerRecord): string | null {
  const { texts, own, context, said } = asked;
  const amounts = [...`${context.task.text} ${own}`.matchAll(/\d{1,6}(?:[.,]\d{2})?(?!\d)/g)].map(
    ([written]) => Math.round(Number(written.replace(',', '.')) * 100),
  );
  const wanted = amounts.at(-1);
  const isNear = said('subscription').has('near');
  const near = (amount: number) =>
    isNear && wanted !== undefined && Math.abs(amount - wanted) <= wanted * NEARLY;
  const found = record.payments.filter(
    ({ amount_cents: amount }) => amounts.includes(amount) || near(amount),
  );
  const [first] = found;
  if (!first)
    return wanted === undefined
      ? null
      : `${texts.sayOwn('amount_unknown', { amount: texts.money(wanted), near: isNear })}\n\n${listed(asked, record)}`;
  const month = first.created_at.slice(0, 7);
  return texts.sayOwn('amount_of', {
    ...paymentFacts(asked, record, first),
    doubled: said('subscription').has('doubled'),
    times: found.filter((one) => one.created_at.startsWith(month) && one.status === 'paid').length,
    list:
      found.length > 1
        ? dashed(
            found.slice(0, 4).map((one) => texts.sayOwn('payment_line', paymentFacts(asked, record, one))),
          )
        : null,
  });
}
