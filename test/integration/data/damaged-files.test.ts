import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckpointer } from '../../../src/adapters/checkpoints/checkpointers.js';
import { commandLine } from '../../e2e/cli-process.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog, type RecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { openStores } from '../../support/stores.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const THREAD = { configurable: { thread_id: 'thr_1' } };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hub-damaged-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Everything the hub stores: both databases, and the conversations. */
async function open(log: RecordingLog = createRecordingLog()) {
  const clock = createFixedClock('2026-03-11T15:00:00.000Z');
  const stores = await openStores({ dataDir: dir, clock, ids: createSequentialIds('i'), log });
  try {
    const { saver, close } = openCheckpointer('sqlite', dir);
    await saver.getTuple(THREAD);
    return {
      use: async () => {
        await stores.customers.getUser('usr_001');
        await stores.tickets.get('tkt_1');
        await stores.knowledge.list();
        await saver.getTuple(THREAD);
      },
      close: async () => {
        close();
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

function garble(name: string, from: number): void {
  const path = join(dir, name);
  const descriptor = openSync(path, 'r+');
  const length = statSync(path).size - from;
  expect(length).toBeGreaterThan(0);
  writeSync(descriptor, Buffer.alloc(length, 0x5a), 0, length, from);
  closeSync(descriptor);
}

const told = (name: string) => ({
  code: 'database_failed',
  message: expect.stringMatching(
    new RegExp(`^${join(dir, name)} is damaged .*docs/operating.md, "Backup and restore"`),
  ),
  fields: { path: join(dir, name) },
});

describe('[ATKB-19] a damaged database', () => {
  const NAMES = ['cultpass.db', 'udahub.db', 'checkpoints.db'];
  const PLACES = { 'in its head': 0, 'behind its first page': 4_096 } as const;
  const cases = NAMES.flatMap((name) =>
    Object.entries(PLACES).map(([place, from]) => ({ name, place, from })),
  );

  it.each(cases)('is named at the start: $name $place', async ({ name, from }) => {
    await (await open()).close();
    garble(name, from);
    const log = createRecordingLog();
    const failure = await open(log)
      .then(
        async (opened) => opened.use().finally(() => opened.close()),
        (error: unknown) => error,
      )
      .catch((error: unknown) => error);
    expect(failure).toMatchObject(told(name));
  });

  // The page that conversations are read from stays in the memory of their only connection: found at the next start.
  it.each(['cultpass.db', 'udahub.db'])('is named while the hub runs: %s', async (name) => {
    await (await open()).close();
    const opened = await open();
    try {
      garble(name, 0);
      // What is in memory may still be read; another process has written, so the file is looked at again.
      rmSync(join(dir, `${name}-shm`), { force: true });
      writeFileSync(join(dir, `${name}-wal`), '');
      await expect(opened.use()).rejects.toMatchObject(told(name));
    } finally {
      await opened.close().catch(() => undefined);
    }
  });

  it('is one line to the person at the terminal, and the same in the log', async () => {
    await (await open()).close();
    garble('udahub.db', 0);
    const { status, stdout, stderr } = spawnSync(process.execPath, [...commandLine('desk'), 'queue'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, HUB_DATA_DIR: dir },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining(`error: ${join(dir, 'udahub.db')} is damaged`),
    ]);
    const log = createRecordingLog();
    await expect(open(log)).rejects.toMatchObject(told('udahub.db'));
    expect(log.entries.map(({ action }) => action)).toEqual(['databases_not_opened']);
  });
});
