/** Which LangGraph thread carries a conversation at present, and whose conversation it is. */
export interface ThreadRecord {
  readonly threadId: string;
  /** Null for an anonymous conversation. Never changes. */
  readonly customerId: string | null;
  /** Equal to `threadId` until a side question had to leave a paused graph alone. */
  readonly graphThreadId: string;
}

/** One row a conversation. Throws HubError `database_failed` or `disk_full` on a fault. */
export interface ThreadStore {
  get(threadId: string): Promise<ThreadRecord | null>;
  /** Creates the row, or moves it to another LangGraph thread; the owner of an existing row stays. */
  put(record: ThreadRecord): Promise<void>;
}
