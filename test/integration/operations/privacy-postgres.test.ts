import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchOnServer } from '../../../data/postgres/search-remains.js';
import { createQueuedWork } from '../../../src/adapters/background/queued-work.js';
import { MemoryArticleIndex } from '../../../src/adapters/retrieval/memory-article-index.js';
import { openPrivacy } from '../../../src/app/privacy.js';
import { parseConfig } from '../../../src/config/config.js';
import { makeTempDir } from '../../support/hub.js';
import { rowsIn, startPostgres, type TestPostgres } from '../../support/postgres.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { ANA, GABI, GABI_NAME, SAID } from './privacy-support.js';

let postgres: TestPostgres;
let server: TestServer;
const dataDir = makeTempDir();

beforeAll(async () => {
  postgres = await startPostgres();
  const env = { HUB_DATABASE_URL: postgres.url };
  const overrides = { index: new MemoryArticleIndex() };
  server = await openServer({ dataDir, checkpointer: 'sqlite', env, overrides });
});
afterAll(async () => {
  await server.close();
  await postgres.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const privacy = () =>
  openPrivacy(
    parseConfig({
      HUB_DATA_DIR: dataDir,
      HUB_DATABASE_URL: postgres.url,
      HUB_MODEL_PROVIDER: 'offline',
    }),
    { clock: server.hub.clock },
  );
const dump = async (): Promise<string> => {
  const tables = await rowsIn<{ name: string }>(
    postgres.url,
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const texts = [];
  for (const { name } of tables)
    for (const row of await rowsIn(postgres.url, `SELECT * FROM ${name}`))
      texts.push(
        `${name} ${JSON.stringify(row, (_key, value: unknown) =>
          typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
            ? Buffer.from((value as unknown as { data: number[] }).data).toString('utf8')
            : value,
        )}`,
      );
  return texts.join('\n');
};

/** What stands in the queue of this file, as it was given. */
const jobs = async (): Promise<string> => {
  const found = await rowsIn<{ job: string }>(
    postgres.url,
    `SELECT data->>'job' AS job FROM udahub_jobs.job WHERE name = 'privacy'
     UNION ALL SELECT data->>'job' FROM udahub_jobs.archive WHERE name = 'privacy'`,
  ).catch(() => []);
  return found.flatMap(({ job }) => JSON.parse(JSON.parse(job)) as string[]).join('\n');
};

describe('a customer whose data are on PostgreSQL', () => {
  it('[PGS-18 PRV-02 PRV-03] is handed over whole, and removed everywhere while the hub runs, and nobody else', async () => {
    const [gabi, ana] = [await server.token(GABI), await server.token(ANA)];
    const say = async (token: string, thread: string, text: string): Promise<void> =>
      void (await server.post(`/api/threads/${thread}/messages`, token, { text }));
    const thread = await server.thread(gabi);
    for (const text of [
      'I cancelled a booking but never got my money back',
      'yes',
      'Prefiro ser contatado por WhatsApp',
      `${SAID[0]}. I want to talk to a human being`,
    ])
      await say(gabi, thread, text);
    const others = await server.thread(ana);
    await say(ana, others, `How do I pause my plan? My friend ${GABI_NAME} (${GABI.toUpperCase()}) did so`);
    await say(ana, others, 'cancel my samba night booking');

    const opened = await privacy();
    try {
      const held = await opened.export(GABI.toUpperCase());
      const text = JSON.stringify(held);
      for (const said of [SAID[0], GABI, GABI_NAME, 'WhatsApp', thread]) expect(text).toContain(said);
      expect(text).not.toContain(ANA);
      for (const table of [
        'tickets',
        'threads',
        'ticket_messages',
        'thread_events',
        'audit_log',
        'skill_runs',
      ])
        expect(held.hub[table]?.length, table).toBeGreaterThan(0);
      expect(held.checkpoints.length).toBeGreaterThan(0);
      expect(held.cultpass).toMatchObject({ users: [{ email: GABI }], action_ledger: [expect.anything()] });

      const report = await opened.erase(GABI);
      expect(report.proof.leftovers).toEqual([]);
      expect(report.proof.files).toBeGreaterThan(50);
      const removed = report.removals.filter(({ count }) => count > 0).map(({ place }) => place);
      expect(removed).toEqual(
        expect.arrayContaining(['udahub.tickets', 'cultpass.users', 'cultpass.action_ledger', 'checkpoints']),
      );
      const left = (await dump()).toLowerCase();
      for (const gone of [GABI, GABI_NAME, String(SAID[0])])
        expect(left.includes(gone.toLowerCase()), gone).toBe(false);
      // Only the refusal of what would be stored late knows the conversation.
      const naming = left.split('\n').filter((line) => line.includes(thread));
      expect(naming.map((line) => line.split(' ')[0])).toEqual([
        ...['checkpoints.erased_refs', 'udahub.erased_refs'],
      ]);
      expect(left).toContain('my friend [erased]');
      await expect(opened.export(GABI)).rejects.toMatchObject({ code: 'customer_unknown' });
      expect(await opened.erase(GABI)).toMatchObject({ status: 'already' });
    } finally {
      await opened.close();
    }
    // The other one's question is still open, and the guard of the audit log is back.
    await say(ana, others, 'yes');
    expect(
      await rowsIn(postgres.url, "SELECT 1 FROM cultpass.action_ledger WHERE customer_id = 'usr_001'"),
    ).toHaveLength(1);
    await expect(rowsIn(postgres.url, `UPDATE udahub.audit_log SET actor = 'x'`)).rejects.toThrow(
      /append-only/,
    );
    const late = `INSERT INTO checkpoints.checkpoint_writes VALUES ('${thread}', '', '', '', 0, '', '', '')`;
    await expect(rowsIn(postgres.url, late)).rejects.toThrow();
  });
  it('[PERF-14] is removed from what waits in the queue, in whatever state, and no other job', async () => {
    const [bruno, name] = ['bruno.lima@example.com', 'Bruno Lima'];
    const work = createQueuedWork({ url: postgres.url, works: false, log: createRecordingLog() });
    try {
      const thread = await server.thread(await server.token(bruno));
      const said = 'The concert of\tSaturday "was" far too loud for us';
      await server.post(`/api/threads/${thread}/messages`, await server.token(bruno), { text: said });
      const texts = [`${said}, as I said`, `Write to ${bruno.toUpperCase()} please`, `${name} asks`];
      for (const text of [...texts, 'Nothing of anybody']) {
        void work.jobs?.give('privacy', JSON.stringify(['before', text])).catch(() => undefined);
        await until(async () => (await jobs()).length > 0 && (await jobs()).includes(text));
      }
      await rowsIn(
        postgres.url,
        `UPDATE udahub_jobs.job SET state = 'failed' WHERE data::text LIKE '%asks%'`,
      );
      // Nobody waits for the answers any more, so that none is given again.
      await work.close();
      const columns = `name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, start_after,
        expire_in, created_on, keep_until`;
      const archived = `INSERT INTO udahub_jobs.archive (id, ${columns})
        SELECT gen_random_uuid(), ${columns} FROM udahub_jobs.job WHERE name = 'privacy'`;
      await rowsIn(postgres.url, archived);
      const opened = await privacy();
      try {
        const report = await opened.erase(bruno);
        expect(report.proof.leftovers).toEqual([]);
        expect(report.removals).toContainEqual({ place: 'queue', what: 'removed', count: 6 });
      } finally {
        await opened.close();
      }
      expect((await jobs()).match(/Nothing of anybody/g)).toHaveLength(2);
    } finally {
      await work.close();
    }
  });
  it('[PGS-18] is found in whatever table and however it is written, where it was left', async () => {
    const said = 'A ação "da Zuleica" \\ of 100%_';
    await rowsIn(postgres.url, 'CREATE SCHEMA elsewhere');
    await rowsIn(postgres.url, 'CREATE TABLE elsewhere.left_over (words text, state jsonb, bytes bytea)');
    const values = [said.toUpperCase().replace('AÇÃO', 'ação'), JSON.stringify({ said }), Buffer.from(said)];
    await rowsIn(postgres.url, 'INSERT INTO elsewhere.left_over VALUES ($1, $2, $3)', values);
    const search = searchOnServer(postgres.url);
    try {
      const { leftovers } = await search.search([{ what: 'text', text: said }]);
      expect(leftovers).toEqual(
        ['bytes', 'state', 'words'].map((name) => ({
          file: `elsewhere.left_over.${name}`,
          what: 'text',
          count: 1,
        })),
      );
      const other = { what: 'text', text: said.replace('100', '200') } as const;
      expect((await search.search([other])).leftovers).toEqual([]);
    } finally {
      await search.close();
    }
  });
});
