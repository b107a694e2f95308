import { z } from 'zod';
import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { ErrorCode } from '../core/errors.js';
import { type DeskTexts, deskTextsFor } from '../core/i18n/desk-texts.js';
import { formatMoney } from '../core/i18n/index.js';
import { decideCancellation, decideRefund, decideSubscriptionChange } from '../core/policy/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';

const reservationArgs = z.object({ reservation_id: z.string() });
const subscriptionArgs = z.object({
  action: z.enum(['pause', 'resume', 'cancel']),
  days: z.number().int().optional(),
});

const DAY_MS = 86_400_000;
const MAX_ARGS = 300;

interface Case {
  readonly pending: PendingAction;
  readonly texts: DeskTexts;
  readonly language: Language;
  /** Name of the customer, or the id where there is none. */
  readonly customer: string;
}

/**
 * What deciding an approval means, in plain sentences: first what a yes does, with the money it moves and what stands
 * against it now, then what a no does. Read from the data as they are at this moment.
 */
export async function consequencesOf(
  graph: GraphDeps,
  pending: PendingAction,
  customerName: string | null,
  language: Language,
): Promise<readonly string[]> {
  const texts = deskTextsFor(language);
  const one: Case = { pending, texts, language, customer: customerName ?? pending.customerId };
  const effects = await effectsOf(graph, one);
  const when = graph.tools.time.dateTime(pending.expiresAt, language);
  return [...effects, texts.told(), texts.onReject(), texts.onExpiry({ when })];
}

async function effectsOf(graph: GraphDeps, one: Case): Promise<readonly string[]> {
  const { tool, args } = one.pending;
  if (tool === 'cancel_reservation' || tool === 'process_refund') {
    const parsed = reservationArgs.safeParse(args);
    if (parsed.success) return reservationEffects(graph, one, tool, parsed.data.reservation_id);
  }
  if (tool === 'update_subscription') {
    const parsed = subscriptionArgs.safeParse(args);
    if (parsed.success) return subscriptionEffects(graph, one, parsed.data);
  }
  const { texts, customer } = one;
  return [texts.runs({ tool, args: JSON.stringify(args).slice(0, MAX_ARGS), customer })];
}

async function reservationEffects(
  { tools }: GraphDeps,
  { pending, texts, language, customer }: Case,
  tool: 'cancel_reservation' | 'process_refund',
  id: string,
): Promise<readonly string[]> {
  const [user, reservation] = await Promise.all([
    tools.customers.getUser(pending.customerId),
    tools.customers.getReservation(pending.customerId, id),
  ]);
  const named = (code: ErrorCode) => [
    texts.runs({ tool, args: JSON.stringify(pending.args).slice(0, MAX_ARGS), customer }),
    texts.impossible(code),
  ];
  if (!user || !reservation) return named('not_found');
  const { title, location: place, startsAt } = reservation.experience;
  const when = tools.time.dateTime(startsAt, language);
  const cancels = tool === 'cancel_reservation';
  const what = cancels
    ? texts.cancels({ title, when, place, id, customer })
    : texts.refunds({ title, when, id, customer });
  const now = tools.clock.now();
  const verdict = cancels
    ? decideCancellation(user, reservation, tools.policy, now)
    : decideRefund(user, reservation, tools.policy, now);
  if (verdict.kind === 'denied') return [what, texts.impossible(verdict.code)];
  const { terms } = verdict;
  const cents = 'refundCents' in terms ? terms.refundCents : terms.amountCents;
  const hours = tools.policy.cancellation.full_refund_hours;
  return [
    what,
    cents > 0 ? texts.paysBack({ amount: formatMoney(cents, language) }) : texts.paysNothing(),
    ...(cancels ? [texts.visitReturns()] : []),
    ...(verdict.kind === 'needs_approval' ? [texts.needed(verdict.reason, hours)] : []),
  ];
}

async function subscriptionEffects(
  { tools }: GraphDeps,
  { pending, texts, language, customer }: Case,
  input: z.infer<typeof subscriptionArgs>,
): Promise<readonly string[]> {
  const { customerId } = pending;
  const [user, subscription] = await Promise.all([
    tools.customers.getUser(customerId),
    tools.customers.getSubscription(customerId),
  ]);
  const days = input.days ?? tools.policy.subscription.pause_default_days;
  const until = new Date(tools.clock.now().getTime() + days * DAY_MS).toISOString();
  const what = {
    pause: () => texts.pauses({ days, until: tools.time.date(until, language), customer }),
    resume: () => texts.resumes({ customer }),
    cancel: () => texts.cancelsSubscription({ customer }),
  }[input.action]();
  const change = input.action === 'pause' ? { action: input.action, days } : { action: input.action };
  const verdict = user ? decideSubscriptionChange(user, subscription, change, tools.policy) : null;
  if (verdict === null) return [what, texts.impossible('not_found')];
  return verdict.kind === 'denied' ? [what, texts.impossible(verdict.code)] : [what];
}
