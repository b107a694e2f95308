import { join } from 'node:path';
import type { RunnableConfig } from '@langchain/core/runnables';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import type { Checkpoint, CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';
import { type ErrorCode, HubError } from '../core/errors.js';
import { CheckpointSerializer } from './checkpoint-serializer.js';

export interface CheckpointerOptions {
  /** True where somebody looks at earlier steps; false where absent. */
  readonly keepHistory?: boolean;
}

/**
 * Short-term state of conversations. `memory` ends with the process; `sqlite` survives it.
 * @param dataDir exists
 */
export function openCheckpointer(
  kind: 'memory' | 'sqlite',
  dataDir: string,
  options: CheckpointerOptions = {},
): { readonly saver: BaseCheckpointSaver; close(): void } {
  if (kind === 'memory') return { saver: new MemorySaver(), close: () => undefined };
  const database = translated(() => new Database(join(dataDir, 'checkpoints.db')));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('busy_timeout = 5000');
  return { saver: new HubSqliteSaver(database, options), close: () => database.close() };
}

/**
 * The library's SQLite saver with the hub's error codes, which keeps of a conversation only what it needs to go on: the
 * library's own stores the whole state again at every step and never lets go of it.
 */
export class HubSqliteSaver extends SqliteSaver {
  readonly #keepHistory: boolean;
  readonly #forgetting: readonly Database.Statement<[string, string, string, string]>[];

  constructor(database: Database.Database, options: CheckpointerOptions = {}) {
    super(withPreparedOnce(database));
    this.serde = new CheckpointSerializer(this.serde);
    this.#keepHistory = options.keepHistory ?? false;
    this.setup();
    this.#forgetting = ['checkpoints', 'writes'].map((table) =>
      this.db.prepare(
        `DELETE FROM ${table} WHERE thread_id = ?
         AND CASE checkpoint_ns WHEN '' THEN checkpoint_id NOT IN (?, ?) ELSE checkpoint_id < ? END`,
      ),
    );
  }

  override async getTuple(...args: Parameters<SqliteSaver['getTuple']>) {
    return rethrown(super.getTuple(...args));
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const next = await rethrown(super.put(config, checkpoint, metadata));
    const {
      thread_id: threadId,
      checkpoint_ns: namespace = '',
      checkpoint_id: parent,
    } = config.configurable ?? {};
    if (!this.#keepHistory && namespace === '')
      this.#forget(String(threadId), checkpoint.id, String(parent ?? ''));
    return next;
  }

  override async putWrites(...args: Parameters<SqliteSaver['putWrites']>): Promise<void> {
    return rethrown(super.putWrites(...args));
  }

  /**
   * A step of the whole graph is stored: what came before it, and its subgraphs' own steps of that time, are never read
   * again. The steps of a subgraph that is paused now come after the parent (ids ascend with time) and stay.
   */
  #forget(threadId: string, current: string, parent: string): void {
    translated(() => {
      for (const statement of this.#forgetting) statement.run(threadId, current, parent, parent);
    });
  }
}

/** The library prepares its statements for every call, which costs more than running them. */
function withPreparedOnce(database: Database.Database): Database.Database {
  const known = new Map<string, Database.Statement>();
  const prepare = database.prepare.bind(database) as (sql: string) => Database.Statement;
  database.prepare = ((sql: string) => {
    const statement = known.get(sql) ?? prepare(sql);
    known.set(sql, statement);
    return statement;
  }) as Database.Database['prepare'];
  return database;
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toHubError(error);
  }
}

async function rethrown<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw toHubError(error);
  });
}

const FULL = 'The disk is full: nothing was changed. Free some space and try again.';
const UNUSABLE = 'The data directory cannot be used: it must be a directory this user can write to.';
const ERASED = 'This customer was erased at their request: nothing can be stored about them any more.';
const FAILED = 'The store of conversations cannot be used at the moment.';

/** Same codes as the databases in `data/`, so that a turn ends the same way whichever of them fails. */
function toHubError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const fail = (to: ErrorCode, message: string) => new HubError(to, message, { code }, { cause: error });
  if (error instanceof Error && error.message === 'customer_erased') return fail('customer_erased', ERASED);
  if (/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/.test(code)) return fail('disk_full', FULL);
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return fail('data_dir_unusable', UNUSABLE);
  return code.startsWith('SQLITE_') ? fail('database_failed', FAILED) : error;
}
