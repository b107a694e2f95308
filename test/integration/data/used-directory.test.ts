import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examineDirectory } from '../../../data/directory-state.js';
import { makeTempDir } from '../../contract/stores/world.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { type CultpassStores, openStores } from '../../support/stores.js';
import { startChild } from './run-child.js';

const DATABASES = ['cultpass.db', 'udahub.db'] as const;
const MARKER = 'data-directory.json';

let dir: string;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (demo?: boolean): Promise<CultpassStores> =>
  openStores({
    dataDir: dir,
    clock: createFixedClock(),
    ids: createSequentialIds(),
    log: createRecordingLog(),
    ...(demo === undefined ? {} : { demo }),
  });
const used = async (demo?: boolean): Promise<void> => (await open(demo)).close();
const count = (database: (typeof DATABASES)[number], table: string): number => {
  const sqlite = new BetterSqlite3(join(dir, database), { readonly: true });
  const rows = sqlite.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
  sqlite.close();
  return rows ?? 0;
};

/** What an accident leaves in the place of a database. */
const LOSSES: readonly (readonly [what: string, lose: (path: string) => void, said: RegExp])[] = [
  ['deleted', (path) => rmSync(path), /is missing/],
  ['emptied', (path) => truncateSync(path, 0), /is empty/],
  [
    'header-damaged',
    (path) => {
      const bytes = readFileSync(path);
      bytes.fill(0, 0, 16);
      writeFileSync(path, bytes);
    },
    /is damaged/,
  ],
  [
    'replaced by an empty database',
    (path) => {
      rmSync(path);
      const sqlite = new BetterSqlite3(path);
      sqlite.pragma('journal_mode = WAL');
      sqlite.exec('CREATE TABLE other (a)');
      sqlite.close();
    },
    /has none of the tables/,
  ],
];
const CASES = DATABASES.flatMap((name) => LOSSES.map(([what, ...rest]) => [name, what, ...rest] as const));

describe('a data directory that was used before', () => {
  it.each(CASES)('[ATK-03] refuses a %s that was %s, and makes nothing', async (name, _what, lose, said) => {
    await used();
    const path = join(dir, name);
    lose(path);
    const before = existsSync(path) ? readFileSync(path) : null;
    for (const demo of [true, false]) {
      const refusal = await open(demo).then(
        () => null,
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({
        code: 'database_failed',
        message: expect.stringMatching(said),
        fields: { path },
      });
      const message = (refusal as Error).message;
      expect(message).toContain(path);
      expect(message).toMatch(/restore the file from a backup, or remove the whole directory/);
      expect(message).toContain('Backup and restore');
    }
    expect(existsSync(path) ? readFileSync(path) : null).toEqual(before);
    if (before === null) expect(readdirSync(dir).filter((file) => file.startsWith(name))).toEqual([]);
  });

  it.each(CASES)(
    '[ATK-03] does so for a %s that was %s where an older version left no marker',
    async (name, _what, lose, said) => {
      await used();
      rmSync(join(dir, MARKER));
      lose(join(dir, name));
      await expect(open()).rejects.toMatchObject({
        code: 'database_failed',
        message: expect.stringMatching(said),
      });
    },
  );

  it('[ATK-03] refuses to begin where only what is beside the databases is left', async () => {
    writeFileSync(join(dir, 'checkpoints.db'), 'x');
    await expect(open()).rejects.toMatchObject({ code: 'database_failed' });
    expect(existsSync(join(dir, 'cultpass.db'))).toBe(false);
  });

  it('[ATK-03] is opened with what an older version or a backup put there', async () => {
    await used();
    rmSync(join(dir, MARKER));
    const stores = await open();
    expect(await stores.customers.findUserByEmail('ana.souza@example.com')).not.toBeNull();
    await stores.close();
    rmSync(join(dir, 'cultpass.db'));
    await expect(open()).rejects.toMatchObject({ code: 'database_failed' });
  });

  it('[ATK-03] is opened where a power cut left half a marker, and never seeded again', async () => {
    await used();
    truncateSync(join(dir, MARKER), 5);
    const sqlite = new BetterSqlite3(join(dir, 'cultpass.db'));
    sqlite.exec(`DELETE FROM meta`);
    sqlite.close();
    const users = count('cultpass.db', 'users');
    await used();
    expect(count('cultpass.db', 'users')).toBe(users);
    expect(JSON.parse(readFileSync(join(dir, MARKER), 'utf8'))).toEqual({
      state: 'ready',
      databases: [...DATABASES],
    });
    expect(statSync(join(dir, MARKER)).mode & 0o077).toBe(0);
  });

  it('[BYO-100] names the company that it belongs to, and a directory for another', async () => {
    await used();
    expect(() => examineDirectory(dir, ['mine', 'udahub'])).toThrow(
      expect.objectContaining({
        code: 'data_dir_unusable',
        message: expect.stringMatching(/of the company "cultpass"\. .*HUB_DATA_DIR=\.\/var-mine$/),
      }),
    );
    expect(examineDirectory(dir, ['cultpass', 'udahub'])).toBe('used');
  });

  it('[ATK-03] gets no demo data where HUB_DEMO=0, neither new nor later', async () => {
    await used(false);
    for (const table of ['users', 'subscriptions', 'experiences', 'reservations', 'payments', 'refunds'])
      expect(count('cultpass.db', table), table).toBe(0);
    expect(count('udahub.db', 'users')).toBe(0);
    expect(count('udahub.db', 'knowledge')).toBeGreaterThan(30);
    await used(true);
    expect(count('cultpass.db', 'users')).toBe(0);
  });

  it('[ATK-03] is filled after all where the first start was killed half-way', async () => {
    const { signal, stderr } = await startChild('die-while-preparing', [dir, 'seed']).done;
    expect(signal, stderr).toBe('SIGKILL');
    await used();
    expect(count('cultpass.db', 'users')).toBeGreaterThan(20);
  });
});
