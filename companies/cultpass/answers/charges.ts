import type { Asked } from '../../../src/runtime/company-answers.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import {
  lateFees,
  madeGood,
  pastReading,
  paymentFacts,
  paymentSentence,
  paymentWords,
  titled,
} from './money.js';
import { paymentsMeant } from './payments.js';

type Payment = CustomerRecord['payments'][number];

/** So many refused payments are told of. */
const TOLD = 3;

/**
 * What was refused: what is named, else what is open still, else what was refused and then paid; that there is none, where there is
 * not.
 */
export function failed(asked: Asked, record: CustomerRecord): string {
  const refused = record.payments.filter(({ status }) => status !== 'paid');
  const meant = paymentsMeant(asked, record).filter((one) => refused.includes(one));
  const isOpen = (one: Payment) => madeGood(record, one) === undefined;
  const open = (meant.length > 0 ? meant : refused).filter(isOpen);
  const isOfFee = asked.said('subscription').has('of_fee');
  const [newest] = isOfFee ? [...open].sort((a, b) => Number(a.for !== null) - Number(b.for !== null)) : open;
  if (newest && newest.for === null && newest.status === 'failed')
    return asked.texts.sayOwn('fee_refused', paymentWords(asked, newest));
  const fee = record.payments.find((one) => one.for === null);
  const isFine = isOfFee && fee?.status === 'paid' && refused.every((one) => one.for !== null);
  const fine = isFine ? [asked.texts.sayOwn('fee_not_refused', paymentWords(asked, fee))] : [];
  if (newest) return [...fine, paymentSentence(asked, record, newest)].join('\n');
  // Who asks of the fee is not told of tries for visits that were paid all the same.
  if (isFine) return fine.join('');
  const among = meant.length > 0 ? meant : refused;
  if (among.length === 0) return asked.texts.sayOwn('no_failed_payment');
  const both = asked.said('subscription').has('paid_too');
  const said = among.slice(0, TOLD).map((one) => {
    const paid = madeGood(record, one) ?? one;
    const [first, second] = [paymentWords(asked, one), paymentWords(asked, paid)];
    const on = second.date === first.date ? null : second.date;
    return asked.texts.sayOwn('failed_then_paid', { ...first, status: one.status, on, both });
  });
  return said.join('\n');
}

/** That such fees were charged, and were not due; null where none was. */
export function lateFeeText(asked: Asked, record: CustomerRecord): string | null {
  const late = lateFees(record);
  const ended = record.subscription?.ended_at;
  if (late.length === 0 || !ended) return null;
  const { texts, time, context } = asked;
  return texts.sayOwn('late_fee', {
    ended: time.date(ended, context.session.language),
    count: late.length,
    fees: texts.list(late.map((one) => texts.sayOwn('late_fee_part', paymentWords(asked, one)))),
  });
}

/** Of fewer words a question about a charge may be about the one that was spoken of. */
const SHORT = 6;

/** The newest payment, and the newest monthly fee where that is another. */
export function charged(asked: Asked, record: CustomerRecord): string | null {
  const [newest] = record.payments;
  if (!newest) return null;
  // "When was it charged?" is asked of what was spoken of.
  const [meant, ...others] = asked.own.split(/\s+/).length < SHORT ? paymentsMeant(asked, record) : [];
  if (meant && others.length === 0) return paymentSentence(asked, record, meant);
  const fee = record.payments.find((one) => one.for === null);
  const older = fee && fee !== newest && fee.status === 'paid' ? paymentFacts(asked, record, fee) : null;
  return asked.texts.sayOwn('last_charge', {
    ...paymentFacts(asked, record, newest),
    fee: older?.amount ?? null,
    fee_date: older?.date ?? null,
  });
}

/** True for a monthly fee. */
export const isFee = (payment: Payment): boolean => payment.for === null;

/** The newest monthly fee; null where none was charged yet. */
export function lastFee(asked: Asked, record: CustomerRecord): string | null {
  const fee = record.payments.find(isFee);
  return fee ? asked.texts.sayOwn('last_fee', paymentFacts(asked, record, fee)) : null;
}

/** Of these the charge before the day or the thing that is named, else before the newest; null where there is none. */
export function before(asked: Asked, record: CustomerRecord, among: readonly Payment[]): string | null {
  const day = asked.dates().at(-1);
  const past = day && pastReading(day, asked.context.now);
  const titles = among.map(({ for: title }, at) => titled(title ?? '', at));
  const named = past ? null : asked.named(titles, asked.own);
  const limit = past?.from ?? among[Number(named ?? 0)]?.created_at ?? '';
  const one = among.find(({ created_at: at, status }) => at < limit && status === 'paid');
  return one ? paymentSentence(asked, record, one) : null;
}
