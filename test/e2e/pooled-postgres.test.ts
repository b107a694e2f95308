import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryArticleIndex } from '../../src/adapters/retrieval/memory-article-index.js';
import { makeTempDir } from '../support/hub.js';
import { startPgbouncer } from '../support/pgbouncer.js';
import { rowsIn, startPostgres, type TestPostgres } from '../support/postgres.js';
import { openServer, type TestServer } from '../support/server.js';

let postgres: TestPostgres;
let pool: Awaited<ReturnType<typeof startPgbouncer>>;
const folders: string[] = [];
const servers: TestServer[] = [];
const index = new MemoryArticleIndex();

async function open(): Promise<TestServer> {
  const dataDir = makeTempDir();
  folders.push(dataDir);
  const env = {
    HUB_DATABASE_URL: pool.url,
    HUB_DATABASE_DIRECT_URL: postgres.url,
    HUB_AUTH_SECRET: 'the same secret for all servers of one hub',
  };
  const server = await openServer({ dataDir, checkpointer: 'sqlite', env, overrides: { index } });
  servers.push(server);
  return server;
}

describe('a hub behind a pool in transaction mode', () => {
  beforeAll(async () => {
    postgres = await startPostgres();
    pool = await startPgbouncer(postgres.url);
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await pool.close();
    await postgres.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  test('[PGS-19] answers, investigates, confirms and approves on two servers, and leaves no lock or setting behind', async () => {
    const [one, other] = [await open(), await open()];
    const token = await one.token('ana.souza@example.com');
    const thread = await one.thread(token);
    const say = async ({ post }: TestServer, text: string, as = token, to = thread) => {
      const { status, body } = await post(`/api/threads/${to}/messages`, as, { text });
      expect(status, JSON.stringify(body)).toBe(200);
      return body as unknown as { readonly reply: string; readonly pending: { readonly id: string } | null };
    };
    expect((await say(other, 'How do I pause my subscription?')).reply).toMatch(/paus/i);
    await say(one, 'cancel my reservation res_001');
    const waiting = await say(other, 'yes');
    const operator = { operatorId: 'op_1', name: 'Olga' };
    await one.hub.app.desk.approve(waiting.pending?.id ?? '', operator);
    const gabi = await other.token('gabriela.nunes@example.com');
    const asked = 'I cancelled a booking but never got my money back';
    expect((await say(other, asked, gabi, await other.thread(gabi))).reply).toMatch(/R\$/);
    expect(await rowsIn(postgres.url, 'SELECT tool FROM cultpass.action_ledger')).toHaveLength(1);
    expect((await one.get('/readyz')).status).toBe(200);
    // What is open there is what each server holds as long as it lives, past the pool.
    const locks = `SELECT DISTINCT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND a.application_name = 'uda-hub'`;
    expect(await rowsIn(postgres.url, locks)).toEqual([]);
    expect(await rowsIn(pool.url, 'SHOW search_path')).toEqual([{ search_path: '"$user", public' }]);
  });
});
