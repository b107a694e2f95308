import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenWorld, StoresWorld } from './world.js';

/** What every RatingStore must do. */
export function ratingStoreSuite(name: string, open: OpenWorld): void {
  describe(`RatingStore: ${name}`, () => {
    let world: StoresWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    it('keeps the newest rating of each conversation', async () => {
      const { ratings } = world.stores;
      expect(await ratings.get('t')).toBeNull();
      const bad = { threadId: 't', ticketId: null, customerId: 'usr_001', helpful: false, comment: 'no' };
      const good = { ...bad, ticketId: 'tkt_1', helpful: true, comment: null };
      await ratings.put(bad);
      expect(await ratings.get('t')).toEqual(bad);
      await ratings.put(good);
      await ratings.put({ ...bad, threadId: 'u' });
      expect(await ratings.get('t')).toEqual(good);
    });
  });
}
