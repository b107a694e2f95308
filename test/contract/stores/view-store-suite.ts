import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HubWorld, OpenHubWorld } from './world.js';

/** What every ViewStore must do. */
export function viewStoreSuite(name: string, open: OpenHubWorld): void {
  describe(`ViewStore: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    it('[SHF-143] keeps the views of each operator apart, one of a name, in the order in which they were saved', async () => {
      const { views } = world.stores;
      const urgent = { name: 'Urgent', choice: { view: 'all', priority: 'urgent' } };
      await views.put('op_1', urgent);
      await views.put('op_1', { name: 'a', choice: {} });
      await views.put('op_2', { ...urgent, choice: { view: 'mine' } });
      const anew = { ...urgent, choice: { ...urgent.choice, q: 'Zélia' } };
      await views.put('op_1', anew);
      expect(new Set(await views.list('op_1'))).toEqual(new Set([anew, { name: 'a', choice: {} }]));
      await views.delete('op_1', 'Urgent');
      await views.delete('op_1', 'Urgent');
      expect(await views.list('op_1')).toEqual([{ name: 'a', choice: {} }]);
      expect(await views.list('op_2')).toEqual([{ name: 'Urgent', choice: { view: 'mine' } }]);
    });
  });
}
