import { z } from 'zod';
import { cannotRun } from '../../../src/core/i18n/index.js';
import {
  type ActionPlan,
  defineAction,
  type SessionView,
  type ToolDeps,
} from '../../../src/runtime/define-tool.js';
import { type Charge, SAO_PAULO_OFFSET_MS, type Subscription, type User } from '../data/records.js';
import {
  amountOf,
  decideSubscriptionChange,
  decideWithdrawal,
  type denied,
  nextBillingDay,
  type SubscriptionChange,
  withdrawalEnds,
} from '../policy/policy.js';
import { type CultpassDeps, countUpcoming } from './shapes.js';

type RefusalDeps = Pick<ToolDeps, 'clock' | 'time' | 'texts'>;
type Refusal = Extract<ActionPlan, { kind: 'denied' }>;

/** A change of the subscription as it was asked for. */
interface WantedChange {
  readonly action: 'pause' | 'resume' | 'cancel';
  readonly days?: number | undefined;
  /** ISO day on which it is to begin. */
  readonly from?: string | undefined;
}

const DAY_MS = 86_400_000;

/** When a pause that begins now is over. */
function pauseEnd(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

/** What is said where the subscription is not in a state for it: why, and what the customer can do instead. */
function refusedChange(
  { policy }: CultpassDeps,
  { time, texts }: RefusalDeps,
  { code }: ReturnType<typeof denied>,
  { action: change }: WantedChange,
  subscription: Subscription | null,
  language: SessionView['language'],
): Refusal {
  const refusal = { kind: 'denied', code } as const;
  const own = texts.for(language);
  if (code === 'policy_denied') {
    const longest = policy.subscription.pause_max_days;
    const offer = { tool: 'update_subscription', args: { action: 'pause', days: longest } };
    return { ...refusal, said: own.sayOwn('pause_too_long', { longest }), offer };
  }
  if (!subscription || (code !== 'already_done' && code !== 'wrong_status')) return refusal;
  const { status, endedAt } = subscription;
  const date = endedAt === null ? null : time.date(endedAt, language);
  const said = own.sayOwn('subscription_refused', { change, status, date });
  const offer = { tool: 'update_subscription', args: { action: 'resume' } };
  return { ...refusal, said, ...(change === 'pause' && status === 'paused' ? { offer } : {}) };
}

/**
 * What is said where a pause is to begin, or to end, on a later day: neither is planned ahead. It may begin or end at once.
 * @returns null where it is to be today, or no day is named
 */
function laterChange(
  { policy }: CultpassDeps,
  { clock, time, texts }: RefusalDeps,
  { action, days, from }: WantedChange,
  language: SessionView['language'],
): Refusal | null {
  const now = clock.now();
  const begins =
    action !== 'cancel' && from !== undefined ? new Date(Date.parse(from) + SAO_PAULO_OFFSET_MS) : now;
  if (begins.getTime() <= now.getTime()) return null;
  const own = texts.for(language);
  const day = time.date(begins.toISOString(), language);
  if (action === 'resume') {
    const offer = { tool: 'update_subscription', args: { action } };
    return { kind: 'denied', code: 'policy_denied', said: own.sayOwn('resume_later', { from: day }), offer };
  }
  const length = days ?? policy.subscription.pause_default_days;
  const ends = pauseEnd(begins, length);
  const whole = Math.ceil((ends.getTime() - now.getTime()) / DAY_MS);
  const isShort = whole <= policy.subscription.pause_max_days;
  const said = own.sayOwn('pause_later', {
    from: day,
    until: time.date(ends.toISOString(), language),
    ...{ days: whole, length },
    fits: isShort,
  });
  const offer = { tool: 'update_subscription', args: { action: 'pause', days: whole } };
  return { kind: 'denied', code: 'policy_denied', said, ...(isShort ? { offer } : {}) };
}

type Deps = Pick<ToolDeps, 'clock' | 'time' | 'texts'>;

/** When the next monthly fee is due once the subscription is active again, and how much it is; null where none was ever paid. */
function nextFee(
  { policy }: CultpassDeps,
  { clock, time, texts }: Deps,
  { subscription, charges }: Pick<Account, 'subscription' | 'charges'>,
  language: SessionView['language'],
): { readonly next: string | null; readonly amount: string | null } {
  const fees = charges.filter(({ reservationId, status }) => reservationId === null && status === 'paid');
  const last = fees
    .map(({ createdAt }) => createdAt)
    .sort()
    .at(-1);
  if (!subscription || last === undefined) return { next: null, amount: null };
  const amount = texts.for(language).money(policy.plans[subscription.tier].price_cents);
  return { next: time.date(nextBillingDay(last, clock.now().toISOString()), language), amount };
}

/** What is on record of a customer and what they paid. */
interface Account {
  readonly user: User;
  readonly subscription: Subscription | null;
  readonly charges: readonly Charge[];
}

const inputSchema = z.object({
  action: z.enum(['pause', 'resume', 'cancel']),
  days: z.number().int().min(1).max(365).optional().describe('Length of a pause, where named.'),
  from: z.iso.date().optional().describe('Day on which a pause begins or ends, where named.'),
});

/** Pauses, resumes or cancels the signed-in customer's subscription. */
export const updateSubscription = (own: CultpassDeps) =>
  defineAction({
    name: 'update_subscription',
    label: { en: 'Change the subscription', 'pt-BR': 'Mudar a assinatura' },
    activity: { en: 'Working on your plan', 'pt-BR': 'Cuidando do seu plano' },
    description: 'Pauses, resumes or cancels the subscription.',
    effect: 'irreversible',
    access: 'customer',
    issueType: 'subscription',
    // What state the subscription must be in is checked by the plan.
    spares: ['get_subscription'],
    input: inputSchema,
    output: z.object({
      action: z.enum(['pause', 'resume', 'cancel']),
      status: z.string(),
      until: z.string().nullable(),
      upcoming_reservations: z.number(),
    }),
    claims: ({ action }) => [action],
    async plan(deps: Deps, input, customerId: string, session: SessionView) {
      const [user, subscription, upcoming] = await Promise.all([
        own.customers.getUser(customerId),
        own.customers.getSubscription(customerId),
        countUpcoming(own, deps, customerId),
      ]);
      if (!user) return { kind: 'denied', code: 'not_found' };
      const verdict = decideSubscriptionChange(user, subscription, toChange(input), own.policy);
      if (verdict.kind === 'denied')
        return refusedChange(own, deps, verdict, input, subscription, session.language);
      const later = laterChange(own, deps, input, session.language);
      if (later !== null) return later;
      const texts = deps.texts.for(session.language);
      const days = verdict.kind === 'allowed' ? (verdict.terms.days ?? 0) : 0;
      const until = deps.time.date(pauseEnd(deps.clock.now(), days).toISOString(), session.language);
      // Who may still withdraw learns of it before they cancel for nothing.
      const charges = input.action === 'pause' ? [] : await own.customers.listPayments(customerId);
      const paidBack = withdrawalIn(own, deps, { user, subscription, charges }, session.language);
      const said = {
        pause: () => ({
          question: texts.sayOwn('confirm_pause', { days, until, upcoming }),
          explained: texts.sayOwn('explain_pause', {
            ...{ days, until, upcoming },
            longest: own.policy.subscription.pause_max_days,
          }),
        }),
        resume: () => ({
          question: texts.sayOwn(
            'confirm_resume',
            nextFee(own, deps, { subscription, charges }, session.language),
          ),
          explained: texts.sayOwn(
            'explain_resume',
            nextFee(own, deps, { subscription, charges }, session.language),
          ),
        }),
        cancel: () => ({
          question: texts.sayOwn('confirm_cancel_subscription', { upcoming, ...paidBack }),
          explained: texts.sayOwn('explain_cancel_subscription', { upcoming }),
        }),
      }[input.action]();
      const change = input.action;
      const answers = {
        yes: texts.sayOwn('subscription_yes', { change, days }),
        no: texts.sayOwn('subscription_no', { change }),
      };
      return { kind: 'ready', terms: { ...verdict.terms }, ...said, answers, approval: null };
    },
    async matter(deps: Deps, { action: change, days = 0 }, _customerId: string, { language }: SessionView) {
      const texts = deps.texts.for(language);
      return {
        kind: change,
        name: texts.sayOwn('subscription_change', { change, days }),
        unchanged: texts.sayOwn('subscription_stands', { change }),
        ifAgreed: null,
        about: null,
      };
    },
    request: ({ action: change }, texts) => texts.sayOwn('request.update_subscription', { change }),
    async consequences(deps: Deps, input, { customerId, customer, language }) {
      const texts = deps.texts.for(language);
      const [user, subscription] = await Promise.all([
        own.customers.getUser(customerId),
        own.customers.getSubscription(customerId),
      ]);
      const days = input.days ?? own.policy.subscription.pause_default_days;
      const until = pauseEnd(deps.clock.now(), days).toISOString();
      const what = {
        pause: () => texts.sayOwn('pauses', { days, until: deps.time.date(until, language), customer }),
        resume: () => texts.sayOwn('resumes', { customer }),
        cancel: () => texts.sayOwn('cancels_subscription', { customer }),
      }[input.action]();
      const change: SubscriptionChange =
        input.action === 'pause' ? { action: 'pause', days } : { action: input.action };
      const verdict = user ? decideSubscriptionChange(user, subscription, change, own.policy) : null;
      if (verdict === null) return [what, cannotRun(texts, 'not_found')];
      return verdict.kind === 'denied' ? [what, cannotRun(texts, verdict.code)] : [what];
    },
    async perform(deps: Deps, input, terms, write) {
      const days = typeof terms.days === 'number' ? terms.days : 0;
      const subscription = await {
        pause: () => own.customerWrites.pauseSubscription(write, pauseEnd(write.at, days)),
        resume: () => own.customerWrites.resumeSubscription(write),
        cancel: () => own.customerWrites.cancelSubscription(write),
      }[input.action]();
      return {
        action: input.action,
        status: subscription.status,
        until: subscription.endedAt,
        upcoming_reservations: await countUpcoming(own, deps, write.customerId),
      };
    },
    undo: ({ action }) =>
      action === 'pause' ? { tool: 'update_subscription', args: { action: 'resume' } } : null,
    anew: ({ action }, texts) => (action === 'cancel' ? texts.sayOwn('subscription_anew') : null),
    refused: (code, texts) => (code === 'not_found' ? texts.sayOwn('no_subscription') : null),
    describe(output, texts, time) {
      const upcoming = output.upcoming_reservations;
      if (output.action === 'resume') return texts.sayOwn('resumed');
      if (output.action === 'cancel') return texts.sayOwn('subscription_cancelled', { upcoming });
      return texts.sayOwn('paused', {
        until: output.until ? time.date(output.until, texts.language) : '',
        upcoming,
      });
    },
  });

function toChange(input: z.infer<typeof inputSchema>): SubscriptionChange {
  return input.action === 'pause' ? { action: 'pause', days: input.days ?? null } : { action: input.action };
}

/** What the customer would get back who withdraws in place of cancelling, and until when; null where nothing. */
function withdrawalIn(
  { policy }: CultpassDeps,
  { clock, time, texts }: Deps,
  { user, subscription, charges }: Account,
  language: SessionView['language'],
): { readonly back: string | null; readonly last: string | null } {
  const verdict = decideWithdrawal(user, subscription, charges, policy, clock.now());
  const cents = verdict.kind === 'denied' ? 0 : amountOf(verdict.terms);
  if (cents === 0 || !subscription) return { back: null, last: null };
  const last = time.date(withdrawalEnds(subscription, policy).toISOString(), language);
  return { back: texts.for(language).money(cents), last };
}
