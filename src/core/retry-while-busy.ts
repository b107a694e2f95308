import { HubError } from './errors.js';

/** How long a unit of work waits for a database that another process holds, in milliseconds. */
export const BUSY_WAIT_MS = 12_000;

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 100;

/** True where another process holds the database: nothing was changed, and the same work may be tried again. */
function isDatabaseBusy(error: unknown): boolean {
  return error instanceof HubError && error.code === 'database_busy';
}

/**
 * Runs one unit of work (one statement, or one transaction that begins with its write lock) again, with growing pauses,
 * as long as another process holds the database. SQLite says that it is held before a unit of work has changed anything,
 * so repeating it does nothing twice. Between the tries the event loop is free.
 * @param waitMs how long to continue, in milliseconds
 * @throws HubError `database_busy` where it is still held by then, and whatever else the work throws, at once
 */
export async function retryWhileBusy<T>(waitMs: number, work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseBusy(error) || performance.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

type AsyncMethod = (...args: never[]) => Promise<unknown>;

/** The same store, each of whose calls is a unit of work for `retryWhileBusy`. */
export function retryingWhileBusy<T extends object>(waitMs: number, store: T): T {
  const wrapped = Object.entries(store as Record<string, AsyncMethod>).map(([name, method]) => [
    name,
    (...args: never[]) => retryWhileBusy(waitMs, () => method(...args)),
  ]);
  return Object.fromEntries(wrapped) as T;
}
