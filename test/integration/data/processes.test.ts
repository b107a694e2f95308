import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandomIds, createSystemClock } from '../../../src/adapters/system.js';
import type { Clock } from '../../../src/core/ports/system.js';
import { makeTempDir } from '../../contract/stores/world.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog, type RecordingLog } from '../../support/recording-log.js';
import { type CultpassStores, openStores } from '../../support/stores.js';
import { until } from '../../support/until.js';
import { startChild } from './run-child.js';

let dir: string;
let log: RecordingLog;
let stores: CultpassStores | null = null;
beforeEach(() => {
  dir = makeTempDir();
  log = createRecordingLog();
});
afterEach(async () => {
  await stores?.close();
  stores = null;
  rmSync(dir, { recursive: true, force: true });
});

const open = async (clock: Clock = createSystemClock()): Promise<CultpassStores> => {
  stores = await openStores({ dataDir: dir, clock, ids: createRandomIds(), log });
  return stores;
};
const expectComplete = async (): Promise<void> => {
  const { customers, knowledge } = await open();
  expect(await customers.findUserByEmail('fernanda.silveira@example.com')).not.toBeNull();
  expect(await customers.listReservations('usr_001')).toHaveLength(7);
  expect((await knowledge.list()).length).toBeGreaterThanOrEqual(30);
};

describe('several processes on one data directory', () => {
  it('[DATA-10] may start at once on an empty directory', async () => {
    const children = await Promise.all([1, 2, 3].map(() => startChild('open-stores', [dir]).done));
    const results = children.map(({ stdout, stderr }) =>
      stdout === '' ? stderr : (JSON.parse(stdout) as unknown),
    );
    expect(results).toEqual(
      Array.from({ length: 3 }, () => ({ ok: true, reservations: 7, articles: expect.any(Number) })),
    );
    await expectComplete();
  });

  it.each(['migration', 'seed'])('may be killed in the middle of the first %s', async (phase) => {
    const { signal, stderr } = await startChild('die-while-preparing', [dir, phase]).done;
    expect(signal, stderr).toBe('SIGKILL');
    await expectComplete();
  });

  it('may be killed at any moment of the first start', async () => {
    for (const written of ['cultpass.db', 'cultpass.db-wal', 'udahub.db', 'udahub.db-wal']) {
      rmSync(dir, { recursive: true });
      mkdirSync(dir);
      const child = startChild('open-stores', [dir]);
      await until(() => existsSync(join(dir, written)), written);
      child.process.kill('SIGKILL');
      await child.done;
      await expectComplete();
      await stores?.close();
    }
  });

  it('[CONF-11] may want the same thing at the same moment: it happens once', async () => {
    const { tickets, pending, customerWrites } = await open();
    const { ticketId } = await tickets.create({ customerId: 'usr_001', threadId: 't', channel: 'chat' });
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const question = {
      kind: 'approval',
      threadId: 't',
      graphThreadId: 't',
      ticketId,
      customerId: 'usr_001',
      needsOperator: false,
      expiresAt,
    } as const;
    for (let i = 0; i < 40; i += 1) {
      await pending.open({
        ...question,
        pendingId: `p${i}`,
        tool: 'x',
        args: {},
        argsHash: 'h',
        question: '?',
      });
    }
    const starter = join(dir, 'start');
    const children = ['a', 'b'].map((name) => startChild('race', [dir, name, starter]));
    await Promise.all(children.map(({ firstLine, done }) => Promise.race([firstLine, done])));
    writeFileSync(starter, '');
    const [a, b] = (await Promise.all(children.map(({ done }) => done))).map(({ stdout, stderr }) => {
      const [, outcomes = ''] = stdout.split('\n');
      if (outcomes === '') throw new Error(stderr);
      return JSON.parse(outcomes) as Record<string, string>;
    });
    const pairs = Object.keys(a ?? {}).map((what) => [a?.[what], b?.[what]].sort().join(' '));
    expect(pairs.length).toBeGreaterThan(60);
    expect(new Set(pairs)).toEqual(new Set(['already_done done', 'done pending_decided']));
    expect(await customerWrites.listEffects(new Date(0))).toHaveLength(pairs.length - 40);
  });

  it('[CONF-11] completes the audit log of one that was killed after the effect', async () => {
    const { signal, stderr } = await startChild('die-before-audit', [dir]).done;
    expect(signal, stderr).toBe('SIGKILL');
    const { audit, customers, customerWrites } = await open();
    const entries = await audit.list({ customerId: 'usr_001', limit: 10 });
    expect(entries).toMatchObject([
      {
        auditKey: 'pnd_crash',
        ticketId: expect.stringMatching(/^tkt_/),
        actor: 'customer:usr_001',
        action: 'cancel_reservation',
        outcome: 'done',
      },
    ]);
    expect(log.entries).toMatchObject([
      { level: 'warn', action: 'audit_reconciled', ticketId: expect.stringMatching(/^tkt_/) },
    ]);
    expect(await customers.getReservation('usr_001', 'res_002')).toMatchObject({
      status: 'cancelled',
      refund: { amountCents: 6000 },
    });
    expect(await customerWrites.findOutcome('pnd_crash')).not.toBeNull();
    await stores?.close();
    await open();
    expect(await stores?.audit.list({ limit: 10 })).toHaveLength(1);
    expect(log.entries).toHaveLength(1);
  });

  it('wait for each other on a thread, and take over from one that was killed at once', async () => {
    const holder = startChild('hold-thread', [dir]);
    try {
      await holder.firstLine;
      // No time passes here: the lease of the one that was killed never runs out by itself.
      const { locks } = await open(createFixedClock(new Date().toISOString()));
      await expect(locks.withThread('thr_1', 300, async () => 'too early')).rejects.toMatchObject({
        code: 'thread_busy',
      });
      const taken = locks.withThread('thr_1', 120_000, async () => 'mine');
      holder.process.kill('SIGKILL');
      expect(await taken).toBe('mine');
    } finally {
      holder.process.kill('SIGKILL');
      await holder.done;
    }
  });
});
