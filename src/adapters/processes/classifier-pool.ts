import { type ChildProcess, fork } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HubError } from '../../core/errors.js';
import type { ClassifierPool, TicketClassifier, TriageResult } from '../../core/ports/chat-models.js';

/** What processes are made of; see {@link createClassifierPool}. */
interface PoolOptions {
  /** The program of a process: it is sent `setup`, then lists of texts, see {@link Answer}. TypeScript or JavaScript. */
  readonly program: URL;
  /** What the program makes its classifier from: plain data. */
  readonly setup: object;
  /** How many processes. */
  readonly workers: number;
  /** Classifies in this process, with the same results. */
  readonly local: TicketClassifier;
  /** Called where a process has ended by itself. @param why exit code or signal */
  readonly onLost: (why: string) => void;
}

/** What a process says: once that it is ready, then the results of each list. */
export type Answer = { readonly ready: true } | { readonly results: readonly TriageResult[] };

/** A text that waits for its result. */
interface Job {
  readonly text: string;
  /** Its first process ended over it, or over one beside it. */
  readonly again: boolean;
  resolve(result: TriageResult): void;
  reject(error: Error): void;
}

interface Worker {
  readonly child: ChildProcess;
  /** Lists in work, in the order in which they were sent. */
  readonly sent: (readonly Job[])[];
  ready: boolean;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Starts what is TypeScript. */
const RUN = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url));
/** A process takes about a second to start: as long as so many tickets. */
const START_AFTER = 500;
/** Texts of one list: a message between processes costs as much as a tenth of a ticket. */
const LIST = 16;
/** Lists that a process has: one in work, and the next one, so that it never waits. */
const LISTS = 2;
/** Processes that are started in place of others; where still more end, something is wrong with the machine. */
const REPLACEMENTS = 20;

/**
 * Classifies on several cores, each result the same as here. A process that ends by itself is replaced, and its tickets
 * are worked on once more, each alone; what ends a second process is refused. Where no process can be had, this one works.
 * (No package for pools: it is the lists, the second attempt and the work without any process that make up this file.)
 */
export function createClassifierPool(options: PoolOptions): ClassifierPool {
  return new Pool(options);
}

class Pool implements ClassifierPool {
  readonly workers: number;
  readonly #options: PoolOptions;
  readonly #running = new Set<Worker>();
  #waiting: Job[] = [];
  #asked = 0;
  #started = 0;
  #closed = false;
  #onReady: (() => void)[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
    this.workers = options.workers;
  }

  async classify(text: string, context?: Parameters<TicketClassifier['classify']>[1]): Promise<TriageResult> {
    this.#asked += 1;
    if (this.#started === 0 && this.#asked > START_AFTER) this.#start();
    if (!this.#hasReady()) return this.#options.local.classify(text, context);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, again: false, resolve, reject });
      // What is asked for in the same turn of the event loop makes one list.
      if (this.#waiting.length === 1) setImmediate(() => this.#send());
    });
  }

  async ready(): Promise<readonly number[]> {
    if (this.#started === 0) this.#start();
    while ([...this.#running].some(({ ready }) => !ready))
      await new Promise<void>((resolve) => this.#onReady.push(resolve));
    return [...this.#running].flatMap(({ child }) => child.pid ?? []);
  }

  close(): void {
    this.#closed = true;
    const open = [...this.#waiting, ...[...this.#running].flatMap(({ sent }) => sent.flat())];
    this.#waiting = [];
    // It only answers, so nothing is lost.
    for (const { child } of this.#running) child.kill('SIGKILL');
    for (const { reject } of open) reject(new HubError('cancelled', 'The classification was stopped'));
  }

  #hasReady(): boolean {
    return [...this.#running].some(({ ready }) => ready);
  }

  #start(): void {
    while (this.#running.size < this.workers && this.#started < this.workers + REPLACEMENTS) this.#add();
  }

  #add(): void {
    this.#started += 1;
    const program = fileURLToPath(this.#options.program);
    const [path, args] = program.endsWith('.ts') ? [RUN, [relative(ROOT, program)]] : [program, []];
    const child = fork(path, args, {
      execArgv: [],
      // It reads files that it is told and nothing else.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    const worker: Worker = { child, sent: [], ready: false };
    this.#running.add(worker);
    child.on('message', (answer) => this.#receive(worker, answer as Answer));
    child.on('error', (error) => this.#lose(worker, error.message));
    child.on('exit', (code, signal) => this.#lose(worker, signal ?? `code ${code}`));
    child.send(this.#options.setup, () => {
      // Where it cannot be sent, the process has ended, and that is told.
    });
  }

  #receive(worker: Worker, answer: Answer): void {
    if ('ready' in answer) {
      worker.ready = true;
      this.#notifyReady();
    } else {
      const jobs = worker.sent.shift() ?? [];
      for (const [at, { resolve, reject }] of jobs.entries()) {
        const result = answer.results[at];
        if (result) resolve(result);
        else reject(new HubError('internal', 'a process left out a ticket'));
      }
    }
    this.#send();
  }

  #send(): void {
    for (const { child, ready, sent } of this.#running) {
      while (ready && this.#waiting.length > 0 && sent.length < LISTS) {
        const isAgain = this.#waiting[0]?.again === true;
        // Alone in its process, so that nothing else is refused for it.
        if (sent.length > 0 && (isAgain || sent[0]?.[0]?.again)) break;
        const jobs = this.#waiting.splice(0, isAgain ? 1 : LIST);
        sent.push(jobs);
        child.send(
          jobs.map(({ text }) => text),
          () => {},
        );
      }
    }
  }

  #lose(worker: Worker, why: string): void {
    if (!this.#running.delete(worker) || this.#closed) return;
    this.#options.onLost(why);
    const jobs = worker.sent.flat();
    for (const { again, reject } of jobs)
      if (again)
        reject(new HubError('input_invalid', `two processes ended while they worked on it (${why})`));
    const others = jobs.filter(({ again }) => !again).map((job) => ({ ...job, again: true }));
    this.#waiting.unshift(...others);
    // One that could not even start would not start again.
    if (worker.ready) this.#start();
    this.#notifyReady();
    if (this.#running.size > 0) this.#send();
    else this.#workHere();
  }

  #workHere(): void {
    const jobs = this.#waiting;
    this.#waiting = [];
    for (const { text, resolve, reject } of jobs) this.#options.local.classify(text).then(resolve, reject);
  }

  #notifyReady(): void {
    const listeners = this.#onReady;
    this.#onReady = [];
    for (const tell of listeners) tell();
  }
}
