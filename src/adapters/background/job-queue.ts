import PgBoss from 'pg-boss';
import type { QueueDepth } from '../../core/ports/background.js';
import type { Log } from '../../core/ports/system.js';
import { openQueueConnection, type QueueConnection, WORK_LOCKS } from './queue-connection.js';

/** Beside the hub's own schema; pg-boss makes and migrates it. */
const JOBS_SCHEMA = 'udahub_jobs';
/** Where pg-boss keeps what was given to be done, and for a while what is over. */
export const JOB_TABLES: readonly string[] = [`${JOBS_SCHEMA}.job`, `${JOBS_SCHEMA}.archive`];
/** A worker that dies is found by its lock; this is for one that lives and never ends. */
const EXPIRE_S = 3_600;
/** What dies so often over a job dies of it. */
const MOST_TRIES = 8;
/** Between taking a job and holding its lock; also where the server is very busy. */
const TAKEN_MS = 3_000;

/** A job that was taken. */
interface TakenJob {
  readonly id: string;
  readonly data: unknown;
}

type QueuePolicy = 'standard' | 'stately';

/** pg-boss over one connection, and what it lacks: to see at once that a worker is gone. */
export class JobQueue {
  readonly connection: QueueConnection;
  readonly #boss: PgBoss;
  #started: Promise<unknown> | null = null;
  readonly #made = new Map<string, Promise<void>>();

  constructor(
    url: string,
    private readonly log: Log,
  ) {
    this.connection = openQueueConnection(url);
    this.#boss = new PgBoss({
      schema: JOBS_SCHEMA,
      db: {
        executeSql: async (text: string, values?: unknown[]) => ({
          rows: [...(await this.connection.query(text, values))],
        }),
      },
      schedule: false,
      // What is done is deleted by who asked for it; this is for what nobody came back for.
      archiveCompletedAfterSeconds: 3_600,
      deleteAfterHours: 24,
    });
    this.#boss.on('error', (error) =>
      log.warn({ agent: 'queue', action: 'queue_failed', details: { error } }),
    );
  }

  /** Makes the queue where there is none; of calls for the same one, the first does. */
  async make(name: string, policy: QueuePolicy): Promise<void> {
    const made =
      this.#made.get(name) ??
      this.#start().then(() =>
        this.#boss.createQueue(name, {
          name,
          policy,
          retryLimit: policy === 'stately' ? 1_000_000 : MOST_TRIES,
          retryDelay: 0,
          expireInSeconds: EXPIRE_S,
          retentionMinutes: 24 * 60,
        }),
      );
    this.#made.set(name, made);
    try {
      await made;
    } catch (error) {
      this.#made.delete(name);
      throw error;
    }
  }

  /** Where the same one is there already, nothing happens. @param how `id` is the sender's own */
  async send(
    name: string,
    data: object,
    how: { readonly id?: string; readonly afterMs?: number } = {},
  ): Promise<void> {
    const { id, afterMs = 0 } = how;
    await this.#boss.send(name, data, {
      ...(id === undefined ? {} : { id }),
      ...(afterMs === 0 ? {} : { startAfter: afterMs / 1_000 }),
    });
  }

  /**
   * Takes the next job and holds its lock. @param early also one that is for later
   * @returns null where there is none
   */
  async take(name: string, early = false): Promise<TakenJob | null> {
    const [job] = await this.#boss.fetch<unknown>(name, {
      batchSize: 1,
      ignoreStartAfter: early,
    } as PgBoss.FetchOptions);
    if (job === undefined) return null;
    try {
      await this.connection.hold(lockOf(name, job.id));
    } catch (error) {
      await this.letGo(name, job.id);
      throw error;
    }
    return { id: job.id, data: job.data };
  }

  /** @param answer kept until it is deleted */
  async done(name: string, id: string, answer: string): Promise<void> {
    try {
      await this.#boss.complete(name, id, { answer: JSON.stringify(answer) });
    } finally {
      await this.letGo(name, id);
    }
  }

  /** It is nobody's any more; where its end could not be stored, it is begun anew. */
  letGo(name: string, id: string): Promise<void> {
    return this.connection.letGo(lockOf(name, id));
  }

  /** For another try, here or elsewhere, until there were too many. */
  async giveBack(name: string, id: string, why: string): Promise<void> {
    try {
      await this.#boss.fail(name, id, { message: why });
    } finally {
      await this.letGo(name, id);
    }
  }

  async remove(name: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.deleteJob(name, [...ids]);
  }

  /** What has become of jobs; one that is not there is left out. */
  async answers(name: string, ids: readonly string[]): Promise<readonly JobState[]> {
    const found = await this.connection.query<JobState>(
      `SELECT id, state::text AS state, output->>'answer' AS answer
       FROM ${JOBS_SCHEMA}.job WHERE name = $1 AND id = ANY($2::uuid[])`,
      [name, ids],
    );
    return found.map((job) => ({
      ...job,
      answer: job.answer === null ? null : String(JSON.parse(job.answer)),
    }));
  }

  /** Gives back what workers had that are gone. */
  async giveBackLeft(name: string): Promise<void> {
    const left = await this.#unheld(`state = 'active' AND started_on`, `$1 || ' ' || id`, name);
    for (const id of left) {
      this.log.warn({ agent: 'queue', action: 'job_left', details: { queue: name, id } });
      await this.#boss.fail(name, id, { message: 'Its worker is gone.' });
    }
  }

  /** Removes what nobody waits for any more: its giver is gone. */
  async removeOrphans(name: string): Promise<void> {
    const orphans = await this.#unheld(`state <> 'active' AND created_on`, `data->>'giver'`, name);
    await this.remove(name, orphans);
  }

  /** Jobs whose lock nobody holds, once they are old enough that it must have been taken. */
  async #unheld(since: string, lock: string, name: string): Promise<readonly string[]> {
    const rows = await this.connection.query<{ id: string }>(
      `SELECT id FROM (
         SELECT id, ${lock} AS lock FROM ${JOBS_SCHEMA}.job
         WHERE name = $1 AND ${since} < now() - $2::integer * interval '1 ms' AND ${lock} <> ALL($3::text[]) OFFSET 0
       ) AS old WHERE pg_try_advisory_xact_lock(hashtextextended(lock, ${WORK_LOCKS}))`,
      [name, TAKEN_MS, this.connection.held],
    );
    return rows.map(({ id }) => id);
  }

  async depth(): Promise<readonly QueueDepth[]> {
    await this.#start();
    return this.connection.query<QueueDepth>(
      `SELECT queue.name AS queue,
         (count(job.id) FILTER (WHERE job.state < 'active' AND job.start_after <= now()))::integer AS waiting,
         (count(job.id) FILTER (WHERE job.state = 'active'))::integer AS active
       FROM ${JOBS_SCHEMA}.queue LEFT JOIN ${JOBS_SCHEMA}.job ON job.name = queue.name AND job.state <= 'active'
       GROUP BY queue.name ORDER BY queue.name`,
    );
  }

  async close(): Promise<void> {
    if (this.#started !== null) await this.#boss.stop({ graceful: false }).catch(() => undefined);
    await this.connection.close();
  }

  #start(): Promise<unknown> {
    this.#started ??= this.#boss.start().catch((error: unknown) => {
      this.#started = null;
      throw error;
    });
    return this.#started;
  }
}

/** A job as its giver sees it. */
interface JobState {
  readonly id: string;
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  readonly answer: string | null;
}

function lockOf(queue: string, id: string): string {
  return `${queue} ${id}`;
}
