/** One writer a thread, also across processes on the same data directory. */
export interface ThreadLock {
  /**
   * Runs `work` while holding the thread; callers of the same thread run one after another, first come first served
   * within a process. The lease is renewed while the work runs and lost with the process.
   * @param waitMs how long to wait for another holder
   * @throws HubError `thread_busy` when the wait is over
   */
  withThread<T>(threadId: string, waitMs: number, work: () => Promise<T>): Promise<T>;
}
