import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import {
  ANA,
  auditRows,
  BRUNO,
  effects,
  expectBooksToAgree,
  GABRIELA,
  newRefunds,
  outcomeOf,
  reservationStatus,
  timesTold,
} from './books.js';

const SAMBA = 'cancel my samba night booking';
const MUSEUM = 'what are your opening hours?';

describe.each(['memory', 'sqlite'] as const)(
  '[GRAPH-05] confirmation by the customer, %s checkpointer',
  (checkpointer) => {
    let hub: Hub;
    beforeEach(async () => {
      hub = await openHub({ checkpointer });
    });
    afterEach(async () => {
      expectBooksToAgree(hub);
      await hub.close();
    });

    it('[CONF-01 CONF-02 CONF-03] asks first, does it exactly once on yes, and not again on more of them', async () => {
      const asked = await hub.say(ANA, SAMBA);
      expect(asked.pending).toMatchObject({
        kind: 'confirmation',
        tool: 'cancel_reservation',
        args: { reservation_id: 'res_002' },
        question: expect.stringContaining('R$ 60.00'),
      });
      expect(asked.reply).toContain('yes or no');
      expect(effects(hub)).toEqual([]);
      const done = await hub.say(ANA, 'yes', asked.threadId);
      expect(done.reply).toContain('Done');
      expect(done.toolCalls).toMatchObject([{ tool: 'cancel_reservation', ok: true }]);
      for (const again of ['yes', 'yes please', 'sim', SAMBA, 'yes'])
        await hub.say(ANA, again, asked.threadId);
      expect(effects(hub)).toMatchObject([{ tool: 'cancel_reservation', released_by: 'customer:usr_001' }]);
      expect(newRefunds(hub)).toMatchObject([{ reservation_id: 'res_002', amount_cents: 6_000 }]);
      expect(reservationStatus(hub, 'res_002')).toBe('cancelled');
      expect(timesTold(hub, asked.threadId, /^Done/)).toBe(1);
    });

    it('[CONF-05 CONF-08] changes nothing on no, records it once, and a later yes is no answer to it', async () => {
      const before = hub.dump('cultpass');
      const asked = await hub.say(ANA, SAMBA);
      const declined = await hub.say(ANA, 'no', asked.threadId);
      expect(declined.reply).toContain('not changed');
      await hub.say(ANA, 'yes', asked.threadId);
      expect(hub.dump('cultpass')).toEqual(before);
      expect(auditRows(hub)).toMatchObject([
        { action: 'cancel_reservation', outcome: 'refused', actor: 'customer:usr_001' },
      ]);
    });

    it('[CONF-04] refuses a yes that comes too late, politely, and lets it be asked again', async () => {
      const asked = await hub.say(ANA, SAMBA);
      hub.clock.advance({ minutes: 30 });
      const late = await hub.say(ANA, 'yes', asked.threadId);
      expect(late.reply).toContain('expired');
      expect(late.pending).toBeNull();
      expect(effects(hub)).toEqual([]);
      const again = await hub.say(ANA, SAMBA, asked.threadId);
      expect(again.pending?.id).not.toBe(asked.pending?.id);
      await hub.say(ANA, 'yes', asked.threadId);
      expect(effects(hub)).toHaveLength(1);
    });

    it('still takes a yes one millisecond before the end', async () => {
      const asked = await hub.say(ANA, SAMBA);
      hub.clock.advance({ ms: 30 * 60_000 - 1 });
      expect((await hub.say(ANA, 'yes', asked.threadId)).reply).toContain('Done');
    });

    it('[CONF-06] answers something else that is typed meanwhile, and keeps the question open', async () => {
      const asked = await hub.say(ANA, SAMBA);
      const aside = await hub.say(ANA, MUSEUM, asked.threadId);
      expect(aside.toolCalls.map((call) => call.tool)).toContain('search_knowledge');
      expect(aside.reply).toMatch(/Shall I go on with .*Samba Night/);
      expect(aside.pending?.id).toBe(asked.pending?.id);
      expect(effects(hub)).toEqual([]);
      expect((await hub.say(ANA, 'yes', asked.threadId)).reply).toContain('Done');
      expect(effects(hub)).toHaveLength(1);
    });

    it('[CONF-07] releases only the newer of two requests', async () => {
      const first = await hub.say(ANA, SAMBA);
      const second = await hub.say(ANA, 'please cancel my reservation res_003', first.threadId);
      expect(second.pending).toMatchObject({ args: { reservation_id: 'res_003' } });
      await hub.say(ANA, 'yes', first.threadId);
      await hub.say(ANA, 'yes', first.threadId);
      expect(reservationStatus(hub, 'res_003')).toBe('cancelled');
      expect(reservationStatus(hub, 'res_002')).toBe('reserved');
      expect(effects(hub)).toHaveLength(1);
    });

    it('[CONF-07] keeps threads apart: a yes here answers nothing there', async () => {
      const one = await hub.say(ANA, SAMBA);
      const two = await hub.say(ANA, 'hello');
      await hub.say(ANA, 'yes', two.threadId);
      expect(effects(hub)).toEqual([]);
      await hub.say(ANA, 'yes', one.threadId);
      expect(effects(hub)).toHaveLength(1);
    });

    it('does one thing for two threads that both agreed to it, and tells the other', async () => {
      const one = await hub.say(ANA, SAMBA);
      const two = await hub.say(ANA, SAMBA);
      expect(two.pending).not.toBeNull();
      const replies = await Promise.all([
        hub.say(ANA, 'yes', one.threadId),
        hub.say(ANA, 'yes', two.threadId),
      ]);
      expect(effects(hub)).toHaveLength(1);
      expect(newRefunds(hub)).toHaveLength(1);
      expect(replies.filter((reply) => reply.reply.startsWith('Done'))).toHaveLength(1);
      expect(replies.filter((reply) => reply.reply.includes('already been done'))).toHaveLength(1);
      expect(
        auditRows(hub)
          .map((row) => row.outcome)
          .sort(),
      ).toEqual(['done', 'refused']);
    });

    it('lets the first of a yes and a no that race count', async () => {
      const asked = await hub.say(ANA, SAMBA);
      await Promise.all([hub.say(ANA, 'no', asked.threadId), hub.say(ANA, 'yes', asked.threadId)]);
      expect(effects(hub)).toEqual([]);
      expect(reservationStatus(hub, 'res_002')).toBe('reserved');
    });

    it("[CONF-05] gives nobody else the thread or its question, with the thread's name or without", async () => {
      const asked = await hub.say(ANA, SAMBA);
      for (const other of [BRUNO, null]) {
        expect(await outcomeOf(hub.say(other, 'yes', asked.threadId))).toBe('not_owner');
      }
      const [segment] = hub.query(
        'udahub',
        'SELECT graph_thread_id FROM threads WHERE thread_id = ?',
        asked.threadId,
      );
      await hub.say(ANA, MUSEUM, asked.threadId);
      const [moved] = hub.query(
        'udahub',
        'SELECT graph_thread_id FROM threads WHERE thread_id = ?',
        asked.threadId,
      );
      expect(moved).not.toEqual(segment);
      expect(await outcomeOf(hub.say(BRUNO, 'yes', String(moved?.graph_thread_id)))).toBe('not_owner');
      expect(effects(hub)).toEqual([]);
    });

    it('[CONF-02 CONF-12] does nothing where the terms have changed since they were agreed to', async () => {
      const asked = await hub.say(ANA, SAMBA);
      hub.exec('cultpass', `UPDATE payments SET amount_cents = 5900 WHERE reservation_id = 'res_002'`);
      const changed = await hub.say(ANA, 'yes', asked.threadId);
      expect(changed.reply).toContain('conditions have changed');
      expect(effects(hub)).toEqual([]);
      // Nor later, when they are as they were.
      hub.exec('cultpass', `UPDATE payments SET amount_cents = 6000 WHERE reservation_id = 'res_002'`);
      await hub.say(ANA, 'yes', asked.threadId);
      await hub.another();
      expect(effects(hub)).toEqual([]);
      expect(auditRows(hub)).toMatchObject([{ outcome: 'refused' }]);
    });

    it('[CONF-12 RULE-03] asks an operator where 24 hours before the start passed while the question was open', async () => {
      const asked = await hub.say(ANA, SAMBA); // starts 2026-03-14T23:00Z
      const { threadId } = asked;
      hub.clock.set('2026-03-13T22:50:00.000Z');
      const inTime = await hub.say(ANA, SAMBA, threadId);
      expect(inTime.reply).not.toContain('team');
      hub.clock.advance({ minutes: 11 });
      const late = await hub.say(ANA, 'yes', threadId);
      expect(late.reply).toContain('asked our team');
      expect(late.pending?.kind).toBe('approval');
      expect(effects(hub)).toEqual([]);
    });

    it('does nothing for a customer who was blocked between question and yes, nor after the block ended', async () => {
      const asked = await hub.say(ANA, SAMBA);
      hub.exec('cultpass', `UPDATE users SET is_blocked = 1 WHERE user_id = 'usr_001'`);
      expect((await hub.say(ANA, 'yes', asked.threadId)).reply).toContain('blocked');
      hub.exec('cultpass', `UPDATE users SET is_blocked = 0 WHERE user_id = 'usr_001'`);
      await hub.another();
      await hub.say(ANA, 'hello', asked.threadId);
      expect(effects(hub)).toEqual([]);
      expect(reservationStatus(hub, 'res_002')).toBe('reserved');
    });

    it('refunds what was cancelled early, once, and an upcoming one by cancelling it', async () => {
      const asked = await hub.say(GABRIELA, 'I want a refund for reservation res_029');
      expect(asked.pending).toMatchObject({ tool: 'process_refund', args: { reservation_id: 'res_029' } });
      const done = await hub.say(GABRIELA, 'yes', asked.threadId);
      expect(done.reply).toContain('R$ 70.00');
      const twice = await hub.say(GABRIELA, 'I want a refund for reservation res_029', asked.threadId);
      expect(twice.reply).toMatch(/was refunded on .*only once/);
      expect(newRefunds(hub)).toMatchObject([{ reservation_id: 'res_029', amount_cents: 7_000 }]);
      const upcoming = await hub.say(ANA, 'I want a refund for reservation res_002');
      expect(upcoming.pending?.tool).toBe('cancel_reservation');
    });

    it('understands a yes in Portuguese, and asks back about an unclear one', async () => {
      const asked = await hub.say(BRUNO, 'quero cancelar minha reserva res_009');
      expect(asked.language).toBe('pt-BR');
      expect(asked.reply).toContain('sim ou não');
      const unclear = await hub.say(BRUNO, 'talvez', asked.threadId);
      expect(effects(hub)).toEqual([]);
      expect(unclear.pending?.id).toBe(asked.pending?.id);
      expect((await hub.say(BRUNO, 'sim, pode cancelar', asked.threadId)).reply).toContain('R$ 70,00');
      expect(effects(hub)).toHaveLength(1);
    });
  },
);
