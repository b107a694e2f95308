import type { RunnableConfig } from '@langchain/core/runnables';
import type { Checkpoint, CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import pg from 'pg';
import { fenced } from '../../core/held-lease.js';
import { CheckpointSerializer } from './checkpoint-serializer.js';
import { type CheckpointerOptions, type OpenCheckpointer, toHubError } from './checkpointers.js';

/** The schema that holds the library's tables, beside those of the hub. */
const SCHEMA = 'checkpoints';
/** Beside the hub's own connections: steps of turns are short. */
const POOL_SIZE = 6;

/**
 * Short-term state of conversations on PostgreSQL. The library's tables are made where they are missing.
 * @param url `postgres://...`
 * @throws HubError as `OpenCheckpointer.canWrite`
 */
export async function openPostgresCheckpointer(
  url: string,
  options: Pick<CheckpointerOptions, 'keepHistory'> & {
    /** Past a pool that `url` is the address of: the tables are made there. */
    readonly directUrl?: string | undefined;
  } = {},
): Promise<OpenCheckpointer & { close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE, application_name: 'uda-hub' });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const saver = new HubPostgresSaver(pool, options.keepHistory ?? false);
  try {
    if (options.directUrl === undefined) await saver.setup();
    else await (await openPostgresCheckpointer(options.directUrl)).close();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    saver,
    canWrite: () => saver.proveWriting(),
    proveWriting: () => saver.proveWriting(),
    close: () => pool.end(),
  };
}

/** What is kept of thread $1 beside step $3 whose parent is $4: see `#forget` of the SQLite saver. */
const KEPT = (table: string): string =>
  `CASE ${table}.checkpoint_ns WHEN '' THEN ${table}.checkpoint_id IN ($3, $4) ELSE ${table}.checkpoint_id >= $4 END`;

const PUT = `INSERT INTO ${SCHEMA}.checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
  VALUES ($1, $2, $3, nullif($4, ''), $5, $6)
  ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id)
    DO UPDATE SET checkpoint = excluded.checkpoint, metadata = excluded.metadata`;

const BLOBS = `blobs AS (INSERT INTO ${SCHEMA}.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
  SELECT $1, $2, new.* FROM unnest($7::text[], $8::text[], $9::text[], $10::bytea[]) AS new ON CONFLICT DO NOTHING)`;

/** All parts of a statement see what was there before it, so that the new step's values are named by themselves. */
const FORGET = `steps AS (DELETE FROM ${SCHEMA}.checkpoints c WHERE c.thread_id = $1 AND NOT ${KEPT('c')}),
  writes AS (DELETE FROM ${SCHEMA}.checkpoint_writes w WHERE w.thread_id = $1 AND NOT ${KEPT('w')}),
  old AS (DELETE FROM ${SCHEMA}.checkpoint_blobs b WHERE b.thread_id = $1
    AND NOT (b.checkpoint_ns = $2 AND b.version IS NOT DISTINCT FROM $5::jsonb -> 'channel_versions' ->> b.channel)
    AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.checkpoints c WHERE c.thread_id = $1 AND ${KEPT('c')}
      AND c.checkpoint_ns = b.checkpoint_ns AND c.checkpoint -> 'channel_versions' ->> b.channel = b.version))`;

const WRITES = `INSERT INTO ${SCHEMA}.checkpoint_writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob)
  SELECT $1, $2, $3, $4, new.* FROM unnest($5::int[], $6::text[], $7::text[], $8::bytea[]) AS new
  ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)`;
const REPLACE = `${WRITES} DO UPDATE SET channel = excluded.channel, type = excluded.type, blob = excluded.blob`;

/**
 * The library's PostgreSQL saver, which stores a step in one statement instead of one for each value, within it forgets
 * what is never read again, and speaks the hub's error codes.
 */
class HubPostgresSaver extends PostgresSaver {
  readonly #pool: pg.Pool;
  readonly #keepHistory: boolean;

  constructor(pool: pg.Pool, keepHistory: boolean) {
    super(pool, undefined, { schema: SCHEMA });
    this.serde = new CheckpointSerializer(this.serde);
    this.#pool = pool;
    this.#keepHistory = keepHistory;
  }

  /** Of several that begin at once, one makes the tables. */
  override async setup(): Promise<void> {
    await translated(async () => {
      const client = await this.#pool.connect();
      try {
        await client.query('SELECT pg_advisory_lock(hashtextextended($1, 2))', [SCHEMA]);
        await super.setup();
      } finally {
        await client.query('SELECT pg_advisory_unlock_all()');
        client.release();
      }
    });
  }

  override getTuple(...args: Parameters<PostgresSaver['getTuple']>) {
    return translated(() => super.getTuple(...args));
  }

  override async put(
    { configurable = {} }: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: Parameters<PostgresSaver['put']>[3],
  ): Promise<RunnableConfig> {
    const { thread_id: thread, checkpoint_ns: namespace = '', checkpoint_id: parent = '' } = configurable;
    const blobs = await this._dumpBlobs(thread, namespace, checkpoint.channel_values, newVersions);
    const values = [
      ...[thread, namespace, checkpoint.id, parent],
      ...[this._dumpCheckpoint(checkpoint), await this._dumpMetadata(metadata)],
      ...[blobs.map((row) => row[2]), blobs.map((row) => row[3])],
      ...[blobs.map((row) => row[4]), blobs.map((row) => row[5])],
    ];
    const forgets = !this.#keepHistory && namespace === '';
    const statement = `WITH ${forgets ? `${BLOBS}, ${FORGET}` : BLOBS} ${PUT}`;
    await this.#write(statement, values);
    return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(...[config, writes, task]: Parameters<PostgresSaver['putWrites']>): Promise<void> {
    if (writes.length === 0) return;
    const {
      thread_id: thread,
      checkpoint_ns: namespace = '',
      checkpoint_id: step,
    } = config.configurable ?? {};
    const rows = await this._dumpWrites(thread, namespace, step, task, writes);
    const columns = [4, 5, 6, 7].map((at) => rows.map((row) => row[at]));
    // Those that the library marks (an interrupt, an error) have a place of their own, below nought, and the last one counts.
    const statement = rows.every((row) => row[4] < 0) ? REPLACE : `${WRITES} DO NOTHING`;
    await this.#write(statement, [thread, namespace, step, task, ...columns]);
  }

  /** Nothing where another server has taken the conversation. */
  async #write(statement: string, given: readonly unknown[]): Promise<void> {
    const { text, values } = fenced(statement, given);
    await translated(() => this.#pool.query(text, [...values]));
  }

  /** Writes something and takes it away again. */
  async proveWriting(): Promise<void> {
    await translated(() =>
      this.#pool.query(
        `WITH proof AS (INSERT INTO ${SCHEMA}.checkpoint_writes
           (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob)
           VALUES ('writing-proof', '', '', gen_random_uuid()::text, 0, '', '', '') RETURNING task_id)
         SELECT 1 FROM proof`,
      ),
    );
    await translated(() =>
      this.#pool.query(`DELETE FROM ${SCHEMA}.checkpoint_writes WHERE thread_id = 'writing-proof'`),
    );
  }
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHubError(error, SCHEMA);
  }
}
