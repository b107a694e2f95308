import { toHubError } from '../../core/errors.js';
import type { BackgroundWork, Repeated, RepeatedTask } from '../../core/ports/background.js';
import type { Log } from '../../core/ports/system.js';
import { createRunningWork, pause, type RunningWork } from '../../core/signals.js';
import { JobQueue } from './job-queue.js';
import { Jobs } from './shared-jobs.js';
import { atMostEvery, WakeSignal } from './wake-signal.js';

/** The database is away, or this server was. */
const AGAIN_MS = 1_000;
/** No task is repeated more often: each time is a few statements of each server. */
const LEAST_MS = 1_000;
/** However seldom the work is, so soon it is seen that who did it is gone. */
const LONGEST_MS = 30_000;
const LEFT_MS = 5_000;
/** How long work may go on when the hub closes. */
const CLOSE_MS = 3_000;

interface QueuedWorkOptions {
  /** A direct address of the database. */
  readonly url: string;
  /** False where this process only gives jobs, and leaves what is repeated to others. */
  readonly works: boolean;
  readonly log: Log;
}

/** Background work of all servers of one database, on pg-boss. */
export function createQueuedWork({ url, works, log }: QueuedWorkOptions): BackgroundWork {
  const queue = new JobQueue(url, log);
  const running = createRunningWork();
  const jobs = new Jobs(queue, log, running);
  return {
    every: (task) => repeat({ queue, log, works, running }, task),
    jobs,
    depth: () => queue.depth(),
    async close() {
      running.stop();
      jobs.refuse();
      await running.settled(CLOSE_MS);
      await jobs.giveBack();
      // Whatever else is still in work loses its lock with the connection.
      await queue.close();
    },
  };
}

interface Repeating {
  readonly queue: JobQueue;
  readonly log: Log;
  readonly works: boolean;
  readonly running: RunningWork;
}

/** One job that is always there: who takes it does the work, and puts it back for later. */
function repeat(
  { queue, log, works, running: { closing, track } }: Repeating,
  { name, everyMs, now, work }: RepeatedTask,
): Repeated {
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  closing.addEventListener('abort', stop, { once: true });
  const wakeUp = new WakeSignal(ended.signal);
  const forget = queue.connection.onNotice((what) => what === name && wakeUp.wake());
  const pauseMs = Math.max(everyMs, LEAST_MS);
  const isDue = atMostEvery(LEFT_MS);
  const prepare = async (): Promise<void> => {
    await queue.make(name, 'stately');
    await queue.send(name, {}, now ? {} : { afterMs: pauseMs });
  };
  const once = async (early: boolean): Promise<void> => {
    const job = await queue.take(name, early);
    if (job === null) {
      if (isDue()) await queue.giveBackLeft(name);
      return;
    }
    try {
      await work();
    } catch (error) {
      if (!ended.signal.aborted)
        log.error({ agent: 'hub', action: 'background_failed', details: { task: name } }, error);
    }
    try {
      await queue.send(name, {}, { afterMs: pauseMs });
      await queue.remove(name, [job.id]);
    } finally {
      await queue.letGo(name, job.id);
    }
  };
  const loop = async (): Promise<void> => {
    let prepared = false;
    let early = now === true;
    while (!ended.signal.aborted) {
      try {
        if (!prepared) await prepare();
        prepared = true;
        await once(early);
      } catch (error) {
        if (ended.signal.aborted) break;
        log.warn({
          agent: 'queue',
          action: 'queue_failed',
          details: { task: name, code: toHubError(error).code },
        });
        prepared = false;
        await pause(AGAIN_MS, ended.signal);
      }
      early = await wakeUp.wait(Math.min(pauseMs, LONGEST_MS));
    }
  };
  const running = works ? track(loop()) : Promise.resolve();
  return {
    async soon() {
      if (ended.signal.aborted) return;
      await queue.connection.notify(name).catch(() => undefined);
    },
    async stop() {
      stop();
      closing.removeEventListener('abort', stop);
      forget();
      await running;
    },
  };
}
