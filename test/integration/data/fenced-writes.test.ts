import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresCheckpointer } from '../../../src/adapters/checkpoints/postgres-checkpointer.js';
import { isLeaseLost } from '../../../src/core/held-lease.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { type CultpassStores, openStores } from '../../support/stores.js';

let server: TestPostgres;
let stores: CultpassStores;
const folder = mkdtempSync(join(tmpdir(), 'hub-fenced-'));
const THREAD = 'thr_fenced';

beforeAll(async () => {
  server = await startPostgres();
  const tools = { clock: createFixedClock(), ids: createSequentialIds(), log: createRecordingLog() };
  stores = await openStores({ dataDir: folder, databaseUrl: server.url, ...tools });
  await stores.threads.put({ threadId: THREAD, customerId: null, graphThreadId: THREAD });
});
afterAll(async () => {
  await stores.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As a server does that has found the holder of the lease gone. */
const takeAway = (): Promise<void> =>
  server.exec(`DELETE FROM udahub.thread_leases WHERE thread_id = '${THREAD}';
    INSERT INTO udahub.thread_leases VALUES ('${THREAD}', 'another', '2099-01-01T00:00:00.000Z')`);
const giveBack = (): Promise<void> => server.exec('DELETE FROM udahub.thread_leases');

describe('[PGS-12] what is written under a lease on PostgreSQL', () => {
  it('is stored as long as the lease is held, renewed or not, and so is what is written after it', async () => {
    const ticket = await stores.locks.withThread(THREAD, 1_000, async () => {
      await server.exec(`UPDATE udahub.thread_leases SET expires_at = '2099-01-01T00:00:00.000Z'`);
      const made = await stores.tickets.create({ threadId: THREAD, customerId: null, channel: 'http' });
      const { messageId } = await stores.tickets.addMessage(made.ticketId, 'hub', 'Hello.');
      expect(messageId).toMatch(/./);
      return made;
    });
    await stores.tickets.addMessage(ticket.ticketId, 'hub', 'Later.');
  });

  it('is refused from the moment on in which another server has taken it, whatever it is', async () => {
    const checkpoints = await openPostgresCheckpointer(server.url);
    const place = { configurable: { thread_id: THREAD, checkpoint_ns: '' } };
    const put = () =>
      checkpoints.saver.put(place, emptyCheckpoint(), { source: 'loop', step: 1, parents: {} }, {});
    const said = { threadId: THREAD, customerId: null, clientMessageId: 'm1', channel: 'http' as const };
    await stores.inbox.accept({ ...said, content: { kind: 'text', text: 'hello' } });
    const ticket = await stores.tickets.create({ threadId: THREAD, customerId: null, channel: 'http' });
    await stores.locks.withThread(THREAD, 1_000, async () => {
      const [item] = await stores.inbox.take(THREAD);
      const itemIds = [item?.itemId ?? ''];
      await put();
      await takeAway();
      const event = {
        threadId: THREAD,
        ticketId: null,
        audience: 'customer',
        type: 'done',
        data: {},
      } as const;
      const writes: readonly (() => Promise<unknown>)[] = [
        () => stores.tickets.addMessage(ticket.ticketId, 'hub', 'Too late.'),
        () => stores.tickets.setStatus(ticket.ticketId, 'resolved', 'hub'),
        () => stores.inbox.answer(itemIds, { reply: 'Too late.' }, [event]),
        () => stores.inbox.putBack(itemIds),
        () => stores.inbox.drop(itemIds),
        () => stores.events.append([event]),
        put,
        () =>
          checkpoints.saver.putWrites(
            { configurable: { ...place.configurable, checkpoint_id: 'one' } },
            [['messages', 'x']],
            'task',
          ),
      ];
      for (const write of writes) expect(await write().then(() => null, isLeaseLost)).toBe(true);
      // What it only reads it may know.
      expect(await stores.inbox.get(itemIds[0] ?? '')).toMatchObject({ status: 'running', outcome: null });
    });
    expect(await stores.tickets.get(ticket.ticketId)).toMatchObject({ status: 'open' });
    expect(await stores.tickets.listThreadMessages(THREAD, 10)).toHaveLength(2);
    await giveBack();
    await stores.tickets.addMessage(ticket.ticketId, 'hub', 'By another.');
    await checkpoints.close();
  });

  it('keeps the lease from being taken until its transaction has ended', async () => {
    const ticket = await stores.tickets.create({ threadId: THREAD, customerId: null, channel: 'http' });
    const order: string[] = [];
    await stores.locks.withThread(THREAD, 1_000, async () => {
      // Both ways the message is stored before the lease is gone, or not at all.
      const written = stores.tickets.addMessage(ticket.ticketId, 'hub', 'In time?').then(
        () => order.push('written'),
        () => order.push('refused'),
      );
      const taken = takeAway().then(() => order.push('taken'));
      await Promise.all([written, taken]);
      const kept = await stores.tickets.listThreadMessages(THREAD, 100);
      expect(kept.some(({ content }) => content === 'In time?')).toBe(order.includes('written'));
    });
    await giveBack();
  });
});
