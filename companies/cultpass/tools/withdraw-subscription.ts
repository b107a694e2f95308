import { z } from 'zod';
import { cannotRun } from '../../../src/core/i18n/index.js';
import { type AskedAt, deadlineTime } from '../../../src/runtime/asked-at.js';
import {
  type ActionPlan,
  type DecisionView,
  defineAction,
  type SessionView,
  type ToolDeps,
} from '../../../src/runtime/define-tool.js';
import { amountOf, decideWithdrawal, withdrawalEnds } from '../policy/policy.js';
import { type CultpassDeps, countUpcoming } from './shapes.js';

type Deps = Pick<ToolDeps, 'clock' | 'time' | 'texts'>;

/** The exact effect that is agreed to. */
const termsSchema = z.object({
  ends: z.boolean(),
  charges: z.array(z.object({ paymentId: z.string(), amountCents: z.number().int().positive() })),
});

/** Ends the signed-in customer's subscription within the days in which the law lets them withdraw, and pays it back. */
export const withdrawSubscription = (own: CultpassDeps) => {
  const read = async (deps: Deps, customerId: string, asked: AskedAt) => {
    const [user, subscription, charges] = await Promise.all([
      own.customers.getUser(customerId),
      own.customers.getSubscription(customerId),
      own.customers.listPayments(customerId),
    ]);
    const verdict =
      user && decideWithdrawal(user, subscription, charges, own.policy, deadlineTime(deps, asked));
    return { user, subscription, verdict };
  };

  return defineAction({
    name: 'withdraw_subscription',
    label: { en: 'Withdraw from the subscription', 'pt-BR': 'Desistir da assinatura' },
    activity: { en: 'Working on your withdrawal', 'pt-BR': 'Cuidando da sua desistência' },
    description:
      'Right of withdrawal: ends a subscription bought days ago and pays it back; says why where it is too late.',
    effect: 'irreversible',
    access: 'customer',
    issueType: 'subscription',
    // Whether it may be done is checked by the plan.
    spares: ['get_subscription'],
    input: z.object({}),
    output: z.object({
      ended_at: z.string().nullable(),
      refunded_cents: z.number(),
      upcoming_reservations: z.number(),
    }),
    claims: ({ refunded_cents: cents }) => (cents > 0 ? ['cancel', 'refund'] : ['cancel']),
    async plan(deps: Deps, _input, customerId: string, session: SessionView): Promise<ActionPlan> {
      const { user, subscription, verdict } = await read(deps, customerId, session);
      const texts = deps.texts.for(session.language);
      if (!user || !verdict) return { kind: 'denied', code: 'not_found' };
      const days = own.policy.subscription.withdrawal_days;
      const date = (at: Date | string) =>
        deps.time.date(typeof at === 'string' ? at : at.toISOString(), session.language);
      if (verdict.kind === 'denied') {
        const { code } = verdict;
        if (code === 'not_found')
          return { ...verdict, said: texts.sayOwn('withdrawal_unknown', { email: user.email }) };
        if (code === 'already_done') return { ...verdict, said: texts.sayOwn('withdrawal_done') };
        if (code !== 'policy_denied' || !subscription) return verdict;
        const said = texts.sayOwn('withdrawal_late', {
          days,
          since: date(subscription.startedAt),
          last: date(withdrawalEnds(subscription, own.policy)),
          status: subscription.status,
        });
        return { ...verdict, said };
      }
      const { terms } = verdict;
      const cents = amountOf(terms);
      const said = {
        ...{ days, ends: terms.ends, amount: cents > 0 ? texts.money(cents) : null },
        since: subscription && date(subscription.startedAt),
        last: subscription && date(withdrawalEnds(subscription, own.policy)),
        upcoming: await countUpcoming(own, deps, customerId),
        asks_team: verdict.kind === 'needs_approval',
      };
      return {
        kind: 'ready',
        terms: { ...terms },
        answers: {
          yes: texts.sayOwn('withdrawal_yes', { amount: said.amount, asks_team: said.asks_team }),
          no: texts.sayOwn('withdrawal_no'),
        },
        question: texts.sayOwn('confirm_withdrawal', said),
        explained: texts.sayOwn('explain_withdrawal', said),
        approval:
          verdict.kind === 'needs_approval'
            ? `End the subscription and refund ${deps.texts.for('en').money(cents)} (right of withdrawal, ${verdict.reason})`
            : null,
      };
    },
    async matter(deps: Deps, _input, customerId: string, session: SessionView) {
      const texts = deps.texts.for(session.language);
      const { verdict } = await read(deps, customerId, session);
      const cents = verdict && verdict.kind !== 'denied' ? amountOf(verdict.terms) : 0;
      return {
        kind: 'cancel',
        name: texts.sayOwn('withdrawal_name'),
        unchanged: texts.sayOwn('withdrawal_undone'),
        ifAgreed: cents > 0 ? texts.sayOwn('refund_if_agreed', { refund: texts.money(cents) }) : null,
        about: null,
      };
    },
    request: (_input, texts) => texts.sayOwn('request.withdraw_subscription'),
    async consequences(deps: Deps, _input, decision: DecisionView) {
      const { customerId, customer, language } = decision;
      const texts = deps.texts.for(language);
      const { verdict } = await read(deps, customerId, decision);
      const what = texts.sayOwn('withdraws', { customer });
      if (!verdict) return [what, cannotRun(texts, 'not_found')];
      if (verdict.kind === 'denied') return [what, cannotRun(texts, verdict.code)];
      const cents = amountOf(verdict.terms);
      const { kind } = verdict;
      return [
        what,
        cents > 0 ? texts.sayOwn('pays_back', { amount: texts.money(cents) }) : texts.sayOwn('pays_nothing'),
        ...(kind === 'needs_approval'
          ? [texts.sayOwn('approval_needed', { reason: verdict.reason, hours: 0 })]
          : []),
      ];
    },
    async perform(deps: Deps, _input, terms, write) {
      // Where it was done before and the process stopped, there are no terms: the ledger then gives the first outcome.
      const charges = termsSchema.safeParse(terms).data?.charges ?? [];
      const { subscription, refundedCents } = await own.customerWrites.withdrawSubscription(write, charges);
      return {
        ended_at: subscription.endedAt,
        refunded_cents: refundedCents,
        upcoming_reservations: await countUpcoming(own, deps, write.customerId),
      };
    },
    describe({ refunded_cents: cents, upcoming_reservations: upcoming }, texts) {
      return texts.sayOwn('withdrawn_subscription', {
        amount: cents > 0 ? texts.money(cents) : null,
        upcoming,
      });
    },
  });
};
