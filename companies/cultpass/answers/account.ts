import { statusName } from '../../../src/core/i18n/index.js';
import type { OfflineStep } from '../../../src/core/ports/chat-models.js';
import type { Asked, CompanyAnswer } from '../../../src/runtime/company-answers.js';
import { dashed, resultOf, say } from '../../../src/runtime/offline-step.js';
import type { CultpassPolicy } from '../policy/policy.js';
import { type CustomerRecord, customerRecordShape } from '../tools/get-customer-context.js';
import { type ReservationShape, toListedRecord } from '../tools/shapes.js';
import { type AnswerPolicy, visitOf, visitsOfMonth } from './bookings.js';
import { charge, payments, wouldRefund } from './money.js';
import { isOfLateFee, ownAnswers, plan } from './own.js';
import { isWrongCharge } from './payments.js';
import { isOwed, moneyBack, refunds } from './refunds.js';

type Plans = CultpassPolicy['plans'];

/** Picks the part of the customer's record that was asked for, and says it. */
export function createAccountAnswer(policy: AnswerPolicy): CompanyAnswer {
  return (asked) => {
    const record = resultOf(asked.context, 'get_customer_context', customerRecordShape);
    if (!record) return null;
    // What is owed is offered, not only told.
    const wanted = asked.asks.at(-1) === 'money_back' ? moneyBack(asked, record, policy) : null;
    if (wanted) return wanted;
    const [only, ...others] = asked.asks;
    const isOffered =
      only === 'refunds_made' ||
      only === 'refund_when' ||
      (only === 'refunds_coming' && record.reservations.some(isOwed));
    if (isOffered && others.length === 0) return refunds(asked, record, policy);
    const own = ownAnswers(asked, record, policy, {
      visits_left: () => visitsOfMonth(asked, record) ?? visits(asked, record),
      visits_then: () => visits(asked, record),
      bookings: () => twice(asked, record) ?? reservations(asked, record),
      on_day: () => reservations(asked, record, false),
      other_bookings: () => otherBookings(asked, record),
      still_valid: () => reservations(asked, record, false, true),
      my_details: () => profile(asked, record),
    });
    if (own !== null)
      return say(own, {
        ...(asked.asks.some((name) => name === 'last_payments' || name === 'spent')
          ? { lists: 'show_payments' }
          : offerOf(asked, record, own)),
        needsPerson: isOfLateFee(asked, record) || isWrongCharge(asked, record),
      });
    const { intent } = asked;
    const isOfRefund = intent === 'refund_status' || intent === 'missing_refund';
    const terms = isOfRefund ? wouldRefund(asked, record, policy) : null;
    if (isOfRefund) return terms === null ? refunds(asked, record, policy) : say(terms);
    const step = plainAnswer(asked, record, policy.plans);
    return typeof step === 'string' ? say(step, offerOf(asked, record, step)) : step;
  };
}

/** What an answer ends with an offer to tell. */
function offerOf({ texts }: Asked, { reservations: all }: CustomerRecord, said: string): { more?: string } {
  const earlier = all.filter(({ upcoming }) => !upcoming).length;
  const isOffered = earlier > 0 && said.endsWith(texts.sayOwn('earlier_offer', { earlier }));
  return isOffered ? { more: texts.sayOwn('earlier_question') } : {};
}

function plainAnswer(asked: Asked, record: CustomerRecord, plans: Plans): string | OfflineStep {
  const { texts } = asked;
  switch (asked.intent) {
    case 'remaining_visits':
      return visitsOfMonth(asked, record) ?? visits(asked, record);
    case 'show_subscription':
    case 'subscription_not_active':
      return charge(asked, record) ?? subscription(asked, record, plans);
    case 'show_profile':
    case 'change_account_details':
      return profile(asked, record);
    case 'show_payments':
    case 'double_charge':
    case 'payment_failed':
      return paid(asked, record);
    case 'show_reservations':
    case 'entry_denied':
      return twice(asked, record) ?? reservations(asked, record);
    case 'cannot_reserve':
      return `${subscription(asked, record, plans)} ${visits(asked, record)}`;
    default:
      // Of one who may change nothing, whatever is asked is likely to be about that.
      if (record.user.is_blocked)
        return [texts.sayOf('refusal', 'customer_blocked'), reservations(asked, record, false)].join('\n\n');
      return [
        subscription(asked, record, plans),
        visits(asked, record),
        reservations(asked, record, false),
      ].join('\n\n');
  }
}

/** What was and will be paid; the next message may ask the same of other days. */
function paid(asked: Asked, record: CustomerRecord): OfflineStep {
  const one = charge(asked, record);
  return say(one ?? payments(asked, record), { lists: 'show_payments' });
}

function visits(asked: Asked, record: CustomerRecord): string {
  const { context, texts, time } = asked;
  const { language } = context.session;
  const ofOne = visitOf(asked, record);
  if (ofOne !== null) return ofOne;
  if (!record.quota || !record.subscription) return texts.sayOwn('no_subscription');
  return texts.sayOwn('visits_left', {
    remaining: record.quota.remaining,
    quota: record.quota.monthly_quota,
    used: record.quota.used,
    resets: time.date(record.quota.resets_at, language),
    status: record.subscription.status,
    blocked: record.user.is_blocked,
  });
}

function subscription(asked: Asked, record: CustomerRecord, plans: Plans): string {
  const { context, texts, time } = asked;
  const { language } = context.session;
  const current = record.subscription;
  if (!current) return texts.sayOwn('no_subscription');
  if (current.status === 'cancelled') return plan(asked, record, plans, 'which_plan') ?? '';
  return texts.sayOwn('subscription', {
    status: current.status,
    tier: current.tier === 'premium' ? 'Premium' : 'Basic',
    price: texts.money(plans[current.tier].price_cents),
    quota: current.monthly_quota,
    since: time.date(current.started_at, language),
    ended: current.ended_at && time.date(current.ended_at, language),
  });
}

/** Whether what is booked still stands, yes or no first. */
function isStillBooked(
  { texts, said }: Asked,
  { user }: CustomerRecord,
  one: ReservationShape | null,
  lines: readonly string[],
): string | null {
  if (one === null && lines.length === 0) return null;
  return texts.sayOwn('still_stands', {
    title: one?.title ?? null,
    stands: one === null || one.upcoming ? 'yes' : 'no',
    // Who asks whether it is lost hears no where it stands.
    lost: said('reservation').has('lost') && !said('reservation').has('valid'),
    status: one ? statusName(texts, 'reservation', one.status) : null,
    blocked: user.is_blocked,
    list: dashed(lines),
  });
}

function profile({ context, texts, time }: Asked, record: CustomerRecord): string {
  const { language } = context.session;
  const preferences = record.preferences
    .map(({ key, value }) => `${key.replace('_', ' ')}: ${value}`)
    .join(', ');
  const profileText = texts.sayOwn('profile', {
    name: record.user.full_name,
    email: record.user.email,
    since: time.date(record.user.created_at, language),
    preferences: preferences || null,
  });
  return record.user.is_blocked
    ? `${profileText} ${texts.sayOf('refusal', 'customer_blocked')}`
    : profileText;
}

/** Whether what is named, or anything that is ahead, is booked more than once; null where that was not asked. */
function twice(
  { context, texts, time, named, said }: Asked,
  { reservations: all }: CustomerRecord,
): string | null {
  if (!said('reservation').has('twice')) return null;
  const ahead = all.filter(({ upcoming }) => upcoming);
  const whenOf = (one: ReservationShape) => time.dateTime(one.starts_at, context.session.language);
  const picked = ahead.find(({ reservation_id: id }) => id === named(ahead.map(toListedRecord)));
  const again = (one: ReservationShape) => ahead.filter(({ title }) => title === one.title).length > 1;
  const repeated = (picked ? ahead.filter(({ title }) => title === picked.title) : ahead).filter(again);
  const shown = repeated.length > 0 || !picked ? (repeated.length > 0 ? repeated : ahead) : [picked];
  return texts.sayOwn('booked_twice', {
    found: repeated.length > 0,
    title: repeated.length === 0 && picked ? picked.title : null,
    when: picked ? whenOf(picked) : null,
    list: dashed(shown.map((one) => `${one.title}, ${whenOf(one)}`)),
  });
}

/** Days about which it is asked what is booked on them. */
const FEW_DAYS_MS = 2 * 86_400_000;

/** Whether what somebody believed to have booked is there; null where they say no such thing, or only name a day or two. */
function believed(
  { said, filters, texts }: Asked,
  ahead: readonly string[],
  one: string | null,
): string | null {
  const isDay = filters.days.some(({ from, to }) => Date.parse(to) - Date.parse(from) <= FEW_DAYS_MS);
  if (!said('reservation').has('thought') || (isDay && one === null)) return null;
  return texts.sayOwn('believed', { one, list: dashed(ahead) });
}

/** What is ahead beside what was just told of. */
function otherBookings({ context, texts, time }: Asked, { reservations: all }: CustomerRecord): string {
  const { lastReply, language } = context.session;
  const ahead = all.filter(({ upcoming }) => upcoming);
  const others = ahead.filter(({ title }) => !lastReply?.includes(title));
  const lines = others.map(({ title, starts_at: startsAt, location: place, status }) =>
    texts.say('record_line', {
      ...{ entity: 'reservation', title, place, status },
      when: time.dateTime(startsAt, language),
    }),
  );
  return texts.sayOwn('other_bookings', {
    count: lines.length,
    list: lines.length === 1 ? (lines[0] ?? null) : dashed(lines),
  });
}

/** What is ahead, soonest first; what is over or cancelled where it was asked for. What it is narrowed down to is said. */
function reservations(asked: Asked, record: CustomerRecord, withPast = true, whether = false): string {
  const { context, texts, time, named, dates, said, filters } = asked;
  const line = ({ title, starts_at: startsAt, location: place, status }: ReservationShape) => {
    const when = time.dateTime(startsAt, context.session.language);
    return texts.say('record_line', { entity: 'reservation', title, when, place, status });
  };
  const isNarrowed = asked.narrows(filters);
  const ahead = record.reservations.filter(({ upcoming: isAhead }) => isAhead);
  // What was cancelled is not what is booked on a day: only its name means it.
  const picked = context.task.list
    ? null
    : (named(ahead.map(toListedRecord)) ??
      (dates().length === 0 ? named(record.reservations.map(toListedRecord)) : null));
  const one = record.reservations.find((reservation) => reservation.reservation_id === picked);
  const thought = believed(asked, ahead.map(line), one ? line(one) : null);
  if (thought !== null) return thought;
  const asksWhether = whether || ['valid', 'lost'].some((name) => said('reservation').has(name));
  if (one) {
    const answer = asksWhether ? isStillBooked(asked, record, one, [line(one)]) : null;
    const { paid_cents: paid } = one;
    const price = said('reservation').has('dearest') && paid > 0 ? texts.money(paid) : null;
    return answer ?? (price ? texts.sayOwn('priced_line', { line: line(one), price }) : line(one));
  }
  const fitting = isNarrowed
    ? record.reservations.filter((one) => asked.fits(toListedRecord(one), 'reservation'))
    : [];
  // "Is my booking for tomorrow confirmed?" of who has none then is told so.
  const isOtherDay = filters.days.length > 0 && fitting.length === 0;
  if (asksWhether && !isOtherDay && (whether || !isNarrowed)) {
    const meant = fitting.some(({ upcoming }) => upcoming) ? fitting : ahead;
    const answer = isStillBooked(asked, record, null, meant.filter(({ upcoming }) => upcoming).map(line));
    if (answer) return answer;
  }
  const { days } = filters;
  const isOver = days.length > 0 && days.every(({ to }) => to <= context.now);
  const asksPast = withPast && (isOver || said('reservation').has('past'));
  const narrowed = fitting.length > 0 && !(asksPast && !isOver);
  const among = narrowed ? fitting : record.reservations;
  const upcoming = among.filter(({ upcoming: ahead }) => ahead);
  const past = among.filter(({ upcoming: ahead }) => !ahead);
  // What is over on the days that are asked about is shown where nothing is ahead then, and to who asks what they had.
  const had = narrowed && said('reservation').has('had');
  const shown = asksPast || had || (narrowed && upcoming.length === 0) ? past : [];
  const text = texts.sayOwn('reservations', {
    any: record.reservations.length > 0,
    nothing_then: isNarrowed && !isOver && (fitting.length === 0 || (upcoming.length === 0 && !had)),
    narrowed: narrowed && upcoming.length > 0,
    by: isNarrowed ? asked.narrowedTo(filters) : null,
    upcoming: dashed(upcoming.map(line)),
    past: dashed(shown.map(line)),
  });
  const isOffered = upcoming.length === 0 && shown.length === 0 && past.length > 0;
  return isOffered ? `${text} ${texts.sayOwn('earlier_offer', { earlier: past.length })}` : text;
}
