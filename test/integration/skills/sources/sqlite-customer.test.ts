import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CULTPASS_SCOPE } from '../../../../companies/cultpass/data/database.js';
import { UDAHUB_SCOPE } from '../../../../data/udahub/database.js';
import { registerSearchWords } from '../../../../data/udahub/full-text.js';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import type { SourceSpec } from '../../../../src/core/ports/data-source.js';
import { type SeededDir, seedDataDir } from '../../../support/seeded-stores.js';
import { customer, faultOf, openTestSources, type TestSources } from './support.js';

const CULTPASS: SourceSpec = { name: 'cultpass', kind: 'sqlite', database: 'cultpass' };
const UDAHUB: SourceSpec = { name: 'udahub', kind: 'sqlite', database: 'udahub' };
const ME = 'usr_001';

describe('[SKS-05] a database as one customer sees it', () => {
  let data: SeededDir;
  let sources: TestSources;
  let foreign: readonly string[];

  beforeAll(async () => {
    data = await seedDataDir();
    sources = openTestSources({}, data.path);
    withFile('udahub', (db) => {
      registerSearchWords(db);
      db.exec(TICKETS);
    });
    foreign = withFile('cultpass', (db) => [
      ...pluck(db, 'SELECT user_id FROM users WHERE user_id <> ?'),
      ...pluck(db, 'SELECT email FROM users WHERE user_id <> ?'),
      ...pluck(db, 'SELECT full_name FROM users WHERE user_id <> ?'),
      ...pluck(db, 'SELECT reservation_id FROM reservations WHERE user_id <> ?'),
      ...pluck(db, 'SELECT payment_id FROM payments WHERE user_id <> ?'),
    ]);
  });

  afterAll(async () => {
    await sources.close();
    data.remove();
  });

  const withFile = <T>(name: string, work: (db: BetterSqlite3.Database) => T): T => {
    const db = new BetterSqlite3(join(data.path, `${name}.db`));
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  const see = (spec: SourceSpec, sql: string, who = ME): Promise<readonly JsonObject[]> =>
    sources.rows(spec, sql, [], { caller: customer(who) });
  const count = (sql: string): number =>
    withFile('cultpass', (db) => Number(db.prepare(sql).pluck().get(ME)));

  it('[SKS-05] shows exactly the own rows of every table that has an owner', async () => {
    const counts: Record<string, number> = {};
    for (const table of Object.keys(CULTPASS_SCOPE)) {
      counts[table] = Number((await see(CULTPASS, `SELECT count(*) AS n FROM ${table}`))[0]?.n);
    }
    expect(counts).toEqual({
      experiences: count('SELECT count(*) FROM experiences WHERE ? IS NOT NULL'),
      users: 1,
      subscriptions: count('SELECT count(*) FROM subscriptions WHERE user_id = ?'),
      reservations: count('SELECT count(*) FROM reservations WHERE user_id = ?'),
      payments: count('SELECT count(*) FROM payments WHERE user_id = ?'),
      refunds: count(
        'SELECT count(*) FROM refunds JOIN reservations USING (reservation_id) WHERE user_id = ?',
      ),
    });
    expect(counts.reservations).toBeGreaterThan(0);
  });

  it('[SKS-05] keeps two customers apart who ask at the same time', async () => {
    const ids = ['usr_001', 'usr_002', 'usr_003', 'usr_001', 'usr_002'];
    const answers = await Promise.all(ids.map((id) => see(CULTPASS, 'SELECT user_id FROM users', id)));
    expect(answers.map((rows) => rows.map((row) => row.user_id))).toEqual(ids.map((id) => [id]));
    expect(await see(CULTPASS, 'SELECT user_id FROM users', "x' OR '1'='1")).toEqual([]);
  });

  it.each([
    'SELECT * FROM users',
    'SELECT * FROM main.users',
    'SELECT * FROM "main"."users"',
    'SELECT * FROM USERS u, Reservations r, payments p, refunds f, subscriptions s',
    'SELECT * FROM reservations WHERE 1 = 1 OR user_id <> user_id',
    'SELECT * FROM users UNION ALL SELECT * FROM users',
    'WITH users AS (SELECT * FROM main.users) SELECT * FROM users',
    "SELECT * FROM 'users'",
    'SELECT * FROM [users] LEFT JOIN `payments` ON 1',
    "SELECT json_group_array(json_object('id', user_id, 'mail', email)) FROM users",
    'SELECT * FROM sqlite_master',
    'SELECT * FROM sqlite_schema',
    'SELECT * FROM temp.sqlite_master',
    'SELECT * FROM sqlite_temp_schema',
    'SELECT * FROM pragma_database_list',
    'SELECT * FROM pragma_table_list',
    "SELECT * FROM pragma_table_info('users')",
    'SELECT * FROM dbstat',
    'SELECT hex(data) FROM sqlite_dbpage',
    'SELECT * FROM sqlite_stmt',
    'EXPLAIN SELECT * FROM users',
    'SELECT * FROM source.users',
    'SELECT * FROM cultpass.users',
    'SELECT * FROM temp.users',
    'SELECT * FROM file.users',
    "SELECT * FROM users; ATTACH 'cultpass.db' AS c; SELECT * FROM c.users",
    "ATTACH 'cultpass.db' AS c",
    "SELECT readfile('cultpass.db')",
    "SELECT * FROM fsdir('.')",
    "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('simple')",
    'SELECT * FROM users/**/,/**/main/**/./**/users',
    'VALUES ((SELECT group_concat(email) FROM users))',
  ])('[SKS-05] shows nothing of others, whatever the statement says: %s', async (sql) => {
    const answer = await see(CULTPASS, sql).catch((error: unknown) => String(error));
    const text = JSON.stringify(answer);
    expect(foreign.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toContain(data.path);
  });

  it.each(['action_ledger', 'meta', '__drizzle_migrations', 'sqlite_sequence'])(
    '[SKS-05] has no table %s for a customer',
    async (table) => {
      const fault = await faultOf(see(CULTPASS, `SELECT * FROM ${table}`));
      expect(fault).toMatchObject({ code: 'source_rejected', message: `cultpass: no such table: ${table}.` });
    },
  );

  it('[SKS-05] follows the file: a new own row is seen, a new row of somebody else is not', async () => {
    const sql = 'SELECT count(*) AS n FROM payments';
    const [before] = await see(CULTPASS, sql);
    const insert = (id: string, user: string): void =>
      withFile('cultpass', (db) => {
        db.prepare(
          "INSERT INTO payments VALUES (?, ?, NULL, 100, 'BRL', 'paid', '2026-03-11T00:00:00Z')",
        ).run(id, user);
      });
    insert('pay_mine', ME);
    insert('pay_other', 'usr_002');
    const [after] = await see(CULTPASS, sql);
    expect(Number(after?.n) - Number(before?.n)).toBe(1);
    expect(await see(CULTPASS, "SELECT 1 FROM payments WHERE payment_id = 'pay_other'")).toEqual([]);
  });

  it('[SKS-05] keeps the types of columns, so that comparisons hold', async () => {
    const sql = `SELECT typeof(amount_cents) AS cents, typeof(created_at) AS at,
      (SELECT count(*) FROM payments WHERE amount_cents >= '0') AS all_of_them, count(*) AS n FROM payments`;
    const [row] = await see(CULTPASS, sql);
    expect(row).toMatchObject({ cents: 'integer', at: 'text', all_of_them: row?.n });
  });

  it('[SKS-05] shows a customer the articles and the own tickets, and not what operators note', async () => {
    expect(await see(UDAHUB, 'SELECT ticket_id FROM tickets')).toEqual([{ ticket_id: 'tkt_mine' }]);
    expect(await see(UDAHUB, 'SELECT content FROM ticket_messages')).toEqual([{ content: 'my words' }]);
    expect((await see(UDAHUB, 'SELECT count(*) AS n FROM knowledge'))[0]?.n).toBeGreaterThan(10);
    expect(await see(UDAHUB, 'SELECT external_user_id FROM users')).toEqual([{ external_user_id: ME }]);
    for (const hidden of ['escalations', 'audit_log', 'approvals', 'ticket_turns', 'settings', 'threads']) {
      await expect(see(UDAHUB, `SELECT * FROM ${hidden}`), hidden).rejects.toMatchObject({
        code: 'source_rejected',
      });
    }
  });

  it.each([
    ['cultpass', CULTPASS_SCOPE],
    ['udahub', UDAHUB_SCOPE],
  ])('[SKS-05] describes only tables that %s has', (name, scope) => {
    const tables = withFile(name, (db) =>
      db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all(),
    );
    for (const table of Object.keys(scope)) expect(tables).toContain(table);
  });

  it('[SKS-05] shows a customer nothing of a database without a description', async () => {
    withFile('private', (db) => db.exec("CREATE TABLE notes (text); INSERT INTO notes VALUES ('secret')"));
    const spec: SourceSpec = { name: 'private', kind: 'sqlite', database: 'private' };
    const fault = await faultOf(see(spec, 'SELECT * FROM notes'));
    expect(fault).toMatchObject({
      code: 'source_rejected',
      message: expect.stringContaining("a customer's own"),
    });
    expect(await sources.rows(spec, 'SELECT * FROM notes')).toEqual([{ text: 'secret' }]);
  });

  it('[SKB-02] stops a statement without end of a customer as well', async () => {
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT 1 FROM c) SELECT count(*) FROM c';
    const spec = { ...CULTPASS, timeoutMs: 150 };
    expect(await faultOf(see(spec, endless))).toMatchObject({ code: 'source_unavailable' });
    expect(await see(CULTPASS, 'SELECT user_id FROM users')).toEqual([{ user_id: ME }]);
  });
});

const AT = "'2026-03-11T15:00:00.000Z'";
const TICKETS = `
  INSERT INTO tickets (ticket_id, customer_id, thread_id, channel, status, owner, created_at, updated_at) VALUES
    ('tkt_mine', '${ME}', 'th_1', 'chat', 'open', 'hub', ${AT}, ${AT}),
    ('tkt_other', 'usr_002', 'th_2', 'chat', 'open', 'hub', ${AT}, ${AT});
  INSERT INTO ticket_messages (message_id, ticket_id, role, content, created_at) VALUES
    ('m1', 'tkt_mine', 'customer', 'my words', ${AT}),
    ('m2', 'tkt_mine', 'system', 'a note within', ${AT}),
    ('m3', 'tkt_other', 'customer', 'their words', ${AT});
  INSERT INTO ticket_messages (message_id, ticket_id, role, audience, content, created_at) VALUES
    ('m4', 'tkt_mine', 'operator', 'desk', 'a note for colleagues', ${AT});`;

function pluck(db: BetterSqlite3.Database, sql: string): readonly string[] {
  return db.prepare(sql).pluck().all(ME).map(String);
}
