import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA, effects, expectBooksToAgree, reservationStatus } from './books.js';

const BOTH = 'cancel my samba night booking and cancel my Clarice Lispector booking';

describe.each(['memory', 'sqlite'] as const)(
  'several changes in one message, %s checkpointer',
  (checkpointer) => {
    let hub: Hub;
    beforeEach(async () => {
      hub = await openHub({ checkpointer });
    });
    afterEach(async () => {
      expectBooksToAgree(hub);
      await hub.close();
    });

    it('asks about one after the other, and each yes releases one', async () => {
      const first = await hub.say(ANA, BOTH);
      expect(first.pending?.args).toEqual({ reservation_id: 'res_002' });
      const second = await hub.say(ANA, 'yes', first.threadId);
      expect(second.pending?.args).toEqual({ reservation_id: 'res_003' });
      expect(second.reply).toMatch(/^Done/);
      expect(effects(hub)).toHaveLength(1);
      await hub.say(ANA, 'yes', first.threadId);
      expect(effects(hub)).toHaveLength(2);
    });

    it('goes on after a restart at the second question, the first change made once', async () => {
      const first = await hub.say(ANA, BOTH);
      await hub.say(ANA, 'yes', first.threadId);
      const restarted = await hub.another();
      await restarted.say(ANA, 'yes', first.threadId);
      expect(effects(hub)).toHaveLength(2);
      expect(reservationStatus(hub, 'res_003')).toBe('cancelled');
    });

    it('does not call done what was refused', async () => {
      const first = await hub.say(ANA, BOTH);
      hub.exec('cultpass', `UPDATE reservations SET status = 'attended' WHERE reservation_id = 'res_002'`);
      const second = await hub.say(ANA, 'yes', first.threadId);
      expect(second.reply).not.toMatch(/Done/);
      expect(second.reply).toContain('attended');
      expect(effects(hub)).toEqual([]);
    });
  },
);
