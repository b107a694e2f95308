import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HubWorld, OpenHubWorld } from './world.js';

/** What every MemoryStore must do. */
export function memoryStoreSuite(name: string, open: OpenHubWorld): void {
  describe(`MemoryStore: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const memory = () => world.stores.memory;
    const ticket = async (customerId: string | null) =>
      (await world.stores.tickets.create({ customerId, threadId: 'thr_1', channel: 'chat' })).ticketId;

    it('knows nothing of a new customer', async () => {
      expect(await memory().recall('usr_001', 5)).toEqual({
        preferredLanguage: null,
        preferences: [],
        resolutions: [],
      });
    });

    it('[MEM-04] replaces a preference and keeps customers apart', async () => {
      await memory().setPreference('usr_001', 'language', 'en');
      world.clock.advance({ minutes: 1 });
      const stored = await memory().setPreference('usr_001', 'language', 'pt-BR');
      await memory().setPreference('usr_001', 'contact_method', 'e-mail');
      await memory().setPreference('usr_002', 'language', 'en');
      const recalled = await memory().recall('usr_001', 5);
      expect(recalled.preferredLanguage).toBe('pt-BR');
      expect(recalled.preferences.map(({ key, value }) => [key, value])).toEqual([
        ['contact_method', 'e-mail'],
        ['language', 'pt-BR'],
      ]);
      expect(recalled.preferences[1]).toEqual(stored);
      expect(stored.updatedAt).toBe(world.clock.now().toISOString());
    });

    it('takes only a language the hub answers in for the preferred one', async () => {
      await memory().setPreference('usr_001', 'language', 'Klingon');
      expect(await memory().recall('usr_001', 5)).toMatchObject({
        preferredLanguage: null,
        preferences: [{ value: 'Klingon' }],
      });
    });

    it('[MEM-03] recalls the newest resolutions of the customer only', async () => {
      const [own, other, nobody] = [await ticket('usr_001'), await ticket('usr_002'), await ticket(null)];
      for (const summary of ['1', '2', '3']) {
        await memory().addResolution({
          ticketId: own,
          customerId: 'usr_001',
          resolutionType: 'answered',
          summary,
          agent: 'knowledge',
        });
      }
      await memory().addResolution({
        ticketId: other,
        customerId: 'usr_002',
        resolutionType: 'answered',
        summary: 'x',
        agent: 'account',
      });
      const anonymous = await memory().addResolution({
        ticketId: nobody,
        customerId: null,
        resolutionType: 'answered',
        summary: 'y',
        agent: 'knowledge',
      });
      expect(anonymous).toMatchObject({ customerId: null, createdAt: world.clock.now().toISOString() });
      expect((await memory().recall('usr_001', 2)).resolutions.map((one) => one.summary)).toEqual(['3', '2']);
      expect((await memory().recall('usr_001', 0)).resolutions).toEqual([]);
    });
  });
}
