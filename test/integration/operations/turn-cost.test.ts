import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { openTalk, type Talk } from '../conversations-durable/support.js';

const QUESTIONS = ['How do I pause my plan?', 'How many visits do I have left?', 'Show me my bookings'];
/** Turns whose cost is added up: the questions come in their order. */
const MEASURED = 6;
/** Statements of one turn, over the way of HTTP. */
const MOST = 62;
const SOON = 30;
const LATE = 84;
/** `PRAGMA synchronous`, as SQLite says it. */
const FULL = 2;

let talk: Talk | null = null;
afterEach(async () => {
  await talk?.hub.close();
  talk = null;
  vi.useRealTimers();
});

/** What the statements of a database have been asked, and the size of what they gave back. */
interface Work {
  statements: number;
  rows: number;
  bytes: number;
}

/** Counts the work of every statement that is prepared from now on. */
function counting({ sqlite }: DatabaseHandle, work: Work): void {
  const prepare = sqlite.prepare.bind(sqlite) as (sql: string) => BetterSqlite3.Statement;
  const counted =
    (method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      const result = method(...args);
      work.statements += 1;
      work.rows += Array.isArray(result) ? result.length : result === undefined ? 0 : 1;
      work.bytes += JSON.stringify(result ?? null).length;
      return result;
    };
  sqlite.prepare = ((sql: string) => {
    const statement = prepare(sql);
    for (const name of ['run', 'get', 'all'] as const)
      Object.assign(statement, { [name]: counted(statement[name].bind(statement)) });
    return statement;
  }) as BetterSqlite3.Database['prepare'];
}

function checkpointBytes(dataDir: string): number {
  const db = new BetterSqlite3(join(dataDir, 'checkpoints.db'), { timeout: 5_000, readonly: true });
  try {
    return Number(
      db
        .prepare(
          `SELECT (SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints)
                + (SELECT coalesce(sum(length(value)), 0) FROM writes)`,
        )
        .pluck()
        .get(),
    );
  } finally {
    db.close();
  }
}

it('[ATK-18] a turn reads, writes and keeps as much in a long conversation as in a short one', async () => {
  const work: Work = { statements: 0, rows: 0, bytes: 0 };
  // What runs by the clock beside the turns (a lease is renewed, the inbox is looked at) is more of it on a slow machine.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  talk = await openTalk({ overrides: { onOpened: (_name, handle) => counting(handle, work) } });
  const { hub, send } = talk;
  let turn = 0;
  const turns = async (count: number): Promise<void> => {
    for (const end = turn + count; turn < end; turn += 1)
      await send(QUESTIONS[turn % QUESTIONS.length] ?? '');
  };
  const costOfNext = async () => {
    Object.assign(work, { statements: 0, rows: 0, bytes: 0 });
    await turns(MEASURED);
    return { ...work, checkpoint: checkpointBytes(hub.dataDir) };
  };
  await turns(SOON);
  const soon = await costOfNext();
  await turns(LATE - turn);
  const late = await costOfNext();
  expect(soon.bytes).toBeGreaterThan(1_000);
  expect(late.statements / soon.statements).toBeLessThan(1.03);
  expect(late.rows / soon.rows).toBeLessThan(1.03);
  // Numbers that count upwards get a digit longer; nothing else does: 360 turns cost what 84 do.
  expect(late.bytes / soon.bytes).toBeLessThan(1.03);
  expect(late.checkpoint / soon.checkpoint).toBeLessThan(1.03);
}, 600_000);

it('[PERF-10] a turn asks the hub’s own database a limited number of times', async () => {
  const work: Work = { statements: 0, rows: 0, bytes: 0 };
  vi.useFakeTimers({ toFake: ['setInterval'] });
  talk = await openTalk({ overrides: { onOpened: (_name, handle) => counting(handle, work) } });
  const { send } = talk;
  await send('hello');
  const counts: Record<string, number> = {};
  for (const question of QUESTIONS) {
    work.statements = 0;
    await send(question);
    counts[question] = work.statements;
  }
  // Each of them costs a way to a server, where the tables are there.
  for (const count of Object.values(counts)) expect(count, JSON.stringify(counts)).toBeLessThanOrEqual(MOST);
}, 600_000);

it('[PERF-08] a turn reads each list of the customer’s records once, and anew after a change', async () => {
  const reads: string[] = [];
  talk = await openTalk({
    overrides: {
      wrapCompany: (backend) => ({
        ...backend,
        records: {
          ...backend.records,
          list: (customerId, entity) => {
            reads.push(`${customerId} ${entity ?? 'all'}`);
            return backend.records.list(customerId, entity);
          },
        },
      }),
    },
  });
  const { send } = talk;
  const readFor = async (text: string) => {
    reads.length = 0;
    const { reply } = await send(text);
    return { reply, twice: reads.filter((read, at) => reads.indexOf(read) !== at) };
  };
  for (const question of QUESTIONS) expect(await readFor(question)).toMatchObject({ twice: [] });
  expect(reads).not.toEqual([]);
  expect((await readFor('Cancel the samba night, please')).twice).toEqual([]);
  expect((await readFor('yes')).reply).toMatch(/cancelled/i);
  const after = await readFor('Show me my bookings');
  expect(after.twice).toEqual([]);
  expect(after.reply).not.toMatch(/samba/i);
}, 600_000);

/** Lists what is read, as SQL, from now on. */
function listingReads({ sqlite }: DatabaseHandle, reads: Set<string>): void {
  const prepare = sqlite.prepare.bind(sqlite) as (sql: string) => BetterSqlite3.Statement;
  sqlite.prepare = ((sql: string) => {
    const statement = prepare(sql);
    for (const name of ['get', 'all'] as const) {
      const read = statement[name].bind(statement);
      Object.assign(statement, { [name]: (...args: unknown[]) => reads.add(sql) && read(...args) });
    }
    return statement;
  }) as BetterSqlite3.Database['prepare'];
}

it('[ATK-18] a turn looks for nothing through all messages, events or turns of a conversation', async () => {
  const reads = new Set<string>();
  talk = await openTalk({
    overrides: { onOpened: (name, handle) => name === 'udahub' && listingReads(handle, reads) },
  });
  for (const question of QUESTIONS) await talk.send(question);
  const db = new BetterSqlite3(join(talk.hub.dataDir, 'udahub.db'), { readonly: true });
  try {
    const plans = [...reads].flatMap((sql) => {
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parametersOf(sql)) as { detail: string }[];
      return steps.map(({ detail }) => ({ sql, detail }));
    });
    const growing = /^SCAN (ticket_messages|ticket_turns|thread_events|thread_inbox)\b/;
    expect(plans.filter(({ detail }) => growing.test(detail))).toEqual([]);
    const known = plans.filter(
      ({ sql, detail }) => /client_message_id" = /.test(sql) && / ticket_messages /.test(detail),
    );
    expect(known.length).toBeGreaterThan(0);
    for (const { detail } of known) expect(detail).toContain('client_message_id=?');
  } finally {
    db.close();
  }
});

/** As many nothings as a statement has places. */
function parametersOf(sql: string): unknown[] {
  const named = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null] as const);
  if (named.length > 0) return [Object.fromEntries(named)];
  return [...sql.matchAll(/\?/g)].map(() => null);
}

/** How often a database commits, and how often it waits for the disk with it. */
interface Commits {
  all: number;
  synced: number;
}

/** Counts whatever changes rows, alone or as a transaction, from now on. */
function countingCommits({ sqlite }: DatabaseHandle, commits: Commits): void {
  const prepare = sqlite.prepare.bind(sqlite) as (sql: string) => BetterSqlite3.Statement;
  const changes = prepare('SELECT total_changes()').pluck();
  const counted =
    <A extends unknown[]>(work: (...args: A) => unknown) =>
    (...args: A): unknown => {
      const [outer, before] = [sqlite.inTransaction, changes.get()];
      const result = work(...args);
      if (outer || changes.get() === before) return result;
      commits.all += 1;
      if (sqlite.pragma('synchronous', { simple: true }) === FULL) commits.synced += 1;
      return result;
    };
  sqlite.prepare = ((sql: string) => {
    const statement = prepare(sql);
    for (const name of ['run', 'get', 'all'] as const)
      Object.assign(statement, { [name]: counted(statement[name].bind(statement)) });
    return statement;
  }) as BetterSqlite3.Database['prepare'];
  const transaction = sqlite.transaction.bind(sqlite);
  sqlite.transaction = ((work: (...args: unknown[]) => unknown) => {
    const whole = transaction(work);
    return Object.assign(counted(whole), { immediate: counted(whole.immediate) });
  }) as BetterSqlite3.Database['transaction'];
}

describe('[ATKB-02] what a turn waits for the disk for', () => {
  it('is the message, the answer, what its ticket waits for and the news of them; bookkeeping rides along', async () => {
    const commits: Commits = { all: 0, synced: 0 };
    const onOpened = (name: string, handle: DatabaseHandle): void => {
      if (name === 'udahub') countingCommits(handle, commits);
    };
    talk = await openTalk({ overrides: { onOpened } });
    const { hub, send, identity, threadId } = talk;
    // Once for what is only written the first time.
    for (const question of QUESTIONS) await send(question);
    const costOf = async (work: () => Promise<unknown>): Promise<Commits> => {
      Object.assign(commits, { all: 0, synced: 0 });
      await work();
      return { ...commits };
    };
    for (const question of QUESTIONS) {
      // Taken in; the words; the news of them; the answer; what the ticket waits for; the end of the turn.
      const sent = await costOf(() => send(question));
      expect(sent.synced).toBe(6);
      expect(sent.all).toBeGreaterThan(sent.synced);
      // The same without an inbox, the news with the answer.
      const handled = await costOf(() =>
        hub.app.handle({ identity, threadId, text: question, channel: 'http' }),
      );
      expect(handled.synced).toBeLessThanOrEqual(5);
    }
  });

  it('is every single promise: nothing else of a refund is written without waiting', async () => {
    const unsynced: string[] = [];
    talk = await openTalk({
      overrides: { onOpened: (_name, handle) => listingUnsynced(handle, unsynced) },
    });
    const { send } = talk;
    await send('cancel my samba night booking');
    expect((await send('yes')).reply).toMatch(/^Done/);
    expect(new Set(unsynced)).toEqual(
      new Set(['thread_leases', 'thread_inbox', 'ticket_metadata', 'ticket_resolutions', 'ticket_turns']),
    );
  });
});

/** Lists the tables that are written without waiting for the disk. */
function listingUnsynced({ sqlite }: DatabaseHandle, tables: string[]): void {
  const prepare = sqlite.prepare.bind(sqlite) as (sql: string) => BetterSqlite3.Statement;
  const listed =
    <A extends unknown[]>(sql: string, work: (...args: A) => unknown) =>
    (...args: A): unknown => {
      const table = /^\s*(?:insert into|update|delete from) "?(\w+)/i.exec(sql)?.[1];
      if (table && sqlite.pragma('synchronous', { simple: true }) !== FULL) tables.push(table);
      return work(...args);
    };
  sqlite.prepare = ((sql: string) => {
    const statement = prepare(sql);
    for (const name of ['run', 'get', 'all'] as const)
      Object.assign(statement, { [name]: listed(sql, statement[name].bind(statement)) });
    return statement;
  }) as BetterSqlite3.Database['prepare'];
}
