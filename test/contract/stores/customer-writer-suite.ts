import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteContext } from '../../../src/core/ports/effect-ledger.js';
import { type CompanyWorld, codeOf, type OpenCompanyWorld } from './world.js';

const ANA = 'usr_001';
/** Ana's reservations: starting in 10 hours (R$ 90), samba (R$ 60), free, Elis (R$ 380); attended; refunded. */
const [NEAR, SAMBA, FREE, ELIS, ATTENDED, REFUNDED] = [
  'res_001',
  'res_002',
  'res_003',
  'res_004',
  'res_005',
  'res_007',
] as const;

/** What every CustomerWriter must do, on the demo seed. */
export function customerWriterSuite(name: string, open: OpenCompanyWorld): void {
  describe(`CustomerWriter: ${name}`, () => {
    let world: CompanyWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const writer = () => world.stores.customerWrites;
    const reader = () => world.stores.customers;
    const context = (idempotencyKey: string, over: Partial<WriteContext> = {}): WriteContext => ({
      customerId: ANA,
      idempotencyKey,
      argsHash: 'hash-1',
      ticketId: 'tkt_1',
      releasedBy: `customer:${ANA}`,
      at: world.clock.now(),
      ...over,
    });
    const reservation = (id: string, customerId = ANA) => reader().getReservation(customerId, id);
    const snapshot = async () => {
      const parts = [];
      for (const id of [ANA, 'usr_002', 'usr_003', 'usr_007', 'usr_009']) {
        parts.push(
          await reader().listReservations(id),
          await reader().getSubscription(id),
          await reader().listPayments(id),
        );
      }
      return JSON.stringify([parts, await writer().listEffects(new Date(0))]);
    };
    const changesNothing = async (attempt: () => Promise<unknown>): Promise<string> => {
      const before = await snapshot();
      const code = await codeOf(attempt());
      expect(await snapshot()).toBe(before);
      return code;
    };

    it('cancels, gives the slot back and refunds', async () => {
      const before = await reservation(SAMBA);
      world.clock.advance({ minutes: 5 });
      const result = await writer().cancelReservation(context('k1'), SAMBA, 6000);
      expect(result.reservation).toMatchObject({
        status: 'cancelled',
        updatedAt: world.clock.now().toISOString(),
      });
      expect(result.reservation.experience.slotsAvailable).toBe((before?.experience.slotsAvailable ?? 0) + 1);
      expect(result.refund).toMatchObject({
        reservationId: SAMBA,
        amountCents: 6000,
        status: 'completed',
        idempotencyKey: 'k1',
      });
      expect(await reservation(SAMBA)).toEqual(result.reservation);
      expect(result.reservation.refund).toEqual(result.refund);
    });

    it('cancels without a refund where none is due', async () => {
      expect(await writer().cancelReservation(context('k1'), FREE, 0)).toMatchObject({
        refund: null,
        reservation: { status: 'cancelled', refund: null },
      });
    });

    it('[CONF-11] answers a repeated key with the first outcome, also after the row changed', async () => {
      const first = await writer().cancelReservation(context('k1'), SAMBA, 0);
      expect(await changesNothing(() => writer().cancelReservation(context('k1'), SAMBA, 0))).toBe(
        'resolved',
      );
      await writer().refundReservation(context('k2'), SAMBA, 6000);
      expect(await writer().cancelReservation(context('k1'), SAMBA, 0)).toEqual(first);
      expect((await reservation(SAMBA))?.status).toBe('refunded');
    });

    it('refuses a key that belongs to another action or customer', async () => {
      await writer().cancelReservation(context('k1'), SAMBA, 6000);
      const attempts = [
        () => writer().cancelReservation(context('k1', { argsHash: 'hash-2' }), NEAR, 0),
        () => writer().cancelReservation(context('k1', { customerId: 'usr_002' }), 'res_008', 0),
        () => writer().refundReservation(context('k1'), SAMBA, 6000),
        () => writer().cancelSubscription(context('k1')),
      ];
      for (const attempt of attempts) expect(await changesNothing(attempt)).toBe('pending_mismatch');
    });

    it('[RULE-04 DATA-09] never cancels or refunds twice under new keys', async () => {
      await writer().cancelReservation(context('k1'), SAMBA, 6000);
      expect(await changesNothing(() => writer().cancelReservation(context('k2'), SAMBA, 6000))).toBe(
        'already_done',
      );
      expect(await changesNothing(() => writer().refundReservation(context('k3'), SAMBA, 6000))).toBe(
        'already_refunded',
      );
      expect(await changesNothing(() => writer().refundReservation(context('k4'), REFUNDED, 100))).toBe(
        'already_refunded',
      );
    });

    it('refunds a cancelled reservation and one that was missed', async () => {
      expect(
        await writer().refundReservation(
          context('k1', { customerId: 'usr_007' }),
          await missingRefundOf('usr_007'),
          7000,
        ),
      ).toMatchObject({ amountCents: 7000 });
      expect(await writer().refundReservation(context('k2'), NEAR, 9000)).toMatchObject({
        status: 'completed',
        idempotencyKey: 'k2',
      });
      const after = await reservation(NEAR);
      expect(after).toMatchObject({ status: 'refunded', paidCents: 9000, refund: { amountCents: 9000 } });
    });

    const missingRefundOf = async (customerId: string): Promise<string> => {
      const list = await reader().listReservations(customerId);
      return (
        list.find((one) => one.status === 'cancelled' && one.paidCents > 0 && one.refund === null)
          ?.reservationId ?? ''
      );
    };

    it('refuses what status or payment forbid, and changes nothing', async () => {
      expect(await changesNothing(() => writer().cancelReservation(context('k'), ATTENDED, 0))).toBe(
        'attended',
      );
      expect(await changesNothing(() => writer().refundReservation(context('k'), ATTENDED, 100))).toBe(
        'attended',
      );
      expect(await changesNothing(() => writer().refundReservation(context('k'), FREE, 100))).toBe(
        'nothing_paid',
      );
      expect(await changesNothing(() => writer().cancelReservation(context('k'), FREE, 100))).toBe(
        'nothing_paid',
      );
      for (const amount of [9001, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(await changesNothing(() => writer().refundReservation(context('k'), NEAR, amount))).toBe(
          'input_invalid',
        );
        expect(await changesNothing(() => writer().cancelReservation(context('k'), NEAR, amount))).toBe(
          'input_invalid',
        );
      }
    });

    it('treats the reservation of somebody else like a missing one', async () => {
      const bruno = (await reader().listReservations('usr_002'))[0]?.reservationId ?? '';
      for (const id of [bruno, 'res_999', '', "x' OR '1'='1"]) {
        expect(await changesNothing(() => writer().cancelReservation(context('k'), id, 0))).toBe('not_found');
        expect(await changesNothing(() => writer().refundReservation(context('k'), id, 100))).toBe(
          'not_found',
        );
      }
    });

    it('pauses, resumes and cancels a subscription', async () => {
      const until = new Date('2026-04-10T00:00:00.000Z');
      expect(await writer().pauseSubscription(context('k1'), until)).toMatchObject({
        status: 'paused',
        endedAt: until.toISOString(),
      });
      expect(await changesNothing(() => writer().pauseSubscription(context('k2'), until))).toBe(
        'already_done',
      );
      expect(await writer().resumeSubscription(context('k3'))).toMatchObject({
        status: 'active',
        endedAt: null,
      });
      expect(await changesNothing(() => writer().resumeSubscription(context('k4')))).toBe('already_done');
      const ended = await writer().cancelSubscription(context('k5'));
      expect(ended).toMatchObject({ status: 'cancelled', endedAt: world.clock.now().toISOString() });
      expect(await reader().getSubscription(ANA)).toEqual(ended);
      expect(await changesNothing(() => writer().cancelSubscription(context('k6')))).toBe('already_done');
      expect(await changesNothing(() => writer().resumeSubscription(context('k7')))).toBe('wrong_status');
      expect(await changesNothing(() => writer().pauseSubscription(context('k8'), until))).toBe(
        'wrong_status',
      );
      expect(await writer().pauseSubscription(context('k1'), until)).toMatchObject({ status: 'paused' });
    });

    it('cancels a paused subscription, and pauses again one whose pause has run out', async () => {
      expect(await writer().cancelSubscription(context('k1', { customerId: 'usr_011' }))).toMatchObject({
        status: 'cancelled',
      });
      world.clock.advance({ days: 30 });
      const until = new Date(world.clock.now().getTime() + 86_400_000);
      expect(await codeOf(writer().resumeSubscription(context('k2', { customerId: 'usr_003' })))).toBe(
        'already_done',
      );
      expect(await writer().pauseSubscription(context('k3', { customerId: 'usr_003' }), until)).toMatchObject(
        { endedAt: until.toISOString() },
      );
    });

    it('[DLG-60] ends a subscription and pays its charges back in one, once, and all of it or nothing', async () => {
      const charges = [{ paymentId: 'pay_229', amountCents: 11_990 }];
      const theirs = (key: string) => context(key, { customerId: 'usr_030' });
      const wrong = [...charges, { paymentId: 'pay_001', amountCents: 1 }];
      expect(await changesNothing(() => writer().withdrawSubscription(theirs('k1'), wrong))).toBe(
        'not_found',
      );
      const done = await writer().withdrawSubscription(theirs('k2'), charges);
      expect(done).toMatchObject({ subscription: { status: 'cancelled' }, refundedCents: 11_990 });
      expect(await writer().withdrawSubscription(theirs('k2'), [])).toEqual(done);
      expect(await changesNothing(() => writer().withdrawSubscription(theirs('k3'), charges))).toBe(
        'already_refunded',
      );
      const [charge] = (await reader().listPayments('usr_030')).filter((one) => one.paymentId === 'pay_229');
      expect(charge).toMatchObject({ refundedCents: 11_990, refundedAt: world.clock.now().toISOString() });
    });

    it('refuses a pause without a future end and a customer without a subscription', async () => {
      expect(await changesNothing(() => writer().pauseSubscription(context('k1'), world.clock.now()))).toBe(
        'input_invalid',
      );
      expect(
        await changesNothing(() => writer().pauseSubscription(context('k1'), new Date(Number.NaN))),
      ).toBe('input_invalid');
      for (const customerId of ['usr_009', 'usr_999']) {
        expect(await changesNothing(() => writer().cancelSubscription(context('k2', { customerId })))).toBe(
          'not_found',
        );
      }
    });

    it('keeps a ledger of committed effects, oldest first', async () => {
      await writer().cancelReservation(context('k1'), SAMBA, 6000);
      world.clock.advance({ hours: 1 });
      await writer().cancelSubscription(context('k2', { releasedBy: 'operator:op_1' }));
      await codeOf(writer().cancelReservation(context('k3'), SAMBA, 0));
      const all = await writer().listEffects(new Date(0));
      expect(all.map((one) => [one.idempotencyKey, one.tool])).toEqual([
        ['k1', 'cancel_reservation'],
        ['k2', 'update_subscription'],
      ]);
      expect(await writer().listEffects(world.clock.now())).toEqual(all.slice(1));
      expect(await writer().findOutcome('k2')).toMatchObject({
        customerId: ANA,
        releasedBy: 'operator:op_1',
        ticketId: 'tkt_1',
        outcome: { status: 'cancelled' },
      });
      expect(await writer().findOutcome('k3')).toBeNull();
    });

    it('lets one of many at once through, also over two connections', async () => {
      const other = (await world.another()).customerWrites;
      const attempts = Array.from({ length: 12 }, (_, i) =>
        codeOf((i % 2 === 0 ? writer() : other).refundReservation(context(`k${i % 6}`), ELIS, 38000)),
      );
      const codes = await Promise.all(attempts);
      expect(codes.filter((code) => code === 'resolved')).toHaveLength(2);
      expect(codes.filter((code) => code === 'already_refunded')).toHaveLength(10);
      expect(await writer().listEffects(new Date(0))).toHaveLength(1);
    });
  });
}
