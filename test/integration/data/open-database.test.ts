import {
  chmodSync,
  mkdirSync,
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
import { CULTPASS_DATABASE } from '../../../companies/cultpass/data/database.js';
import { createCustomerReader } from '../../../companies/cultpass/data/reader.js';
import { seedCultpass } from '../../../companies/cultpass/data/seed.js';
import { createCustomerWriter } from '../../../companies/cultpass/data/writer.js';
import { atOnce } from '../../../data/database.js';
import { prepareLedger } from '../../../data/ledger.js';
import { openDatabase } from '../../../data/open-database.js';
import { HUB_DATABASE } from '../../../data/udahub/database.js';
import { createKnowledgeStore } from '../../../data/udahub/knowledge-store.js';
import { createTicketStore } from '../../../data/udahub/ticket-store.js';
import { codeOf, makeTempDir } from '../../contract/stores/world.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { type CultpassStores, openStores } from '../../support/stores.js';
import { startChild } from './run-child.js';

const clock = createFixedClock();
const ids = createSequentialIds();
let dir: string;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (dataDir = dir): Promise<CultpassStores> =>
  openStores({ dataDir, clock, ids, log: createRecordingLog() });
const prepared = async (): Promise<void> => (await open()).close();
const raw = (name: string, work: (sqlite: BetterSqlite3.Database) => void): void => {
  const sqlite = new BetterSqlite3(join(dir, name));
  work(sqlite);
  sqlite.close();
};

describe('opening a database', () => {
  it('[DATA-04] sets what the hub relies on, whatever the working directory', () => {
    const { sqlite, close } = openDatabase(CULTPASS_DATABASE, dir);
    expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(sqlite.pragma('busy_timeout', { simple: true })).toBe(5000);
    expect(sqlite.pragma('synchronous', { simple: true })).toBe(2);
    expect(sqlite.pragma('foreign_keys', { simple: true })).toBe(1);
    close();
  });

  it('cannot write through a read-only handle, and the reader takes no other', () => {
    const writable = openDatabase(CULTPASS_DATABASE, dir);
    const readonly = openDatabase(CULTPASS_DATABASE, dir, { readonly: true });
    expect(() => readonly.sqlite.exec(`INSERT INTO meta VALUES ('a', 'b')`)).toThrow(/readonly/);
    expect(() => createCustomerReader(writable, clock)).toThrow(/read-only/);
    readonly.close();
    writable.close();
  });

  it('[DATA-01 DATA-02 DATA-03] has every table of the contract with its columns', async () => {
    await prepared();
    const tables: Record<string, Record<string, string>> = {
      'cultpass.db': {
        users: 'user_id full_name email is_blocked created_at',
        subscriptions: 'subscription_id user_id status tier monthly_quota started_at ended_at',
        experiences:
          'experience_id title description location starts_at slots_available is_premium price_cents',
        reservations: 'reservation_id user_id experience_id status created_at updated_at',
        payments: 'payment_id user_id reservation_id amount_cents currency status created_at',
        refunds: 'refund_id reservation_id payment_id amount_cents status idempotency_key created_at',
      },
      'udahub.db': {
        accounts: 'account_id name',
        users: 'user_id account_id external_user_id name',
        tickets: 'ticket_id customer_id thread_id channel status owner created_at updated_at',
        ticket_metadata: 'ticket_id issue_type priority sentiment requires_human summary language',
        ticket_messages: 'message_id ticket_id role content created_at',
        knowledge: 'article_id title content tags language updated_at',
        ticket_resolutions: 'resolution_id ticket_id customer_id resolution_type summary agent created_at',
        customer_preferences: 'customer_id key value updated_at',
        escalations: 'escalation_id ticket_id',
        approvals: 'pending_id ticket_id',
        audit_log: 'audit_key ticket_id',
      },
    };
    for (const [file, wanted] of Object.entries(tables)) {
      raw(file, (sqlite) => {
        for (const [table, columns] of Object.entries(wanted)) {
          const has = sqlite.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
          expect(has, table).toEqual(expect.arrayContaining(columns.split(' ')));
        }
      });
    }
  });

  it('[DATA-09] keeps what the constraints promise, whoever writes', async () => {
    await prepared();
    raw('cultpass.db', (sqlite) => {
      sqlite.pragma('foreign_keys = ON');
      const refused = (sql: string): void => expect(() => sqlite.exec(sql), sql).toThrow(/constraint/i);
      refused(`UPDATE reservations SET status = 'gone' WHERE reservation_id = 'res_001'`);
      refused(`UPDATE experiences SET slots_available = -1`);
      refused(`UPDATE users SET email = 'ANA.SOUZA@example.com' WHERE user_id = 'usr_002'`);
      refused(
        `INSERT INTO refunds SELECT 'x', reservation_id, NULL, 1, 'completed', 'k', 't' FROM refunds LIMIT 1`,
      );
      refused(`INSERT INTO reservations VALUES ('x', 'nobody', 'exp_001', 'reserved', 't', 't')`);
      refused(`DELETE FROM users WHERE user_id = 'usr_001'`);
    });
    raw('udahub.db', (sqlite) => {
      sqlite.exec(
        `INSERT INTO audit_log (audit_key, actor, action, outcome, details, created_at) VALUES ('k', 'hub', 'a', 'done', '{}', 't')`,
      );
      expect(() => sqlite.exec(`UPDATE audit_log SET actor = 'x'`)).toThrow(/append-only/);
      expect(() => sqlite.exec('DELETE FROM audit_log')).toThrow(/append-only/);
    });
  });

  it('opens again without doing anything twice, and closes twice without complaint', async () => {
    await prepared();
    const log = createRecordingLog();
    const stores = await openStores({ dataDir: dir, clock, ids, log });
    expect(log.entries).toEqual([]);
    await stores.close();
    await stores.close();
    expect(readdirSync(dir).filter((file) => file.endsWith('-wal'))).toEqual([]);
    expect(await codeOf(stores.tickets.get('x'))).toBe('database_failed');
  });
});

describe('databases that cannot be used', () => {
  it('[BAD-05] refuses one from a newer schema with a clear sentence, and leaves it alone', async () => {
    await prepared();
    raw('udahub.db', (sqlite) =>
      sqlite.exec(`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('future', 9999999999999)`),
    );
    await expect(open()).rejects.toMatchObject({
      code: 'database_newer',
      message: expect.stringMatching(/newer version of the hub/),
    });
    raw('udahub.db', (sqlite) => sqlite.exec(`DELETE FROM __drizzle_migrations WHERE hash = 'future'`));
    await prepared();
    raw('cultpass.db', (sqlite) => void sqlite.pragma('user_version = 99'));
    const before = readFileSync(join(dir, 'cultpass.db'));
    expect(await codeOf(open())).toBe('database_newer');
    expect(readFileSync(join(dir, 'cultpass.db')).equals(before)).toBe(true);
  });

  it('says that a file is no database, or a damaged one', async () => {
    writeFileSync(
      join(dir, 'cultpass.db'),
      'this is a text file, long enough to be looked at as a header '.repeat(20),
    );
    expect(await codeOf(open())).toBe('database_failed');
    rmSync(join(dir, 'cultpass.db'));
    await prepared();
    truncateSync(join(dir, 'cultpass.db'), 8192);
    expect(await codeOf(open())).toBe('database_failed');
    rmSync(join(dir, 'cultpass.db'));
    raw('cultpass.db', (sqlite) => sqlite.exec('CREATE TABLE users (something_else)'));
    expect(await codeOf(open())).toBe('database_failed');
  });

  it('makes a directory that is missing, for this user only', async () => {
    const below = join(dir, 'a', 'b');
    await (await open(below)).close();
    expect(statSync(below).mode & 0o077).toBe(0);
  });

  it('[BAD-06] says that a directory cannot be used', async () => {
    writeFileSync(join(dir, 'file'), '');
    expect(await codeOf(open(join(dir, 'file')))).toBe('data_dir_unusable');
    expect(await codeOf(open(join(dir, 'file', 'below')))).toBe('data_dir_unusable');
    mkdirSync(join(dir, 'udahub.db'));
    expect(await codeOf(open())).toBe('data_dir_unusable');
    await expect(open('/proc/nowhere')).rejects.toMatchObject({
      code: 'data_dir_unusable',
      message: expect.stringContaining('/proc/nowhere'),
    });
  });

  const isRoot = process.getuid?.() === 0;
  it('[BAD-06] says so for a directory or file without write permission', async () => {
    await prepared();
    const run = async (): Promise<unknown> => {
      if (!isRoot) return codeOf(open());
      const { stdout, stderr } = await startChild('open-stores', [dir], 65_534).done;
      if (stdout === '') throw new Error(stderr);
      return (JSON.parse(stdout) as { code?: string }).code;
    };
    chmodSync(dir, 0o555);
    expect(await run()).toBe('data_dir_unusable');
    chmodSync(dir, 0o777);
    chmodSync(join(dir, 'cultpass.db'), 0o444);
    expect(await run()).toBe('data_dir_unusable');
  });
});

describe('a full disk', () => {
  const full = (sqlite: BetterSqlite3.Database): void => {
    sqlite.pragma(`max_page_count = ${Number(sqlite.pragma('page_count', { simple: true })) + 1}`);
  };

  it('[BAD-07] is reported as such, loses nothing, and goes on when there is space', async () => {
    const handle = openDatabase(HUB_DATABASE, dir);
    const tickets = createTicketStore(handle, clock, ids);
    const { ticketId } = await tickets.create({ customerId: null, threadId: 't', channel: 'chat' });
    await tickets.addMessage(ticketId, 'customer', 'before');
    full(handle.sqlite);
    await expect(tickets.addMessage(ticketId, 'customer', 'x'.repeat(50_000))).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/disk is full/),
    });
    const big = Array.from({ length: 200 }, (_, i) => ({
      articleId: `a${i}`,
      title: 't',
      content: 'x'.repeat(2_000),
      tags: [],
      language: 'en' as const,
      updatedAt: 't',
    }));
    expect(await codeOf(createKnowledgeStore(handle, clock).replaceAll(big))).toBe('disk_full');
    expect(handle.sqlite.inTransaction).toBe(false);
    expect((await tickets.listMessages(ticketId, 10)).map((one) => one.content)).toEqual(['before']);
    handle.sqlite.pragma('max_page_count = 1000000');
    await tickets.addMessage(ticketId, 'customer', 'after');
    expect(await tickets.listMessages(ticketId, 10)).toHaveLength(2);
    handle.close();
  });

  it('never leaves half of an effect', async () => {
    const handle = openDatabase(CULTPASS_DATABASE, dir);
    atOnce(seedCultpass(handle, clock));
    const ledger = prepareLedger(handle);
    const writer = createCustomerWriter(handle, ledger, ids);
    handle.sqlite.pragma(`max_page_count = ${Number(handle.sqlite.pragma('page_count', { simple: true }))}`);
    const context = {
      customerId: 'usr_001',
      idempotencyKey: 'k',
      argsHash: 'h',
      ticketId: 'x'.repeat(40_000),
      releasedBy: 'hub',
      at: clock.now(),
    };
    expect(await codeOf(writer.cancelReservation(context, 'res_002', 6000))).toBe('disk_full');
    expect(
      handle.sqlite.prepare(`SELECT status FROM reservations WHERE reservation_id = 'res_002'`).pluck().get(),
    ).toBe('reserved');
    expect(
      handle.sqlite.prepare(`SELECT count(*) FROM refunds WHERE reservation_id = 'res_002'`).pluck().get(),
    ).toBe(0);
    expect(atOnce(ledger.find('k'))).toBeNull();
    handle.close();
  });
});
