import { setTimeout as sleep } from 'node:timers/promises';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { Ids } from '../../src/core/ports/ids.js';
import type { Log } from '../../src/core/ports/log.js';
import type { ThreadLock } from '../../src/core/ports/thread-lock.js';
import { BUSY_WAIT_MS, retryWhileBusy } from '../../src/core/retry-while-busy.js';
import type { DatabaseHandle } from '../open-database.js';
import { translated } from '../storage-errors.js';
import { createFifoQueue } from './fifo-queue.js';
import { holderName, isHolderDead } from './lease-holder.js';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const POLL_MS = 50;
const POLL_MAX_MS = 250;

function prepare({ sqlite }: DatabaseHandle) {
  return {
    // One statement takes a free lease or one whose time is over; nobody can come between.
    take: sqlite.prepare<{ threadId: string; holder: string; now: string; expiresAt: string }>(
      `INSERT INTO thread_leases (thread_id, holder, expires_at) VALUES (@threadId, @holder, @expiresAt)
       ON CONFLICT (thread_id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
       WHERE thread_leases.expires_at <= @now`,
    ),
    holder: sqlite.prepare<[string], string>('SELECT holder FROM thread_leases WHERE thread_id = ?').pluck(),
    renew: sqlite.prepare<[string, string, string]>(
      'UPDATE thread_leases SET expires_at = ? WHERE thread_id = ? AND holder = ?',
    ),
    drop: sqlite.prepare<[string, string]>('DELETE FROM thread_leases WHERE thread_id = ? AND holder = ?'),
  };
}

/** A lease row in udahub.db between processes, a queue in memory within this one. Not re-entrant. */
export function createThreadLock(
  handle: DatabaseHandle,
  clock: Clock,
  ids: Ids,
  log: Log,
  busyWaitMs = BUSY_WAIT_MS,
): ThreadLock {
  const statements = prepare(handle);
  /** Each is a unit of work that may be repeated: it names the holder. */
  const patiently = <T>(threadId: string, work: () => T): Promise<T> =>
    retryWhileBusy(busyWaitMs, () => translated(work, { threadId }));
  const queue = createFifoQueue();
  const expiry = (): string => new Date(clock.now().getTime() + LEASE_MS).toISOString();

  const tryTake = (threadId: string, holder: string): boolean => {
    const lease = { threadId, holder, now: clock.now().toISOString(), expiresAt: expiry() };
    if (statements.take.run(lease).changes === 1) return true;
    const other = statements.holder.get(threadId);
    if (other === undefined || !isHolderDead(other)) return false;
    // A killed process cannot renew: there is no need to wait for its lease to run out.
    statements.drop.run(threadId, other);
    return statements.take.run(lease).changes === 1;
  };

  const takeLease = async (threadId: string, holder: string, deadline: number): Promise<void> => {
    for (let pause = POLL_MS; ; pause = Math.min(POLL_MAX_MS, pause * 1.5)) {
      if (await patiently(threadId, () => tryTake(threadId, holder))) return;
      const left = deadline - performance.now();
      if (left <= 0)
        throw new HubError('thread_busy', 'This conversation is still busy with an earlier message.', {
          threadId,
        });
      await sleep(Math.min(pause, left));
    }
  };

  /** The function ends it. */
  const keepRenewed = (threadId: string, holder: string): (() => void) => {
    let over = false;
    const renew = async (): Promise<void> => {
      try {
        const renewOnce = () => statements.renew.run(expiry(), threadId, holder).changes;
        if ((await patiently(threadId, renewOnce)) === 1 || over) return;
        log.warn({ agent: 'data', action: 'thread_lease_lost', details: { threadId } });
      } catch (error) {
        log.error({ agent: 'data', action: 'thread_lease_not_renewed', details: { threadId } }, error);
      }
    };
    const timer = setInterval(() => void renew(), RENEW_MS).unref();
    return () => {
      over = true;
      clearInterval(timer);
    };
  };

  /** The work is done by now: its result must not be lost to a lease that would run out by itself. */
  const dropLease = async (threadId: string, holder: string): Promise<void> => {
    try {
      await patiently(threadId, () => statements.drop.run(threadId, holder));
    } catch (error) {
      log.error({ agent: 'data', action: 'thread_lease_not_dropped', details: { threadId } }, error);
    }
  };

  const withLease = async <T>(threadId: string, deadline: number, work: () => Promise<T>): Promise<T> => {
    const holder = holderName(ids.next('lease'));
    await takeLease(threadId, holder, deadline);
    const stopRenewing = keepRenewed(threadId, holder);
    try {
      return await work();
    } finally {
      stopRenewing();
      await dropLease(threadId, holder);
    }
  };

  return {
    async withThread(threadId, waitMs, work) {
      const deadline = performance.now() + waitMs;
      const leave = await queue.enter(threadId, waitMs);
      try {
        return await withLease(threadId, deadline, work);
      } finally {
        leave();
      }
    },
  };
}
