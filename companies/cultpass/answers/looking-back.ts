import { statusText } from '../../../src/core/i18n/index.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import { dashed } from '../../../src/runtime/offline-step.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import { type ReservationShape, toListedRecord } from '../tools/shapes.js';
import { cancelledLines, over } from './bookings.js';
import { paymentsMeant } from './payments.js';

type Bookings = readonly ReservationShape[];

const isOff = ({ status }: ReservationShape): boolean => status === 'cancelled' || status === 'refunded';

/** All bookings that are known, each once. */
function known({ reservations, history }: CustomerRecord): Bookings {
  return [...new Map([...history, ...reservations].map((one) => [one.reservation_id, one])).values()];
}

/** The booking that the request names. */
function namedAmong(asked: Asked, among: Bookings): ReservationShape | undefined {
  const named = asked.named(among.map(toListedRecord), asked.own);
  return among.find(({ reservation_id: id }) => id === named);
}

/** The booking that a request is about: what it names, what was paid for by the amount that it names, else what is spoken of. */
export function bookingMeant(
  asked: Asked,
  record: CustomerRecord,
  among: Bookings,
): ReservationShape | undefined {
  const named =
    namedAmong(asked, among) ??
    namedAmong(
      asked,
      among.filter(({ upcoming }) => !upcoming),
    );
  if (named) return named;
  const titles = new Set(paymentsMeant(asked, record).flatMap(({ for: title }) => title ?? []));
  const paid = among.filter(({ title }) => titles.has(title));
  if (paid.length === 1) return paid[0];
  const { dialogue, session } = asked.context;
  const focus = among.find(({ reservation_id: id }) => id === dialogue?.focus);
  if (focus) return focus;
  // What was told of last, and first there.
  const [told = ''] = (session.lastReply ?? '').split('\n\n');
  const spoken = among.filter(({ title }) => told.includes(title));
  return spoken.length === 1 ? spoken[0] : undefined;
}

/** What went back for a booking that was cancelled, and when it was. */
function offWords({ context, texts, time }: Asked, { cancelled_at: at, refund }: ReservationShape) {
  const date = (iso: string) => time.date(iso, context.session.language);
  const sent = refund?.status === 'failed' ? null : refund;
  return {
    date: at === null ? null : date(at),
    amount: sent ? texts.money(sent.amount_cents) : null,
    refunded: sent ? date(sent.created_at) : null,
  };
}

/** The last of those that are over, where that one is asked about: "how is the last one recorded?". */
function latestOver({ context, said }: Asked, { history }: CustomerRecord): ReservationShape | undefined {
  if (!said('reservation').has('latest')) return undefined;
  const [latest] = history
    .filter((one) => !isOff(one) && one.starts_at <= context.now)
    .sort((one, other) => other.starts_at.localeCompare(one.starts_at));
  return latest;
}

/** Whether they went, or with `over` whether it is over; null where no booking is meant. */
export function attended(asked: Asked, record: CustomerRecord, asks: 'went' | 'over'): string | null {
  const { context, texts, time, said } = asked;
  const noted = said('reservation').has('noted');
  const latest = latestOver(asked, record);
  // "The last one" of which it is asked how it is recorded is over, whatever is still to come.
  const one = (noted ? latest : undefined) ?? bookingMeant(asked, record, known(record)) ?? latest;
  if (!one) return noted ? over(asked, record) : null;
  const isAhead = one.starts_at > context.now;
  const held = one.status === 'attended' ? 'attended' : one.upcoming ? 'ahead' : 'missed';
  return texts.sayOwn('attended', {
    ...{ title: one.title, asks, noted, money: said('subscription').has('money_wanted') },
    state: isOff(one) ? (isAhead ? 'off' : 'was_off') : held,
    when: time.dateTime(one.starts_at, context.session.language),
    ...offWords(asked, one),
  });
}

/**
 * When something was cancelled, and that neither who did it nor why is on record: of the plan where that is named, else of the
 * booking that is meant, else of all that were cancelled.
 */
export function cancelledBy(asked: Asked, record: CustomerRecord): string {
  const { context, texts, time, asks } = asked;
  const { subscription: current } = record;
  const all = known(record);
  const named = namedAmong(asked, all);
  const isOfPlan = asked.said('subscription', context.task.within ?? context.task.text).has('plan_named');
  const off = all.filter(isOff);
  const spoken = isOfPlan ? undefined : bookingMeant(asked, record, off);
  const one = named ?? spoken ?? (isOfPlan || off.length > 1 ? undefined : off[0]);
  if (one && !isOff(one)) return statusText(texts, { ...toListedRecord(one), entity: 'reservation' });
  const both = asks.includes('cancelled_who') && asks.includes('cancelled_why');
  const about = both ? 'both' : asks.includes('cancelled_why') ? 'why' : 'who';
  if (one) {
    return texts.sayOwn('cancelled_by', {
      ...{ title: one.title, about, known: 'yes', tier: null, ended: null, status: one.status },
      ...offWords(asked, one),
    });
  }
  const ended = current?.status === 'cancelled' ? current.ended_at : null;
  if (current && (isOfPlan || (ended !== null && off.length === 0))) {
    return texts.sayOwn('cancelled_by', {
      ...{ title: null, about, known: ended === null ? 'no' : 'yes', status: current.status },
      tier: current.tier === 'premium' ? 'Premium' : 'Basic',
      ended: ended && time.date(ended, context.session.language),
      ...{ date: null, amount: null, refunded: null },
    });
  }
  return texts.sayOwn('cancelled_by_which', { list: dashed(cancelledLines(asked, off)) });
}
