import type { Language } from '../domain/taxonomy.js';
import type { Audience, Channel } from '../domain/ticket.js';
import type { AttachedFile } from '../file-types.js';

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

/** What a customer sent: words, or a yes or no to one exact question or its withdrawal. */
export type InboxContent =
  /**
   * `hops`: hubs that it came through before this one; absent where nobody says so. `readUpTo`: as in SendInput. With
   * `files` the text may be empty.
   */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly hops?: number;
      readonly readUpTo?: string;
      readonly files?: readonly AttachedFile[];
      /** As in SendInput; where there is no text. */
      readonly language?: Language;
    }
  | {
      readonly kind: 'answer';
      readonly pendingId: string;
      readonly answer: 'yes' | 'no' | 'withdraw';
      /** Why it is withdrawn, where that was said. */
      readonly words?: string;
      /** What stood on the button that was pressed; the conversation shows it, and nothing is read from it. */
      readonly label?: string;
    };

export interface NewInboxItem {
  readonly threadId: string;
  readonly customerId: string | null;
  /** Chosen by the client, unique on the thread: the same message sent twice is one. */
  readonly clientMessageId: string;
  readonly content: InboxContent;
  readonly channel: Channel;
}

export interface InboxItem extends NewInboxItem {
  readonly itemId: string;
  /** `running`: a process is answering it. */
  readonly status: 'queued' | 'running' | 'answered';
  /** What it was answered with (a TurnReply, or the error), once it was. */
  readonly outcome: unknown;
  /** When the hub took it, ISO 8601 UTC. */
  readonly receivedAt: string;
  /** When it was first worked on; null where it never was. What a turn left behind is not older than this. */
  readonly startedAt: string | null;
}

/**
 * Messages that were taken but not answered yet; they outlive the process. A message is acknowledged after it is here.
 * Throws HubError `database_failed` or `disk_full` on a fault.
 */
export interface Inbox {
  /**
   * Keeps the message, or finds the same one again.
   * @throws HubError `idempotency_conflict` where the id was used for other words, `not_found` where the conversation has
   * become somebody else's, or where a file is not there or came with another message
   */
  accept(item: NewInboxItem): Promise<{ readonly item: InboxItem; readonly known: boolean }>;
  get(itemId: string): Promise<InboxItem | null>;
  /** Everything that is queued on the thread becomes running, oldest first. The caller holds the thread. */
  take(threadId: string): Promise<readonly InboxItem[]>;
  /** They are answered with this; what is worth telling of it goes to the event log in the same transaction. */
  answer(
    itemIds: readonly string[],
    outcome: unknown,
    events?: readonly NewStoredEvent[],
  ): Promise<readonly StoredEvent[]>;
  /** Running ones go back into the queue: their turn broke off before it had an effect. */
  putBack(itemIds: readonly string[]): Promise<void>;
  /** Forgets them: their turn failed and the customer was told to send again. */
  drop(itemIds: readonly string[]): Promise<void>;
  /**
   * Not answered although nobody seems to work on it, oldest first: its process is gone, or it has waited for longer than
   * a turn may take.
   */
  left(threadId?: string): Promise<readonly InboxItem[]>;
  /** Forgets answers that are older. @returns how many */
  prune(before: Date): Promise<number>;
}

/** An answer that was given to a request. */
export interface StoredResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type IdempotencyClaim =
  /** First time: do the work, then `complete` or `abandon`. */
  | { readonly kind: 'new' }
  /** Done before: give the same answer. */
  | { readonly kind: 'done'; readonly response: StoredResponse }
  /** Being worked on by a request that has not ended. */
  | { readonly kind: 'running' }
  /** The key was used for another request. */
  | { readonly kind: 'conflict' };

/** Answers by idempotency key, kept a day. A key belongs to its caller. Throws HubError `database_failed`, `disk_full`. */
export interface IdempotencyStore {
  /**
   * Takes the key in one statement, or says what is known of it. One whose process is gone is taken over.
   * @param caller e.g. `customer:u_01`
   * @param requestHash SHA-256 of method, path and body
   */
  claim(caller: string, key: string, requestHash: string): Promise<IdempotencyClaim>;
  complete(caller: string, key: string, response: StoredResponse): Promise<void>;
  /** The work failed without an effect: the key may be used again. */
  abandon(caller: string, key: string): Promise<void>;
  /** @returns how many were forgotten */
  prune(before: Date): Promise<number>;
}
