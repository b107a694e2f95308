import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reservation } from '../../../companies/cultpass/data/records.js';
import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';
import { type CompanyWorld, codeOf, type OpenCompanyWorld } from './world.js';

const ANA = 'usr_001';
/** Ana's reservations: four upcoming ones, one attended, one cancelled and refunded. */
const IDS = ['res_001', 'res_002', 'res_003', 'res_004', 'res_005', 'res_007'] as const;

/** What must hold of every CustomerWriter whatever is asked of it, on the demo seed. */
export function customerWriterPropertySuite(name: string, open: OpenCompanyWorld): void {
  describe(`CustomerWriter, any order of requests: ${name}`, () => {
    let world: CompanyWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const writer = () => world.stores.customerWrites;
    const reader = () => world.stores.customers;
    const reservation = (id: string) => reader().getReservation(ANA, id);
    const context = (idempotencyKey: string, over: Partial<WriteContext>): WriteContext => ({
      customerId: ANA,
      idempotencyKey,
      argsHash: '',
      ticketId: 'tkt_1',
      releasedBy: `customer:${ANA}`,
      at: world.clock.now(),
      ...over,
    });

    it('keeps money and slots right in any order of repeated, foreign and contradicting requests', async () => {
      const step = fc.record({
        kind: fc.constantFrom('cancel', 'refund'),
        id: fc.constantFrom(...IDS),
        key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        who: fc.constantFrom(ANA, ANA, ANA, 'usr_002'),
        refund: fc.boolean(),
      });
      const slots = async () =>
        Object.fromEntries(
          (await reader().listReservations(ANA)).map((one) => [
            one.experienceId,
            one.experience.slotsAvailable,
          ]),
        );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
          await world.close();
          world = await open();
          const [slotsBefore, statusBefore] = [await slots(), new Map<string, Reservation['status']>()];
          for (const one of await reader().listReservations(ANA))
            statusBefore.set(one.reservationId, one.status);
          for (const { kind, id, key, who, refund } of steps) {
            const paid = (await reservation(id))?.paidCents ?? 0;
            const by = context(key, { customerId: who, argsHash: `${kind} ${id}` });
            await codeOf(
              kind === 'cancel'
                ? writer().cancelReservation(by, id, refund ? paid : 0)
                : writer().refundReservation(by, id, paid),
            );
          }
          const slotsAfter = await slots();
          for (const one of await reader().listReservations(ANA)) {
            const was = statusBefore.get(one.reservationId);
            const left = was === 'reserved' && one.status !== 'reserved';
            expect(slotsAfter[one.experienceId]).toBe((slotsBefore[one.experienceId] ?? 0) + (left ? 1 : 0));
            expect(one.refund?.amountCents ?? 0).toBeLessThanOrEqual(one.paidCents);
            if (one.status === 'refunded') expect(one.refund).not.toBeNull();
            if (was !== 'reserved' && was !== 'cancelled') expect(one.status).toBe(was);
          }
          const ledger = await writer().listEffects(new Date(0));
          expect(new Set(ledger.map((one) => one.idempotencyKey)).size).toBe(ledger.length);
          expect(ledger.every((one) => one.customerId === ANA)).toBe(true);
        }),
        { numRuns: 25 },
      );
    });
  });
}
