import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DatabaseHandle, openDatabase } from '../../../data/open-database.js';
import { HUB_DATABASE } from '../../../data/udahub/database.js';
import { createThreadLock } from '../../../data/udahub/thread-lock.js';
import { codeOf, makeTempDir } from '../../contract/stores/world.js';
import { createFixedClock, type FixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog, type RecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { until } from '../../support/until.js';

describe('the lease of a thread', () => {
  let dir: string;
  let handle: DatabaseHandle;
  let clock: FixedClock;
  let log: RecordingLog;
  beforeEach(() => {
    dir = makeTempDir();
    handle = openDatabase(HUB_DATABASE, dir);
    clock = createFixedClock();
    log = createRecordingLog();
  });
  afterEach(() => {
    vi.useRealTimers();
    handle.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const lock = (label: string) => createThreadLock(handle, clock, createSequentialIds(label), log);
  const lease = () =>
    handle.sqlite.prepare('SELECT holder, expires_at FROM thread_leases').get() as
      | { holder: string; expires_at: string }
      | undefined;
  const heldElsewhere = (): void => {
    const expires = new Date(clock.now().getTime() + 15_000).toISOString();
    handle.sqlite.prepare(`INSERT INTO thread_leases VALUES ('t', 'another-host|1|lease', ?)`).run(expires);
  };

  it('is gone after the work, whether it succeeded or not', async () => {
    await lock('a').withThread('t', 0, async () => expect(lease()?.holder).toContain(`|${process.pid}|`));
    expect(lease()).toBeUndefined();
    await codeOf(lock('a').withThread('t', 0, () => Promise.reject(new Error('x'))));
    expect(lease()).toBeUndefined();
  });

  it('of another host is respected until it runs out', async () => {
    heldElsewhere();
    expect(await codeOf(lock('a').withThread('t', 60, async () => 1))).toBe('thread_busy');
    clock.advance({ ms: 14_999 });
    const patient = lock('a');
    expect(await codeOf(patient.withThread('t', 60, async () => 1))).toBe('thread_busy');
    clock.advance({ ms: 1 });
    for (let seconds = 0; seconds < 5; seconds += 1) {
      expect(await codeOf(patient.withThread('t', 0, async () => 1))).toBe('thread_busy');
      // However long nobody could look, because another held the database: no more than a second of it counts.
      clock.advance({ ms: 60_000 });
    }
    expect(await patient.withThread('t', 60, async () => 1)).toBe(1);
  });

  it('[ATKB-04] that ran out while nobody could renew it stays with a holder that lives: there is no second turn', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [another, foreign] = [openDatabase(HUB_DATABASE, dir), openDatabase(HUB_DATABASE, dir)];
    for (const { sqlite } of [handle, another]) sqlite.pragma('busy_timeout = 0');
    const stranger = createThreadLock(another, clock, createSequentialIds('b'), log);
    const told: string[] = [];
    let waiting: Promise<unknown> = Promise.resolve();
    await lock('a').withThread('t', 0, async () => {
      // Another program holds the database for so long that the lease runs out; then it lets go.
      foreign.sqlite.exec('BEGIN IMMEDIATE');
      clock.advance({ ms: 20_000 });
      waiting = stranger.withThread('t', 10_000, async () => told.push('second'));
      foreign.sqlite.exec('COMMIT');
      expect(await codeOf(stranger.withThread('t', 60, async () => told.push('third')))).toBe('thread_busy');
      vi.advanceTimersByTime(5_000);
      await until(() => (lease()?.expires_at ?? '') > clock.now().toISOString());
      clock.advance({ ms: 5_000 });
      expect(await codeOf(stranger.withThread('t', 60, async () => told.push('third')))).toBe('thread_busy');
      told.push('first');
    });
    await waiting;
    expect(told).toEqual(['first', 'second']);
    expect(log.entries).toEqual([]);
    another.close();
    foreign.close();
  });

  it('is renewed while the work runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await lock('a').withThread('t', 0, async () => {
      const first = lease()?.expires_at ?? '';
      clock.advance({ ms: 5_000 });
      vi.advanceTimersByTime(5_000);
      expect(Date.parse(lease()?.expires_at ?? '') - Date.parse(first)).toBe(5_000);
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that was taken over is left to the new holder, and the log says so', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await lock('a').withThread('t', 0, async () => {
      handle.sqlite.exec(`UPDATE thread_leases SET holder = 'another-host|1|new'`);
      vi.advanceTimersByTime(5_000);
      await until(() => log.entries.length > 0);
    });
    expect(lease()?.holder).toBe('another-host|1|new');
    expect(log.entries).toMatchObject([{ level: 'warn', action: 'thread_lease_lost' }]);
  });

  it('that cannot be dropped does not cost the result', async () => {
    const other = openDatabase(HUB_DATABASE, dir);
    const result = await createThreadLock(other, clock, createSequentialIds('b'), log).withThread(
      't',
      0,
      async () => {
        other.close();
        return 'kept';
      },
    );
    expect(result).toBe('kept');
    expect(log.entries).toMatchObject([{ level: 'error', action: 'thread_lease_not_dropped' }]);
  });
});
