import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CULTPASS_DATABASE } from '../../../companies/cultpass/data/database.js';
import { companySchema } from '../../../data/company-on-postgres.js';
import type { Database } from '../../../data/database.js';
import { holderName } from '../../../data/lease-holder.js';
import { type DatabaseSpec, declaredTriggers, openDatabase } from '../../../data/open-database.js';
import { read, stored, translate } from '../../../data/postgres/dialect.js';
import { migratePostgres, migrationStatus } from '../../../data/postgres/migrate.js';
import { openPostgres, type PostgresDatabase } from '../../../data/postgres/postgres-database.js';
import { openPresence } from '../../../data/postgres/presence.js';
import { HUB_DATABASE, HUB_SCHEMA } from '../../../data/udahub/database.js';
import { createRateCounters } from '../../../data/udahub/hub-on-postgres.js';
import { createEventLog } from '../../../data/udahub/inbox.js';
import { createSystemClock } from '../../../src/adapters/system.js';
import { rowsIn, startPostgres, type TestPostgres } from '../../support/postgres.js';

let server: TestPostgres;
let database: PostgresDatabase;

beforeAll(async () => {
  server = await startPostgres();
  database = openPostgres(server.url, { schema: HUB_SCHEMA.name });
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const rowsOf = <Row>(sql: string): Promise<readonly Row[]> =>
  database.run(() => database.prepare<[], Row>(sql).all());

/** Compares a file with the schema of its name. @param left what only the server needs */
async function sameTables(spec: DatabaseSpec, { left }: { readonly left: readonly string[] }): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-schema-'));
  const { sqlite, close } = openDatabase(spec, dataDir);
  const ofTables = `m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND m.name NOT LIKE '%\\_fts%' ESCAPE '\\'`;
  const types = { TEXT: 'text', INTEGER: 'bigint', REAL: 'double precision', BLOB: 'bytea' } as const;
  const columns = sqlite
    .prepare<[], { name: string; type: keyof typeof types }>(
      `SELECT m.name || '.' || c.name AS name, upper(c.type) AS type
       FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE ${ofTables}`,
    )
    .all()
    .map(({ name, type }) => `${name} ${types[type]}`);
  const indexes = sqlite
    .prepare<[], string>(`SELECT name FROM sqlite_master m WHERE type = 'index' AND sql IS NOT NULL`)
    .pluck()
    .all();
  close();
  rmSync(dataDir, { recursive: true, force: true });

  const there = await rowsOf<{ name: string; type: string }>(
    `SELECT table_name || '.' || column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = '${spec.name}' AND table_name NOT IN (${left.map((name) => `'${name}'`)})
       AND column_name <> 'rowid' AND table_name NOT LIKE '%\\_fts'`,
  );
  expect(there.map(({ name, type }) => `${name} ${type}`).toSorted()).toEqual(columns.toSorted());
  const indexed = await rowsOf<{ name: string }>(
    `SELECT indexname AS name FROM pg_indexes WHERE schemaname = '${spec.name}' AND indexname NOT LIKE '%_pkey'
       AND tablename NOT LIKE '%\\_fts'`,
  );
  expect(indexed.map(({ name }) => name).toSorted()).toEqual(indexes.toSorted());
}

describe('the schema of the hub on PostgreSQL', () => {
  it('[PGS-02] is made once by several at the same moment, and says what it has seen', async () => {
    const before = await database.withClient((client) => migrationStatus(client, HUB_SCHEMA));
    expect(before).toMatchObject({
      applied: [],
      missing: expect.arrayContaining(['0036_tables']),
      unknown: [],
    });
    const made = await Promise.all(
      [1, 2, 3].map(() => database.withClient((client) => migratePostgres(client, HUB_SCHEMA))),
    );
    expect(made.flat()).toEqual(before.missing);
    const after = await database.withClient((client) => migrationStatus(client, HUB_SCHEMA));
    expect(after).toEqual({ applied: before.missing, missing: [], unknown: [] });
  });

  it('[PGS-02] is refused in a sentence where a newer hub wrote it, and left as it is', async () => {
    await server.exec(`INSERT INTO udahub.hub_migrations (name) VALUES ('9999_later')`);
    const refused = database.withClient((client) => migratePostgres(client, HUB_SCHEMA));
    await expect(refused).rejects.toMatchObject({
      code: 'database_newer',
      message: expect.stringMatching(
        /written by a newer version of the hub \(schema \d+, this version knows \d+\)/,
      ),
    });
    await server.exec(`DELETE FROM udahub.hub_migrations WHERE name = '9999_later'`);
  });

  it('[PGS-03] has the tables, columns, indexes and guards that SQLite has', async () => {
    await sameTables(HUB_DATABASE, {
      left: ['hub_migrations', 'thread_followers', 'rate_limits'],
    });
    const guards = await rowsOf<{ name: string }>(
      `SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal 
         AND tgname NOT IN ('announce_events', 'events_one_at_a_time')`,
    );
    const declared = [...declaredTriggers(HUB_DATABASE).keys()].filter((name) => !name.includes('_fts_'));
    expect(guards.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
  });

  it('[PGS-15] of a company has its own tables beside those of the hub, as SQLite has them', async () => {
    const schema = companySchema(CULTPASS_DATABASE);
    if (schema === null) throw new Error('no schema');
    await database.withClient((client) => migratePostgres(client, schema));
    await sameTables(CULTPASS_DATABASE, { left: ['hub_migrations'] });
    for (const name of ['udahub', 'checkpoints', 'Shop', 'a; drop', 'pg_mine'])
      expect(() => companySchema({ ...CULTPASS_DATABASE, name })).toThrow(/cannot have a schema/);
  });

  it('[PGS-03 PRV-05] refuses what is written late about an erased customer, and any change of the audit log', async () => {
    await server.exec(`INSERT INTO udahub.erased_customers VALUES ('usr_gone', '')`);
    const thread = database.prepare<[string]>(
      `INSERT INTO threads (thread_id, customer_id, graph_thread_id) VALUES ('t', ?, 't')`,
    );
    await expect(database.run(() => thread.run('usr_gone'))).rejects.toThrow('customer_erased');
    await server.exec(
      `INSERT INTO udahub.audit_log (audit_key, actor, action, outcome, details, created_at) VALUES ('k', 'hub', 'a', 'done', '{}', '')`,
    );
    for (const change of [`UPDATE audit_log SET actor = 'x'`, 'DELETE FROM audit_log'])
      await expect(rowsOf(change)).rejects.toThrow('audit_log is append-only');
  });
});

describe('a unit of work on PostgreSQL', () => {
  const counted = async (work: (database: Database) => Promise<unknown>): Promise<unknown> => {
    await server.exec('CREATE TABLE udahub.tally (n bigint NOT NULL); INSERT INTO udahub.tally VALUES (0)');
    try {
      await work(database);
      return (await rowsOf<{ n: number }>('SELECT n FROM tally'))[0]?.n;
    } finally {
      await server.exec('DROP TABLE udahub.tally');
    }
  };
  const add = (of: Database) =>
    of.transaction(function* () {
      const n = (yield* of.prepare<[], number>('SELECT n FROM tally').pluck().get()) ?? 0;
      yield* of.prepare<[number]>('UPDATE tally SET n = ?').run(n + 1);
    });

  it('[PGS-04] that collides with others begins anew and is done once', async () => {
    const all = (of: Database) => Promise.all(Array.from({ length: 6 }, () => of.run(() => add(of))));
    expect(await counted(all)).toBe(6);
  });

  it('[PGS-04] that fails leaves nothing, and a part of another is a part of that', async () => {
    const fail = (of: Database) =>
      of.run(() =>
        of.transaction(function* () {
          yield* add(of);
          throw new Error('no more');
        }),
      );
    expect(await counted((of) => expect(fail(of)).rejects.toThrow('no more'))).toBe(0);
  });

  it('[PGS-04] fails where its connection is lost, and the next one gets another', async () => {
    const cut = database.run(() =>
      database.transaction(function* () {
        yield* database.prepare('SELECT 1').get();
        yield () =>
          server.exec('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
        yield* database.prepare('SELECT 2').get();
      }),
    );
    await expect(cut).rejects.toThrow();
    // Those that lay idle are gone as well, and one of them may be tried first.
    await expect.poll(() => rowsOf('SELECT 3 AS n').catch(() => [])).toEqual([{ n: 3 }]);
  });
});

describe('what servers on PostgreSQL know of each other', () => {
  it('[PGS-09] is that there are new events, also that some may have been missed while a connection was lost', async () => {
    const presence = await openPresence(server.url);
    const heard: (number | null)[] = [];
    presence.onEvent((seq) => heard.push(seq));
    const store = (thread: string): Promise<void> =>
      server.exec(
        `INSERT INTO udahub.thread_events (thread_id, audience, type, data, created_at)
         VALUES ('${thread}', 'customer', 'done', '{}', ''), ('${thread}', 'customer', 'done', '{}', '')`,
      );
    await store('t1');
    await expect.poll(() => heard).toEqual([2]);
    const there = `application_name = 'uda-hub presence'`;
    const pid = `(SELECT min(pid) FROM pg_stat_activity WHERE ${there})`;
    await server.exec(`SELECT pg_terminate_backend(${pid})`);
    await expect.poll(() => heard).toEqual([2, null]);
    await store('t2');
    await expect.poll(() => heard).toEqual([2, null, 4]);
    await presence.close();
  });

  it('[PERF-16] are events that are stored in one statement, with the lock that keeps their order', async () => {
    let statements = 0;
    const counting: Database = {
      ...database,
      run: (work) =>
        database.run(function* () {
          const asking = work();
          let step = asking.next();
          while (!step.done) {
            statements += 1;
            step = asking.next(yield step.value);
          }
          return step.value;
        }),
    };
    const log = createEventLog(counting, createSystemClock());
    const event = { ticketId: null, audience: 'customer', type: 'done', data: {} } as const;
    const stored = await log.append(['t3', 't4', 't5'].map((threadId) => ({ ...event, threadId })));
    expect(statements).toBe(1);
    expect(await log.after((stored[0]?.seq ?? 0) - 1, 10)).toEqual(stored);
    // Another transaction has stored one and not ended yet.
    const other = new pg.Client({ connectionString: server.url });
    await other.connect();
    await other.query(`BEGIN; INSERT INTO udahub.thread_events (thread_id, audience, type, data, created_at)
      VALUES ('t6', 'customer', 'done', '{}', '')`);
    const waiting = log.append([{ ...event, threadId: 't7' }]);
    const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await expect.poll(() => rowsIn(server.url, waits)).toHaveLength(1);
    await other.query('COMMIT');
    const [last] = await waiting;
    expect((await log.after((last?.seq ?? 0) - 2, 10)).map(({ threadId }) => threadId)).toEqual(['t6', 't7']);
    await other.end();
  });

  it('[PGS-10] is who is gone: whose connection is', async () => {
    const isGone = async (holder: string) =>
      (await database.run(() => database.goneOf([holder]))).has(holder);
    const presence = await openPresence(server.url);
    expect(await isGone(holderName('own'))).toBe(false);
    const elsewhere = new pg.Client({ connectionString: server.url });
    await elsewhere.connect();
    await elsewhere.query('SELECT pg_advisory_lock_shared(hashtextextended($1, 3))', ['host|1|5']);
    expect(await isGone('host|1|5|lease')).toBe(false);
    await elsewhere.end();
    await expect.poll(() => isGone('host|1|5|lease')).toBe(true);
    await presence.close();
  });

  it('[PERF-11] costs one statement to find out, however many turns run on however many servers', async () => {
    const holders = Array.from({ length: 60 }, (_, at) => `host|${at % 3}|5|lease${at}`);
    const alive = new pg.Client({ connectionString: server.url });
    await alive.connect();
    await alive.query('SELECT pg_advisory_lock_shared(hashtextextended($1, 3))', ['host|1|5']);
    let statements = 0;
    const gone = await database.run(function* () {
      const asking = database.goneOf(holders);
      let step = asking.next();
      while (!step.done) {
        statements += 1;
        step = asking.next(yield step.value);
      }
      return step.value;
    });
    await alive.end();
    expect([...gone]).toEqual(holders.filter((holder) => !holder.startsWith('host|1|')));
    expect(statements).toBe(1);
  });

  it('[PGS-13] is how often something was done in a minute, at all of them together', async () => {
    const counters = [database, database].map((of) => createRateCounters(of, HUB_SCHEMA.name)('turn', 3, 60));
    const consumed: unknown[] = [];
    for (const at of [0, 1, 0, 1, 0])
      consumed.push(
        await counters[at]?.consume('customer:u').then(
          () => 'done',
          (refusal: unknown) => refusal instanceof RateLimiterRes,
        ),
      );
    expect(consumed).toEqual(['done', 'done', 'done', true, true]);
    expect(await counters[1]?.consume('customer:v').then(() => 'done')).toBe('done');
  });
});

describe('statements that both engines read', () => {
  it('[PGS-04] get their values by place or by name', () => {
    expect(translate('SELECT a FROM b WHERE c = ? AND d = ?').text).toBe(
      'SELECT a FROM b WHERE c = $1 AND d = $2',
    );
    const { text, valuesOf } = translate(
      `SELECT '@no ?' AS theWord, "@no" FROM b WHERE c = @one AND d = @two OR e = @one`,
    );
    expect(text).toBe(`SELECT '@no ?' AS "theWord", "@no" FROM b WHERE c = $1 AND d = $2 OR e = $1`);
    expect(valuesOf([{ two: 2, one: 1, more: 0 }])).toEqual([1, 2]);
    expect(() => valuesOf([{ one: 1 }])).toThrow('@two');
  });

  it('[PGS-04] find a text as it was given, with any sign', () => {
    for (const text of ['', 'a\0b', '\u{f0000}', '\0\u{f0000}0\u{f0000}', 'plain'])
      expect(read(String(stored(text)))).toBe(text);
    expect(stored('plain')).toBe('plain');
    expect(stored(null)).toBeNull();
  });
});
