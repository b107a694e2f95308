import type { Asked } from '../../../src/runtime/company-answers.js';
import { dashed } from '../../../src/runtime/offline-step.js';
import { type CultpassPolicy, cancellationTerms } from '../policy/policy.js';
import type { CustomerRecord } from '../tools/get-customer-context.js';
import { type ReservationShape, toListedRecord } from '../tools/shapes.js';
import { pastReading } from './money.js';

/** The rules that answers tell of. */
export type AnswerPolicy = Pick<CultpassPolicy, 'plans' | 'cancellation' | 'refund'>;

function lineOf({ texts, time, context }: Asked, one: ReservationShape): string {
  const { title, location: place, status } = one;
  const when = time.dateTime(one.starts_at, context.session.language);
  return texts.say('record_line', { entity: 'reservation', title, when, place, status });
}

/** What was counted of this month's visits. */
export function visitsCounted(asked: Asked, { reservations, history, quota }: CustomerRecord): string | null {
  if (!quota) return null;
  const { time } = asked;
  const month = (iso: string) => time.local(new Date(iso)).day.slice(0, 7);
  // The history goes further back than the reservations do.
  const counted = [...reservations.filter(({ upcoming }) => upcoming), ...history]
    .filter((one) => month(one.starts_at) === month(asked.context.now))
    .filter(({ status }) => status === 'reserved' || status === 'attended')
    .sort((a, b) => a.starts_at.localeCompare(b.starts_at));
  return asked.texts.sayOwn('visits_counted', {
    ...{ used: quota.used, quota: quota.monthly_quota },
    list: dashed(
      counted.map((one) => {
        const line = lineOf(asked, one);
        // Where nobody came it counts all the same, and a list that does not say so looks wrong.
        const isMissed = !one.upcoming && one.status === 'reserved';
        return isMissed ? asked.texts.sayOwn('counted_missed', { line }) : line;
      }),
    ),
  });
}

/** Whether the booking that is named takes a visit: "does the samba count as one of my visits?" Null where that is not asked of one. */
export function visitOf(asked: Asked, { reservations, quota }: CustomerRecord): string | null {
  const { context, said, texts, time } = asked;
  if (!quota || !said('subscription').has('counts_as')) return null;
  const named = asked.named(reservations.map(toListedRecord));
  const one = reservations.find(({ reservation_id: id }) => id === named);
  if (!one) return null;
  return texts.sayOwn('visit_of', {
    title: one.title,
    date: time.date(one.starts_at, context.session.language),
    counts: one.status === 'reserved' || one.status === 'attended',
    now: monthOf(asked, one.starts_at) === monthOf(asked, context.now),
    ...{ used: quota.used, quota: quota.monthly_quota },
  });
}

/** Whether the visit that a booking took is there again: what is cancelled counts no more. Of all that is cancelled where none is named. */
export function visitBack(asked: Asked, { reservations, quota }: CustomerRecord): string | null {
  if (!quota) return null;
  const named = asked.named(reservations.map(toListedRecord), asked.own);
  const one = reservations.find(({ reservation_id: id }) => id === named);
  const state = one?.status === 'attended' ? 'used' : one?.status === 'reserved' ? 'counts' : 'back';
  return asked.texts.sayOwn('visit_back', {
    title: one?.title ?? null,
    state: one?.status === 'reserved' && !one.upcoming ? 'used' : state,
    ...{
      used: quota.used,
      quota: quota.monthly_quota,
      remaining: Math.max(0, quota.monthly_quota - quota.used),
    },
  });
}

/** What is left of this month's visits and of those of later months with bookings: what is booked is counted already. */
export function visitsAfter(asked: Asked, { reservations, quota }: CustomerRecord): string | null {
  const { texts, time, context } = asked;
  if (!quota) return texts.sayOwn('no_subscription');
  const month = (iso: string) => time.local(new Date(iso)).day.slice(0, 7);
  const now = month(context.now);
  const counting = reservations.filter(({ status }) => status === 'reserved' || status === 'attended');
  const months = [...new Set(counting.filter(({ upcoming }) => upcoming).map((one) => month(one.starts_at)))];
  const lines = [now, ...months.filter((one) => one > now).sort()].map((one) => {
    const used = one === now ? quota.used : counting.filter(({ starts_at: at }) => month(at) === one).length;
    return texts.sayOwn('visits_after_line', {
      from: one === now ? null : time.date(`${one}-01T12:00:00.000Z`, context.session.language),
      ...{ used, quota: quota.monthly_quota, remaining: Math.max(0, quota.monthly_quota - used) },
    });
  });
  return texts.sayOwn('visits_after', { list: dashed(lines) });
}

const monthOf = ({ time }: Asked, iso: string): string => time.local(new Date(iso)).day.slice(0, 7);

/** A count of visits that a request expects: "5 again, right?". */
const EXPECTED = /(?<![\d.,/:])\d{1,2}(?![\d.,/:]*\d|\p{L})/gu;

/** The months that a request names, in its order: "in December", "for the 5th". */
function monthsIn(asked: Asked): readonly string[] {
  const named = [...asked.narrowed(asked.context.task.text).own.days, ...asked.dates()];
  return named.map(({ from, alternatives }) => {
    // A month that has begun is this one, and none a year from now.
    const months = [from, ...alternatives.map((one) => one.from)].map((iso) => monthOf(asked, iso));
    const now = monthOf(asked, asked.context.now);
    return months.includes(now) ? now : (months[0] ?? now);
  });
}

/** The visits of a later month that the request names: the quota, and what of it is booked already; null where it names none. */
export function visitsOfMonth(asked: Asked, record: CustomerRecord): string | null {
  const now = monthOf(asked, asked.context.now);
  const then = monthsIn(asked).findLast((month) => month > now);
  return then === undefined ? null : visitsIn(asked, record, then);
}

/** The same, of the next month where none is named; null where it is this month that is named. */
export function visitsThen(asked: Asked, record: CustomerRecord): string | null {
  const ofMonth = visitsOfMonth(asked, record);
  if (ofMonth !== null || monthsIn(asked).includes(monthOf(asked, asked.context.now))) return ofMonth;
  return visitsIn(asked, record, record.quota ? monthOf(asked, record.quota.resets_at) : '');
}

function visitsIn(asked: Asked, { reservations, quota, subscription }: CustomerRecord, then: string): string {
  const { texts, time, context } = asked;
  if (!quota || !subscription) return texts.sayOwn('no_subscription');
  const used = reservations.filter((one) => one.upcoming && monthOf(asked, one.starts_at) === then).length;
  const remaining = Math.max(0, quota.monthly_quota - used);
  const days = asked.dates();
  const expected = [...(context.task.within ?? context.task.text).matchAll(EXPECTED)]
    .filter(({ index }) => !days.some(({ start, end }) => start <= index && index < end))
    .map(([count]) => Number(count));
  const isSo = expected.includes(remaining) || expected.includes(quota.monthly_quota);
  return texts.sayOwn('visits_then', {
    so: expected.length === 0 ? null : isSo ? 'yes' : 'no',
    ...{ used, remaining, quota: quota.monthly_quota, status: subscription.status },
    from: time.date(`${then}-01T12:00:00.000Z`, context.session.language),
  });
}

/** What is ahead next. */
export function nextBooking(asked: Asked, { reservations }: CustomerRecord): string | null {
  // "What do I have next week?" and "my next bookings" ask for a list.
  if (asked.narrows(asked.filters) || asked.said('reservation').has('next_ones')) return null;
  const [first] = reservations.filter(({ upcoming }) => upcoming).sort(bySoonest);
  return asked.texts.sayOwn('next_booking', {
    title: first?.title ?? null,
    place: first?.location ?? null,
    when: first ? asked.time.dateTime(first.starts_at, asked.context.session.language) : null,
  });
}

const bySoonest = (a: ReservationShape, b: ReservationShape): number =>
  a.starts_at.localeCompare(b.starts_at);

/** So many of what is over are listed. */
const LISTED = 8;

/** What was attended, or with `missed` what was not: of the time that is asked about, counted and listed. */
export function over(asked: Asked, { history }: CustomerRecord, missed = false): string {
  const { texts, filters, context, said } = asked;
  const days = filters.days.map((day) => pastReading(day, context.now));
  const among = history.filter(({ status }) => (status === 'reserved') === missed);
  const isThen = ({ starts_at: at }: ReservationShape) => days.some(({ from, to }) => from <= at && at < to);
  const dated = days.length === 0 ? among : among.filter(isThen);
  const there = dated.filter((one) => filters.places.every((name) => one.location.includes(name)));
  const named = asked.named(dated.map(toListedRecord), asked.own);
  const then = named === null ? there : dated.filter(({ reservation_id: id }) => id === named);
  const lines = then.slice(0, LISTED).map((one) => lineOf(asked, { ...one, status: 'reserved' }));
  const [latest] = lines;
  if (latest && !missed && said('reservation').has('latest'))
    return texts.sayOwn('last_visit', { line: latest });
  return texts.sayOwn(missed ? 'missed_visits' : 'past_visits', {
    count: then.length,
    by: asked.narrowedTo({ ...filters, days: days.map((day) => ({ ...day, alternatives: [] })) }),
    all: then.length <= LISTED,
    list: dashed(lines),
  });
}

/** What was cancelled, and what of it went back. */
export function cancelledBookings(asked: Asked, { reservations }: CustomerRecord): string {
  const off = reservations.filter(({ status }) => status === 'cancelled' || status === 'refunded');
  return asked.texts.sayOwn('cancelled_bookings', { list: dashed(cancelledLines(asked, off)) });
}

/** What was cancelled, one a line. */
export function cancelledLines(asked: Asked, off: readonly ReservationShape[]): readonly string[] {
  const { texts, time, context } = asked;
  return off.map((one) => {
    const back = one.refund && time.date(one.refund.created_at, context.session.language);
    const paid = one.paid_cents > 0 ? texts.money(one.paid_cents) : null;
    return texts.sayOwn('cancelled_line', {
      line: lineOf(asked, { ...one, status: 'reserved' }),
      paid,
      back,
    });
  });
}

/** Until when each of what is booked, or the one that is named, can be given up without asking anybody. */
export function cancellable(
  asked: Asked,
  { reservations, user }: CustomerRecord,
  policy: AnswerPolicy,
): string {
  const { texts, time, context } = asked;
  if (user.is_blocked) return texts.sayOwn('cancellable_blocked');
  const ahead = reservations.filter(({ upcoming }) => upcoming).sort(bySoonest);
  const named = asked.named(ahead.map(toListedRecord));
  const lines = ahead
    .filter(({ reservation_id: id }) => named === null || id === named)
    .map((one) => {
      const now = new Date(context.now);
      const verdict = cancellationTerms(one.starts_at, one.paid_cents, policy, now);
      const until = new Date(Date.parse(one.starts_at) - policy.cancellation.full_refund_hours * 3_600_000);
      return texts.sayOwn('cancellable_line', {
        line: lineOf(asked, one),
        by: time.dateTime(until.toISOString(), context.session.language),
        reason: verdict.kind === 'needs_approval' ? verdict.reason : null,
        paid: one.paid_cents > 0 ? texts.money(one.paid_cents) : null,
      });
    });
  return texts.sayOwn('cancellable', { list: dashed(lines) });
}
