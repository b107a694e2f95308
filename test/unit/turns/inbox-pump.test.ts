import { describe, expect, it } from 'vitest';
import { HubError } from '../../../src/core/errors.js';
import type { Inbox, InboxItem } from '../../../src/core/ports/index.js';
import { InboxPump } from '../../../src/turns/inbox-pump.js';
import { createRecordingLog } from '../../support/recording-log.js';

const IDENTITY = { kind: 'anonymous' } as const;
const never = (): Promise<never> => Promise.reject(new Error('never called'));
const ITEM: InboxItem = {
  itemId: 'i1',
  threadId: 'h1',
  customerId: null,
  clientMessageId: 'm1',
  content: { kind: 'text', text: 'yes' },
  channel: 'chat',
  status: 'running',
  outcome: null,
  receivedAt: '2026-11-22T10:00:00.000Z',
  startedAt: '2026-11-22T10:00:00.000Z',
};

/** An inbox with one message, which is never answered. */
function inboxOf(item: InboxItem): Inbox {
  let taken = false;
  return {
    accept: never,
    get: () => Promise.resolve(item),
    left: () => Promise.resolve(taken ? [item] : []),
    take: () => {
      const items = taken ? [] : [item];
      taken = true;
      return Promise.resolve(items);
    },
    ...{ answer: never, putBack: never, drop: never, prune: never },
  };
}

describe('a message that was put off because another process holds a database', () => {
  it('[ATK-04] is never called busy with an earlier one, however long what it left behind takes to make good', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pump = new InboxPump({
      inbox: inboxOf(ITEM),
      locks: { withThread: (_threadId, _waitMs, work) => work() },
      log: createRecordingLog(),
      waitMs: 1,
      // What is left behind stands in the same database.
      recover: () => held,
      batches: (_threadId, items) =>
        Promise.resolve(items.length === 0 ? [] : [{ items, text: 'yes', receivedAt: ITEM.receivedAt }]),
      turns: {
        answer: () => Promise.reject(new HubError('database_busy', 'It is held.')),
        storeUnstored: () => Promise.resolve(),
        replay: never,
      },
    });
    const sender = { itemId: ITEM.itemId, threadId: ITEM.threadId, identity: IDENTITY };
    const first = pump.wait(sender);
    await Promise.all([expect(first).rejects.toMatchObject({ code: 'database_busy' }), pump.pump('h1')]);
    const again = pump.wait(sender);
    void pump.pump('h1');
    await expect(again).rejects.toMatchObject({ code: 'database_busy' });
    release();
    await pump.close();
  });
});
