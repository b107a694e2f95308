import type { Reader, ReadMark } from '../domain/conversation.js';
import type { CustomerMemory, Operator, Preference, Resolution, ThreadLimits } from '../domain/customer.js';
import type { Decision, PendingAction } from '../domain/pending.js';
import type { AttachedFile, Uploader } from '../file-types.js';

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

export type NewResolution = Omit<Resolution, 'resolutionId' | 'createdAt'>;

/** Long-term memory: what a customer prefers and how earlier tickets ended. */
export interface MemoryStore {
  /** Preferences and the newest `resolutionLimit` resolutions. */
  recall(customerId: string, resolutionLimit: number): Promise<CustomerMemory>;
  /** Replaces the value of the key. */
  setPreference(customerId: string, key: string, value: string): Promise<Preference>;
  addResolution(resolution: NewResolution): Promise<Resolution>;
}

export type NewPending = Omit<PendingAction, 'status' | 'createdAt' | 'decidedAt' | 'decidedBy' | 'reason'>;

/**
 * Open questions and the decisions taken on them. The rows decide; the graph only waits for them.
 * Expiry is applied on read with the Clock: a pending row past `expiresAt` reads (and is stored) as expired.
 */
export interface PendingStore {
  /** Opens a question; repeating the same id changes nothing and returns the stored row. An open
   * confirmation of the same thread with another id becomes `superseded` in the same transaction. */
  open(pending: NewPending): Promise<PendingAction>;
  get(pendingId: string): Promise<PendingAction | null>;
  /** The open confirmation of a thread, at most one. */
  findOpenConfirmation(threadId: string): Promise<PendingAction | null>;
  /** The newest question of a thread that was agreed to, whether it has been carried out yet or not. */
  findLatestAgreed(threadId: string): Promise<PendingAction | null>;
  /** What operators declined last in a thread. */
  findLatestDeclined(threadId: string): Promise<PendingAction | null>;
  /** All approvals that a ticket ever had, oldest first. */
  listApprovalsOfTicket(ticketId: string): Promise<readonly PendingAction[]>;
  /** Approvals that their customers withdrew at or after this time (ISO 8601 UTC), oldest first. */
  listWithdrawn(since: string): Promise<readonly PendingAction[]>;
  /** Open approvals, oldest first; of one thread where given. */
  listOpenApprovals(threadId?: string): Promise<readonly PendingAction[]>;
  /** Approvals that expired undecided and whose customer was not told so, oldest first; of one thread where given. */
  listLapsedApprovals(threadId?: string): Promise<readonly PendingAction[]>;
  /** The customer was told that it expired. Returns false where that had happened before, or where it did not expire. */
  settleLapsed(pendingId: string): Promise<boolean>;
  /** Decided or withdrawn, but not released: what a crash left to finish, oldest first; of one thread where given. */
  listUnreleased(threadId?: string): Promise<readonly PendingAction[]>;
  /**
   * Takes the decision if, in one statement, the row is still pending and not expired.
   * @throws HubError `pending_not_found`, `pending_decided` (fields: status), `pending_withdrawn`, `pending_expired`
   */
  decide(pendingId: string, decision: Decision): Promise<PendingAction>;
  /**
   * The customer takes an open approval back, in the same one statement as `decide`: of a withdrawal and an operator's
   * decision exactly one wins.
   * @param withdrawal `by` is `customer:<id>`, `words` are what the customer said
   * @throws HubError as `decide`
   */
  withdraw(
    pendingId: string,
    withdrawal: { readonly by: string; readonly words: string },
  ): Promise<PendingAction>;
  /**
   * Takes a customer's yes back whose turn broke off before anything was done, so that the question is open again.
   * Only for a confirmation that is approved and has not expired. Returns false where it is not.
   */
  reopen(pendingId: string): Promise<boolean>;
  /**
   * The decision was carried out and the customer told: approved → released; any other row is only marked so.
   * Returns false where that had happened before, or where nothing was decided.
   */
  release(pendingId: string): Promise<boolean>;
  /**
   * The ledger says that it was done, and nothing here does: the row is released as decided then by that one, whatever it
   * was. Returns false where it is approved or released, or where there is none.
   */
  settleDone(pendingId: string, by: string, at: string): Promise<boolean>;
  /** Withdraws an open question (a newer request replaced it). No effect on a decided one. */
  supersede(pendingId: string): Promise<void>;
}

/** A conversation: whose it is, which LangGraph thread carries it at present, and who has claimed it. */
export interface ThreadRecord extends ThreadLimits {
  readonly threadId: string;
  /** Null for an anonymous conversation. Changes once at most, from null: see `ThreadStore.adopt`. */
  readonly customerId: string | null;
  /** The visitor of the chat whose it is; null for every other conversation, also for one that a customer has adopted. */
  readonly visitorId: string | null;
  /** Equal to `threadId` until a side question had to leave a paused graph alone. */
  readonly graphThreadId: string;
  /** Who has claimed it; null while it is the hub's. */
  readonly operator: Operator | null;
  /** Counts changes of hands. A turn that began under another number is over: nothing of it is written or sent. */
  readonly claim: number;
  /** Counts the customer's wishes to stop. An answer that began under another number is not given. */
  readonly stops: number;
  /**
   * Creation time of the first message of the human stretch that the agents have not read yet (ISO 8601 UTC);
   * null once they have.
   */
  readonly unheardSince: string | null;
  /** How far each side has read it; null where it has not. */
  readonly readBy: Readonly<Record<Reader, ReadMark | null>>;
  /** IANA name of the customer's time zone, as the page that began it said; null where nothing said one. */
  readonly timeZone: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A conversation in a customer's list. */
export interface ThreadSummary extends ThreadRecord {
  readonly ticketId: string | null;
  /** How the conversation began, cut to 120 characters; null where nothing was said yet. */
  readonly title: string | null;
  /** Answers after the customer's last look and last message. */
  readonly unread: number;
}

/** One row a conversation. Throws HubError `database_failed` or `disk_full` on a fault. */
export interface ThreadStore {
  get(threadId: string): Promise<ThreadRecord | null>;
  /** Creates the row, or moves it to another LangGraph thread; owner, limits and time zone of an existing row stay. */
  put(
    record: Pick<ThreadRecord, 'threadId' | 'customerId' | 'graphThreadId'> &
      Partial<ThreadLimits & Pick<ThreadRecord, 'visitorId' | 'timeZone'>>,
  ): Promise<void>;
  /** The conversations of a customer, or of a visitor, the latest first. */
  list(
    owner: { readonly customerId: string } | { readonly visitorId: string },
    limit: number,
  ): Promise<readonly ThreadSummary[]>;
  /**
   * A visitor's conversation becomes that of the customer the visitor has turned out to be, with its tickets, in one
   * transaction and for good: the visitor has it no longer. Nothing changes where it is the customer's already.
   * @throws HubError `not_found` where it is not this visitor's (any more), `thread_busy` while a message of it is unanswered
   */
  adopt(threadId: string, visitorId: string, customerId: string): Promise<ThreadRecord>;
  /**
   * Puts the conversation and its unresolved tickets into an operator's hands, in one transaction. Repeated by the same
   * operator it takes in tickets that were opened meanwhile, and changes nothing else.
   * @throws HubError `not_found`, `already_claimed` (fields: operator)
   */
  claim(threadId: string, operator: Operator): Promise<ThreadRecord>;
  /**
   * Takes it out of the operator's hands: `queue` leaves its tickets with the operators for whoever claims next, `hub`
   * gives them back to the hub. In one transaction.
   * @throws HubError `not_claimed` where it is not this operator's
   */
  release(threadId: string, operator: Operator, to: 'queue' | 'hub'): Promise<ThreadRecord>;
  /**
   * Puts it from one operator's hands into another's, with its unresolved tickets, in one transaction.
   * @throws HubError `not_claimed` where it is not the first one's (any more)
   */
  transfer(threadId: string, from: Operator, to: Operator): Promise<ThreadRecord>;
  /** Counts one wish more that the running answer be stopped. */
  stop(threadId: string): Promise<void>;
  /**
   * A side has read up to this message, which both sides see. Marks only move forward.
   * @returns the new mark; null where it was read before, or is no message of this conversation
   */
  read(threadId: string, by: Reader, messageId: string): Promise<ReadMark | null>;
  /** The agents have been told of the human stretch. */
  caughtUp(threadId: string): Promise<void>;
}

/** A file on its way to a message. */
export interface NewFile extends AttachedFile {
  readonly threadId: string;
  readonly uploader: Uploader;
  readonly content: Uint8Array;
}

/**
 * Files of conversations. One belongs to nothing until its message is taken: that is done where the message is stored
 * (`Inbox.accept`, `TicketStore.addMessage`), in one transaction, so that no message names a file that is not there.
 * Throws HubError `database_failed` or `disk_full` on a fault.
 */
export interface FileStore {
  /**
   * Keeps it; the same id again changes nothing.
   * @param roomBytes what all files of a conversation may have together
   * @throws HubError `files_full`
   */
  keep(file: NewFile, roomBytes: number): Promise<AttachedFile>;
  /** Those of this conversation and uploader, in the order that was asked for; what is not theirs is left out. */
  find(threadId: string, uploader: Uploader, fileIds: readonly string[]): Promise<readonly AttachedFile[]>;
  /** What was sent on the conversation, or put there by the one who asks; null for any other. */
  read(threadId: string, fileId: string, reader: Uploader): Promise<ReadFile | null>;
  /** Forgets those that are older and came with no message. @returns how many */
  prune(before: Date): Promise<number>;
}

export interface ReadFile {
  readonly file: AttachedFile;
  readonly content: Uint8Array;
}
