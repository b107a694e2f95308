import type {
  EntityRecord,
  RecordFact,
  RecordRow,
  RecordSection,
  RecordTone,
} from '../../../src/core/domain/entity.js';
import type { Sentences } from '../../../src/core/i18n/index.js';
import type { CustomerRecords } from '../../../src/core/ports/customers.js';
import type { Clock } from '../../../src/core/ports/system.js';
import { facetsOf, guestOf, onceOf, permissionOf, type ReservationTerms } from './record-facets.js';
import type {
  CustomerReader,
  Experience,
  Payment,
  QuotaUsage,
  ReservationDetails,
  ReservationStatus,
  Subscription,
} from './records.js';

/** What payments are in where none says it (ISO 4217): a reservation has an amount and no currency of its own. */
export const CURRENCY = 'BRL';

const RESERVATION_TONES: Readonly<Record<ReservationStatus, RecordTone>> = {
  reserved: 'good',
  attended: 'plain',
  cancelled: 'warn',
  refunded: 'plain',
};

/** More than is on in the 60 days that can be booked. */
const MOST_SHOWN = 500;

/** What a customer of CultPass has, as the hub knows records. */
export function createCustomerRecords(
  reader: CustomerReader,
  clock: Clock,
  currency: string,
  policy: ReservationTerms,
): CustomerRecords {
  const reservation = (
    details: ReservationDetails,
    paidAt: string | null,
    facets: ReturnType<typeof facetsOf>,
  ): EntityRecord => {
    const { reservationId, experience, status, paidCents, refund, createdAt, updatedAt } = details;
    return {
      ...{ entity: 'reservation', id: reservationId, title: experience.title, status },
      startsAt: experience.startsAt,
      place: experience.location,
      amount: { minorUnits: paidCents, currency },
      upcoming: status === 'reserved' && Date.parse(experience.startsAt) > clock.now().getTime(),
      attributes: {
        cancelled_at: status === 'cancelled' ? updatedAt : null,
        paid_at: paidAt,
        refund: refund?.status ?? null,
        refunded: refund?.amountCents ?? null,
        refunded_at: refund?.createdAt ?? null,
        booked_at: createdAt,
        ...attributesOf(experience),
        ...facets,
      },
    };
  };
  const by: Readonly<Record<string, (customerId: string) => Promise<readonly EntityRecord[]>>> = {
    reservation: async (customerId) => {
      const [all, payments, user, subscription, offered] = await Promise.all([
        reader.listReservations(customerId),
        reader.listPayments(customerId),
        reader.getUser(customerId),
        reader.getSubscription(customerId),
        reader.findExperiences({ limit: MOST_SHOWN }, clock.now()),
      ]);
      const paid = new Map(
        payments.flatMap(({ reservationId, status, createdAt }) =>
          reservationId !== null && status === 'paid' ? [[reservationId, createdAt] as const] : [],
        ),
      );
      const owner = { user, subscription, offered, now: clock.now() };
      return all.map((details) =>
        reservation(details, paid.get(details.reservationId) ?? null, facetsOf(details, owner, policy)),
      );
    },
    subscription: async (customerId) => {
      const subscription = await reader.getSubscription(customerId);
      return subscription ? [subscriptionRecord(subscription)] : [];
    },
    payment: async (customerId) => (await reader.listPayments(customerId)).map(paymentRecord),
  };
  const list = async (customerId: string, entity?: string): Promise<readonly EntityRecord[]> => {
    const kinds = entity === undefined ? Object.values(by) : [by[entity]];
    return (await Promise.all(kinds.map((read) => read?.(customerId) ?? []))).flat();
  };
  return {
    ...createRecordSections(reader, clock),
    list,
    async catalogue(customerId) {
      const permission = await permissionOf(reader, customerId);
      const subscription = customerId === null ? null : await reader.getSubscription(customerId);
      const guest = guestOf(subscription, customerId === null);
      const offered = await reader.findExperiences({ limit: MOST_SHOWN }, clock.now());
      const toRecord = async (experience: Experience): Promise<EntityRecord> => ({
        ...{ entity: 'experience', id: experience.experienceId, title: experience.title, status: '' },
        startsAt: experience.startsAt,
        place: experience.location,
        amount: { minorUnits: experience.priceCents, currency },
        upcoming: true,
        attributes: {
          ...attributesOf(experience),
          ...{ may_go: await permission(experience), guest, once: onceOf(experience, offered) },
        },
      });
      return Promise.all(offered.map(toRecord));
    },
    find: async (entity, customerId, id) =>
      (await list(customerId, entity)).find((record) => record.id === id) ?? null,
  };
}

/** What customers ask about an experience, and so about a reservation of it. */
function attributesOf({ priceCents, slotsAvailable, description, isPremium }: Experience) {
  return { price: priceCents, places_left: slotsAvailable, description, premium: isPremium };
}

function subscriptionRecord({ subscriptionId: id, status, tier, ...rest }: Subscription): EntityRecord {
  return {
    ...{ entity: 'subscription', id, title: tier, status, startsAt: null, place: null, amount: null },
    upcoming: status !== 'cancelled',
    attributes: { visits: rest.monthlyQuota, since: rest.startedAt, until: rest.endedAt },
  };
}

function paymentRecord(payment: Payment): EntityRecord {
  const { paymentId: id, status, amountCents: minorUnits, currency, createdAt, reservationId } = payment;
  return {
    ...{ entity: 'payment', id, title: reservationId ?? 'subscription', status, startsAt: null, place: null },
    amount: { minorUnits, currency },
    upcoming: false,
    attributes: { reservation: reservationId, paid_at: createdAt },
  };
}

/** Subscription with its visits, reservations and payments, as the desk shows them. Reads only. */
function createRecordSections(customers: CustomerReader, clock: Clock): Pick<CustomerRecords, 'sections'> {
  return {
    async sections(customerId, texts) {
      const [subscription, quota, reservations, payments] = await Promise.all([
        customers.getSubscription(customerId),
        customers.getQuotaUsage(customerId, clock.now()),
        customers.listReservations(customerId),
        customers.listPayments(customerId),
      ]);
      const titles = new Map(
        reservations.map(({ reservationId, experience }) => [reservationId, experience.title]),
      );
      const section = (
        id: string,
        kind: RecordSection['kind'],
        rows: readonly RecordRow[],
      ): RecordSection => ({
        id,
        label: texts.sayOwn(`record.${id}`),
        kind,
        empty: texts.sayOwn(`record.no_${id}`),
        rows,
      });
      return [
        section('subscription', 'facts', subscription ? [subscriptionRow(texts, subscription, quota)] : []),
        section(
          'reservations',
          'list',
          reservations.map((reservation) => reservationRow(texts, reservation)),
        ),
        section(
          'payments',
          'list',
          payments.map((payment) => paymentRow(texts, payment, titles)),
        ),
      ];
    },
  };
}

function subscriptionRow(texts: Sentences, subscription: Subscription, quota: QuotaUsage | null): RecordRow {
  const { subscriptionId: id, tier, status, endedAt } = subscription;
  return {
    id,
    title: texts.sayOwn('record.tier', { tier }),
    status: statusOf(texts, status, status === 'active' ? 'good' : 'warn'),
    facts: [
      fact(texts, 'since', 'time', subscription.startedAt),
      ...(endedAt === null ? [] : [fact(texts, status === 'paused' ? 'resumes' : 'ended', 'time', endedAt)]),
      ...(quota === null
        ? []
        : [
            fact(
              texts,
              'visits',
              'text',
              texts.sayOwn('record.visits_used', { used: quota.used, quota: quota.monthlyQuota }),
            ),
            // Of a plan that is paused only when it continues is certain.
            ...(status === 'active' ? [fact(texts, 'renews', 'time', quota.resetsAt)] : []),
          ]),
    ],
  };
}

function reservationRow(texts: Sentences, reservation: ReservationDetails): RecordRow {
  const { reservationId: id, experience, status, paidCents, refund } = reservation;
  return {
    id,
    title: experience.title,
    status: statusOf(texts, status, RESERVATION_TONES[status]),
    facts: [
      { label: null, type: 'time', value: experience.startsAt },
      { label: null, type: 'text', value: experience.location },
      ...(paidCents > 0 ? [money(texts, 'paid', paidCents)] : []),
      ...(refund
        ? [
            money(texts, 'refund', refund.amountCents),
            fact(texts, 'refund_status', 'text', nameOf(texts, refund.status)),
          ]
        : []),
    ],
  };
}

function paymentRow(texts: Sentences, payment: Payment, titles: ReadonlyMap<string, string>): RecordRow {
  const { paymentId: id, reservationId, amountCents: value, currency, status, createdAt } = payment;
  return {
    id,
    title:
      reservationId === null
        ? texts.sayOwn('record.plan_charge')
        : (titles.get(reservationId) ?? reservationId),
    status: statusOf(texts, status, status === 'failed' ? 'bad' : status === 'pending' ? 'warn' : 'plain'),
    facts: [
      { label: null, type: 'time', value: createdAt },
      { label: null, type: 'money', value, currency },
    ],
  };
}

function statusOf(texts: Sentences, value: string, tone: RecordTone): RecordRow['status'] {
  return { value, label: nameOf(texts, value), tone };
}

function nameOf(texts: Sentences, status: string): string {
  return texts.sayOwn('record.status', { status });
}

function money(texts: Sentences, label: string, value: number): RecordFact {
  return { label: texts.sayOwn(`record.${label}`), type: 'money', value, currency: CURRENCY };
}

function fact(texts: Sentences, label: string, type: 'text' | 'time', value: string): RecordFact {
  return { label: texts.sayOwn(`record.${label}`), type, value };
}
