import { z } from 'zod';
import type { EntityRecord } from '../../../src/core/domain/entity.js';
import type { WriteContext } from '../../../src/core/ports/index.js';
import { customerIdOf } from '../../../src/runtime/caller-facts.js';
import {
  type AnyTool,
  defineAction,
  defineTool,
  type SessionView,
  type ToolDeps,
} from '../../../src/runtime/define-tool.js';
import type { ToolsByAgent } from '../../../src/runtime/roster.js';

/** Gearhouse's own sections of `policy.yaml`. */
export const gearhousePolicySchema = z.strictObject({
  rental: z.strictObject({
    free_cancellation_hours: z.number().min(0),
    approval_above_cents: z.int().min(0),
  }),
});

/** What the tools work with. */
export interface GearhouseParts {
  readonly policy: z.infer<typeof gearhousePolicySchema>;
  cancel(write: WriteContext, rentalId: string, pence: number): Promise<{ readonly pence: number }>;
}

/** What agents may do at Gearhouse. */
export function gearhouseTools(own: GearhouseParts): ToolsByAgent {
  const rentals = listing('rental', { en: 'Look up rentals', es: 'Consultar alquileres' });
  const repairs = listing('repair', { en: 'Look up repairs', es: 'Consultar reparaciones' });
  return { account: [rentals, repairs], action: [rentals, cancelRental(own)] };
}

const shape = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  shop: z.string().nullable(),
  at: z.string().nullable(),
  paid_cents: z.number().nullable(),
  upcoming: z.boolean(),
});

/** Lists what the signed-in customer has of one kind. */
function listing(entity: 'rental' | 'repair', label: AnyTool['label']): AnyTool {
  return defineTool({
    name: `get_${entity}s`,
    label,
    activity: label,
    description: `The customer's ${entity}s, with time, shop and status.`,
    effect: 'read',
    access: 'customer',
    input: z.object({}),
    output: z.object({ records: z.array(shape) }),
    lists: {
      entity,
      records: ({ records }) =>
        records.map(({ shop, at, paid_cents, ...rest }) => ({
          ...{ ...rest, place: shop, startsAt: at },
          attributes: { paid_cents },
        })),
    },
    async run({ records }: Pick<ToolDeps, 'records'>, _input, context) {
      const found = await records.list(customerIdOf(context), entity);
      return {
        records: found.map(({ id, title, status, place, startsAt, amount, upcoming }) => ({
          ...{ id, title, status, shop: place, at: startsAt, upcoming },
          paid_cents: amount?.minorUnits ?? null,
        })),
      };
    },
  });
}

type Deps = Pick<ToolDeps, 'clock' | 'time' | 'texts' | 'records' | 'customers'>;
const termsSchema = z.object({ pence: z.int().min(0) });

/** Cancels one rental and gives the money back as the rules say. */
function cancelRental(own: GearhouseParts) {
  const { free_cancellation_hours: hours, approval_above_cents: limit } = own.policy.rental;
  const find = ({ records }: Deps, id: string, customerId: string) => records.find('rental', customerId, id);
  const refundOf = ({ clock }: Deps, { startsAt, amount }: EntityRecord): number =>
    Date.parse(startsAt ?? '') - clock.now().getTime() >= hours * 3_600_000 ? (amount?.minorUnits ?? 0) : 0;
  const valuesOf = (
    { texts, time }: Deps,
    rental: EntityRecord,
    pence: number,
    { language }: SessionView,
  ) => ({
    title: rental.title,
    when: time.dateTime(rental.startsAt ?? '', language),
    refund: pence > 0 ? texts.for(language).money(pence) : null,
  });
  return defineAction({
    name: 'cancel_rental',
    label: { en: 'Cancel a rental', es: 'Cancelar un alquiler' },
    activity: { en: 'Working on the cancellation', es: 'Ocupándome de la cancelación' },
    description:
      'Cancels one rental to come and gives the money back. The system asks the customer to confirm.',
    effect: 'irreversible',
    access: 'customer',
    issueType: 'rental',
    target: {
      entity: 'rental',
      input: 'rental_id',
      eligible: (records) => records.filter(({ upcoming }) => upcoming),
    },
    input: z.object({ rental_id: z.string().min(1).max(64).describe('An id from get_rentals.') }),
    output: z.object({
      rental_id: z.string(),
      title: z.string(),
      status: z.string(),
      refunded_cents: z.number(),
    }),
    claims: ({ refunded_cents: pence }) => (pence > 0 ? ['cancel', 'refund'] : ['cancel']),
    async plan(deps: Deps, input, customerId: string, session: SessionView) {
      const [customer, rental] = await Promise.all([
        deps.customers.get(customerId),
        find(deps, input.rental_id, customerId),
      ]);
      if (!customer || !rental) return { kind: 'denied', code: 'not_found' };
      if (customer.isBlocked) return { kind: 'denied', code: 'customer_blocked' };
      if (rental.status === 'cancelled') return { kind: 'denied', code: 'already_done' };
      if (rental.status !== 'booked') return { kind: 'denied', code: 'wrong_status' };
      const pence = refundOf(deps, rental);
      const values = valuesOf(deps, rental, pence, session);
      const texts = deps.texts.for(session.language);
      const asks = pence > limit;
      return {
        kind: 'ready',
        terms: { pence },
        question: texts.sayOwn(asks ? 'confirm_cancel_approval' : 'confirm_cancel', values),
        approval: asks ? `Cancel "${rental.title}" (${rental.id}) and pay ${values.refund} back` : null,
      };
    },
    async matter(deps: Deps, input, customerId: string, session: SessionView) {
      const rental = await find(deps, input.rental_id, customerId);
      const texts = deps.texts.for(session.language);
      const title = rental?.title ?? input.rental_id;
      const refund = rental && valuesOf(deps, rental, refundOf(deps, rental), session).refund;
      return {
        kind: 'cancel',
        name: texts.sayOwn('cancellation_of', { title }),
        unchanged: texts.sayOwn('rental_stands', { title }),
        ifAgreed: refund ? texts.sayOwn('refund_if_agreed', { refund }) : null,
        about: rental && { id: rental.id, title, startsAt: rental.startsAt },
      };
    },
    request: (_input, texts) => texts.sayOwn('request.cancel_rental'),
    async consequences(deps: Deps, input, { customerId, customer, language }) {
      const texts = deps.texts.for(language);
      const rental = await find(deps, input.rental_id, customerId);
      if (rental?.status !== 'booked')
        return [texts.sayOf('impossible', rental ? 'wrong_status' : 'not_found')];
      const { title, when, refund } = valuesOf(deps, rental, refundOf(deps, rental), { language });
      return [
        texts.sayOwn('cancels', { title, when, place: rental.place, id: rental.id, customer }),
        ...(refund === null ? [] : [texts.sayOwn('pays_back', { amount: refund })]),
        ...(refundOf(deps, rental) > limit ? [texts.sayOwn('too_much')] : []),
      ];
    },
    async perform(deps: Deps, input, terms, write: WriteContext) {
      const { pence } = await own.cancel(write, input.rental_id, termsSchema.parse(terms).pence);
      const rental = await find(deps, input.rental_id, write.customerId);
      return {
        rental_id: input.rental_id,
        title: rental?.title ?? input.rental_id,
        status: 'cancelled',
        refunded_cents: pence,
      };
    },
    describe({ title, refunded_cents: pence }, texts) {
      return texts.sayOwn('cancelled', { title, refund: pence > 0 ? texts.money(pence) : null });
    },
  });
}
