import type { OfflineStep } from '../../../src/core/ports/chat-models.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import { dashed, say } from '../../../src/runtime/offline-step.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import { type ReservationShape, toListedRecord } from '../tools/shapes.js';
import { bookingMeant } from './looking-back.js';
import { wouldRefund } from './money.js';
import { meantAmong } from './payments.js';

type Payment = CustomerRecord['payments'][number];

type Terms = Parameters<typeof wouldRefund>[2];

/** The refunds made, and what was cancelled and paid but not refunded: that one the customer can have at once. */
export function refunds(asked: Asked, record: CustomerRecord, policy: Terms): OfflineStep {
  const { texts, time, context } = asked;
  const meant = refundsMeant(asked, record);
  const [first, ...more] = meant;
  if (first && more.length === 0) {
    if (first.refund === null) return owed(asked, first.owed, null);
    const words = refundWords(asked, first);
    const missed =
      words.term === 'over' && words.status === 'completed' && asked.said('subscription').has('missed');
    return say(texts.sayOwn('refund_made', { ...words, missed }), { needsPerson: missed });
  }
  const named = asked.named(record.reservations.map(toListedRecord), asked.own);
  const among = record.reservations.filter(({ reservation_id: id }) => named === null || id === named);
  const made = refundsMade(asked, record, named);
  const missing = among.find(isOwed);
  const [one] = named === null ? [] : among;
  if (one && made.length === 0 && !missing)
    return (
      stillAhead(asked, record, policy, one) ??
      say(texts.sayOwn('refund_none', { title: one.title, status: one.status }))
    );
  const [only, ...others] = made;
  if (only && others.length === 0 && !missing)
    return say(texts.sayOwn('refund_made', { ...refundWords(asked, only), missed: false }));
  const lines = made.map((one) => texts.sayOwn('refund_line', refundWords(asked, one)));
  const total = made.reduce((sum, { refund }) => sum + refund.amount_cents, 0);
  const off = record.reservations.filter(
    ({ status, paid_cents: paid }) => status === 'cancelled' && paid === 0,
  );
  const answer = texts.sayOwn('refunds', {
    list: dashed(lines),
    total: lines.length > 1 ? texts.money(total) : null,
    // Without a refund the customer is told what was cancelled, and that nothing of it was paid.
    off: dashed(off.map((one) => `${one.title}, ${time.date(one.starts_at, context.session.language)}`)),
    count: off.length,
  });
  if (!missing) return say(answer);
  return owed(asked, missing, lines.length > 0 ? answer : null);
}

interface Made {
  readonly title: string;
  readonly refund: NonNullable<Payment['refund']>;
}

/** What a request may mean: a refund that was made, or one that is still owed. */
type RefundAsked = Made | { readonly title: string; readonly refund: null; readonly owed: ReservationShape };

/** Those that a request names by what they were for or by the amount. */
function refundsMeant(asked: Asked, record: CustomerRecord): readonly RefundAsked[] {
  const missing = record.reservations
    .filter(isOwed)
    .map((one) => ({ title: one.title, refund: null, owed: one }));
  return meantAmong<RefundAsked>(asked, record, [...refundsMade(asked, record, null), ...missing], (one) => ({
    title: one.title,
    cents: one.refund === null ? one.owed.paid_cents : one.refund.amount_cents,
  }));
}

/** Why what a request names was given back. Null where it names no refund. */
export function whyRefunded(asked: Asked, record: CustomerRecord): string | null {
  const made = refundsMeant(asked, record).flatMap((one) => (one.refund === null ? [] : [one]));
  const said = made.map((one) => asked.texts.sayOwn('refund_why', refundWords(asked, one)));
  return said.length === 0 ? null : said.join('\n');
}

const DAY_MS = 86_400_000;
/** Business days that a refund takes at most. */
const [PIX_DAYS, CARD_DAYS] = [2, 10];

/** So many business days after an instant; public holidays are not known. */
function businessDaysAfter(iso: string, days: number): string {
  let at = Date.parse(iso);
  for (let left = days; left > 0; ) {
    at += DAY_MS;
    const day = new Date(at).getUTCDay();
    if (day !== 0 && day !== 6) left -= 1;
  }
  return new Date(at).toISOString();
}

/** The refunds of a customer, or of the one booking that is named. */
export function refundsMade(
  { texts }: Pick<Asked, 'texts'>,
  { reservations, payments: all }: CustomerRecord,
  named: string | null,
): Made[] {
  const fee = texts.sayOwn('record.plan_charge');
  const among = reservations.filter(({ reservation_id: id }) => named === null || id === named);
  const charges = all.map(({ for: title, refund }) => ({ title: title ?? fee, refund }));
  return [...among, ...(named === null ? charges : [])].flatMap(({ title, refund }) =>
    refund ? [{ title, refund }] : [],
  );
}

/** What is said of a refund. */
export function refundWords({ context, texts, time }: Asked, { title, refund }: Made) {
  const date = (iso: string) => time.date(iso, context.session.language);
  const [pix, card] = [PIX_DAYS, CARD_DAYS].map((days) => businessDaysAfter(refund.created_at, days));
  const isOver = (iso = '') => iso < context.now;
  return {
    ...{
      title,
      amount: texts.money(refund.amount_cents),
      date: date(refund.created_at),
      status: refund.status,
    },
    ...{ by_pix: date(pix ?? ''), by_card: date(card ?? '') },
    term: isOver(card) ? 'over' : isOver(pix) ? 'pix_over' : 'runs',
  };
}

/** True where it was cancelled and paid, and nothing went back. */
export function isOwed({ status, refund, paid_cents: paid }: ReservationShape): boolean {
  return status === 'cancelled' && refund === null && paid > 0;
}

/** Whether what is named or spoken of comes back: the refund that was made or is owed, else what giving up the booking would bring. */
export function moneyBack(asked: Asked, record: CustomerRecord, policy: Terms): OfflineStep {
  const one = bookingMeant(asked, record, record.reservations);
  if (one && !isOwed(one) && one.refund === null)
    return (
      stillAhead(asked, record, policy, one) ??
      say(asked.texts.sayOwn('refund_none', { title: one.title, status: one.status }))
    );
  if (one && isOwed(one)) return owed(asked, one, null);
  return refundsMeant(asked, record).length > 0
    ? refunds(asked, record, policy)
    : say(wouldRefund(asked, record, policy, true) ?? '');
}

/** What a cancellation would give back, with the offer of one, to who wants money back for what is still ahead; null where it is not. */
function stillAhead(
  asked: Asked,
  record: CustomerRecord,
  policy: Terms,
  one: ReservationShape,
): OfflineStep | null {
  const { upcoming, title, reservation_id: id, starts_at: startsAt } = one;
  if (!upcoming) return null;
  const { context, may, texts } = asked;
  const would = wouldRefund(asked, { ...record, reservations: [one] }, policy, true) ?? '';
  if (record.user.is_blocked || !may('cancel_reservation') || context.session.agent !== undefined)
    return say(would);
  const focus = {
    agent: 'action',
    intent: 'cancel_reservation',
    choices: [{ id, title, startsAt }],
    attempts: 1,
  };
  return say(texts.sayOwn('still_ahead', { title, would }), { focus });
}

/** Offers the refund that is missing. @param made the refunds made, as they are said after it; null where there are none */
function owed({ context, texts, may }: Asked, missing: ReservationShape, made: string | null): OfflineStep {
  // What another agent would have to do is not offered where this one alone was addressed.
  const mayOffer = may('process_refund') && context.session.agent === undefined;
  const offer = texts.sayOwn('refund_missing', {
    title: missing.title,
    amount: texts.money(missing.paid_cents),
    offer: mayOffer,
  });
  const choice = { id: missing.reservation_id, title: missing.title, startsAt: missing.starts_at };
  const focus = { agent: 'action', intent: 'process_refund', choices: [choice], attempts: 1 };
  const text = made === null ? offer : `${offer}\n\n${made}`;
  return mayOffer ? say(text, { focus }) : say(text);
}

/** Ten business days, the longest that a card takes. */
const UNDERWAY_DAYS = 15;

/** Refunds that may still be on their way, yes or no first; what is owed and was never refunded is told by the refunds themselves. */
export function refundsComing(asked: Asked, record: CustomerRecord): string {
  const { texts, time, context } = asked;
  const made = refundsMade(asked, record, null).sort((a, b) =>
    b.refund.created_at.localeCompare(a.refund.created_at),
  );
  const since = new Date(Date.parse(context.now) - UNDERWAY_DAYS * DAY_MS).toISOString();
  const lately = made.filter(({ refund }) => refund.status !== 'failed' && refund.created_at > since);
  const [last] = made;
  return texts.sayOwn('refunds_coming', {
    list: dashed(lately.map((one) => texts.sayOwn('refund_line', refundWords(asked, one)))),
    count: lately.length,
    last: last ? time.date(last.refund.created_at, context.session.language) : null,
  });
}
