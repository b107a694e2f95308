import type { Audience } from '../domain/ticket.js';

/** Something on a conversation that is worth telling whoever looks at it, also in another process. */
export interface NewStoredEvent {
  readonly threadId: string;
  readonly ticketId: string | null;
  readonly audience: Audience;
  /** The `type` of a ThreadEventBody, or `ticket` for the desk alone. */
  readonly type: string;
  /** The rest of the body, as JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredEvent extends NewStoredEvent {
  /** Ascends over all conversations, in the order of commits. */
  readonly seq: number;
  readonly createdAt: string;
}

/** Append-only, pruned by age. Throws HubError `database_failed` or `disk_full`. */
export interface EventLog {
  /** In one transaction, in this order. */
  append(events: readonly NewStoredEvent[]): Promise<readonly StoredEvent[]>;
  /** Events after the number, oldest first; of one conversation where given. */
  after(seq: number, limit: number, threadId?: string): Promise<readonly StoredEvent[]>;
  /** The number of the newest event of all, 0 where there is none. */
  latest(): Promise<number>;
  /** Forgets what is older. @returns how many */
  prune(before: Date): Promise<number>;
}
