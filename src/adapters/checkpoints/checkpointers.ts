import { join } from 'node:path';
import type { RunnableConfig } from '@langchain/core/runnables';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import type { Checkpoint, CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';
import { type ErrorCode, HubError } from '../../core/errors.js';
import { LEASE_LOST, leaseLost } from '../../core/held-lease.js';
import { BUSY_WAIT_MS, damagedFile, isDamage, makePrivate, retryWhileBusy } from '../../core/sqlite-files.js';
import { CheckpointSerializer } from './checkpoint-serializer.js';

/** How checkpoints are kept. */
export interface CheckpointerOptions {
  /** True where somebody looks at earlier steps; false where absent. */
  readonly keepHistory?: boolean;
  /** How long a read waits for the file that another process holds, in milliseconds; BUSY_WAIT_MS where absent. */
  readonly busyWaitMs?: number;
}

/** A checkpointer that is open. */
export interface OpenCheckpointer {
  readonly saver: BaseCheckpointSaver;
  /**
   * Looks whether anything can be written now, and waits for a moment where another process is writing.
   * @throws HubError `database_busy`, `disk_full`, `data_dir_unusable`, `database_failed`
   */
  canWrite(): Promise<void>;
  /** Writes something and takes it away again. @throws as `canWrite` */
  proveWriting(): Promise<void>;
  close(): void | Promise<void>;
}

/**
 * The library continues with a run while its writes are stored, and looks at them later: a write that gave up meanwhile
 * would be a rejection that nobody handles, which ends the process. So it waits for longer than any run takes; whether a
 * run can begin is looked at before.
 */
const WRITE_WAIT_MS = 20 * 60_000;

/**
 * Short-term state of conversations. `memory` ends with the process; `sqlite` survives it.
 * @param dataDir exists
 */
export function openCheckpointer(
  kind: 'memory' | 'sqlite',
  dataDir: string,
  options: CheckpointerOptions = {},
): OpenCheckpointer {
  if (kind === 'memory')
    return {
      saver: new MemorySaver(),
      canWrite: async () => undefined,
      proveWriting: async () => undefined,
      close: () => undefined,
    };
  const path = join(dataDir, 'checkpoints.db');
  const database = translated(() => open(path), path);
  // Not FULL: after a power cut the last steps may be missing here, and nothing that was promised is. The inbox, the
  // questions and the ledger are synced; a question whose paused graph is lost is finished from its row alone, a message
  // without an answer is answered anew, and an effect has its idempotency key. A step costs one sync less, several times
  // a turn.
  database.pragma('synchronous = NORMAL');
  const saver = translated(() => new HubSqliteSaver(database, options), path);
  // From here on a file that is held is waited for without stopping everything else in this process.
  database.pragma('busy_timeout = 0');
  return {
    saver,
    canWrite: () => saver.canWrite(),
    proveWriting: () => saver.proveWriting(),
    close: () => void database.close(),
  };
}

/** A file that is no database is found by the first pragma. */
function open(path: string): Database.Database {
  makePrivate(path);
  const database = new Database(path);
  try {
    database.pragma('journal_mode = WAL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * The library's SQLite saver with the hub's error codes, which keeps of a conversation only what it needs to continue: the
 * library's own stores the whole state again at every step and never lets go of it.
 */
export class HubSqliteSaver extends SqliteSaver {
  readonly #keepHistory: boolean;
  readonly #busyWaitMs: number;
  readonly #forgetting: readonly Database.Statement<[string, string, string, string]>[];

  constructor(database: Database.Database, options: CheckpointerOptions = {}) {
    super(withPreparedOnce(database));
    this.serde = new CheckpointSerializer(this.serde);
    this.#keepHistory = options.keepHistory ?? false;
    this.#busyWaitMs = options.busyWaitMs ?? BUSY_WAIT_MS;
    this.setup();
    this.#forgetting = ['checkpoints', 'writes'].map((table) =>
      this.db.prepare(
        `DELETE FROM ${table} WHERE thread_id = ?
         AND CASE checkpoint_ns WHEN '' THEN checkpoint_id NOT IN (?, ?) ELSE checkpoint_id < ? END`,
      ),
    );
  }

  override async getTuple(...args: Parameters<SqliteSaver['getTuple']>) {
    return retryWhileBusy(this.#busyWaitMs, () => rethrown(super.getTuple(...args), this.db.name));
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const next = await this.#patiently(() => super.put(config, checkpoint, metadata));
    const {
      thread_id: threadId,
      checkpoint_ns: namespace = '',
      checkpoint_id: parent,
    } = config.configurable ?? {};
    if (!this.#keepHistory && namespace === '')
      await this.#patiently(() => this.#forget(String(threadId), checkpoint.id, String(parent ?? '')));
    return next;
  }

  override async putWrites(...args: Parameters<SqliteSaver['putWrites']>): Promise<void> {
    return this.#patiently(() => super.putWrites(...args));
  }

  /**
   * A step of the whole graph is stored: what came before it, and its subgraphs' own steps of that time, are never read
   * again. The steps of a subgraph that is paused now come after the parent (ids ascend with time) and stay.
   */
  async #forget(threadId: string, current: string, parent: string): Promise<void> {
    for (const statement of this.#forgetting) statement.run(threadId, current, parent, parent);
  }

  /** See OpenCheckpointer. */
  canWrite(): Promise<void> {
    return retryWhileBusy(this.#busyWaitMs, () =>
      translated(() => void this.db.exec('BEGIN IMMEDIATE; COMMIT'), this.db.name),
    );
  }

  /** See OpenCheckpointer. */
  proveWriting(): Promise<void> {
    const prove = this.db.transaction(() => {
      this.db.exec(
        `INSERT INTO writes (thread_id, checkpoint_id, task_id, idx, channel, value)
           VALUES ('writing-proof', '', '', 0, '', zeroblob(8192));
         DELETE FROM writes WHERE thread_id = 'writing-proof';`,
      );
    });
    return retryWhileBusy(this.#busyWaitMs, () => translated(() => prove.immediate(), this.db.name));
  }

  /** Each of the library's calls writes in one statement or one transaction, so it may be repeated. */
  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return retryWhileBusy(WRITE_WAIT_MS, () => rethrown(work(), this.db.name));
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

function translated<T>(work: () => T, path: string): T {
  try {
    return work();
  } catch (error) {
    throw toHubError(error, path);
  }
}

async function rethrown<T>(work: Promise<T>, path: string): Promise<T> {
  return work.catch((error: unknown) => {
    throw toHubError(error, path);
  });
}

/** What PostgreSQL says of an error, as the standard has it. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
const FULL = 'The disk is full: nothing was changed. Free some space and try again.';
const UNUSABLE = 'The data directory cannot be used: it must be a directory this user can write to.';
const ERASED = 'This customer was erased at their request: nothing can be stored about them any more.';
const BUSY =
  'Another process holds the database and did not let go in time: nothing was changed. Try again soon.';
const FAILED = 'The store of conversations cannot be used at the moment.';

/** Same codes as the databases in `data/`, so that a turn ends the same way whichever of them fails. */
export function toHubError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const fail = (to: ErrorCode, message: string) => new HubError(to, message, { code }, { cause: error });
  if (code === LEASE_LOST) return leaseLost({}, error);
  if (isDamage(code)) return damagedFile(path, error, { code });
  if (error instanceof Error && error.message === 'customer_erased') return fail('customer_erased', ERASED);
  if (/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT|53100)$/.test(code)) return fail('disk_full', FULL);
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return fail('data_dir_unusable', UNUSABLE);
  if (code.startsWith('SQLITE_BUSY') || /^(40P01|55P03|53300|57P03)$/.test(code))
    return fail('database_busy', BUSY);
  return code.startsWith('SQLITE_') || SQLSTATE.test(code) ? fail('database_failed', FAILED) : error;
}
