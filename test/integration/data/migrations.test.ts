import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CULTPASS_DATABASE } from '../../../companies/cultpass/data/database.js';
import * as cultpassSchema from '../../../companies/cultpass/data/schema.js';
import { declaredTriggers, openDatabase } from '../../../data/open-database.js';
import { createA2aTasks } from '../../../data/udahub/a2a-tasks.js';
import { HUB_DATABASE } from '../../../data/udahub/database.js';
import { registerSearchWords } from '../../../data/udahub/full-text.js';
import * as udahubSchema from '../../../data/udahub/schema.js';
import { clientMessageIdOf } from '../../../src/core/ports/a2a-tasks.js';
import { ROOT } from '../../architecture/cruise.js';
import { makeTempDir } from '../../contract/stores/world.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { openStores } from '../../support/stores.js';

// The library puts a method onto every array when it is loaded; other code of this process walks arrays with `for in`.
Reflect.deleteProperty(Array.prototype, 'random');

const run = promisify(execFile);
const DATABASES = { cultpass: CULTPASS_DATABASE, udahub: HUB_DATABASE };
const DATABASE_NAMES = ['cultpass', 'udahub'] as const;
const SCHEMAS = { cultpass: cultpassSchema, udahub: udahubSchema };

let dir: string;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

type Sqlite = BetterSqlite3.Database;
const rows = (sqlite: Sqlite, sql: string, ...parameters: unknown[]): readonly Record<string, unknown>[] =>
  sqlite.prepare(sql).all(...parameters) as readonly Record<string, unknown>[];
const withFile = <T>(path: string, work: (sqlite: Sqlite) => T): T => {
  const sqlite = new BetterSqlite3(path);
  registerSearchWords(sqlite);
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
};

/** Tables without row ids, which drizzle cannot declare. */
const BY_HAND = {
  cultpass: [],
  udahub: [
    'CREATE TABLE erased_refs (ref text PRIMARY KEY NOT NULL) WITHOUT ROWID',
    'CREATE TABLE erased_addresses (address_hash text PRIMARY KEY NOT NULL, erased_at text NOT NULL) WITHOUT ROWID',
    'CREATE TABLE model_spend (scope text NOT NULL, name text NOT NULL, cost_usd real NOT NULL, PRIMARY KEY (scope, name)) WITHOUT ROWID',
  ],
} as const;

/** Tables of drizzle, of SQLite and of full-text indexes are nobody's declaration. */
const OWN = `type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\' AND name NOT LIKE '%\\_fts%' ESCAPE '\\'`;

/** What a schema promises, in a form that does not depend on the order of declarations or on how SQL is written. */
function shapeOf(sqlite: Sqlite): Readonly<Record<string, unknown>> {
  const shape: Record<string, unknown> = {};
  for (const { name, sql } of rows(
    sqlite,
    `SELECT name, sql FROM sqlite_master WHERE ${OWN} ORDER BY name`,
  )) {
    const columns = rows(
      sqlite,
      'SELECT name, type, "notnull", dflt_value, pk > 0 AS pk FROM pragma_table_info(?) ORDER BY name',
      name,
    );
    const references = rows(
      sqlite,
      'SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY "from"',
      name,
    );
    shape[String(name)] = { columns, references, checks: checksOf(String(sql)) };
  }
  const indexes = rows(
    sqlite,
    `SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`,
  );
  return {
    ...shape,
    indexes: indexes.map(({ name, tbl_name, sql }) => [name, tbl_name, plain(String(sql))]),
  };
}

function plain(sql: string): string {
  return sql
    .replace(/[`"]|\b[a-z_0-9]+[`"]?\.(?=[`"]?[a-z_]+)/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

function checksOf(sql: string): readonly string[] {
  return (sql.match(/CHECK\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/gi) ?? []).map(plain).sort();
}

const triggersOf = (sqlite: Sqlite): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    rows(sqlite, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`).map(({ name, sql }) => [
      name,
      sql,
    ]),
  );

describe('the schema that the migrations make', () => {
  it.each(DATABASE_NAMES)(
    '[ATK-21] of %s has the declared tables, columns, checks and indexes',
    async (name) => {
      const migrated = openDatabase(DATABASES[name], dir);
      const empty = await generateSQLiteDrizzleJson({});
      const statements = await generateSQLiteMigration(empty, await generateSQLiteDrizzleJson(SCHEMAS[name]));
      const declared = new BetterSqlite3(':memory:');
      for (const statement of [...statements, ...BY_HAND[name]]) declared.exec(statement);
      const shape = shapeOf(migrated.sqlite);
      expect(Object.keys(shape).length).toBeGreaterThan(5);
      expect(shape).toEqual(shapeOf(declared));
      declared.close();
      migrated.close();
    },
  );

  it.each(DATABASE_NAMES)('[ATK-21] of %s has the declared triggers, each as it is declared', (name) => {
    const { sqlite, close } = openDatabase(DATABASES[name], dir);
    expect(triggersOf(sqlite)).toEqual(Object.fromEntries(declaredTriggers(DATABASES[name])));
    close();
    if (name === 'udahub') expect(declaredTriggers(DATABASES[name]).size).toBeGreaterThan(48);
  });

  it.each(DATABASE_NAMES)(
    '[ATK-21] no migration of %s makes a trigger that the one file does not declare',
    (name) => {
      const folder = fileURLToPath(DATABASES[name].migrations);
      const made = readdirSync(folder)
        .filter((file) => file.endsWith('.sql'))
        .flatMap((file) => [
          ...readFileSync(join(folder, file), 'utf8').matchAll(
            /CREATE TRIGGER\W+(?:IF NOT EXISTS\W+)?(\w+)/gi,
          ),
        ])
        .map(([, trigger]) => trigger);
      expect(made.filter((trigger) => !declaredTriggers(DATABASES[name]).has(String(trigger)))).toEqual([]);
    },
  );

  it('[ATK-21] gets back a trigger that was lost or changed, with the search it feeds', () => {
    const first = openDatabase(HUB_DATABASE, dir);
    first.sqlite.exec('DROP TRIGGER ticket_messages_fts_insert; DROP TRIGGER tickets_erased_insert');
    first.sqlite.exec('DROP TRIGGER audit_log_no_delete');
    first.sqlite.exec('CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT 1; END');
    addTicket(first.sqlite, 'tkt_1', 'usr_001', 'while nobody looked: clarinete');
    first.close();
    const { sqlite, close } = openDatabase(HUB_DATABASE, dir);
    expect(triggersOf(sqlite)).toEqual(Object.fromEntries(declaredTriggers(HUB_DATABASE)));
    expect(find(sqlite, 'ticket_messages_fts', 'clarinete')).toHaveLength(1);
    close();
  });

  it('[A2T-31 ATK-21] keeps what running tasks of other software need where their messages move to the inbox', async () => {
    const asText = (text: string) => JSON.stringify({ kind: 'text', text });
    withFile(join(dir, 'udahub.db'), (sqlite) => {
      migrateUpTo(sqlite, 20);
      sqlite.exec(`INSERT INTO a2a_tasks
          (task_id, owner, customer_id, agent, context_id, thread_id, scopes, state, told, document, version, changed_at, created_at)
        VALUES ('tsk_1', 'customer:usr_001', 'usr_001', 'hub', 'c', 'thr_1', '[]', 'working', '[]', '{"history":[]}', 3, 't', 't'),
          ('tsk_2', 'anonymous:x', NULL, 'triage', 'c', NULL, '[]', 'working', '[]', '{"history":[]}', 1, 't', 't')`);
      const keep = sqlite.prepare(
        `INSERT INTO a2a_messages (task_id, owner, agent, message_id, content, status, created_at) VALUES (?, ?, ?, ?, ?, ?, 't')`,
      );
      keep.run('tsk_1', 'customer:usr_001', 'hub', 'old', asText('told'), 'answered');
      keep.run('tsk_1', 'customer:usr_001', 'hub', 'é "now"', asText('asked'), 'sent');
      keep.run('tsk_1', 'customer:usr_001', 'hub', 'more', asText('held'), 'held');
      keep.run('tsk_2', 'anonymous:x', 'triage', 'alone', asText('alone'), 'held');
      sqlite.exec(`INSERT INTO thread_inbox (item_id, thread_id, customer_id, client_message_id, kind, content, channel, status, received_at)
        VALUES ('inb_1', 'thr_1', 'usr_001', '${clientMessageIdOf(ANA_AT_HUB, 'é "now"')}', 'text', '{"text":"asked"}', 'a2a', 'running', 't')`);
    });
    const handle = openDatabase(HUB_DATABASE, dir);
    const inbox = rows(
      handle.sqlite,
      'SELECT client_message_id AS id, content, status FROM thread_inbox ORDER BY seq',
    );
    expect(inbox).toEqual([
      { id: clientMessageIdOf(ANA_AT_HUB, 'é "now"'), content: '{"text":"asked"}', status: 'running' },
      { id: clientMessageIdOf(ANA_AT_HUB, 'more'), content: '{"text":"held"}', status: 'queued' },
    ]);
    const open = rows(
      handle.sqlite,
      'SELECT message_id AS id FROM a2a_messages WHERE settled = 0 ORDER BY seq',
    );
    expect(open.map(({ id }) => id)).toEqual(['é "now"', 'more', 'alone']);
    const tasks = createA2aTasks(handle, createFixedClock(), createSequentialIds());
    const said = { messageId: 'old', content: { kind: 'text', text: 'told' } } as const;
    expect((await tasks.find(ANA_AT_HUB.owner, 'hub', said))?.open).toEqual([
      { messageId: 'é "now"', begun: true },
      { messageId: 'more', begun: false },
    ]);
    handle.close();
  });

  it('[COMP-01 ATK-21] keeps its rows and triggers where a table is made again without a roster in its checks', () => {
    const values = `'general', 'low', 'neutral', 0, 'About points', 'en', 0.9, 'knowledge', NULL, '[]', '2026-01-01'`;
    withFile(join(dir, 'udahub.db'), (sqlite) => {
      migrateUpTo(sqlite, 19);
      addTicket(sqlite, 'tkt_old', 'usr_001', 'an old one');
      sqlite.exec(`INSERT INTO ticket_metadata VALUES ('tkt_old', ${values})`);
    });
    const { sqlite, close } = openDatabase(HUB_DATABASE, dir);
    expect(rows(sqlite, 'SELECT ticket_id, route FROM ticket_metadata')).toEqual([
      { ticket_id: 'tkt_old', route: 'knowledge' },
    ]);
    expect(triggersOf(sqlite)).toEqual(Object.fromEntries(declaredTriggers(HUB_DATABASE)));
    expect(find(sqlite, 'ticket_summaries_fts', 'points')).toHaveLength(1);
    sqlite.exec(`UPDATE ticket_metadata SET route = 'points', issue_type = 'warranty'`);
    close();
  });

  it("[SHF-15] mends the messages of a demo's past that an earlier version left without a list of files", () => {
    withFile(join(dir, 'udahub.db'), (sqlite) => {
      // An earlier migration calls it for rows that are not there.
      sqlite.function('sha256', (text) => String(text));
      migrateUpTo(sqlite, 37);
      addTicket(sqlite, 'tkt_past', 'usr_001', 'of the past');
      addTicket(sqlite, 'tkt_new', 'usr_001', 'with a file');
      sqlite.exec(
        `UPDATE ticket_messages SET files = iif(ticket_id = 'tkt_past', 'null', '[{"fileId":"fil_1"}]')`,
      );
    });
    const { sqlite, close } = openDatabase(HUB_DATABASE, dir);
    expect(rows(sqlite, 'SELECT files FROM ticket_messages ORDER BY seq')).toEqual([
      { files: '[]' },
      { files: '[{"fileId":"fil_1"}]' },
    ]);
    close();
  });

  it('[ATK-21] is the old one, whole, where a migration fails', () => {
    openDatabase(HUB_DATABASE, dir).close();
    withFile(join(dir, 'udahub.db'), (sqlite) => {
      // The first migration finds its work done and is refused.
      sqlite.exec(
        'DELETE FROM __drizzle_migrations WHERE created_at = (SELECT min(created_at) FROM __drizzle_migrations)',
      );
      const before = rows(sqlite, 'SELECT type, name, sql FROM sqlite_master ORDER BY type, name');
      expect(() => openDatabase(HUB_DATABASE, dir)).toThrow();
      expect(rows(sqlite, 'SELECT type, name, sql FROM sqlite_master ORDER BY type, name')).toEqual(before);
    });
  });
});

const ANA_AT_HUB = { owner: 'customer:usr_001', agent: 'hub' };

/** A database as it was before a migration. */
function migrateUpTo(sqlite: Sqlite, index: number): void {
  const folder = join(ROOT, 'data', 'udahub', 'migrations');
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly idx: number; readonly when: number; readonly tag: string }[];
  };
  sqlite.exec(
    'CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  );
  for (const { tag, when } of entries.filter(({ idx }) => idx < index)) {
    sqlite.exec(readFileSync(join(folder, `${tag}.sql`), 'utf8'));
    sqlite.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run(tag, when);
  }
}

function addTicket(sqlite: Sqlite, ticketId: string, customerId: string, content: string): void {
  sqlite
    .prepare(
      `INSERT INTO tickets (ticket_id, customer_id, thread_id, channel, status, owner, created_at, updated_at)
       VALUES (?, ?, 'thr_1', 'chat', 'open', 'hub', '2026-01-01', '2026-01-01')`,
    )
    .run(ticketId, customerId);
  sqlite
    .prepare(
      `INSERT INTO ticket_messages (message_id, ticket_id, role, content, created_at) VALUES (?, ?, 'customer', ?, '2026-01-01')`,
    )
    .run(`msg_${ticketId}`, ticketId, content);
}

const find = (sqlite: Sqlite, index: string, word: string): readonly unknown[] =>
  rows(sqlite, `SELECT rowid FROM ${index} WHERE ${index} MATCH ?`, word);

/** What a developer does to a CHECK of a table that has triggers, or that triggers of others read. */
const EDITS: readonly (readonly [file: string, from: string, to: string])[] = [
  ['schema-tickets.ts', `'refused', 'failed'] as const`, `'refused', 'failed', 'reversed'] as const`],
  [
    'schema-tickets.ts',
    `'waiting_operator', 'resolved'] as const`,
    `'waiting_operator', 'resolved', 'archived'] as const`,
  ],
  ['schema-tickets.ts', `'operator', 'system'] as const`, `'operator', 'system', 'robot'] as const`],
  ['schema-tickets.ts', 'requires_human in (0, 1)', 'requires_human in (0, 1, 2)'],
];

/** A copy of what a migration is made from and run with. */
function scratchCopy(): string {
  const scratch = join(dir, 'scratch');
  mkdirSync(scratch);
  for (const part of ['data', 'companies', 'src', 'test/support/stores.ts'])
    cpSync(join(ROOT, part), join(scratch, part), { recursive: true });
  for (const file of [
    'package.json',
    'tsconfig.json',
    ...DATABASE_NAMES.map((name) => `drizzle.${name}.config.ts`),
  ])
    cpSync(join(ROOT, file), join(scratch, file));
  cpSync(join(ROOT, 'test/integration/data/children'), join(scratch, 'test/integration/data/children'), {
    recursive: true,
  });
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
  for (const [file, from, to] of EDITS) {
    const path = join(scratch, 'data/udahub', file);
    const text = readFileSync(path, 'utf8');
    expect(text, file).toContain(from);
    writeFileSync(path, text.replace(from, to));
  }
  return scratch;
}

async function opened(scratch: string, dataDir: string): Promise<unknown> {
  const program = join(scratch, 'test/integration/data/children/open-stores.ts');
  const { stdout } = await run(process.execPath, ['--import', 'tsx', program, dataDir], { cwd: scratch });
  return JSON.parse(stdout);
}

function expectGuarded(sqlite: Sqlite): void {
  expect(triggersOf(sqlite)).toEqual(Object.fromEntries(declaredTriggers(HUB_DATABASE)));
  expect(() => addTicket(sqlite, 'tkt_erased', 'usr_gone', 'x')).toThrow(/customer_erased/);
  expect(() => sqlite.exec(`UPDATE audit_log SET actor = 'x'`)).toThrow(/append-only/);
  expect(() => sqlite.exec('DELETE FROM audit_log')).toThrow(/append-only/);
}

describe('a CHECK that is changed as docs/extending.md says', () => {
  it('[ATK-21] leaves an existing database with its rows, its guards and its search', async () => {
    const dataDir = join(dir, 'var');
    const options = {
      dataDir,
      clock: createFixedClock(),
      ids: createSequentialIds(),
      log: createRecordingLog(),
    };
    await (await openStores(options)).close();
    const path = join(dataDir, 'udahub.db');
    withFile(path, (sqlite) => {
      addTicket(sqlite, 'tkt_1', 'usr_001', 'the blue saxofone');
      sqlite.exec(`INSERT INTO ticket_metadata (ticket_id, issue_type, priority, sentiment, requires_human, summary, language, confidence, route, requests, updated_at)
        VALUES ('tkt_1', 'general', 'low', 'neutral', 0, 'a green trompete', 'en', 1, 'knowledge', '[]', '2026-01-01')`);
      sqlite.exec(
        `INSERT INTO audit_log (audit_key, actor, action, outcome, details, created_at) VALUES ('k', 'hub', 'a', 'done', '{}', 't')`,
      );
      sqlite.exec(`INSERT INTO erased_customers (customer_id, erased_at) VALUES ('usr_gone', '2026-01-01')`);
      expectGuarded(sqlite);
    });
    const scratch = scratchCopy();
    await run('npm', ['run', '-s', 'db:generate'], { cwd: scratch });
    const migrations = join(scratch, 'data/udahub/migrations');
    const fresh =
      readdirSync(migrations)
        .filter((file) => file.endsWith('.sql'))
        .sort()
        .at(-1) ?? '';
    const written = readFileSync(join(migrations, fresh), 'utf8');
    for (const table of ['audit_log', 'tickets', 'ticket_messages', 'ticket_metadata'])
      expect(written).toContain(`__new_${table}`);

    expect(await opened(scratch, dataDir)).toMatchObject({ ok: true, reservations: 7 });
    withFile(path, (sqlite) => {
      expectGuarded(sqlite);
      sqlite.exec(
        `INSERT INTO audit_log (audit_key, actor, action, outcome, details, created_at) VALUES ('k2', 'hub', 'a', 'reversed', '{}', 't')`,
      );
      expect(rows(sqlite, 'SELECT audit_key FROM audit_log')).toEqual([
        { audit_key: 'k' },
        { audit_key: 'k2' },
      ]);
      addTicket(sqlite, 'tkt_2', 'usr_001', 'the red saxofone');
      expect(find(sqlite, 'ticket_messages_fts', 'saxofone')).toHaveLength(2);
      expect(find(sqlite, 'ticket_summaries_fts', 'trompete')).toHaveLength(1);
      expect(find(sqlite, 'knowledge_fts', 'pause').length).toBeGreaterThan(0);
    });
    expect(await opened(scratch, join(dir, 'new'))).toMatchObject({ ok: true, reservations: 7 });
    withFile(join(dir, 'new', 'udahub.db'), (sqlite) => {
      sqlite.exec(
        `INSERT INTO audit_log (audit_key, actor, action, outcome, details, created_at) VALUES ('k', 'hub', 'a', 'reversed', '{}', 't')`,
      );
      sqlite.exec(`INSERT INTO erased_customers (customer_id, erased_at) VALUES ('usr_gone', '2026-01-01')`);
      expectGuarded(sqlite);
    });
  });
});
