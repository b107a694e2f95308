import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboxContent, NewInboxItem } from '../../../src/core/ports/inbox.js';
import { codeOf, type HubWorld, type OpenHubWorld } from './world.js';

const MINUTE_MS = 60_000;

function message(clientMessageId: string, words = clientMessageId, threadId = 't'): NewInboxItem {
  const content: InboxContent = { kind: 'text', text: words };
  return { threadId, customerId: 'usr_001', clientMessageId, content, channel: 'http' };
}

/** What every Inbox must do. */
export function inboxSuite(name: string, open: OpenHubWorld): void {
  describe(`Inbox: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const inbox = () => world.stores.inbox;

    it('[CNV-01] keeps a message once, and knows it again', async () => {
      const first = await inbox().accept(message('a'));
      expect(first).toMatchObject({ known: false, item: { status: 'queued', content: { text: 'a' } } });
      const second = await (await world.another()).inbox.accept(message('a'));
      expect(second).toEqual({ known: true, item: first.item });
      await inbox().accept(message('a', 'a', 'another thread'));
      expect(await inbox().take('t')).toHaveLength(1);
    });

    it('[CNV-01] refuses the id of a message for other words, or for a button', async () => {
      await inbox().accept(message('a'));
      expect(await codeOf(inbox().accept(message('a', 'b')))).toBe('idempotency_conflict');
      const button: InboxContent = { kind: 'answer', pendingId: 'pnd_1', answer: 'yes' };
      expect(await codeOf(inbox().accept({ ...message('a'), content: button }))).toBe('idempotency_conflict');
      await inbox().accept({ ...message('b'), content: button });
      const no = { ...button, answer: 'no' } as const;
      expect(await codeOf(inbox().accept({ ...message('b'), content: no }))).toBe('idempotency_conflict');
    });

    it('hands what is queued to one taker, oldest first', async () => {
      for (const id of ['c', 'a', 'b']) await inbox().accept(message(id));
      await inbox().accept(message('other', 'other', 'u'));
      const other = await world.another();
      const takers = await Promise.all([inbox().take('t'), other.inbox.take('t')]);
      // Which of two servers comes first, the network decides.
      const [first = [], second] = takers.toSorted((one, two) => two.length - one.length);
      expect(first.map(({ clientMessageId }) => clientMessageId)).toEqual(['c', 'a', 'b']);
      expect(second).toEqual([]);
      expect(first[0]).toMatchObject({ status: 'running', startedAt: first[0]?.receivedAt });
    });

    it('keeps the answer with its events, and gives it back whatever comes later', async () => {
      const { item } = await inbox().accept(message('a'));
      await inbox().take('t');
      const event = {
        threadId: 't',
        ticketId: null,
        audience: 'customer',
        type: 'done',
        data: { turn: 'x' },
      };
      const stored = await inbox().answer([item.itemId], { reply: 'ok' }, [event as never]);
      expect(stored).toMatchObject([{ ...event, seq: 1 }]);
      for (const undo of [inbox().drop, inbox().putBack]) await undo([item.itemId]);
      expect(await inbox().get(item.itemId)).toMatchObject({ status: 'answered', outcome: { reply: 'ok' } });
      expect((await inbox().accept(message('a'))).item.outcome).toEqual({ reply: 'ok' });
      expect(await inbox().take('t')).toEqual([]);
    });

    it('puts back and drops what was not answered', async () => {
      const { item } = await inbox().accept(message('a'));
      await inbox().take('t');
      await inbox().putBack([item.itemId]);
      world.clock.advance({ minutes: 1 });
      const [again] = await inbox().take('t');
      expect(again).toMatchObject({ itemId: item.itemId, startedAt: item.receivedAt });
      await inbox().drop([item.itemId]);
      expect(await inbox().get(item.itemId)).toBeNull();
      expect((await inbox().accept(message('a', 'other words'))).known).toBe(false);
    });

    it('[CNV-02] says what nobody looks after, and only that', async () => {
      await inbox().accept(message('queued'));
      await inbox().take('t');
      await inbox().accept(message('waiting', 'waiting', 'u'));
      expect(await inbox().left()).toEqual([]);
      world.clock.advance({ minutes: 3 });
      expect((await inbox().left()).map(({ threadId }) => threadId)).toEqual(['u']);
      world.clock.advance({ minutes: 20 });
      expect((await inbox().left()).map(({ threadId }) => threadId)).toEqual(['t', 'u']);
      expect((await inbox().left('t')).map(({ status }) => status)).toEqual(['running']);
    });

    it('forgets old answers and nothing else', async () => {
      const { item } = await inbox().accept(message('a'));
      await inbox().answer([item.itemId], {});
      await inbox().accept(message('b'));
      const later = new Date(world.clock.now().getTime() + MINUTE_MS);
      expect(await inbox().prune(world.clock.now())).toBe(0);
      expect(await inbox().prune(later)).toBe(1);
      expect(await inbox().take('t')).toHaveLength(1);
    });
  });
}
