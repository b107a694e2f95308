import { z } from 'zod';
import {
  defineAction,
  type ListedRecord,
  type SessionView,
  type ToolDeps,
} from '../../../src/runtime/define-tool.js';
import { decideRefund } from '../policy/policy.js';
import { type CultpassDeps, refusedFor, reservationConsequences, reservationMatter } from './shapes.js';

type Deps = Pick<ToolDeps, 'clock' | 'time' | 'texts'>;

const termsSchema = z.object({ amountCents: z.number().int().positive() });

/** Refunds one cancelled (or missed) reservation of the signed-in customer, once. */
export const processRefund = (own: CultpassDeps) =>
  defineAction({
    name: 'process_refund',
    label: { en: 'Pay a refund', 'pt-BR': 'Pagar um reembolso' },
    activity: { en: 'Working on the refund', 'pt-BR': 'Cuidando do reembolso' },
    description:
      'Refunds a reservation that is cancelled or was missed (an upcoming one: cancel_reservation).',
    effect: 'irreversible',
    access: 'customer',
    issueType: 'refund',
    target: {
      entity: 'reservation',
      input: 'reservation_id',
      eligible: refundable,
      // A refund of an upcoming reservation is its cancellation, which refunds it.
      instead: ({ upcoming }) => (upcoming ? 'cancel_reservation' : null),
    },
    input: z.object({ reservation_id: z.string().min(1).max(64) }),
    output: z.object({
      refund_id: z.string(),
      reservation_id: z.string(),
      title: z.string(),
      amount_cents: z.number(),
      status: z.string(),
    }),
    claims: () => ['refund'],
    async plan(deps: Deps, input, customerId: string, session: SessionView) {
      const [user, reservation] = await Promise.all([
        own.customers.getUser(customerId),
        own.customers.getReservation(customerId, input.reservation_id),
      ]);
      if (!user || !reservation) return { kind: 'denied', code: 'not_found' };
      const verdict = decideRefund(user, reservation, own.policy, deps.clock.now());
      if (verdict.kind === 'denied') return refusedFor(deps, verdict, reservation, session.language);
      const { title } = reservation.experience;
      const { amountCents } = verdict.terms;
      const texts = deps.texts.for(session.language);
      const amount = texts.money(amountCents);
      const answers = {
        yes: texts.sayOwn('refund_yes', { amount, asks_team: verdict.kind !== 'allowed' }),
        no: texts.sayOwn('refund_no'),
      };
      if (verdict.kind === 'allowed') {
        return {
          kind: 'ready',
          terms: { ...verdict.terms },
          question: texts.sayOwn('confirm_refund', { title, amount }),
          answers,
          explained: texts.sayOwn('explain_refund', { title, amount, asks_team: false }),
          approval: null,
        };
      }
      return {
        kind: 'ready',
        terms: { ...verdict.terms },
        question: texts.sayOwn('confirm_refund_approval', { title, amount, reason: verdict.reason }),
        answers,
        explained: texts.sayOwn('explain_refund', { title, amount, asks_team: true }),
        approval: `Refund ${deps.texts.for('en').money(amountCents)} for "${title}" (${reservation.reservationId}, ${verdict.reason})`,
      };
    },
    async matter(deps: Deps, input, customerId: string, { language }: SessionView) {
      const found = await reservationMatter({ ...deps, ...own }, input.reservation_id, customerId, language);
      const texts = deps.texts.for(language);
      const plan = await this.plan(deps, input, customerId, { language });
      const terms = plan.kind === 'ready' ? termsSchema.safeParse(plan.terms) : null;
      const refund = terms?.success ? texts.money(terms.data.amountCents) : null;
      return {
        kind: 'refund',
        name: texts.sayOwn('refund_of', { title: found.title }),
        unchanged: texts.sayOwn('not_refunded', { title: found.title }),
        ifAgreed: refund === null ? null : texts.sayOwn('refund_if_agreed', { refund }),
        about: found.about,
      };
    },
    request: (_input, texts) => texts.sayOwn('request.process_refund'),
    consequences: (deps: Deps, input, decision) =>
      reservationConsequences({ ...deps, ...own }, input.reservation_id, decision, {
        tool: 'process_refund',
        what: 'refunds_reservation',
        decide(user, reservation) {
          const verdict = decideRefund(user, reservation, own.policy, deps.clock.now());
          return { verdict, cents: verdict.kind === 'denied' ? 0 : verdict.terms.amountCents };
        },
      }),
    async perform(_deps: Deps, input, terms, write) {
      const parsed = termsSchema.safeParse(terms);
      const amountCents = parsed.success ? parsed.data.amountCents : 0;
      const refund = await own.customerWrites.refundReservation(write, input.reservation_id, amountCents);
      const reservation = await own.customers.getReservation(write.customerId, input.reservation_id);
      return {
        refund_id: refund.refundId,
        reservation_id: input.reservation_id,
        title: reservation?.experience.title ?? input.reservation_id,
        amount_cents: refund.amountCents,
        status: refund.status,
      };
    },
    describe(output, texts) {
      const amount = texts.money(output.amount_cents);
      return texts.sayOwn('refunded', { title: output.title, amount });
    },
  });

/** A refund is for what is over or cancelled and was paid: what is still to come is cancelled, with its refund. */
function refundable(records: readonly ListedRecord[], said: ReadonlySet<string>): readonly ListedRecord[] {
  const open = records.filter(
    ({ status, upcoming, amount, attributes: { refunded } }) =>
      (amount?.minorUnits ?? 0) > 0 &&
      !refunded &&
      (status === 'cancelled' || (status === 'reserved' && !upcoming)),
  );
  const past = open.filter(({ upcoming }) => !upcoming);
  // What took place is not refunded, however it was: that is for a complaint.
  if (said.has('attended')) return [];
  if (said.has('missed')) return past.filter(({ status }) => status === 'reserved');
  // Who speaks of what they went to does not mean what is still to come.
  return past.length > 0 || said.has('past') ? past : open;
}
