import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, type HubWorld, type OpenHubWorld } from './world.js';

/** What every ThreadStore must do. */
export function threadStoreSuite(name: string, open: OpenHubWorld): void {
  describe(`ThreadStore: ${name}`, () => {
    let world: HubWorld;
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
        visitorId: null,
        timeZone: null,
        graphThreadId: 't~2',
        scopes: null,
        agent: null,
        operator: null,
        claim: 0,
        stops: 0,
        unheardSince: null,
        readBy: { customer: null, operator: null },
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

    it('[SHF-32] marks how far each side has read, only forward, and only in what both sides see', async () => {
      const { tickets } = world.stores;
      for (const threadId of ['t', 'other'])
        await threads().put({ threadId, customerId: 'usr_001', graphThreadId: threadId });
      const ticket = await tickets.create({ threadId: 't', customerId: 'usr_001', channel: 'http' });
      const asked = await tickets.addMessage(ticket.ticketId, 'customer', 'hello');
      const note = await tickets.addMessage(ticket.ticketId, 'operator', 'hm', { audience: 'desk' });
      const reply = await tickets.addMessage(ticket.ticketId, 'operator', 'hello');
      const at = world.clock.now().toISOString();
      const first = { messageId: asked.messageId, at };
      expect(await threads().read('t', 'operator', note.messageId)).toBeNull();
      expect(await threads().read('other', 'operator', asked.messageId)).toBeNull();
      expect(await threads().read('t', 'operator', 'msg_none')).toBeNull();
      expect(await threads().read('t', 'operator', asked.messageId)).toEqual(first);
      expect(await threads().read('t', 'operator', asked.messageId)).toBeNull();
      expect(await threads().read('t', 'customer', reply.messageId)).toEqual({
        messageId: reply.messageId,
        at,
      });
      expect(await threads().read('t', 'customer', asked.messageId)).toBeNull();
      expect((await threads().get('t'))?.readBy).toEqual({
        operator: first,
        customer: { messageId: reply.messageId, at },
      });
    });

    it('[SHF-30] gives a visitor’s conversation to one customer, with its tickets, once and in one piece', async () => {
      const { tickets, inbox } = world.stores;
      const row = { threadId: 't', customerId: null, visitorId: 'vis_a', graphThreadId: 't' };
      await threads().put(row);
      await threads().put({ ...row, threadId: 'other', graphThreadId: 'other' });
      const ticket = await tickets.create({ threadId: 't', customerId: null, channel: 'http' });
      expect(
        (await threads().list({ visitorId: 'vis_a' }, 9)).map(({ threadId }) => threadId).sort(),
      ).toEqual(['other', 't']);
      expect(await threads().list({ visitorId: 'vis_b' }, 9)).toEqual([]);
      const words = { kind: 'text', text: 'hello' } as const;
      const item = {
        threadId: 't',
        customerId: null,
        clientMessageId: 'm',
        content: words,
        channel: 'http',
      } as const;
      await inbox.accept(item);
      expect(await codeOf(threads().adopt('t', 'vis_a', 'usr_001'))).toBe('thread_busy');
      await inbox.answer(
        (await inbox.take('t')).map(({ itemId }) => itemId),
        {},
      );
      for (const [thread, visitor] of [
        ['t', 'vis_b'],
        ['none', 'vis_a'],
      ] as const)
        expect(await codeOf(threads().adopt(thread, visitor, 'usr_001'))).toBe('not_found');
      const { stores } = { stores: await world.another() };
      const outcomes = await Promise.all([
        codeOf(threads().adopt('t', 'vis_a', 'usr_001')),
        codeOf(stores.threads.adopt('t', 'vis_a', 'usr_002')),
      ]);
      expect([...outcomes].sort()).toEqual(['not_found', 'resolved']);
      const owner = outcomes[0] === 'not_found' ? 'usr_002' : 'usr_001';
      expect(await threads().adopt('t', 'vis_a', owner)).toMatchObject({
        customerId: owner,
        visitorId: null,
      });
      expect((await tickets.get(ticket.ticketId))?.customerId).toBe(owner);
      expect((await threads().get('other'))?.customerId).toBeNull();
      // What a visitor sends at that moment is not taken as the customer's word.
      expect(await codeOf(inbox.accept({ ...item, clientMessageId: 'late' }))).toBe('not_found');
      expect(await inbox.take('t')).toEqual([]);
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
