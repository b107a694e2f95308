import { z } from 'zod';
import { HubError } from '../../../src/core/errors.js';
import { deadlineTime } from '../../../src/runtime/asked-at.js';
import { defineAction, type SessionView, type ToolDeps } from '../../../src/runtime/define-tool.js';
import { decideCancellation } from '../policy/policy.js';
import { type CultpassDeps, refusedFor, reservationConsequences, reservationMatter } from './shapes.js';

type Deps = Pick<ToolDeps, 'clock' | 'time' | 'texts'>;

const HOUR_MS = 3_600_000;

const termsSchema = z.object({ refundCents: z.number().int().min(0) });

/** Cancels one upcoming reservation of the signed-in customer and refunds it as the rules say. */
export const cancelReservation = (own: CultpassDeps) =>
  defineAction({
    name: 'cancel_reservation',
    label: { en: 'Cancel a reservation', 'pt-BR': 'Cancelar uma reserva' },
    activity: { en: 'Working on the cancellation', 'pt-BR': 'Cuidando do cancelamento' },
    description: 'Cancels an upcoming reservation and refunds what was paid.',
    effect: 'irreversible',
    access: 'customer',
    issueType: 'reservation',
    target: {
      entity: 'reservation',
      input: 'reservation_id',
      eligible: (records) => records.filter(({ upcoming }) => upcoming),
    },
    input: z.object({ reservation_id: z.string().min(1).max(64) }),
    output: z.object({
      reservation_id: z.string(),
      title: z.string(),
      status: z.string(),
      refund_cents: z.number(),
    }),
    claims: ({ refund_cents }) => (refund_cents > 0 ? ['cancel', 'refund'] : ['cancel']),
    async plan(deps: Deps, input, customerId: string, session: SessionView) {
      const [user, reservation] = await Promise.all([
        own.customers.getUser(customerId),
        own.customers.getReservation(customerId, input.reservation_id),
      ]);
      if (!user || !reservation) return { kind: 'denied', code: 'not_found' };
      const verdict = decideCancellation(user, reservation, own.policy, deadlineTime(deps, session));
      if (verdict.kind === 'denied') return refusedFor(deps, verdict, reservation, session.language);
      const { refundCents } = verdict.terms;
      const texts = deps.texts.for(session.language);
      const { title, startsAt } = reservation.experience;
      const value = {
        title,
        when: deps.time.dateTime(startsAt, session.language),
        refund: refundCents > 0 ? texts.money(refundCents) : null,
      };
      const answers = {
        yes: texts.sayOwn('cancel_yes', { refund: value.refund, asks_team: verdict.kind !== 'allowed' }),
        no: texts.sayOwn('cancel_no'),
      };
      const hours = own.policy.cancellation.full_refund_hours;
      const last = new Date(Date.parse(startsAt) - hours * HOUR_MS).toISOString();
      const until = deps.time.dateTime(last, session.language);
      if (verdict.kind === 'allowed') {
        return {
          kind: 'ready',
          terms: { ...verdict.terms },
          question: texts.sayOwn('confirm_cancel', value),
          answers,
          explained: texts.sayOwn('explain_cancel', { ...value, until }),
          approval: null,
        };
      }
      const why = { ...value, reason: verdict.reason, hours };
      return {
        kind: 'ready',
        terms: { ...verdict.terms },
        question: texts.sayOwn('confirm_cancel_approval', why),
        answers,
        explained: texts.sayOwn('explain_cancel_approval', why),
        approval: `Cancel "${title}" (${reservation.reservationId}, starts ${deps.time.dateTime(startsAt, 'en')}) and refund ${deps.texts.for('en').money(refundCents)} (${verdict.reason})`,
      };
    },
    async matter(deps: Deps, input, customerId: string, session: SessionView) {
      const { language } = session;
      const found = await reservationMatter({ ...deps, ...own }, input.reservation_id, customerId, language);
      const texts = deps.texts.for(language);
      const unchanged =
        found.about && found.status === 'reserved'
          ? texts.sayOwn('booking_stands', { title: found.title, when: found.when })
          : texts.say('nothing_changed');
      const plan = await this.plan(deps, input, customerId, session);
      const terms = plan.kind === 'ready' ? termsSchema.safeParse(plan.terms) : null;
      const cents = terms?.success ? terms.data.refundCents : 0;
      const refund = cents > 0 ? texts.money(cents) : null;
      return {
        kind: 'cancel',
        name: texts.sayOwn('cancellation_of', { title: found.title, when: found.when }),
        unchanged,
        ifAgreed: terms?.success ? texts.sayOwn('refund_if_agreed', { refund }) : null,
        about: found.about,
      };
    },
    request: (_input, texts) => texts.sayOwn('request.cancel_reservation'),
    consequences: (deps: Deps, input, decision) =>
      reservationConsequences({ ...deps, ...own }, input.reservation_id, decision, {
        tool: 'cancel_reservation',
        what: 'cancels',
        decide(user, reservation) {
          const verdict = decideCancellation(user, reservation, own.policy, deadlineTime(deps, decision));
          return { verdict, cents: verdict.kind === 'denied' ? 0 : verdict.terms.refundCents };
        },
      }),
    anew: (_input, texts) => texts.sayOwn('reservation_anew'),
    async perform(_deps: Deps, input, terms, write) {
      const parsed = termsSchema.safeParse(terms);
      const refundCents = parsed.success ? parsed.data.refundCents : 0;
      const result = await own.customerWrites.cancelReservation(write, input.reservation_id, refundCents);
      if (result.reservation.userId !== write.customerId) throw new HubError('not_found', 'Not found.');
      return {
        reservation_id: result.reservation.reservationId,
        title: result.reservation.experience.title,
        status: 'cancelled',
        refund_cents: result.refund?.amountCents ?? 0,
      };
    },
    describe(output, texts) {
      const refund = output.refund_cents > 0 ? texts.money(output.refund_cents) : null;
      return texts.sayOwn('cancelled', { title: output.title, refund });
    },
  });
