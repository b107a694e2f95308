import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';
import { codeOf, openSqliteWorld, type StoresWorld } from '../../contract/stores/world.js';

/** Every customer against every reservation of everybody else: nothing is shown and nothing changes. */
describe('ownership', () => {
  let world: StoresWorld;
  const customers = Array.from({ length: 30 }, (_, i) => `usr_${String(i + 1).padStart(3, '0')}`);
  const reservations = new Map<string, string>();
  beforeAll(async () => {
    world = await openSqliteWorld();
    for (const id of customers) {
      for (const one of await world.stores.customers.listReservations(id))
        reservations.set(one.reservationId, id);
    }
  });
  afterAll(() => world.close());

  const everything = async (): Promise<string> => {
    const all = [];
    for (const id of customers) {
      const { customers: reader } = world.stores;
      all.push(
        await reader.listReservations(id),
        await reader.getSubscription(id),
        await reader.listPayments(id),
      );
    }
    return JSON.stringify(all);
  };

  it('is known for every seeded reservation', () => {
    expect(reservations.size).toBeGreaterThanOrEqual(110);
  });

  it('[TOOL-03] hides the reservations of others as if they did not exist', async () => {
    for (const customerId of customers) {
      for (const [reservationId, owner] of reservations) {
        const seen = await world.stores.customers.getReservation(customerId, reservationId);
        if (seen !== null) expect(owner).toBe(customerId);
        else expect(owner).not.toBe(customerId);
      }
    }
  });

  it("lists only what is the customer's own", async () => {
    for (const customerId of customers) {
      const payments = await world.stores.customers.listPayments(customerId);
      expect(payments.every((one) => one.userId === customerId)).toBe(true);
      expect(
        payments.every(
          (one) => one.reservationId === null || reservations.get(one.reservationId) === customerId,
        ),
      ).toBe(true);
    }
  });

  it("stops every write to what is somebody else's", async () => {
    const before = await everything();
    const writer = world.stores.customerWrites;
    for (const customerId of ['usr_001', 'usr_002', 'usr_004', 'usr_005', 'usr_009']) {
      for (const [reservationId, owner] of reservations) {
        if (owner === customerId) continue;
        const context: WriteContext = {
          customerId,
          idempotencyKey: `${customerId}:${reservationId}`,
          argsHash: 'h',
          ticketId: 't',
          releasedBy: `customer:${customerId}`,
          at: world.clock.now(),
        };
        expect(await codeOf(writer.cancelReservation(context, reservationId, 100))).toBe('not_found');
        expect(await codeOf(writer.refundReservation(context, reservationId, 100))).toBe('not_found');
      }
    }
    expect(await everything()).toBe(before);
    expect(await writer.listEffects(new Date(0))).toEqual([]);
  });
});
