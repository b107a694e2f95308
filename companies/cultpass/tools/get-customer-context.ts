import { z } from 'zod';
import { HubError } from '../../../src/core/errors.js';
import { customerIdOf } from '../../../src/runtime/caller-facts.js';
import { defineTool, type ToolDeps } from '../../../src/runtime/define-tool.js';
import type { Charge } from '../data/records.js';
import {
  type CultpassDeps,
  quotaShape,
  refundShape,
  reservationShape,
  reservationsView,
  subscriptionShape,
  toQuotaShape,
  toReservationShape,
  toSubscriptionShape,
  toUserShape,
  userShape,
} from './shapes.js';

const RECENT_PAST = 5;
/** What a model is given, and what is looked through where a period is asked about. */
const RECENT_PAYMENTS = 6;
/** What is looked through where somebody asks where they have been; no model is given it. */
const MOST_PAST = 60;
const MOST_PAYMENTS = 36;
const RECENT_RESOLUTIONS = 3;

/** A customer's whole record as the tool returns it. */
export const customerRecordShape = z.object({
  user: userShape,
  subscription: subscriptionShape.nullable(),
  quota: quotaShape.nullable(),
  reservations: z.array(reservationShape),
  /** What was attended or missed, newest first, further back than the reservations go. */
  history: z.array(reservationShape).default([]),
  payments: z.array(
    z.object({
      amount_cents: z.number(),
      status: z.string(),
      for: z.string().nullable(),
      created_at: z.string(),
      refund: refundShape.nullable(),
    }),
  ),
  preferences: z.array(z.object({ key: z.string(), value: z.string() })),
  resolutions: z.array(z.object({ type: z.string(), summary: z.string(), created_at: z.string() })),
});

/** A customer's whole record. */
export type CustomerRecord = z.infer<typeof customerRecordShape>;

/** Everything about the signed-in customer in one call, so that most account questions need no second one. */
export const getCustomerContext = ({ customers }: Pick<CultpassDeps, 'customers'>) =>
  defineTool({
    name: 'get_customer_context',
    label: { en: 'Look up the customer', 'pt-BR': 'Consultar o cliente' },
    activity: { en: 'Looking at your account', 'pt-BR': 'Olhando sua conta' },
    description:
      "The customer's whole record: person, subscription, visits left, reservations, payments, preferences, earlier tickets.",
    effect: 'read',
    opens: true,
    spares: ({ reservations }) => [
      'lookup_user',
      'get_subscription',
      // It goes further back.
      ...(reservations.filter(({ upcoming }) => !upcoming).length < RECENT_PAST ? ['get_reservations'] : []),
    ],
    access: 'customer',
    input: z.object({}),
    output: customerRecordShape,
    view: ({ user, subscription, quota, reservations, payments, preferences, resolutions }) => ({
      customer: user,
      subscription,
      visits_this_month: quota && {
        used: quota.used,
        remaining: quota.remaining,
        resets_at: quota.resets_at,
      },
      ...reservationsView(reservations),
      payments: payments.slice(0, RECENT_PAYMENTS).map(({ refund, ...payment }) => ({
        ...payment,
        for: payment.for ?? 'subscription',
        ...(refund ? { refunded_cents: refund.amount_cents, refunded_at: refund.created_at } : {}),
      })),
      ...(preferences.length > 0 ? { preferences } : {}),
      ...(resolutions.length > 0 ? { earlier_tickets: resolutions } : {}),
    }),
    async run(deps: Pick<ToolDeps, 'memory' | 'clock'>, _input, context) {
      const customerId = customerIdOf(context);
      const now = deps.clock.now();
      const [user, subscription, quota, reservations, payments, memory] = await Promise.all([
        customers.getUser(customerId),
        customers.getSubscription(customerId),
        customers.getQuotaUsage(customerId, now),
        customers.listReservations(customerId),
        customers.listPayments(customerId),
        deps.memory.recall(customerId, RECENT_RESOLUTIONS),
      ]);
      if (!user) throw new HubError('customer_unknown', 'There is no record of this customer any more.');
      const shapes = reservations.map((reservation) => toReservationShape(reservation, now));
      const titles = new Map(shapes.map((shape) => [shape.reservation_id, shape.title]));
      const past = shapes.filter((shape) => !shape.upcoming);
      const refunded = past.filter((shape) => shape.refund !== null).slice(RECENT_PAST);
      return {
        user: toUserShape(user),
        subscription: subscription && toSubscriptionShape(subscription),
        quota: quota && toQuotaShape(quota),
        reservations: [
          ...shapes.filter((shape) => shape.upcoming),
          ...past.slice(0, RECENT_PAST),
          ...refunded,
        ],
        history: past
          .filter(({ status }) => status === 'attended' || status === 'reserved')
          .slice(0, MOST_PAST),
        payments: payments.slice(0, MOST_PAYMENTS).map((payment) => ({
          amount_cents: payment.amountCents,
          status: payment.status,
          for:
            payment.reservationId === null
              ? null
              : (titles.get(payment.reservationId) ?? payment.reservationId),
          created_at: payment.createdAt,
          refund: payment.refundedAt === null ? null : refundOf(payment, payment.refundedAt),
        })),
        preferences: memory.preferences.map(({ key, value }) => ({ key, value })),
        resolutions: memory.resolutions.map((resolution) => ({
          type: resolution.resolutionType,
          summary: resolution.summary,
          created_at: resolution.createdAt,
        })),
      };
    },
  });

/** What of a charge went back by itself is on its way at once. */
function refundOf({ refundedCents }: Charge, createdAt: string): z.infer<typeof refundShape> {
  return { amount_cents: refundedCents, status: 'completed', created_at: createdAt };
}
