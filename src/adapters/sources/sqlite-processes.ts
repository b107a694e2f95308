import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { CustomerScope, SourceRows, TableCopy } from '../../core/ports/data-source.js';
import { abortReason, linkWithin } from '../../core/signals.js';

const PROGRAM = fileURLToPath(new URL('./sqlite-process.mjs', import.meta.url));

/** What a process opens before it runs a statement; it keeps it open under the key. */
export type SqliteTarget =
  /** A file, whole. */
  | { readonly path: string }
  /** A file as one customer sees it. */
  | { readonly path: string; readonly scope: CustomerScope; readonly customerId: string }
  /** A database in memory that holds these rows, for one statement. */
  | { readonly tables: readonly TableCopy[] }
  /** A database in memory, made by scripts; `schemas` are further names tables may be qualified with. */
  | { readonly script: readonly string[]; readonly schemas: readonly string[]; readonly now?: string };

/** One statement for a process. */
interface SqliteStatement {
  /** The name of the source, for messages. */
  readonly source: string;
  /** Same target, same key. */
  readonly key: string;
  readonly open: SqliteTarget;
  /** With `?` for each value. */
  readonly sql: string;
  readonly values: readonly JsonValue[];
  readonly maxRows: number;
  readonly maxBytes?: number;
}

interface Reply {
  readonly id: number;
  readonly rows?: readonly JsonObject[];
  readonly truncated?: boolean;
  readonly error?: { readonly code: 'rejected' | 'unavailable' | 'bad'; readonly message: string };
}

const CODES = {
  rejected: 'source_rejected',
  unavailable: 'source_unavailable',
  bad: 'source_bad_answer',
} as const;

/** One process that answers SQL, one statement at a time. */
class SqliteProcess {
  readonly #child: ChildProcess;
  #ended = false;
  #next = 1;
  #settle: { readonly id: number; resolve(reply: Reply): void; reject(error: Error): void } | null = null;

  /** Starts it; it can be asked at once. It does not keep the hub from ending. */
  constructor() {
    // No environment and no loaders of ours: it reads files that it is told and nothing else.
    this.#child = fork(PROGRAM, [], { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#child.on('message', (reply) => this.#receive(reply as Reply));
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('exit', () => this.#fail(new Error('the process ended')));
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** False once it has ended; then it takes no statement. */
  get alive(): boolean {
    return !this.#ended;
  }

  /**
   * Runs one statement to its end. A process that was killed meanwhile throws.
   * @throws HubError `source_rejected`, `source_unavailable`, `source_bad_answer`
   */
  async run(statement: SqliteStatement): Promise<SourceRows> {
    const id = this.#next++;
    const { source, ...message } = statement;
    this.#child.ref();
    this.#child.channel?.ref();
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        this.#settle = { id, resolve, reject };
        if (this.#ended) reject(new Error('the process ended'));
        else this.#child.send({ id, ...message }, (error) => error !== null && reject(error));
      });
      if (reply.error !== undefined) {
        const { code, message: why } = reply.error;
        throw new HubError(CODES[code], `${source}: ${why}.`, { source });
      }
      return { rows: reply.rows ?? [], truncated: reply.truncated === true };
    } catch (error) {
      if (error instanceof HubError) throw error;
      throw new HubError(
        'source_unavailable',
        `${source}: the database process ended before it answered.`,
        { source },
        { cause: error },
      );
    } finally {
      this.#settle = null;
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  /** Ends it at once; it only reads, so nothing is lost. */
  kill(): void {
    this.#ended = true;
    this.#child.kill('SIGKILL');
  }

  #receive(reply: Reply): void {
    if (this.#settle?.id === reply.id) this.#settle.resolve(reply);
  }

  #fail(error: Error): void {
    this.#ended = true;
    this.#settle?.reject(error);
  }
}

/** Runs SQL over SQLite in processes of their own, so that no statement can stop or slow the hub. */
export interface SqliteProcesses {
  /** Starts a process where there is none, so that the first statement need not wait for it. */
  warm(): void;
  /**
   * @param limit milliseconds the statement may run; then its process is killed
   * @throws HubError `source_unavailable`, `source_rejected`, `source_bad_answer`, and the signal's reason
   */
  run(
    statement: SqliteStatement,
    limit: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<SourceRows>;
  /** Ends all processes; what still runs fails. */
  close(): void;
}

const MAX_PROCESSES = 4;
/** Most statements take less than starting a process; only behind a slow one does another process help. */
const LONGEST_WAIT_MS = 25;
/** Processes beyond the first are kept this long without work. */
const IDLE_MS = 10_000;

interface Waiting {
  take(process: SqliteProcess): void;
  fail(error: Error): void;
}

/** Processes that are started as needed and shared by everybody who asks. */
export function createSqliteProcesses(): SqliteProcesses {
  const all = new Set<SqliteProcess>();
  const idle: SqliteProcess[] = [];
  const queue: Waiting[] = [];
  let closed = false;

  const start = (): SqliteProcess => {
    const process = new SqliteProcess();
    all.add(process);
    return process;
  };
  const end = (process: SqliteProcess): void => {
    process.kill();
    all.delete(process);
    const at = idle.indexOf(process);
    if (at >= 0) idle.splice(at, 1);
  };
  const release = (process: SqliteProcess): void => {
    if (closed || !process.alive) {
      end(process);
      const next = closed ? undefined : queue.shift();
      next?.take(start());
      return;
    }
    const next = queue.shift();
    if (next !== undefined) {
      next.take(process);
      return;
    }
    idle.push(process);
    if (all.size > 1) {
      setTimeout(() => {
        if (all.size > 1 && idle.includes(process)) end(process);
      }, IDLE_MS).unref();
    }
  };
  const acquire = (signal: AbortSignal): Promise<SqliteProcess> => {
    if (closed) throw new HubError('source_unavailable', 'The data sources were closed.');
    for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
      if (process.alive) return Promise.resolve(process);
      all.delete(process);
    }
    if (all.size === 0) return Promise.resolve(start());
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        if (leave()) reject(abortReason(signal));
      };
      const waiting: Waiting = {
        take(process) {
          signal.removeEventListener('abort', abort);
          resolve(process);
        },
        fail: reject,
      };
      const leave = (): boolean => {
        const at = queue.indexOf(waiting);
        if (at >= 0) queue.splice(at, 1);
        return at >= 0;
      };
      queue.push(waiting);
      setTimeout(() => {
        if (all.size < MAX_PROCESSES && leave()) waiting.take(start());
      }, LONGEST_WAIT_MS);
      signal.addEventListener('abort', abort, { once: true });
    });
  };

  return {
    warm() {
      if (!closed && all.size === 0) idle.push(start());
    },
    async run(statement, { ms, signal }) {
      if (signal.aborted) throw abortReason(signal);
      const process = await acquire(signal);
      const limit = linkWithin(ms, () => tooSlow(statement.source, ms), signal);
      const stop = (): void => process.kill();
      if (limit.signal.aborted) stop();
      else limit.signal.addEventListener('abort', stop, { once: true });
      try {
        return await process.run(statement);
      } catch (error) {
        throw limit.signal.aborted ? abortReason(limit.signal) : error;
      } finally {
        limit.signal.removeEventListener('abort', stop);
        limit.release();
        release(process);
      }
    },
    close() {
      closed = true;
      for (const waiting of queue.splice(0)) {
        waiting.fail(new HubError('source_unavailable', 'The data sources were closed.'));
      }
      for (const process of [...all]) end(process);
    },
  };
}

function tooSlow(source: string, ms: number): HubError {
  return new HubError(
    'source_unavailable',
    `${source} took longer than ${ms / 1_000} s to answer, and was stopped.`,
    { source, limit_ms: ms },
  );
}
