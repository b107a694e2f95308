import type { Asked } from '../../../src/runtime/company-answers.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import { paymentSentence, paymentWords } from './money.js';

type Payment = CustomerRecord['payments'][number];

const DAY_MS = 86_400_000;
/** What was refused is tried again within so many days. */
const RETRIED_DAYS = 8;

/** The payment that made good for one that was refused: the same amount for the same thing, soon after it. */
function madeGood({ payments: all }: CustomerRecord, refused: Payment): Payment | undefined {
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

/**
 * The newest payment that was refused or is open still, else the newest that was refused and then paid; that there is none, where
 * there is not.
 */
export function failed(asked: Asked, record: CustomerRecord): string {
  const others = record.payments.filter(({ status }) => status !== 'paid');
  const open = others.find((one) => madeGood(record, one) === undefined);
  if (open) return paymentSentence(asked, record, open);
  const [refused] = others;
  const paid = refused && madeGood(record, refused);
  if (!refused || !paid) return asked.texts.sayOwn('no_failed_payment');
  const [first, second] = [paymentWords(asked, refused), paymentWords(asked, paid)];
  const on = second.date === first.date ? null : second.date;
  const both = asked.said('subscription').has('paid_too');
  return asked.texts.sayOwn('failed_then_paid', { ...first, status: refused.status, on, both });
}

/** The monthly fees that were charged after the subscription had ended, and were not given back. */
export function lateFees({ subscription, payments: all }: CustomerRecord): readonly Payment[] {
  const ended = subscription?.status === 'cancelled' ? subscription.ended_at : null;
  if (ended === null) return [];
  return all.filter(
    (one) => one.for === null && one.status === 'paid' && !one.refund && one.created_at > ended,
  );
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
