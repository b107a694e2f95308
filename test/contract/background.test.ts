import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createQueuedWork } from '../../src/adapters/background/queued-work.js';
import { createTimers } from '../../src/adapters/background/timers.js';
import type { BackgroundWork } from '../../src/core/ports/background.js';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { createRecordingLog } from '../support/recording-log.js';
import { until } from '../support/until.js';

let postgres: TestPostgres;
const opened: BackgroundWork[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(async () => {
  for (const work of opened.splice(0)) await work.close();
});
afterAll(() => postgres.close());

const opening = (made: BackgroundWork): BackgroundWork => {
  opened.push(made);
  return made;
};
const timers = (): BackgroundWork => opening(createTimers(createRecordingLog()));
/** A server of the database; each has a connection of its own. */
const queued = (works = true): BackgroundWork =>
  opening(createQueuedWork({ url: postgres.url, works, log: createRecordingLog() }));

async function rows(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Work that is never done twice at the same time, and by whom. */
function watched() {
  const done: string[] = [];
  let inWork = 0;
  let most = 0;
  return {
    done,
    most: () => most,
    by: (who: string) => async () => {
      inWork += 1;
      most = Math.max(most, inWork);
      await new Promise((resolve) => setImmediate(resolve));
      inWork -= 1;
      done.push(who);
    },
  };
}

describe.each([
  ['timers', timers],
  ['a queue', queued],
])('[BGW-03] work that is repeated by %s', (_, open) => {
  it('is done again and again, also after a failure, never twice at once, and no more once it is stopped', async () => {
    const work = open();
    const seen = watched();
    let failed = false;
    const repeated = work.every({
      name: `steady-${_ === 'timers' ? 't' : 'q'}`,
      everyMs: 5,
      now: true,
      async work() {
        await seen.by('one')();
        if (failed) return;
        failed = true;
        throw new Error('not this time');
      },
    });
    await until(() => seen.done.length >= 2);
    await repeated.stop();
    const { length } = seen.done;
    await repeated.soon();
    expect(seen.done).toHaveLength(length);
    expect(seen.most()).toBe(1);
  });

  it('is done before its time where there is something to do', async () => {
    const seen = watched();
    const repeated = open().every({
      name: `early-${_ === 'timers' ? 't' : 'q'}`,
      everyMs: 3_600_000,
      work: seen.by('one'),
    });
    await until(async () => {
      await repeated.soon();
      return seen.done.length > 0;
    });
  });
});

describe('[BGW-03] work that is repeated by servers of one database', () => {
  it('is done by one of them at a time, and goes on with the other where one is gone', async () => {
    const seen = watched();
    const [one, other] = [queued(), queued()];
    for (const [who, work] of Object.entries({ one, other }))
      work.every({ name: 'shared', everyMs: 5, now: true, work: seen.by(who) });
    await until(() => seen.done.length >= 3);
    await one.close();
    const from = seen.done.length;
    await until(() => seen.done.slice(from).includes('other'));
    expect(seen.most()).toBe(1);
    expect(await rows(`SELECT id FROM udahub_jobs.job WHERE name = 'shared'`)).toHaveLength(1);
  });

  it('is left to the others by one that is told so, who hear when there is something to do', async () => {
    const seen = watched();
    const giver = queued(false);
    const task = { name: 'left', everyMs: 3_600_000 };
    const told = giver.every({ ...task, now: true, work: seen.by('giver') });
    queued().every({ ...task, work: seen.by('worker') });
    await until(async () => {
      await told.soon();
      return seen.done.length > 0;
    });
    expect(new Set(seen.done)).toEqual(new Set(['worker']));
  });

  it('goes on after the database was away', async () => {
    const seen = watched();
    queued().every({ name: 'through', everyMs: 5, now: true, work: seen.by('one') });
    await until(() => seen.done.length > 0);
    await postgres.stop();
    await postgres.restart();
    const from = seen.done.length;
    await until(() => seen.done.length > from + 1);
  });
});

describe('[BGW-02] a job that is given away', () => {
  const jobsOf = (work: BackgroundWork) => {
    if (work.jobs === null) throw new Error('no jobs');
    return work.jobs;
  };

  it('is answered once, by whoever is free, and leaves nothing behind', async () => {
    const helpers = [queued(), queued()];
    for (const helper of helpers) jobsOf(helper).help('echo', 2, async (job) => `${job} done`);
    const giver = queued(false);
    const jobs = Array.from({ length: 20 }, (_, at) => `${at}\u0000`);
    const answers = await Promise.all(jobs.map((job) => jobsOf(giver).give('echo', job)));
    expect(answers).toEqual(jobs.map((job) => `${job} done`));
    await until(async () => (await rows(`SELECT id FROM udahub_jobs.job WHERE name = 'echo'`)).length === 0);
  });

  it('is begun anew elsewhere where a worker fails or is stopped over it, and refused where all do', async () => {
    const [stopped, giver] = [queued(), queued(false)];
    let begun = false;
    jobsOf(stopped).help('slow', 1, () => {
      begun = true;
      return new Promise(() => undefined);
    });
    const answer = jobsOf(giver).give('slow', 'work');
    await until(() => begun);
    expect(await giver.depth()).toContainEqual({ queue: 'slow', waiting: 0, active: 1 });
    const worker = queued();
    let tries = 0;
    jobsOf(worker).help('slow', 1, async () => {
      tries += 1;
      if (tries === 1) throw new Error('not this time');
      return 'done';
    });
    await stopped.close();
    expect(await answer).toBe('done');

    jobsOf(worker).help('broken', 1, async () => {
      throw new Error('never');
    });
    await expect(jobsOf(giver).give('broken', 'work')).rejects.toThrow(/failed again and again/);
  });

  it('is removed where nobody waits for it any more, and refused by a queue that is closed', async () => {
    const [gone, worker] = [queued(false), queued()];
    const lost = expect(jobsOf(gone).give('orphans', 'work')).rejects.toMatchObject({ code: 'cancelled' });
    await until(async () =>
      (await worker.depth()).some(({ queue, waiting }) => queue === 'orphans' && waiting === 1),
    );
    await gone.close();
    await lost;
    await expect(jobsOf(gone).give('orphans', 'work')).rejects.toMatchObject({ code: 'cancelled' });
    // Busy elsewhere, so that it does not take it.
    jobsOf(worker).help('orphans', 1, async (job) => job);
    await until(
      async () => (await rows(`SELECT id FROM udahub_jobs.job WHERE name = 'orphans'`)).length === 0,
    );
  });
});
