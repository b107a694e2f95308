import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { type FromWorker, isOurs, SharedFigures, type ToWorker } from './figures.js';

interface Open {
  readonly worker: number;
  readonly token: string;
}

/**
 * Of the streams with one key the one whose opening is heard of last wins, in whichever worker it is. All workers are
 * heard in one order here, so that of two opened at the same moment exactly one stays.
 */
export class NewestStreams {
  readonly #open = new Map<string, Open>();

  constructor(private readonly tell: (worker: number, message: ToWorker) => void) {}

  opened(worker: number, key: string, token: string): void {
    const older = this.#open.get(key);
    this.#open.set(key, { worker, token });
    // Within one worker the older one was replaced already.
    if (older && older.worker !== worker)
      this.tell(older.worker, { hub: 'replace', key, token: older.token });
  }

  closed(key: string, token: string): void {
    if (this.#open.get(key)?.token === token) this.#open.delete(key);
  }

  /** The worker is gone with all its streams. */
  departed(worker: number): void {
    for (const [key, open] of this.#open) if (open.worker === worker) this.#open.delete(key);
  }
}

/** Whoever has served this long was all right; the next death is counted anew. */
const SOUND_MS = 60_000;
const FIRST_MS = 100;
const AT_MOST = 5;

/** Says how soon a worker that died is replaced: at once the first time, ever later where they die in a row. */
export class Restarts {
  /** The longest pause. */
  static readonly LONGEST_MS = 30_000;
  readonly #since = new Map<number, number>();
  #inARow = 0;

  /** @param now milliseconds that only grow */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The worker listens. */
  served(worker: number): void {
    this.#since.set(worker, this.now());
  }

  /** @returns milliseconds until the next one is to start; null where too many have died in a row */
  died(worker: number): number | null {
    const since = this.#since.get(worker);
    this.#since.delete(worker);
    const isSound = since !== undefined && this.now() - since >= SOUND_MS;
    this.#inARow = isSound ? 1 : this.#inARow + 1;
    if (this.#inARow > AT_MOST) return null;
    return this.#inARow === 1 ? FIRST_MS : Math.min(Restarts.LONGEST_MS, 500 * 4 ** (this.#inARow - 2));
  }
}

interface Handle {
  close(): void;
}

/**
 * A connection that is on its way to a worker when the worker dies would stay open and silent: Node forgets it. Remembers
 * the last one sent to a process; one at a time is on its way. The function closes it, so that its client tries again.
 */
function closeHandedOver(process: ChildProcess): () => void {
  let last: Handle | null = null;
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]): boolean => {
    if (isHandle(args[1])) last = args[1];
    return send(...args);
  };
  // One that has arrived is closed here already, and closing it again does nothing.
  return () => last?.close();
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}

interface PrimaryOptions {
  /** How many processes serve. */
  readonly count: number;
  /** Where they listen; never 0, so that one that comes later finds the same. */
  readonly port: number;
  /** Where the pages were built; null serves none. */
  readonly webDir: Promise<string | null>;
  /** How long a worker may take to end, in milliseconds. */
  readonly graceMs: number;
  /** A line for the person who started the server. */
  readonly say: (line: string) => void;
  /** All of them listen. */
  readonly onListening: (url: string) => void;
}

/** How a worker ended. */
type End = { readonly code: number | null; readonly signal: string | null };

const FIGURES_MS = 2_000;

/**
 * Forks the workers, and sees to it that as many as were asked for serve. It serves nothing itself, so that nothing a
 * customer sends can stop it. The first worker prepares the data directory; the others start when it listens.
 */
export class Primary {
  readonly #listening = new Map<number, string>();
  readonly #figures = new SharedFigures();
  readonly #restarts = new Restarts();
  readonly #asked = new Map<number, (worker: number) => void>();
  readonly #streams = new NewestStreams((worker, message) => this.#tell(cluster.workers?.[worker], message));
  readonly #timers = new Set<NodeJS.Timeout>();
  #asks = 0;
  /** What the server ends with, once it is known. */
  #code: number | null = null;
  #started = false;
  #over: (code: number) => void = () => {};

  constructor(private readonly options: PrimaryOptions) {}

  /** Serves until it is stopped. @returns the exit code */
  run(): Promise<number> {
    new RateLimiterClusterMaster();
    cluster.on('message', (worker, message) => {
      if (isOurs<FromWorker>(message)) this.#heard(worker, message);
    });
    cluster.on('exit', (worker, code, signal) => this.#ended(worker, { code, signal }));
    this.#fork(1);
    return new Promise((resolve) => {
      this.#over = resolve;
    });
  }

  /** Lets the workers end their turns. What takes too long ends with `late`. */
  stop(late: number): void {
    if (this.#code === null) this.#end(0, late);
  }

  /** Starts what is missing. */
  #fork(wanted: number): void {
    for (let alive = alives().length; alive < wanted; alive += 1) {
      const worker = cluster.fork({ PORT: String(this.options.port) });
      // A message to one that has just died; its end is told by `exit`.
      worker.on('error', () => {});
      worker.once('exit', closeHandedOver(worker.process));
    }
  }

  #heard(worker: Worker, message: FromWorker): void {
    switch (message.hub) {
      case 'ready':
        void this.#ready(worker);
        break;
      case 'listening':
        this.#serves(worker, message.url);
        break;
      case 'stream_opened':
        this.#streams.opened(worker.id, message.key, message.token);
        break;
      case 'stream_closed':
        this.#streams.closed(message.key, message.token);
        break;
      case 'figures_wanted':
        void this.#giveFigures(worker, message.ask);
        break;
      case 'figures':
        if (message.snapshot && this.#listening.has(worker.id))
          this.#figures.put(worker.id, message.snapshot);
        this.#asked.get(message.ask)?.(worker.id);
    }
  }

  async #ready(worker: Worker): Promise<void> {
    const webDir = await this.options.webDir;
    this.#tell(worker, this.#code === null ? { hub: 'serve', webDir } : { hub: 'stop' });
  }

  #serves(worker: Worker, url: string): void {
    this.#listening.set(worker.id, url);
    this.#restarts.served(worker.id);
    if (this.#code !== null) this.#tell(worker, { hub: 'stop' });
    if (this.#code !== null || this.#started) return;
    const { count, onListening } = this.options;
    this.#fork(count);
    if (this.#listening.size < count) return;
    this.#started = true;
    onListening(url);
  }

  #ended(worker: Worker, end: End): void {
    const served = this.#listening.delete(worker.id);
    this.#streams.departed(worker.id);
    for (const answered of this.#asked.values()) answered(worker.id);
    if (this.#code === null) this.#lost(worker, end, served);
    if (this.#code !== null && alives().length === 0) this.#finish(this.#code);
  }

  /** A worker has died that nobody had stopped. */
  #lost(worker: Worker, { code, signal }: End, served: boolean): void {
    const { say, count } = this.options;
    const how = signal ?? `code ${code}`;
    const wait = served || this.#started ? this.#restarts.died(worker.id) : null;
    if (wait === null && (!this.#started || this.#listening.size === 0)) {
      // What is wrong with the configuration or the port, the worker has told itself.
      if (this.#started) say(`error: Workers end as soon as they start, the last one with ${how}.`);
      else if (signal !== null) say(`error: The server could not start: a worker ended with ${how}.`);
      this.#end(code || 1, code || 1);
      return;
    }
    this.#figures.depart(worker.id);
    for (const id of this.#listening.keys()) this.#tell(cluster.workers?.[id], { hub: 'worker_died' });
    const pause = wait ?? Restarts.LONGEST_MS;
    say(
      `A worker has ended with ${how}; another one starts${pause < 1_000 ? '' : ` in ${pause / 1_000} s`}.`,
    );
    this.#after(pause, () => {
      if (this.#code === null) this.#fork(count);
    });
  }

  #end(code: number, late: number): void {
    this.#code = code;
    for (const worker of alives()) {
      if (this.#listening.has(worker.id)) this.#tell(worker, { hub: 'stop' });
      // One that starts does not listen to messages yet.
      else worker.process.kill('SIGTERM');
    }
    this.#after(this.options.graceMs, () => {
      this.#code = late;
      for (const worker of alives()) worker.process.kill('SIGKILL');
    });
    if (alives().length === 0) this.#finish(code);
  }

  #finish(code: number): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#over(code);
  }

  async #giveFigures(to: Worker, ask: number): Promise<void> {
    await this.#askAll();
    const rendered = await this.#figures.render();
    this.#tell(to, { hub: 'all_figures', ask, ...rendered });
  }

  /** Waits until every worker has answered; of one that does not, what it said last is taken. */
  #askAll(): Promise<void> {
    const ask = ++this.#asks;
    const open = new Set(this.#listening.keys());
    return new Promise((resolve) => {
      const done = (): void => {
        this.#asked.delete(ask);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(done, FIGURES_MS);
      this.#asked.set(ask, (worker) => {
        open.delete(worker);
        if (open.size === 0) done();
      });
      for (const id of open) this.#tell(cluster.workers?.[id], { hub: 'give_figures', ask });
    });
  }

  #tell(worker: Worker | undefined, message: ToWorker): void {
    if (worker?.isConnected()) worker.send(message, () => {});
  }

  #after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }
}

function alives(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
