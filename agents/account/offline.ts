import type { z } from 'zod';
import type { OfflinePolicy, OfflineStep } from '../../src/core/ports/offline-policy.js';
import { findPreference } from '../../src/nlu/slots/index.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import {
  call,
  candidate,
  contextIn,
  dashed,
  isWithheld,
  lastCall,
  type OfflineDeps,
  resultOf,
  say,
  sayWhy,
} from '../offline-support.js';
import type { ReservationShape } from '../record-shapes.js';
import { customerRecordShape } from '../record-shapes.js';

type CustomerRecord = z.infer<typeof customerRecordShape>;

/** The account agent without a model: picks the part of the record that was asked for and says it. */
export function accountPolicy(deps: OfflineDeps): OfflinePolicy {
  return (turn) => {
    const context = contextIn(turn);
    const { text } = context.task;
    const { language } = context.session;
    const { intent } = deps.nlu.classifyIntent(text, language);
    const preference = preferenceStep(deps, context, intent);
    if (preference) return preference;
    const failed = lastCall(context, 'get_customer_context');
    const record = resultOf(context, 'get_customer_context', customerRecordShape);
    if (!record) {
      return failed ? sayWhy(deps, context, failed) : call('get_customer_context');
    }
    return answer(deps, context, intent, record);
  };
}

const CHANNELS: readonly (readonly [RegExp, string])[] = [
  [/\bwhats\s?app\b|\bzap\b/iu, 'whatsapp'],
  [/\b(?:phone|telephone|call|telefone|liga[cç][aã]o|celular)\b/iu, 'phone'],
  [/\be-?mail\b/iu, 'email'],
];

/** The one way of contact a text names, where it is known to state a preference. */
function channelIn(text: string): { key: 'contact_method'; value: string } | null {
  const named = CHANNELS.filter(([pattern]) => pattern.test(text));
  return named.length === 1 && named[0] ? { key: 'contact_method', value: named[0][1] } : null;
}

/** Records a preference the text states; shared with the action agent, since "change my language" may go there. */
export function preferenceStep(deps: OfflineDeps, context: AgentContext, intent: string): OfflineStep | null {
  const texts = deps.texts.for(context.session.language);
  const saved = lastCall(context, 'record_customer_preference');
  if (saved) {
    if (saved.code === 'scope_missing') return sayWhy(deps, context, saved);
    const { key, value } = saved.args as { key?: string; value?: string };
    if (!saved.ok) return say(texts.say('clarify'));
    const spoken = (word = '') => texts.sayOf('preference', word) || word.replaceAll('_', ' ');
    return say(texts.say('preference_saved', { key: spoken(key), value: spoken(value) }));
  }
  const found =
    intent === 'set_preference' ? (findPreference(context.task.text) ?? channelIn(context.task.text)) : null;
  return found && call('record_customer_preference', { ...found });
}

function answer(
  deps: OfflineDeps,
  context: AgentContext,
  intent: string,
  record: CustomerRecord,
): OfflineStep {
  if (intent === 'refund_status' || intent === 'missing_refund') return refunds(deps, context, record);
  return say(plainAnswer(deps, context, intent, record));
}

function plainAnswer(
  deps: OfflineDeps,
  context: AgentContext,
  intent: string,
  record: CustomerRecord,
): string {
  switch (intent) {
    case 'remaining_visits':
      return visits(deps, context, record);
    case 'show_subscription':
    case 'subscription_not_active':
      return subscription(deps, context, record);
    case 'show_profile':
    case 'change_account_details':
      return profile(deps, context, record);
    case 'show_payments':
    case 'double_charge':
    case 'payment_failed':
      return payments(deps, context, record);
    case 'show_reservations':
    case 'entry_denied':
      return reservations(deps, context, record);
    case 'cannot_reserve':
      return `${subscription(deps, context, record)} ${visits(deps, context, record)}`;
    default:
      return [
        subscription(deps, context, record),
        visits(deps, context, record),
        reservations(deps, context, record, false),
      ].join('\n\n');
  }
}

function visits(deps: OfflineDeps, { session }: AgentContext, record: CustomerRecord): string {
  const texts = deps.texts.for(session.language);
  if (!record.quota || !record.subscription) return texts.sayOwn('no_subscription');
  return texts.sayOwn('visits_left', {
    remaining: record.quota.remaining,
    quota: record.quota.monthly_quota,
    used: record.quota.used,
    resets: deps.time.date(record.quota.resets_at, session.language),
    status: record.subscription.status,
  });
}

function subscription(deps: OfflineDeps, { session }: AgentContext, record: CustomerRecord): string {
  const texts = deps.texts.for(session.language);
  const current = record.subscription;
  if (!current) return texts.sayOwn('no_subscription');
  return texts.sayOwn('subscription', {
    status: current.status,
    tier: current.tier === 'premium' ? 'Premium' : 'Basic',
    quota: current.monthly_quota,
    since: deps.time.date(current.started_at, session.language),
    ended: current.ended_at && deps.time.date(current.ended_at, session.language),
  });
}

function profile(deps: OfflineDeps, { session }: AgentContext, record: CustomerRecord): string {
  const preferences = record.preferences
    .map(({ key, value }) => `${key.replace('_', ' ')}: ${value}`)
    .join(', ');
  const texts = deps.texts.for(session.language);
  const profileText = texts.sayOwn('profile', {
    name: record.user.full_name,
    email: record.user.email,
    since: deps.time.date(record.user.created_at, session.language),
    preferences: preferences || null,
  });
  return record.user.is_blocked
    ? `${profileText} ${texts.sayOf('refusal', 'customer_blocked')}`
    : profileText;
}

function payments(deps: OfflineDeps, { session }: AgentContext, record: CustomerRecord): string {
  const texts = deps.texts.for(session.language);
  const lines = record.payments.map((payment) =>
    texts.sayOwn('payment_line', {
      date: deps.time.date(payment.created_at, session.language),
      amount: texts.money(payment.amount_cents),
      what: payment.for,
      status: payment.status,
    }),
  );
  return texts.sayOwn('payments', { list: dashed(lines) });
}

/** The refunds made, and what was cancelled and paid but not refunded: that one the customer can have at once. */
function refunds(deps: OfflineDeps, context: AgentContext, record: CustomerRecord): OfflineStep {
  const { language } = context.session;
  const texts = deps.texts.for(language);
  const lines = record.reservations.flatMap(({ title, refund }) =>
    refund
      ? [
          texts.sayOwn('refund_line', {
            title,
            amount: texts.money(refund.amount_cents),
            date: deps.time.date(refund.created_at, language),
            status: refund.status,
          }),
        ]
      : [],
  );
  const [missing] = record.reservations.filter(
    ({ status, refund, paid_cents: paid }) => status === 'cancelled' && refund === null && paid > 0,
  );
  const answer = texts.sayOwn('refunds', { list: dashed(lines) });
  if (!missing) return say(answer);
  // What another agent would have to do is not offered where this one alone was addressed.
  const mayOffer = !isWithheld(deps, context, 'process_refund') && context.session.agent === undefined;
  const offer = texts.sayOwn('refund_missing', {
    title: missing.title,
    amount: texts.money(missing.paid_cents),
    offer: mayOffer,
  });
  const choice = { id: missing.reservation_id, title: missing.title, startsAt: missing.starts_at };
  const focus = { agent: 'action', intent: 'process_refund', choices: [choice], attempts: 1 };
  const text = `${offer}${lines.length > 0 ? `\n\n${answer}` : ''}`;
  return mayOffer ? say(text, { focus }) : say(text);
}

function reservations(
  deps: OfflineDeps,
  { session, task, now }: AgentContext,
  record: CustomerRecord,
  withPast = true,
): string {
  const texts = deps.texts.for(session.language);
  const line = (reservation: ReservationShape) =>
    texts.sayOwn('reservation_line', {
      title: reservation.title,
      when: deps.time.dateTime(reservation.starts_at, session.language),
      place: reservation.location,
      status: reservation.status,
    });
  const picked = deps.nlu.slots.selectCandidate(task.text, record.reservations.map(candidate), {
    now: new Date(now),
    language: session.language,
  });
  if (picked.kind === 'one' && picked.by !== 'only') {
    const one = record.reservations.find((reservation) => reservation.reservation_id === picked.id);
    if (one) return line(one);
  }
  const upcoming = record.reservations.filter((reservation) => reservation.upcoming);
  const past = withPast ? record.reservations.filter((reservation) => !reservation.upcoming) : [];
  return texts.sayOwn('reservations', {
    any: upcoming.length + past.length > 0,
    upcoming: dashed(upcoming.map(line)),
    past: dashed(past.map(line)),
  });
}
