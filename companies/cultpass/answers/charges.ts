import type { Asked } from '../../../src/runtime/company-answers.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import { lateFees, madeGood, paymentSentence, paymentWords } from './money.js';
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
