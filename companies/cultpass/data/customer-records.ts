import type { EntityRecord } from '../../../src/core/domain/entity.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import type { CustomerRecords } from '../../../src/core/ports/customers.js';
import { mayGoOf } from './may-go.js';
import type { CustomerReader } from './ports.js';
import { createRecordSections } from './record-sections.js';
import type { Experience, Payment, ReservationDetails, Subscription } from './records.js';

/** More than is on in the 60 days that can be booked. */
const MOST_SHOWN = 500;

/** What a customer of CultPass has, as the hub knows records. */
export function createCustomerRecords(
  reader: CustomerReader,
  clock: Clock,
  currency: string,
): CustomerRecords {
  const reservation = (details: ReservationDetails): EntityRecord => {
    const { reservationId, experience, status, paidCents, refund } = details;
    return {
      ...{ entity: 'reservation', id: reservationId, title: experience.title, status },
      startsAt: experience.startsAt,
      place: experience.location,
      amount: { minorUnits: paidCents, currency },
      upcoming: status === 'reserved' && Date.parse(experience.startsAt) > clock.now().getTime(),
      attributes: {
        refund: refund?.status ?? null,
        refunded: refund?.amountCents ?? null,
        refunded_at: refund?.createdAt ?? null,
        ...attributesOf(experience),
      },
    };
  };
  const by: Readonly<Record<string, (customerId: string) => Promise<readonly EntityRecord[]>>> = {
    reservation: async (customerId) => (await reader.listReservations(customerId)).map(reservation),
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
      const mayGo = await mayGoOf(reader, customerId);
      const offered = await reader.findExperiences({ limit: MOST_SHOWN }, clock.now());
      const toRecord = async (experience: Experience): Promise<EntityRecord> => ({
        ...{ entity: 'experience', id: experience.experienceId, title: experience.title, status: '' },
        startsAt: experience.startsAt,
        place: experience.location,
        amount: { minorUnits: experience.priceCents, currency },
        upcoming: true,
        attributes: { ...attributesOf(experience), may_go: await mayGo(experience) },
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
