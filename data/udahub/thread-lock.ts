import { setTimeout as sleep } from 'node:timers/promises';
import { HubError } from '../../src/core/errors.js';
import { type HeldLease, underLease } from '../../src/core/held-lease.js';
import type { Clock, Ids, Log } from '../../src/core/ports/system.js';
import type { ThreadLock } from '../../src/core/ports/thread-store.js';
import { BUSY_WAIT_MS, retryWhileBusy } from '../../src/core/sqlite-files.js';
import type { Database, Work } from '../database.js';
import { holderName } from '../lease-holder.js';
import { preparedOnUse } from '../statements.js';
import { toStorageError } from '../storage-errors.js';

interface Waiter {
  readonly start: () => void;
}

/** Beyond this a timer of Node fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Lets one caller at a time hold a key, in the order they came. Within this process only. */
interface FifoQueue {
  /**
   * Waits for the turn. The returned function gives it to the next and must be called exactly once.
   * @throws HubError `thread_busy` when the wait is over
   */
  enter(key: string, waitMs: number): Promise<() => void>;
}

function createFifoQueue(): FifoQueue {
  /** A key is present while somebody holds it. */
  const waiting = new Map<string, Waiter[]>();

  const leave = (key: string): void => {
    const next = waiting.get(key)?.shift();
    if (next === undefined) waiting.delete(key);
    else next.start();
  };

  return {
    enter(key, waitMs) {
      const queue = waiting.get(key);
      if (queue === undefined) {
        waiting.set(key, []);
        return Promise.resolve(() => leave(key));
      }
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          start: () => {
            clearTimeout(timer);
            resolve(() => leave(key));
          },
        };
        const timer = setTimeout(
          () => {
            queue.splice(queue.indexOf(waiter), 1);
            reject(
              new HubError('thread_busy', 'This conversation is still busy with an earlier message.', {
                threadId: key,
                waitMs,
              }),
            );
          },
          Math.min(waitMs, LONGEST_TIMER_MS),
        );
        queue.push(waiter);
      });
    },
  };
}

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** How long a lease that has run out is left to its holder. A living one renews at least once meanwhile. */
const LEFT_MS = RENEW_MS;
const POLL_MS = 50;
const POLL_MAX_MS = 250;
/** Between two looks that are further apart the database may have been held again, so that nobody could renew. */
const LOOK_MS = 1_000;

interface Lease {
  readonly holder: string;
  readonly expiresAt: string;
}

function prepare(database: Database) {
  return {
    take: database.prepare<Lease & { threadId: string }>(
      `INSERT INTO thread_leases (thread_id, holder, expires_at) VALUES (@threadId, @holder, @expiresAt)
       ON CONFLICT (thread_id) DO NOTHING`,
    ),
    lease: database.prepare<[string], Lease>(
      'SELECT holder, expires_at AS expiresAt FROM thread_leases WHERE thread_id = ?',
    ),
    renew: database.prepare<[string, string, string]>(
      'UPDATE thread_leases SET expires_at = ? WHERE thread_id = ? AND holder = ?',
    ),
    drop: database.prepare<[string, string]>('DELETE FROM thread_leases WHERE thread_id = ? AND holder = ?'),
    // Of all who want to put an end to it one does, and not where it was renewed meanwhile.
    end: database.prepare<Lease & { threadId: string }>(
      'DELETE FROM thread_leases WHERE thread_id = @threadId AND holder = @holder AND expires_at = @expiresAt',
    ),
  };
}

/**
 * A lease row between processes, a queue in memory within this one. Not re-entrant.
 *
 * A lease may run out while its holder lives: nobody can renew while another program holds the database for longer than a
 * lease lasts. Were it taken in that moment, two turns would run on one conversation, and of its two states one would be
 * lost. So a lease that has run out is taken only from a holder that is certainly gone, or that has not renewed it for a
 * while although the database could be written. A process that was stopped for longer (a debugger, a machine put to
 * sleep) does lose it, and the log says so. Nothing is done twice even then: a question is decided, an effect is booked
 * and a message of the inbox is taken by one statement each that succeeds once. On PostgreSQL whatever `work` writes is
 * refused from the moment on in which another server has taken the lease (src/core/held-lease.ts).
 *
 * Leases are no promise: after a power cut their holders are gone, whatever the rows say.
 */
export function createThreadLock(
  database: Database,
  clock: Clock,
  ids: Ids,
  log: Log,
  busyWaitMs = BUSY_WAIT_MS,
): ThreadLock {
  const statements = preparedOnUse(() => prepare(database));
  const under: typeof underLease = database.engine === 'postgres' ? underLease : (_lease, work) => work();
  /** Each is a unit of work that may be repeated: it names the holder. */
  const patiently = <T>(threadId: string, work: () => Work<T>): Promise<T> =>
    retryWhileBusy(busyWaitMs, () =>
      // Leases themselves are written under none.
      under(null, () => database.run(() => database.unsynced(work))).catch((error: unknown) => {
        throw toStorageError(error, { threadId });
      }),
    );
  const queue = createFifoQueue();
  /** Leases of others that were seen to have run out, by conversation: when last, and for how long they could be renewed. */
  const overdue = new Map<string, Lease & { readonly at: number; readonly left: number }>();
  const expiry = (): string => new Date(clock.now().getTime() + LEASE_MS).toISOString();

  /** True where nobody else is at work on the conversation any more, as far as can be known. */
  const isOver = function* (threadId: string, lease: Lease): Work<boolean> {
    // A killed process cannot renew: there is no need to wait for its lease to run out.
    if ((yield* database.goneOf([lease.holder])).size > 0) return true;
    const now = clock.now();
    if (lease.expiresAt > now.toISOString()) return false;
    const at = now.getTime();
    const seen = overdue.get(threadId);
    const known = seen?.holder === lease.holder && seen.expiresAt === lease.expiresAt;
    const left = known ? seen.left + Math.min(LOOK_MS, at - seen.at) : 0;
    overdue.set(threadId, { ...lease, at, left });
    // The clocks of two machines are not the same: it may look as if it had run out as soon as it was renewed.
    return left >= (database.engine === 'postgres' ? 2 * LEFT_MS : LEFT_MS);
  };

  const tryTake = function* (threadId: string, holder: string): Work<boolean> {
    const wanted = { threadId, holder, expiresAt: expiry() };
    if ((yield* statements.take.run(wanted)).changes === 0) {
      const other = yield* statements.lease.get(threadId);
      if (!other || !(yield* isOver(threadId, other))) return false;
      yield* statements.end.run({ threadId, ...other });
      if ((yield* statements.take.run(wanted)).changes === 0) return false;
    }
    overdue.delete(threadId);
    return true;
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
        const { changes } = await patiently(threadId, () => statements.renew.run(expiry(), threadId, holder));
        if (changes === 1 || over) return;
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
  const dropLease = async (lease: HeldLease): Promise<void> => {
    const { threadId, holder } = lease;
    try {
      const { changes } = await patiently(threadId, () => statements.drop.run(threadId, holder));
      lease.returned = changes === 1;
    } catch (error) {
      log.error({ agent: 'data', action: 'thread_lease_not_dropped', details: { threadId } }, error);
    }
  };

  return {
    async withThread(threadId, waitMs, work) {
      const deadline = performance.now() + waitMs;
      const leave = await queue.enter(threadId, waitMs);
      try {
        const holder = holderName(ids.next('lease'));
        await takeLease(threadId, holder, deadline);
        const stopRenewing = keepRenewed(threadId, holder);
        const lease: HeldLease = { threadId, holder, returned: false };
        try {
          return await under(lease, work);
        } finally {
          stopRenewing();
          await dropLease(lease);
        }
      } finally {
        leave();
      }
    },
  };
}
