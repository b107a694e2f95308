import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseMessage } from '@langchain/core/messages';
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import Database from 'better-sqlite3';
import type { JsonValue } from '../core/domain/json.js';
import { type GraphMemory, wordPattern } from '../core/privacy.js';

/** A conversation's thread, and those it went on to after a pause. */
const OF_THREAD = `(thread_id = ref OR substr(thread_id, 1, length(ref) + 1) = ref || '~')`;
const FILE = 'checkpoints.db';

/** Opens the checkpoints of a data directory. */
type CheckpointReader = (dataDir: string) => {
  readonly saver: Pick<BaseCheckpointSaver, 'getTuple'>;
  close(): void;
};

/** What the graphs remember of these threads and runs. */
export async function statesOf(memory: GraphMemory, refs: readonly string[]): Promise<readonly JsonValue[]> {
  const states: JsonValue[] = [];
  for (const threadId of [...new Set(await memory.threads(refs))].sort()) {
    const values = await memory.values(threadId);
    if (values) states.push(stateOf(threadId, values));
  }
  return states;
}

/** What is remembered in the file of a data directory; there need be none. */
export function fileMemory(dataDir: string, open: CheckpointReader): GraphMemory {
  return {
    place: FILE,
    async threads(refs) {
      if (!existsSync(join(dataDir, FILE))) return [];
      return withDatabase(dataDir, (db) =>
        tablesByThread(db).flatMap((table) =>
          db
            .prepare<[string], string>(
              `SELECT DISTINCT thread_id FROM ${table}, (SELECT value AS ref FROM json_each(?)) WHERE ${OF_THREAD}`,
            )
            .pluck()
            .all(JSON.stringify(refs)),
        ),
      );
    },
    async values(threadId) {
      const checkpointer = open(dataDir);
      try {
        const tuple = await checkpointer.saver.getTuple({ configurable: { thread_id: threadId } });
        return tuple?.checkpoint.channel_values ?? null;
      } finally {
        checkpointer.close();
      }
    },
    erase: async (refs) => eraseCheckpoints(dataDir, refs),
    redact: async (words) => redactCheckpoints(dataDir, words),
  };
}

function stateOf(threadId: string, { messages, ...values }: Record<string, unknown>): JsonValue {
  const said = Array.isArray(messages) ? (messages as readonly BaseMessage[]) : [];
  return JSON.parse(
    JSON.stringify({
      thread_id: threadId,
      messages: said.map((message) => ({ role: message.type, content: message.text })),
      values,
    }),
  ) as JsonValue;
}

/**
 * Removes what belongs to these threads and runs, and refuses it from then on, in every process that has the file open: the
 * refusal is a trigger in the database itself. Safe to repeat.
 * @returns how many rows
 */
function eraseCheckpoints(dataDir: string, refs: readonly string[]): number {
  if (!existsSync(join(dataDir, FILE))) return 0;
  return withDatabase(dataDir, (db) => {
    db.pragma('secure_delete = ON');
    return db
      .transaction((): number => {
        db.exec('CREATE TABLE IF NOT EXISTS erased_refs (ref TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID');
        const remember = db.prepare('INSERT OR IGNORE INTO erased_refs VALUES (?)');
        for (const ref of refs) remember.run(ref);
        return tablesByThread(db)
          .map((table) => {
            db.exec(`CREATE TRIGGER IF NOT EXISTS ${table}_erased BEFORE INSERT ON ${table}
              WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref = new.thread_id
                OR (instr(new.thread_id, '~') > 1 AND ref = substr(new.thread_id, 1, instr(new.thread_id, '~') - 1)))
              BEGIN SELECT RAISE(ABORT, 'customer_erased'); END`);
            return db
              .prepare(`DELETE FROM ${table} WHERE EXISTS (SELECT 1 FROM erased_refs WHERE ${OF_THREAD})`)
              .run().changes;
          })
          .reduce((sum, changes) => sum + changes, 0);
      })
      .immediate();
  });
}

/**
 * Takes words out of what the graphs remember of others' conversations. The states are JSON, in which the words may be
 * replaced wherever they stand.
 * @returns how many values
 */
function redactCheckpoints(dataDir: string, words: readonly string[]): number {
  if (words.length === 0 || !existsSync(join(dataDir, FILE))) return 0;
  const pattern = wordPattern(words);
  return withDatabase(dataDir, (db) => {
    db.pragma('secure_delete = ON');
    db.function('redacted', { deterministic: true }, (value: unknown) => redacted(value, pattern));
    return db
      .transaction((): number =>
        tablesByThread(db)
          .flatMap((table) => columnsOf(db, table).map((column) => ({ table, column })))
          .map(
            ({ table, column }) =>
              db
                .prepare(
                  `UPDATE ${table} SET ${column} = redacted(${column}) WHERE redacted(${column}) IS NOT ${column}`,
                )
                .run().changes,
          )
          .reduce((sum, changes) => sum + changes, 0),
      )
      .immediate();
  });
}

function redacted(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replace(pattern, '[erased]');
  if (!Buffer.isBuffer(value)) return value;
  const text = value.toString('utf8');
  const changed = text.replace(pattern, '[erased]');
  return changed === text ? value : Buffer.from(changed, 'utf8');
}

function columnsOf(db: Database.Database, table: string): readonly string[] {
  const columns = db.pragma(`table_info(${table})`) as readonly { name: string }[];
  return columns.map(({ name }) => name).filter((name) => !/(?:^|_)(?:id|ns)$/.test(name));
}

/** Every table that keeps something by thread, whatever the checkpointer calls it. */
function tablesByThread(db: Database.Database): readonly string[] {
  return db
    .prepare<[], string>(
      `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'thread_id'
       WHERE m.type = 'table'`,
    )
    .pluck()
    .all();
}

function withDatabase<T>(dataDir: string, work: (db: Database.Database) => T): T {
  const db = new Database(join(dataDir, FILE), { timeout: 5_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
