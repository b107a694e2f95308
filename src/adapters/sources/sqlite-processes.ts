import { HubError } from '../../core/errors.js';
import type { SourceRows } from '../../core/ports/data-source.js';
import { abortReason } from '../../core/signals.js';
import { SqliteProcess, type SqliteStatement } from './sqlite-process.js';

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
const PATIENCE_MS = 25;
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
      }, PATIENCE_MS);
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
      let stopped: HubError | null = null;
      const stop = (reason: HubError): void => {
        stopped = reason;
        process.kill();
      };
      const abort = (): void => stop(abortReason(signal));
      const timer = setTimeout(() => stop(tooSlow(statement.source, ms)), ms);
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await process.run(statement);
      } catch (error) {
        throw stopped ?? error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
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
    {
      source,
      limit_ms: ms,
    },
  );
}
