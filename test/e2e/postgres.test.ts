import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CopiedTable } from '../../data/postgres/copy-tables.js';
import { MemoryArticleIndex } from '../../src/adapters/retrieval/memory-article-index.js';
import { copyDatabase, databaseStatus, takeDatabase } from '../../src/app/database.js';
import { parseConfig } from '../../src/config/config.js';
import { makeTempDir } from '../support/hub.js';
import { rowsIn, startPostgres, type TestPostgres } from '../support/postgres.js';
import { openServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const ANA = 'ana.souza@example.com';
const OPERATOR = { operatorId: 'op_1', name: 'Olga' };

let postgres: TestPostgres;
const folders: string[] = [];
const servers: TestServer[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(async () => {
  await postgres.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const newDir = (): string => {
  const folder = makeTempDir();
  folders.push(folder);
  return folder;
};
const newDatabase = (name: string): Promise<string> => postgres.database(name);
/** The articles are the same everywhere, so they are indexed once. */
const index = new MemoryArticleIndex();
const open = async (dataDir: string, url: string): Promise<TestServer> => {
  const server = await openServer({
    dataDir,
    checkpointer: 'sqlite',
    env: { HUB_DATABASE_URL: url },
    overrides: { index },
  });
  servers.push(server);
  return server;
};
const stop = async (server: TestServer): Promise<void> => {
  servers.splice(servers.indexOf(server), 1);
  await server.close();
};

interface Reply {
  readonly reply: string;
  readonly pending: { readonly kind: string; readonly id: string } | null;
}
async function say(server: TestServer, token: string, thread: string, text: string): Promise<Reply> {
  const { status, body } = await server.post(`/api/threads/${thread}/messages`, token, { text });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Reply;
}
/** How often something was done to customers' records. */
const deeds = async (url: string): Promise<number> =>
  Number((await rowsIn(url, 'SELECT count(*) AS n FROM cultpass.action_ledger'))[0]?.n);

describe('[PGS-06] a hub whose tables are on PostgreSQL', () => {
  test('answers, confirms, has an operator approve, and goes on after a restart at the question where it was', async () => {
    const [dataDir, url] = [newDir(), await newDatabase('whole')];
    const first = await open(dataDir, url);
    const token = await first.token(ANA);
    const thread = await first.thread(token);
    expect((await say(first, token, thread, 'How do I pause my subscription?')).reply).toMatch(/paus/i);
    const asked = await say(first, token, thread, 'cancel my reservation res_001');
    expect(asked.pending).toMatchObject({ kind: 'confirmation' });
    await stop(first);

    const second = await open(dataDir, url);
    const waiting = await say(second, token, thread, 'yes');
    expect(waiting.pending).toMatchObject({ kind: 'approval' });
    expect(await deeds(url)).toBe(0);
    const listed = await second.get('/api/desk/tickets?view=approvals', await second.operator());
    expect(listed.text).toContain('res_001');
    await stop(second);

    const third = await open(dataDir, url);
    const { id } = waiting.pending ?? { id: '' };
    const decisions = await Promise.allSettled([
      third.hub.app.desk.approve(id, OPERATOR),
      third.hub.app.desk.approve(id, { operatorId: 'op_2', name: 'Otto' }),
    ]);
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await deeds(url)).toBe(1);
    await until(async () => {
      const { text } = await third.get(`/api/threads/${thread}`, token);
      return /cancelled/.test(text);
    });
    await stop(third);

    const last = await open(dataDir, url);
    expect(await deeds(url)).toBe(1);
    await expect(last.hub.app.desk.approve(id, OPERATOR)).rejects.toMatchObject({ code: 'pending_decided' });
    expect((await say(last, token, thread, 'thanks')).reply).not.toBe('');
  });

  test('[PGS-16] investigates over records there as over files, and a customer over their own only', async () => {
    const own = await openServer({ dataDir: newDir(), checkpointer: 'sqlite', overrides: { index } });
    servers.push(own);
    const server = await open(newDir(), await newDatabase('skills'));
    const found = [];
    for (const at of [own, server]) {
      const token = await at.token('gabriela.nunes@example.com');
      const asked = 'I cancelled a booking but never got my money back';
      found.push((await say(at, token, await at.thread(token), asked)).reply);
    }
    expect(found[1]).toBe(found[0]);
    expect(found[1]).toMatch(/R\$/);
  });

  test('says that it is ready, and why not while the server is gone, and is ready again with it', async () => {
    const server = await open(newDir(), await newDatabase('ready'));
    const status = async () => (await server.get('/readyz')).status;
    expect(await status()).toBe(200);
    await postgres.stop();
    server.hub.clock.advance({ minutes: 1 });
    const gone = await server.get('/readyz');
    expect(gone.status).toBe(503);
    expect(gone.text).toContain("The hub's own database cannot be read or written.");
    await postgres.restart();
    await until(async () => {
      server.hub.clock.advance({ minutes: 1 });
      return (await status()) === 200;
    });
    const token = await server.token(ANA);
    expect((await say(server, token, await server.thread(token), 'What is my plan?')).reply).not.toBe('');
  });
});

const config = (dataDir: string, url: string) =>
  parseConfig({ HUB_DATA_DIR: dataDir, HUB_DATABASE_URL: url, HUB_MODEL_PROVIDER: 'offline' });

describe('[PGS-07] what cannot be', () => {
  test('is refused in a sentence: another database, a used directory, no server, no address, no database named', async () => {
    const [own, url] = [newDir(), await newDatabase('refusing')];
    await stop(await open(own, url));
    await expect(open(own, await newDatabase('elsewhere'))).rejects.toThrow(
      /belongs to another database than that of HUB_DATABASE_URL/,
    );
    await expect(openServer({ dataDir: own, checkpointer: 'sqlite' })).rejects.toThrow(
      /are on PostgreSQL: set HUB_DATABASE_URL/,
    );
    const used = newDir();
    await (await openServer({ dataDir: used, checkpointer: 'sqlite', overrides: { index } })).close();
    await expect(open(used, url)).rejects.toThrow(
      /udahub\.db holds .* take them there by npm run db -- copy/,
    );
    rmSync(join(used, 'udahub.db'));
    await expect(open(used, url)).rejects.toThrow(
      /cultpass\.db holds .* take them there by npm run db -- copy/,
    );
    const nobody = 'postgres://hub:secret@127.0.0.1:1/hub';
    const refused: unknown = await open(newDir(), nobody).catch((error: unknown) => error);
    expect(String(refused)).toMatch(
      /PostgreSQL at 127\.0\.0\.1:1\/hub cannot be used .*: check HUB_DATABASE_URL/,
    );
    expect(String(refused)).not.toContain('secret');
    for (const wrong of ['mysql://hub:secret@db/hub', 'postgres://hub:secret@db'])
      expect(() => config(own, wrong)).toThrow(/^HUB_DATABASE_URL is \(set\); allowed: an address such as/);
  });

  test('and what is missing in a database is told without changing it', async () => {
    const [dataDir, url] = [newDir(), await newDatabase('told')];
    const before = await databaseStatus(config(dataDir, url));
    expect(before).toMatchObject({
      applied: [],
      missing: expect.arrayContaining(['0039_search', 'cultpass/0001_tables']),
    });
    expect(await databaseStatus(config(dataDir, url))).toEqual(before);
    await stop(await open(dataDir, url));
    expect(await databaseStatus(config(dataDir, url))).toEqual({
      ...{ applied: before?.missing, missing: [], unknown: [] },
    });
    expect(await databaseStatus(parseConfig({ HUB_DATA_DIR: dataDir }))).toBeNull();
  });
});

describe('[PGS-14] a hub that moves from SQLite to PostgreSQL', () => {
  const nothing = (): void => undefined;

  test('takes everything along, goes on at the question where it was, and is not used on SQLite again', async () => {
    const [dataDir, url] = [newDir(), await newDatabase('moved')];
    const before = await openServer({ dataDir, checkpointer: 'sqlite', overrides: { index } });
    const token = await before.token(ANA);
    const thread = await before.thread(token);
    await say(before, token, thread, 'How do I pause my subscription?');
    const asked = await say(before, token, thread, 'cancel my reservation res_001');
    expect(asked.pending).toMatchObject({ kind: 'confirmation' });
    const shown = (await before.get(`/api/threads/${thread}`, token)).body;
    await expect(copyDatabase(config(dataDir, url), url, nothing)).rejects.toThrow(/is in use: stop the hub/);
    await before.close();

    const first: string[] = [];
    const ended = copyDatabase(config(dataDir, url), url, ({ table }) => {
      first.push(table);
      if (first.length === 9) throw new Error('ended');
    });
    await expect(ended).rejects.toThrow('ended');
    const copied: CopiedTable[] = [];
    await copyDatabase(config(dataDir, url), url, (table) => copied.push(table));
    const again = copied.filter(({ wasThere }) => wasThere).map(({ table }) => table);
    expect(first).toEqual(expect.arrayContaining(again));
    expect(again.length).toBeGreaterThan(0);
    expect(copied.find(({ table }) => table === 'ticket_messages')?.rows).toBeGreaterThan(3);
    expect(copied.find(({ table }) => table === 'checkpoints')?.rows).toBeGreaterThan(0);
    expect(copied.find(({ table }) => table === 'cultpass.payments')?.rows).toBeGreaterThan(100);

    await expect(openServer({ dataDir, checkpointer: 'sqlite', overrides: { index } })).rejects.toThrow(
      /cultpass\.db is missing/,
    );
    const after = await open(dataDir, url);
    expect((await after.get(`/api/threads/${thread}`, token)).body).toEqual(shown);
    const waiting = await say(after, token, thread, 'yes');
    expect(waiting.pending).toMatchObject({ kind: 'approval' });
    await after.hub.app.desk.approve(waiting.pending?.id ?? '', OPERATOR);
    expect(await deeds(url)).toBe(1);
    const found = await after.get('/api/desk/tickets?view=all&q=pause', await after.operator());
    expect(found.text).toContain(thread);
  });

  test('[PERF-13] moves back whole, resumably and compared, goes on at the question where it was, and is not used on PostgreSQL again', async () => {
    const [dataDir, url] = [newDir(), await newDatabase('back')];
    const before = await open(dataDir, url);
    const token = await before.token(ANA);
    const thread = await before.thread(token);
    await say(before, token, thread, 'How do I pause my subscription?');
    const asked = await say(before, token, thread, 'cancel my reservation res_001');
    expect(asked.pending).toMatchObject({ kind: 'confirmation' });
    const shown = (await before.get(`/api/threads/${thread}`, token)).body;
    await expect(takeDatabase(config(dataDir, url), url, nothing)).rejects.toThrow(/is in use: stop/);
    await stop(before);

    const first: string[] = [];
    const ended = takeDatabase(config(dataDir, url), url, ({ table }) => {
      first.push(table);
      if (first.length === 9) throw new Error('ended');
    });
    await expect(ended).rejects.toThrow('ended');
    // Half of it is in neither place.
    await expect(openServer({ dataDir, checkpointer: 'sqlite', overrides: { index } })).rejects.toThrow(
      /are on PostgreSQL/,
    );
    await expect(open(newDir(), url)).rejects.toThrow(/copying to/);
    const copied: CopiedTable[] = [];
    await takeDatabase(config(dataDir, url), url, (table) => copied.push(table), true);
    const again = copied.filter(({ wasThere }) => wasThere).map(({ table }) => table);
    expect(again.length).toBeGreaterThan(0);
    expect(first).toEqual(expect.arrayContaining(again));
    const rows = new Map(copied.map((each) => [each.table, each.rows]));
    expect(rows.get('ticket_messages')).toBeGreaterThan(3);
    expect(rows.get('checkpoints')).toBeGreaterThan(0);
    expect(rows.get('cultpass.payments')).toBeGreaterThan(100);

    await expect(open(newDir(), url)).rejects.toThrow(/taken to/);
    const after = await openServer({ dataDir, checkpointer: 'sqlite', overrides: { index } });
    servers.push(after);
    expect((await after.get(`/api/threads/${thread}`, token)).body).toEqual(shown);
    const waiting = await say(after, token, thread, 'yes');
    expect(waiting.pending).toMatchObject({ kind: 'approval' });
    await after.hub.app.desk.approve(waiting.pending?.id ?? '', OPERATOR);
    expect(
      after.hub.query('cultpass', `SELECT 1 FROM refunds WHERE reservation_id = 'res_001'`),
    ).toHaveLength(1);
    const found = await after.get('/api/desk/tickets?view=all&q=pause', await after.operator());
    expect(found.text).toContain(thread);

    // And there again: what numbers were given is known.
    await stop(after);
    const other = await newDatabase('again');
    await copyDatabase(config(dataDir, other), other, nothing, true);
    const last = await open(dataDir, other);
    expect((await say(last, token, thread, 'What is my plan?')).reply).toMatch(/./);
  });

  test('[PERF-13] moves back into no directory that holds another', async () => {
    const [taken, url] = [newDir(), await newDatabase('kept')];
    await (await openServer({ dataDir: taken, checkpointer: 'sqlite', overrides: { index } })).close();
    await expect(takeDatabase(config(taken, url), url, nothing)).rejects.toThrow(
      /holds nothing to be copied/,
    );
    await stop(await open(newDir(), url));
    await expect(takeDatabase(config(taken, url), url, nothing)).rejects.toThrow(/holds another hub/);
  });

  test('is not copied over what another hub keeps', async () => {
    const [other, url] = [newDir(), await newDatabase('taken')];
    await stop(await open(other, url));
    const dataDir = newDir();
    await (await openServer({ dataDir, checkpointer: 'sqlite', overrides: { index } })).close();
    await expect(copyDatabase(config(dataDir, url), url, nothing)).rejects.toThrow(/tables of another hub/);
    await (await openServer({ dataDir, checkpointer: 'sqlite', overrides: { index } })).close();
  });
});
