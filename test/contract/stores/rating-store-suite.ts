import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HubWorld, OpenHubWorld } from './world.js';

/** What every RatingStore must do. */
export function ratingStoreSuite(name: string, open: OpenHubWorld): void {
  describe(`RatingStore: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    it('keeps the newest rating of each ticket, and of a resolution where an operator has made one', async () => {
      const { ratings } = world.stores;
      expect(await ratings.list('tkt_1')).toEqual([]);
      const bad = {
        threadId: 't',
        ticketId: 'tkt_1',
        about: 'answer' as const,
        customerId: 'usr_001',
        helpful: false,
        comment: 'no',
      };
      const good = { ...bad, helpful: true, comment: null };
      expect(await ratings.put(bad)).toBe(true);
      expect(await ratings.put(good)).toBe(true);
      expect(await ratings.put({ ...bad, about: 'resolution' as const })).toBe(false);
      await ratings.put({ ...bad, ticketId: 'tkt_2' });
      const createdAt = world.clock.now().toISOString();
      expect(await ratings.list('tkt_1')).toEqual([{ ...good, createdAt }]);
      expect(await ratings.asked('t')).toBeNull();
    });
  });
}
