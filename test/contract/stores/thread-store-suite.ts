import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenWorld, StoresWorld } from './world.js';

/** What every ThreadStore must do. */
export function threadStoreSuite(name: string, open: OpenWorld): void {
  describe(`ThreadStore: ${name}`, () => {
    let world: StoresWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const threads = () => world.stores.threads;

    it('creates a row and moves it to another graph thread', async () => {
      expect(await threads().get('t')).toBeNull();
      await threads().put({ threadId: 't', customerId: 'usr_001', graphThreadId: 't' });
      await threads().put({ threadId: 't', customerId: 'usr_001', graphThreadId: 't~2' });
      expect(await threads().get('t')).toEqual({
        threadId: 't',
        customerId: 'usr_001',
        graphThreadId: 't~2',
        scopes: null,
        agent: null,
        operator: null,
        claim: 0,
        stops: 0,
        unheardSince: null,
        createdAt: world.clock.now().toISOString(),
        updatedAt: world.clock.now().toISOString(),
      });
    });

    it('keeps what a conversation is held to from its beginning, wherever it is moved', async () => {
      const row = { threadId: 't', customerId: 'usr_001', graphThreadId: 't' };
      const limits = { scopes: ['account:read', 'skill:run'], agent: 'account' } as const;
      await threads().put({ ...row, ...limits });
      expect(await threads().get('t')).toMatchObject(limits);
      await threads().put({ ...row, graphThreadId: 't~2' });
      await threads().put({ ...row, graphThreadId: 't~3', scopes: ['action:write'], agent: 'action' });
      expect(await threads().get('t')).toMatchObject({ graphThreadId: 't~3', ...limits });
    });

    it('tells a conversation that may do nothing from one that may do all', async () => {
      await threads().put({ threadId: 'none', customerId: null, graphThreadId: 'none', scopes: [] });
      await threads().put({ threadId: 'all', customerId: null, graphThreadId: 'all', scopes: null });
      await threads().put({ threadId: 'none', customerId: null, graphThreadId: 'none~2', scopes: null });
      await threads().put({ threadId: 'all', customerId: null, graphThreadId: 'all~2', scopes: [] });
      expect((await threads().get('none'))?.scopes).toEqual([]);
      expect((await threads().get('all'))?.scopes).toBeNull();
    });

    it('never changes whose conversation it is', async () => {
      await threads().put({ threadId: 't', customerId: 'usr_001', graphThreadId: 't' });
      await threads().put({ threadId: 'anonymous', customerId: null, graphThreadId: 'anonymous' });
      for (const customerId of ['usr_002', null])
        await threads().put({ threadId: 't', customerId, graphThreadId: 't' });
      await threads().put({ threadId: 'anonymous', customerId: 'usr_002', graphThreadId: 'anonymous' });
      expect((await threads().get('t'))?.customerId).toBe('usr_001');
      expect((await threads().get('anonymous'))?.customerId).toBeNull();
    });
  });
}
