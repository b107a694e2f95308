import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewPending } from '../../../src/core/ports/thread-store.js';
import { codeOf, type HubWorld, type OpenHubWorld } from './world.js';

const yes = { approved: true, by: 'customer:usr_001' };
const no = { approved: false, by: 'operator:op_1', reason: 'not covered' };

/** What every PendingStore must do. */
export function pendingStoreSuite(name: string, open: OpenHubWorld): void {
  describe(`PendingStore: ${name}`, () => {
    let world: HubWorld;
    let ticketId: string;
    beforeEach(async () => {
      world = await open();
      ({ ticketId } = await world.stores.tickets.create({
        customerId: 'usr_001',
        threadId: 'thr_1',
        channel: 'chat',
      }));
    });
    afterEach(() => world.close());
    const store = () => world.stores.pending;
    const question = (pendingId: string, over: Partial<NewPending> = {}): NewPending => ({
      pendingId,
      kind: 'confirmation',
      threadId: 'thr_1',
      graphThreadId: 'thr_1',
      ticketId,
      customerId: 'usr_001',
      tool: 'cancel_reservation',
      args: { reservation_id: 'res_002', nested: { b: 1 } },
      argsHash: 'hash',
      question: 'Cancel?',
      answers: { yes: 'Cancel, R$ 60.00 back', no: 'Keep the booking' },
      needsOperator: false,
      expiresAt: new Date(world.clock.now().getTime() + 30 * 60_000).toISOString(),
      ...over,
    });
    const statusOf = async (pendingId: string) => (await store().get(pendingId))?.status;

    it('opens a question and gives it back as it was asked', async () => {
      const opened = await store().open(question('p1'));
      expect(opened).toEqual({
        ...question('p1'),
        status: 'pending',
        createdAt: world.clock.now().toISOString(),
        decidedAt: null,
        decidedBy: null,
        reason: null,
      });
      expect(await store().get('p1')).toEqual(opened);
      expect(await store().findOpenConfirmation('thr_1')).toEqual(opened);
      expect(await store().findOpenConfirmation('thr_2')).toBeNull();
      expect(await store().get('none')).toBeNull();
    });

    it('changes nothing when the same id is opened again, decided or not', async () => {
      const opened = await store().open(question('p1'));
      world.clock.advance({ minutes: 1 });
      expect(await store().open(question('p1', { question: 'Other?' }))).toEqual(opened);
      const decided = await store().decide('p1', yes);
      expect(await store().open(question('p1'))).toEqual(decided);
    });

    it('replaces the older confirmation of the thread, and only that', async () => {
      await store().open(question('p1'));
      await store().open(question('other', { threadId: 'thr_2' }));
      await store().open(question('approval', { kind: 'approval' }));
      await store().open(question('p2'));
      expect(await statusOf('p1')).toBe('superseded');
      expect(await statusOf('other')).toBe('pending');
      expect(await statusOf('approval')).toBe('pending');
      expect((await store().findOpenConfirmation('thr_1'))?.pendingId).toBe('p2');
      await expect(store().decide('p1', yes)).rejects.toMatchObject({
        code: 'pending_decided',
        fields: { status: 'superseded' },
      });
    });

    it('[CONF-05] takes a decision once and tells who took it', async () => {
      await store().open(question('p1'));
      world.clock.advance({ minutes: 2 });
      const decided = await store().decide('p1', no);
      expect(decided).toMatchObject({
        status: 'rejected',
        decidedBy: 'operator:op_1',
        reason: 'not covered',
        decidedAt: world.clock.now().toISOString(),
      });
      await expect(store().decide('p1', yes)).rejects.toMatchObject({
        code: 'pending_decided',
        fields: { status: 'rejected' },
      });
      expect(await store().get('p1')).toEqual(decided);
      expect(await store().findOpenConfirmation('thr_1')).toBeNull();
      expect(await codeOf(store().decide('none', yes))).toBe('pending_not_found');
    });

    it('[CONF-03] lets exactly one of several decisions at once win, also over two connections', async () => {
      await store().open(question('p1'));
      const other = (await world.another()).pending;
      const outcomes = await Promise.all([
        codeOf(store().decide('p1', yes)),
        codeOf(other.decide('p1', no)),
        codeOf(store().decide('p1', no)),
        codeOf(other.decide('p1', yes)),
      ]);
      expect(outcomes.filter((one) => one === 'resolved')).toHaveLength(1);
      expect(outcomes.filter((one) => one === 'pending_decided')).toHaveLength(3);
    });

    it('releases what was approved, once', async () => {
      await store().open(question('p1'));
      expect(await store().release('p1')).toBe(false);
      await store().decide('p1', yes);
      expect((await store().listUnreleased()).map((one) => one.pendingId)).toEqual(['p1']);
      const ofP1 = await Promise.all([store().release('p1'), store().release('p1')]);
      expect(ofP1.toSorted()).toEqual([false, true]);
      expect(await statusOf('p1')).toBe('released');
      expect(await store().listUnreleased()).toEqual([]);
      expect(await store().release('none')).toBe(false);
      await store().open(question('p2'));
      await store().decide('p2', no);
      expect((await store().listUnreleased()).map((one) => one.pendingId)).toEqual(['p2']);
      expect(await store().listUnreleased('thr_1')).toHaveLength(1);
      expect(await store().listUnreleased('thr_2')).toEqual([]);
      const ofP2 = await Promise.all([store().release('p2'), store().release('p2')]);
      expect(ofP2.toSorted()).toEqual([false, true]);
      expect(await statusOf('p2')).toBe('rejected');
      expect(await store().listUnreleased()).toEqual([]);
    });

    it('opens a question again whose yes could not be carried out, and no other', async () => {
      await store().open(question('p1'));
      expect(await store().reopen('p1')).toBe(false);
      await store().decide('p1', yes);
      expect(await store().reopen('p1')).toBe(true);
      expect(await store().findOpenConfirmation('thr_1')).toMatchObject({
        pendingId: 'p1',
        decidedAt: null,
        decidedBy: null,
      });
      await store().decide('p1', no);
      expect(await store().reopen('p1')).toBe(false);
      await store().open(question('a1', { kind: 'approval' }));
      await store().decide('a1', yes);
      expect(await store().reopen('a1')).toBe(false);
      await store().open(question('p2'));
      await store().decide('p2', yes);
      await store().release('p2');
      expect(await store().reopen('p2')).toBe(false);
      expect(await store().reopen('none')).toBe(false);
      await store().open(question('p3'));
      await store().decide('p3', yes);
      world.clock.advance({ minutes: 30 });
      expect(await store().reopen('p3')).toBe(false);
    });

    it('[CONF-04] expires at its time, not before', async () => {
      await store().open(question('p1'));
      await store().open(question('a1', { kind: 'approval' }));
      world.clock.advance({ ms: 30 * 60_000 - 1 });
      expect(await statusOf('p1')).toBe('pending');
      world.clock.advance({ ms: 1 });
      expect(await store().findOpenConfirmation('thr_1')).toBeNull();
      expect(await store().listOpenApprovals()).toEqual([]);
      expect(await codeOf(store().decide('p1', yes))).toBe('pending_expired');
      expect(await store().get('p1')).toMatchObject({ status: 'expired', decidedBy: null });
      expect(await codeOf(store().decide('a1', yes))).toBe('pending_expired');
    });

    it('does not expire what was approved in time', async () => {
      await store().open(question('p1'));
      await store().decide('p1', yes);
      world.clock.advance({ days: 2 });
      expect(await statusOf('p1')).toBe('approved');
      expect(await store().release('p1')).toBe(true);
    });

    it('lists open approvals oldest first, of one thread where asked', async () => {
      await store().open(question('a1', { kind: 'approval' }));
      await store().open(question('a2', { kind: 'approval', threadId: 'thr_2' }));
      await store().open(question('p1'));
      await store().open(question('a3', { kind: 'approval' }));
      const ids = async (thread?: string) =>
        (await store().listOpenApprovals(thread)).map((one) => one.pendingId);
      expect(await ids()).toEqual(['a1', 'a2', 'a3']);
      expect(await ids('thr_1')).toEqual(['a1', 'a3']);
      await store().decide('a1', no);
      expect(await ids()).toEqual(['a2', 'a3']);
    });

    it('withdraws an open question, not a decided one', async () => {
      await store().open(question('p1'));
      await store().supersede('p1');
      expect(await statusOf('p1')).toBe('superseded');
      await store().open(question('p2'));
      await store().decide('p2', yes);
      await store().supersede('p2');
      await store().supersede('none');
      expect(await statusOf('p2')).toBe('approved');
    });

    it('refuses an expiry that is no time', async () => {
      expect(await codeOf(store().open(question('p1', { expiresAt: 'soon' })))).toBe('input_invalid');
    });
  });
}
