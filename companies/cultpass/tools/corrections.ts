import { z } from 'zod';
import type { ActionTool } from '../../../src/runtime/define-tool.js';
import type { Charge, ChargeRefund, Correction, Subscription, Tier } from '../data/records.js';
import { decideRefund, denied, type Verdict } from '../policy/policy.js';
import { correction, nothing, type Terms } from './correction.js';
import type { CultpassDeps } from './shapes.js';

const DAY_MS = 86_400_000;
/** Two fees of one amount that lie closer together than this are one month's; see the skill `double_charge`. */
const SAME_FEE_DAYS = 20;

const daysBetween = (a: Charge, b: Charge): number =>
  Math.abs(Date.parse(a.createdAt) - Date.parse(b.createdAt)) / DAY_MS;

const id = () => z.string().min(1).max(64);

/**
 * What operators put right at CultPass after an investigation: charges that were a mistake go back, a failed refund is
 * sent again, a paid plan is put into force, a lost visit returns. No agent and no program can ask for these; each is
 * decided by the rules here, on the data at that moment, and carried out once.
 */
export function cultpassCorrections(own: CultpassDeps): readonly ActionTool[] {
  const { customers, policy } = own;
  const charges = async (customerId: string) => customers.listPayments(customerId);
  const titleOf = async (customerId: string, reservationId: string | null) =>
    reservationId === null
      ? null
      : ((await customers.getReservation(customerId, reservationId))?.experience.title ?? null);
  const back = async (
    customerId: string,
    reservationId: string | null,
    parts: readonly ChargeRefund[],
  ): Promise<Verdict<Terms>> => ({
    kind: 'allowed',
    terms: {
      ...nothing,
      about: await titleOf(customerId, reservationId),
      amount_cents: parts.reduce((sum, { amountCents }) => sum + amountCents, 0),
      charges: [...parts],
    },
  });
  const refundCharges = (_input: unknown, terms: Terms): Correction => ({
    kind: 'refund_charges',
    charges: terms.charges,
  });

  const planOf = (tier: Tier | null) => ({
    tier: tier ?? 'basic',
    visits: policy.plans[tier ?? 'basic'].visits,
  });

  /** True for a fee that was taken while no plan was running: after its end, in its pause, or without any. */
  const isUndue = ({ createdAt }: Charge, plan: Subscription | null): boolean => {
    if (plan === null) return true;
    if (plan.status === 'active' || plan.endedAt === null) return false;
    if (plan.status === 'cancelled') return createdAt > plan.endedAt;
    // When a pause began is not on record, only when it ends and how long one may be.
    return Date.parse(plan.endedAt) - Date.parse(createdAt) < policy.subscription.pause_max_days * DAY_MS;
  };

  /** A fee that was paid names its plan. */
  const planPaid = async (customerId: string, paymentId: string): Promise<Tier | null> => {
    const fee = (await charges(customerId)).find((one) => one.paymentId === paymentId);
    if (fee?.status !== 'paid' || fee.reservationId !== null || fee.refundedCents > 0) return null;
    const tiers: readonly Tier[] = ['basic', 'premium'];
    return tiers.find((tier) => policy.plans[tier].price_cents === fee.amountCents) ?? null;
  };

  return [
    correction(own, {
      name: 'refund_duplicate_charge',
      label: { en: 'Give a duplicate charge back', 'pt-BR': 'Devolver uma cobrança em duplicidade' },
      issueType: 'billing',
      claims: 'refund',
      of: 'payment_id',
      input: z.object({
        payment_id: id(),
        reservation_id: id().optional(),
        amount_cents: z.number().int().positive().optional(),
      }),
      async decide(input, customerId) {
        const all = await charges(customerId);
        const named = all.find(({ paymentId }) => paymentId === input.payment_id);
        if (!named) return denied('not_found');
        if (named.refundedCents > 0) return denied('already_refunded');
        if (named.status !== 'paid') return denied('nothing_paid');
        const same = all
          .filter((one) => one.status === 'paid' && one.refundedCents === 0)
          .filter((one) => one.reservationId === named.reservationId && one.amountCents === named.amountCents)
          // A fee of every month has the same amount: only one within days of it is the same fee again.
          .filter((one) => named.reservationId !== null || daysBetween(one, named) < SAME_FEE_DAYS)
          .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
        // One is due: the first charge of a booking, or the other fee. Only what comes after it may go back.
        const extra = named.reservationId === null ? [named] : same.slice(1);
        if (same.length < 2) return denied('wrong_status');
        const reservation =
          named.reservationId && (await customers.getReservation(customerId, named.reservationId));
        if (reservation && reservation.refund !== null) return denied('already_refunded');
        const parts = extra.map(({ paymentId, amountCents }) => ({ paymentId, amountCents }));
        const sum = parts.reduce((total, { amountCents }) => total + amountCents, 0);
        if (input.amount_cents !== undefined && input.amount_cents !== sum) return denied('pending_mismatch');
        return back(customerId, named.reservationId, parts);
      },
      change: refundCharges,
    }),
    correction(own, {
      name: 'refund_wrong_charge',
      label: { en: 'Give a wrong charge back', 'pt-BR': 'Devolver uma cobrança indevida' },
      issueType: 'billing',
      claims: 'refund',
      of: 'payment_id',
      input: z.object({ payment_id: id(), amount_cents: z.number().int().positive().optional() }),
      async decide(input, customerId) {
        const named = (await charges(customerId)).find(({ paymentId }) => paymentId === input.payment_id);
        if (!named) return denied('not_found');
        if (named.refundedCents > 0) return denied('already_refunded');
        if (named.status !== 'paid') return denied('nothing_paid');
        const subscription = await customers.getSubscription(customerId);
        if (named.reservationId !== null || !isUndue(named, subscription)) return denied('wrong_status');
        const { paymentId, amountCents } = named;
        if (input.amount_cents !== undefined && input.amount_cents !== amountCents)
          return denied('pending_mismatch');
        return back(customerId, null, [{ paymentId, amountCents }]);
      },
      change: refundCharges,
    }),
    correction(own, {
      name: 'refund_difference',
      label: { en: 'Refund the rest', 'pt-BR': 'Reembolsar a diferença' },
      issueType: 'refund',
      claims: 'refund',
      of: 'reservation_id',
      input: z.object({
        reservation_id: id(),
        paid_cents: z.number().int().positive().optional(),
        refunded_cents: z.number().int().min(0).optional(),
      }),
      async decide(input, customerId) {
        const reservation = await customers.getReservation(customerId, input.reservation_id);
        if (!reservation) return denied('not_found');
        const rest = reservation.paidCents - (reservation.refund?.amountCents ?? 0);
        if (reservation.refund === null || reservation.refund.status === 'failed')
          return denied('wrong_status');
        if (rest <= 0) return denied('already_refunded');
        const charge = (await charges(customerId)).find(
          (one) =>
            one.reservationId === input.reservation_id &&
            one.status === 'paid' &&
            one.refundedCents === 0 &&
            one.amountCents >= rest,
        );
        if (!charge) return denied('wrong_status');
        return back(customerId, input.reservation_id, [{ paymentId: charge.paymentId, amountCents: rest }]);
      },
      change: refundCharges,
    }),
    correction(own, {
      name: 'retry_refund',
      label: { en: 'Send a failed refund again', 'pt-BR': 'Reenviar um reembolso que falhou' },
      issueType: 'refund',
      claims: 'refund',
      of: 'refund_id',
      input: z.object({ refund_id: id(), reservation_id: id().optional() }),
      async decide(input, customerId) {
        const reservation = (await customers.listReservations(customerId)).find(
          ({ refund }) => refund?.refundId === input.refund_id,
        );
        if (!reservation?.refund) return denied('not_found');
        if (input.reservation_id !== undefined && input.reservation_id !== reservation.reservationId)
          return denied('not_found');
        const { status, amountCents } = reservation.refund;
        if (status !== 'failed') return denied('wrong_status');
        const terms = { ...nothing, about: reservation.experience.title, amount_cents: amountCents };
        return { kind: 'allowed', terms };
      },
      change: (input) => ({ kind: 'retry_refund', refundId: input.refund_id }),
    }),
    correction(own, {
      name: 'refund_for_blocked_account',
      label: { en: 'Refund a blocked account', 'pt-BR': 'Reembolsar uma conta bloqueada' },
      issueType: 'refund',
      claims: 'refund',
      of: 'reservation_id',
      input: z.object({ reservation_id: id() }),
      async decide(input, customerId, now) {
        const [user, reservation] = await Promise.all([
          customers.getUser(customerId),
          customers.getReservation(customerId, input.reservation_id),
        ]);
        if (!user || !reservation) return denied('not_found');
        if (!user.isBlocked) return denied('wrong_status');
        const verdict = decideRefund({ ...user, isBlocked: false }, reservation, policy, now);
        if (verdict.kind === 'denied') return verdict;
        const { amountCents } = verdict.terms;
        const terms = { ...nothing, about: reservation.experience.title, amount_cents: amountCents };
        return { kind: 'allowed', terms };
      },
      change: (input, terms) => ({
        kind: 'refund_reservation',
        reservationId: input.reservation_id,
        amountCents: terms.amount_cents,
      }),
    }),
    correction(own, {
      name: 'unblock_account',
      label: { en: 'Unblock the account', 'pt-BR': 'Desbloquear a conta' },
      issueType: 'account_access',
      claims: 'change',
      input: z.object({}),
      async decide(_input, customerId) {
        const user = await customers.getUser(customerId);
        if (!user) return denied('not_found');
        return user.isBlocked ? { kind: 'allowed', terms: nothing } : denied('already_done');
      },
      change: () => ({ kind: 'unblock' }),
    }),
    correction(own, {
      name: 'return_visit',
      label: { en: 'Give a visit back', 'pt-BR': 'Devolver uma visita' },
      issueType: 'reservation',
      claims: 'change',
      of: 'reservation_id',
      input: z.object({ reservation_id: id() }),
      async decide(input, customerId, now) {
        const reservation = await customers.getReservation(customerId, input.reservation_id);
        if (!reservation) return denied('not_found');
        const { experience, status } = reservation;
        if (status !== 'reserved' || Date.parse(experience.startsAt) > now.getTime())
          return denied('wrong_status');
        return { kind: 'allowed', terms: { ...nothing, about: experience.title } };
      },
      change: (input) => ({ kind: 'return_visit', reservationId: input.reservation_id }),
    }),
    correction(own, {
      name: 'restore_subscription',
      label: { en: 'Put a paid plan into force', 'pt-BR': 'Ativar um plano que foi pago' },
      issueType: 'subscription',
      claims: 'change',
      of: 'payment_id',
      input: z.object({ payment_id: id(), amount_cents: z.number().int().positive().optional() }),
      async decide(input, customerId) {
        const tier = await planPaid(customerId, input.payment_id);
        if (tier === null) return denied('nothing_paid');
        const subscription = await customers.getSubscription(customerId);
        if (subscription?.status === 'active') return denied('already_done');
        const fee = (await charges(customerId)).find(({ paymentId }) => paymentId === input.payment_id);
        // A paused plan is resumed; one that has ended is not restored for a fee of the time before.
        if (!fee || subscription?.status === 'paused' || !isUndue(fee, subscription))
          return denied('wrong_status');
        return { kind: 'allowed', terms: { ...nothing, tier } };
      },
      change: (_input, { tier }) => ({ kind: 'restore_plan', ...planOf(tier) }),
    }),
    correction(own, {
      name: 'apply_paid_plan',
      label: { en: 'Change to the plan that was paid', 'pt-BR': 'Aplicar o plano que foi pago' },
      issueType: 'subscription',
      claims: 'change',
      of: 'payment_id',
      input: z.object({ payment_id: id(), tier: z.enum(['basic', 'premium']).optional() }),
      async decide(input, customerId) {
        const tier = await planPaid(customerId, input.payment_id);
        if (tier === null || tier !== (input.tier ?? tier)) return denied('nothing_paid');
        const subscription = await customers.getSubscription(customerId);
        if (subscription?.status !== 'active') return denied('wrong_status');
        if (subscription.tier === tier) return denied('already_done');
        return { kind: 'allowed', terms: { ...nothing, tier } };
      },
      change: (_input, { tier }) => ({ kind: 'apply_plan', ...planOf(tier) }),
    }),
  ];
}
