import { join } from 'node:path';
import type { RunnableConfig } from '@langchain/core/runnables';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import type { Checkpoint, CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';
import { type ErrorCode, HubError } from '../core/errors.js';

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

  constructor(database: Database.Database, options: CheckpointerOptions = {}) {
    super(database);
    this.#keepHistory = options.keepHistory ?? false;
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

  /** A step of the whole graph is complete: what came before it, and its subgraphs' own steps, are never read again. */
  #forget(threadId: string, current: string, parent: string): void {
    translated(() => {
      for (const table of ['checkpoints', 'writes'])
        this.db
          .prepare(
            `DELETE FROM ${table} WHERE thread_id = ? AND NOT (checkpoint_ns = '' AND checkpoint_id IN (?, ?))`,
          )
          .run(threadId, current, parent);
    });
  }
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
const FAILED = 'The store of conversations cannot be used at the moment.';

/** Same codes as the databases in `data/`, so that a turn ends the same way whichever of them fails. */
function toHubError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const fail = (to: ErrorCode, message: string) => new HubError(to, message, { code }, { cause: error });
  if (/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/.test(code)) return fail('disk_full', FULL);
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return fail('data_dir_unusable', UNUSABLE);
  return code.startsWith('SQLITE_') ? fail('database_failed', FAILED) : error;
}
