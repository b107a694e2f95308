import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.js';
import { inboxRows, openTalk, spoken, type Talk, VISITS } from './support.js';

let talk: Talk | null = null;
afterEach(async () => {
  await talk?.hub.close();
  talk = null;
});

describe('what is kept for coming back', () => {
  it('[CNV-27] is forgotten after its time, at a start, and the conversation stays', async () => {
    talk = await openTalk();
    const { hub, threadId, send } = talk;
    await send(VISITS, 'm1');
    await hub.app.idempotency.claim('customer:a', 'k', 'hash');
    const counts = () => [
      hub.query('udahub', 'SELECT 1 FROM thread_events').length > 0,
      hub.query('udahub', 'SELECT 1 FROM idempotency_keys').length > 0,
      inboxRows(hub).length > 0,
    ];
    const startedAfter = async (days: number, kept: readonly boolean[]): Promise<void> => {
      hub.clock.advance({ days });
      const other = await hub.another();
      await until(() => JSON.stringify(counts()) === JSON.stringify(kept));
      await other.close();
    };
    await startedAfter(0.9, [true, true, true]);
    await startedAfter(0.2, [true, false, true]);
    await startedAfter(1, [false, false, true]);
    await startedAfter(5, [false, false, false]);
    expect(spoken(hub, threadId)).toHaveLength(2);
    // Taken for a new message by now; the client's id is known to the conversation all the same.
    await send(VISITS, 'm1');
    expect(spoken(hub, threadId).filter(({ role }) => role === 'customer')).toHaveLength(1);
  });
});
