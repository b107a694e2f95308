import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { namedSecrets } from '../../../src/adapters/tokens/auth-secret.js';
import { openServer, type TestServer } from '../../support/server.js';

let server: TestServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

interface Part {
  readonly name: string;
  readonly status: string;
  readonly detail: string | null;
}

/** Asks anew: an answer is kept for a moment. */
async function readiness({ hub, get }: TestServer) {
  hub.clock.advance({ minutes: 1 });
  const { status, body, text } = await get('/readyz');
  const parts = body.parts as readonly Part[];
  return { status, text, failed: parts.filter((part) => part.status === 'failed') };
}

/** A server whose databases can be filled to the last page, as a full disk leaves them. */
async function fillable() {
  const handles = new Map<string, DatabaseHandle>();
  server = await openServer({
    checkpointer: 'sqlite',
    overrides: { onOpened: (name, handle) => void handles.set(name, handle) },
  });
  const of = (name: string): DatabaseHandle => {
    const handle = handles.get(name);
    if (!handle) throw new Error(`${name} is not open`);
    return handle;
  };
  return {
    at: server,
    fill(name: string): void {
      const { sqlite } = of(name);
      sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true })}`);
      const add = sqlite.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('filler', zeroblob(3000))");
      expect(() => {
        for (;;) add.run();
      }).toThrow(/full/);
    },
    free: (name: string): void => void of(name).sqlite.pragma('max_page_count = 1000000'),
  };
}

describe('readiness', () => {
  it.each([
    ['udahub', 'udahub_db'],
    ['cultpass', 'cultpass_db'],
  ] as const)(
    '[ATK-05] a full disk under %s: not ready, the part and the reason named',
    async (name, part) => {
      const { at, fill, free } = await fillable();
      expect(await readiness(at)).toMatchObject({ status: 200, failed: [] });
      fill(name);
      const full = await readiness(at);
      expect(full).toMatchObject({ status: 503, failed: [{ name: part, status: 'failed' }] });
      expect(full.failed[0]?.detail).toContain('The disk is full');
      expect((await at.get('/healthz')).status).toBe(200);
      free(name);
      expect(await readiness(at)).toMatchObject({ status: 200, failed: [] });
    },
  );

  it('[ATK-05] checkpoints that cannot be written: not ready, the part named', async () => {
    const { at } = await fillable();
    const db = new BetterSqlite3(join(at.hub.dataDir, 'checkpoints.db'), { timeout: 5_000 });
    db.exec(`CREATE TRIGGER gone BEFORE INSERT ON writes BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END`);
    expect(await readiness(at)).toMatchObject({ status: 503, failed: [{ name: 'checkpoints' }] });
    db.exec('DROP TRIGGER gone');
    db.close();
    expect(await readiness(at)).toMatchObject({ status: 200, failed: [] });
  });

  it('[ATK-05] leaves nothing behind, and is not asked for more often than it costs nothing', async () => {
    const { at } = await fillable();
    await readiness(at);
    const before = { cultpass: at.hub.dump('cultpass'), udahub: at.hub.dump('udahub') };
    await readiness(at);
    expect({ cultpass: at.hub.dump('cultpass'), udahub: at.hub.dump('udahub') }).toEqual(before);
    const log = join(at.hub.dataDir, 'udahub.db-wal');
    const size = statSync(log).size;
    for (let asked = 0; asked < 20; asked += 1) expect((await at.get('/readyz')).status).toBe(200);
    expect(statSync(log).size).toBe(size);
  });

  it.each([
    ['emptied', (path: string) => truncateSync(path)],
    ['shortened', (path: string) => truncateSync(path, 12)],
    ['blank', (path: string) => writeFileSync(path, `${' '.repeat(64)}\n`)],
    ['removed', (path: string) => rmSync(path)],
  ] as const)(
    '[ATK-05] a secret file that was %s: not ready, and named as the reason',
    async (_what, spoil) => {
      // Empty: the environment names no secret, so that the one of the data directory signs.
      server = await openServer({ env: { HUB_AUTH_SECRET: '' } });
      expect(await readiness(server)).toMatchObject({ status: 200, failed: [] });
      spoil(join(server.hub.dataDir, 'auth-secret'));
      const spoilt = await readiness(server);
      expect(spoilt).toMatchObject({ status: 503, failed: [{ name: 'signing' }] });
      expect(spoilt.failed[0]?.detail).toContain('auth-secret');
      expect(spoilt.text).not.toContain(server.hub.dataDir);
    },
  );

  it('[ATK-05] nothing is signed with an empty secret', () => {
    expect(() => namedSecrets('')).toThrow('An empty secret signs nothing.');
    expect(() => namedSecrets('   ')).toThrow('An empty secret signs nothing.');
  });
});
