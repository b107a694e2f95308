import type { ThreadEvent, ThreadView } from './domain/conversation.js';
import type { Identity, ThreadLimits } from './domain/customer.js';
import type { Language } from './domain/taxonomy.js';
import type { Channel } from './domain/ticket.js';
import type { TurnReply } from './domain/turn.js';
import type { AttachedFile, FileIds, FileInput } from './file-types.js';
import type { ReadFile, ThreadSummary } from './ports/thread-store.js';

/** A message as it comes from a customer's client. */
export interface SendInput {
  /** Verified by the surface. */
  readonly identity: Identity;
  readonly threadId: string;
  /** May be empty where there are files. */
  readonly text: string;
  readonly files?: FileIds | undefined;
  /** What the client shows; spoken where nothing but files says which language it is. */
  readonly language?: Language | undefined;
  /** The same id and text again: the same answer, one effect. Made up where the client gives none. */
  readonly clientMessageId?: string | undefined;
  readonly channel: Channel;
  /** Up to when the customer had read the conversation, where that is earlier; ISO 8601 UTC. See `TurnInput.receivedAt`. */
  readonly readUpTo?: string | undefined;
  /**
   * Hubs that the request came through before this one (`REMOTE_HOPS_METADATA`), where an agent of another program sent it;
   * what a visitor sends over A2A without it is not passed on to agents elsewhere.
   */
  readonly hops?: number | undefined;
  /** Breaks the turn off, for a client that is the only one who ever learns of it: a terminal. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the events of the turn that answers it, up to its `done`; must not throw. */
  readonly onEvent?: ((event: ThreadEvent) => void) | undefined;
  /** The id of the last event of that turn which was seen, where the same message is sent again to continue listening. */
  readonly after?: string | undefined;
}

/** A yes or no to one exact question, or the withdrawal of one that is open, be it asked of the customer or of an operator. */
export interface AnswerInput
  extends Pick<SendInput, 'identity' | 'threadId' | 'clientMessageId' | 'channel' | 'after' | 'onEvent'> {
  readonly pendingId: string;
  readonly answer: 'yes' | 'no' | 'withdraw';
  /** Why, in the customer's words; the operators read it with a withdrawal. */
  readonly words?: string | undefined;
}

/** What a customer thinks of what was done. */
export interface RatingInput {
  readonly helpful: boolean;
  readonly comment?: string | undefined;
  /** The ticket whose resolution is rated. */
  readonly ticketId?: string | undefined;
}

/** How to look on. */
export interface FollowInput {
  readonly identity: Identity;
  readonly threadId: string;
  /** The id of the last event that was seen; absent: from now on. */
  readonly after?: string | undefined;
  readonly onEvent: (event: ThreadEvent) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called once where the conversation has become somebody else's meanwhile: nothing more is told then. */
  readonly onLost?: (() => void) | undefined;
}

/**
 * The customers' side over durable state: a message is kept before it is acknowledged, and answered through any crash.
 * Somebody else's conversation and one that does not exist are told apart nowhere (`not_found`).
 * All methods throw HubError; `disk_full` and `database_failed` where nothing could be stored.
 */
export interface Conversations {
  /** @param begun what the conversation is held to for good, and the customer's time zone; nothing where absent */
  create(
    identity: Identity,
    begun?: ThreadLimits & { readonly timeZone?: string | null },
  ): Promise<ThreadView>;
  /** The latest first; none for an anonymous caller without a session. */
  list(identity: Identity, limit: number): Promise<readonly ThreadSummary[]>;
  /** @throws HubError `not_found` */
  show(identity: Identity, threadId: string): Promise<ThreadView>;
  /**
   * Answers the message. Messages that arrive while another is answered wait, and are answered together.
   * Resolves although the client that asked is gone. While an operator has claimed the conversation the reply only
   * acknowledges it.
   * @throws HubError `not_found` (of a file too), `input_too_large`, `input_invalid`, `too_many_files`,
   * `idempotency_conflict`, `thread_busy`
   */
  send(input: SendInput): Promise<TurnReply>;
  /**
   * Keeps a file for a message that is still to be sent; a day later it is forgotten.
   * @throws HubError `not_found`, `file_too_large`, `file_type_refused`, `files_full`
   */
  attach(identity: Identity, threadId: string, file: FileInput): Promise<AttachedFile>;
  /** What was sent on the conversation, by whomever. @throws HubError `not_found` */
  file(identity: Identity, threadId: string, fileId: string): Promise<ReadFile>;
  /**
   * @throws HubError `not_found`, `pending_not_found`, `pending_decided` (also: an operator agreed first),
   * `pending_withdrawn`, `pending_expired`, `thread_busy`
   */
  answer(input: AnswerInput): Promise<TurnReply>;
  /**
   * Stops the answer that is being made, wherever it is made: it ends with a sentence that says so. What was agreed to is
   * carried out and told all the same. Nothing happens where no answer is being made.
   * @throws HubError `not_found`
   */
  stop(identity: Identity, threadId: string): Promise<void>;
  /**
   * The customer has had the conversation up to this message on the screen; the operators see it. A message that is not of
   * the conversation, or was read before, changes nothing.
   * @throws HubError `not_found`
   */
  read(identity: Identity, threadId: string, messageId: string): Promise<void>;
  /** The customer writes, and the operator who has claimed the conversation is told; nothing of the words. @throws HubError `not_found` */
  typing(identity: Identity, threadId: string): Promise<void>;
  /**
   * Rates the hub's answers on the newest ticket or, where a ticket is named, what became of it in an operator's hands. A later
   * rating takes the place of an older one.
   * @throws HubError `not_found` (also: nothing was said yet, or no operator has resolved that ticket)
   */
  rate(identity: Identity, threadId: string, rating: RatingInput): Promise<void>;
  /**
   * Tells what happens on the conversation, first what was missed since `after`, until the signal is aborted.
   * Resolves when following has begun.
   * @throws HubError `not_found`
   */
  follow(input: FollowInput): Promise<void>;
  /**
   * A visitor's conversation becomes the customer's that the visitor has signed in as, for good; see `ThreadStore.adopt`.
   * Waits for an answer that is being made.
   * @param visitorId proven by the surface, like the customer
   * @throws HubError `not_found`, `thread_busy`
   */
  adopt(
    customer: Extract<Identity, { kind: 'customer' }>,
    visitorId: string,
    threadId: string,
  ): Promise<ThreadView>;
  /** Looks for messages that a crash left unanswered, and answers them. @returns how many */
  recover(): Promise<number>;
}
