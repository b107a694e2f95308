import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { openTalk, type Talk } from '../conversations-durable/support.js';

const QUESTIONS = ['How do I pause my plan?', 'How many visits do I have left?', 'Show me my bookings'];
/** Turns whose cost is added up: the questions come in their order. */
const MEASURED = 12;
const SOON = 30;
const LATE = 120;

let talk: Talk | null = null;
afterEach(async () => {
  await talk?.hub.close();
  talk = null;
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
  expect(late.statements).toBe(soon.statements);
  expect(late.rows).toBe(soon.rows);
  // Numbers that count upwards get a digit longer; nothing else does.
  expect(late.bytes / soon.bytes).toBeLessThan(1.02);
  expect(late.checkpoint / soon.checkpoint).toBeLessThan(1.02);
}, 600_000);
