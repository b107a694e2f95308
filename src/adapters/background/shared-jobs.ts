import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { HubError, toHubError } from '../../core/errors.js';
import type { SharedJobs } from '../../core/ports/background.js';
import type { Log } from '../../core/ports/system.js';
import { pause, type RunningWork } from '../../core/signals.js';
import type { JobQueue } from './job-queue.js';
import { atMostEvery, WakeSignal } from './wake-signal.js';

/** How soon what was missed is seen: a notice comes at once. */
const LOOK_MS = 500;
/** How soon it is seen that a worker is gone. */
const SWEEP_MS = 1_000;
const ORPHANS_MS = 5_000;
/** The database is away, or this server was. */
const AGAIN_MS = 1_000;

interface Given {
  readonly queue: string;
  readonly job: string;
  resolve(answer: string): void;
  reject(error: unknown): void;
}

/** Gives jobs and collects the answers; takes jobs and answers them. */
export class Jobs implements SharedJobs {
  readonly #giver = `giver ${randomUUID()}`;
  readonly #open = new Map<string, Given>();
  /** Jobs of others that are in work here, and their queues. */
  readonly #inWork = new Map<string, string>();
  #collecting = false;
  readonly #answered: WakeSignal;
  #holds: Promise<void> | null = null;

  constructor(
    private readonly queue: JobQueue,
    private readonly log: Log,
    private readonly running: RunningWork,
  ) {
    this.#answered = new WakeSignal(running.closing);
    queue.connection.onNotice((what) => what === this.#giver && this.#answered.wake());
  }

  give(queue: string, job: string): Promise<string> {
    if (this.running.closing.aborted) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      const id = randomUUID();
      this.#open.set(id, { queue, job, resolve, reject });
      void this.#send(id).catch((error: unknown) => this.#failed(error));
      if (this.#collecting) return;
      this.#collecting = true;
      void this.#collect();
    });
  }

  help(queue: string, atOnce: number, work: (job: string) => Promise<string>): () => Promise<void> {
    const ended = new AbortController();
    setMaxListeners(0, ended.signal);
    const stop = (): void => ended.abort();
    this.running.closing.addEventListener('abort', stop, { once: true });
    const helpers = Array.from({ length: atOnce }, () => this.#help(queue, work, ended.signal));
    const all = this.running.track(Promise.allSettled(helpers));
    return async () => {
      stop();
      this.running.closing.removeEventListener('abort', stop);
      await all;
    };
  }

  /** What is not answered by now is not waited for. */
  refuse(): void {
    for (const { reject } of this.#open.values()) reject(closed());
    this.#open.clear();
  }

  /** Lets others begin anew what is in work here. */
  async giveBack(): Promise<void> {
    for (const [id, queue] of this.#inWork)
      await this.queue
        .giveBack(queue, id, 'The worker is stopped.')
        .catch((error: unknown) => this.#failed(error));
    this.#inWork.clear();
  }

  /** Sending the same job twice makes one. */
  async #send(id: string): Promise<void> {
    const given = this.#open.get(id);
    if (given === undefined) return;
    await this.queue.make(given.queue, 'standard');
    this.#holds ??= this.queue.connection.hold(this.#giver).catch((error: unknown) => {
      this.#holds = null;
      throw error;
    });
    await this.#holds;
    // PostgreSQL keeps any text as JSON within JSON; by itself it refuses some signs.
    const data = { job: JSON.stringify(given.job), giver: this.#giver };
    await this.queue.send(given.queue, data, { id });
    await this.queue.connection.notify(given.queue);
  }

  async #collect(): Promise<void> {
    const isDue = atMostEvery(SWEEP_MS);
    while (this.#open.size > 0 && !this.running.closing.aborted) {
      await this.#answered.wait(LOOK_MS);
      try {
        const sweeps = isDue();
        for (const queue of new Set([...this.#open.values()].map((given) => given.queue))) {
          await this.#take(queue);
          if (sweeps) await this.queue.giveBackLeft(queue);
        }
      } catch (error) {
        this.#failed(error);
        await pause(AGAIN_MS, this.running.closing);
      }
    }
    this.#collecting = false;
  }

  async #take(queue: string): Promise<void> {
    const ids = [...this.#open].filter(([, given]) => given.queue === queue).map(([id]) => id);
    const found = new Map((await this.queue.answers(queue, ids)).map((job) => [job.id, job]));
    const ended = [...found.values()].filter(
      ({ state }) => state !== 'created' && state !== 'retry' && state !== 'active',
    );
    for (const { id, answer } of ended) {
      const given = this.#open.get(id);
      this.#open.delete(id);
      if (answer !== null) given?.resolve(answer);
      else given?.reject(new HubError('internal', 'A job has failed again and again.', { queue }));
    }
    await this.queue.remove(
      queue,
      ended.map(({ id }) => id),
    );
    // Not stored because the database was away, or removed while this server was cut off from it.
    for (const id of ids) if (!found.has(id)) await this.#send(id);
  }

  async #help(name: string, work: (job: string) => Promise<string>, ended: AbortSignal): Promise<void> {
    const wakeUp = new WakeSignal(ended);
    const forget = this.queue.connection.onNotice((what) => what === name && wakeUp.wake());
    const isDue = atMostEvery(ORPHANS_MS);
    while (!ended.aborted) {
      try {
        await this.queue.make(name, 'standard');
        while (!ended.aborted && (await this.#one(name, work)));
        if (isDue()) await this.queue.removeOrphans(name);
      } catch (error) {
        if (ended.aborted) break;
        this.#failed(error);
        await pause(AGAIN_MS, ended);
      }
      await wakeUp.wait(LOOK_MS);
    }
    forget();
  }

  /** @returns false where there was none */
  async #one(name: string, work: (job: string) => Promise<string>): Promise<boolean> {
    const taken = await this.queue.take(name);
    if (taken === null) return false;
    const { job, giver } = taken.data as { readonly job: string; readonly giver: string };
    this.#inWork.set(taken.id, name);
    let answer: string;
    try {
      answer = await work(String(JSON.parse(job)));
    } catch (error) {
      if (this.#inWork.delete(taken.id)) await this.queue.giveBack(name, taken.id, toHubError(error).code);
      return true;
    }
    // It was given back meanwhile.
    if (!this.#inWork.delete(taken.id)) return false;
    await this.queue.done(name, taken.id, answer);
    await this.queue.connection.notify(giver);
    return true;
  }

  #failed(error: unknown): void {
    if (this.running.closing.aborted) return;
    const { code, message } = toHubError(error);
    this.log.warn({ agent: 'queue', action: 'queue_failed', details: { code, why: message } });
  }
}

function closed(): HubError {
  return new HubError('cancelled', 'The queue is closed.');
}
