import { createHash } from 'node:crypto';
import type { Identity, Scope } from '../domain/customer.js';
import type { JsonObject } from '../domain/json.js';
import type { BackgroundWork } from './background.js';
import type { InboxContent } from './inbox.js';
import type { Clock, Ids } from './system.js';
import type { A2aPushConfig, WebhookBody, WebhookOutbox, Webhooks } from './webhooks.js';

export const A2A_TASK_STATES = [
  'submitted',
  'working',
  'input_required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;
export type A2aTaskState = (typeof A2A_TASK_STATES)[number];

/** Whom a task that needs input waits for: its caller (for a yes or no, or for more words), or people. */
export type A2aWait =
  | { readonly kind: 'confirmation' | 'approval'; readonly pendingId: string }
  | { readonly kind: 'words' }
  | { readonly kind: 'operator' };

/** What a task has to show, in the shapes of protocol 1.0. */
export interface A2aTaskDocument {
  readonly statusMessage: JsonObject | null;
  readonly history: readonly JsonObject[];
  readonly artifacts: readonly JsonObject[];
}

/** One request to an agent, until it is over. */
export interface A2aTaskRecord {
  readonly taskId: string;
  /** Whose it is, e.g. `customer:u_01`; it does not exist for anybody else. Never changes. */
  readonly owner: string;
  /** Null for a visitor's. */
  readonly customerId: string | null;
  /** `hub`, or an agent of the roster. */
  readonly agent: string;
  /** What its client calls the conversation. */
  readonly contextId: string;
  /** The conversation; null where the agent holds none. */
  readonly threadId: string | null;
  /** What the conversation may be used for. */
  readonly scopes: readonly Scope[];
  readonly state: A2aTaskState;
  /** Set while the state is `input_required`. */
  readonly wait: A2aWait | null;
  /** Stored messages of the hub and of operators that the task has reported already. */
  readonly messageIds: readonly string[];
  /** Its caller wants to take it back. */
  readonly cancelAsked: boolean;
  readonly document: A2aTaskDocument;
  /** Messages whose answer the task does not show yet, oldest first. */
  readonly open: readonly A2aOpenMessage[];
  /** Ascends with every change. */
  readonly version: number;
  /** When it last changed, ISO 8601 UTC. */
  readonly changedAt: string;
  readonly createdAt: string;
}

export type NewA2aTask = Pick<
  A2aTaskRecord,
  'owner' | 'customerId' | 'agent' | 'contextId' | 'threadId' | 'scopes' | 'document'
> & { readonly taskId: string };

/** What a change may touch. */
export type A2aTaskChange = Pick<A2aTaskRecord, 'state' | 'wait' | 'messageIds' | 'cancelAsked' | 'document'>;

/** A message that the task waits for an answer to. What it says is in the task's history and in the inbox. */
interface A2aOpenMessage {
  readonly messageId: string;
  /** True once a turn of its conversation has taken it from the inbox; what nobody has begun can be taken back. */
  readonly begun: boolean;
}

/** A message of the caller. */
export interface A2aMessage {
  /** Chosen by the client, unique for its owner and agent. */
  readonly messageId: string;
  readonly content: InboxContent;
}

/** Where in a list a page ends. */
export interface A2aListPlace {
  readonly changedAt: string;
  readonly seq: number;
}

export interface A2aListQuery {
  readonly owner: string;
  readonly agent: string;
  readonly contextId?: string | undefined;
  readonly state?: A2aTaskState | undefined;
  /** Later than this, ISO 8601 UTC. */
  readonly changedAfter?: string | undefined;
  /** Only tasks of which this is all they may be used for. */
  readonly within: readonly Scope[];
  readonly after?: A2aListPlace | undefined;
  readonly limit: number;
}

export interface A2aListed {
  readonly tasks: readonly A2aTaskRecord[];
  /** Where to continue; null on the last page. */
  readonly next: A2aListPlace | null;
  readonly total: number;
}

/** Makes the notifications of a change for the webhooks of a task. */
export interface WebhookNotifier {
  bodies(
    before: A2aTaskRecord,
    after: A2aTaskRecord,
    protocol: A2aPushConfig['protocol'],
  ): readonly WebhookBody[];
  /** So much waits for its owner, or for all, that this webhook is not notified. */
  refused(task: A2aTaskRecord, config: A2aPushConfig): void;
}

/**
 * Tasks of other software; they outlive the process, and any number of processes may work on them.
 * Throws HubError `database_failed` or `disk_full` on a fault.
 */
export interface A2aTasks {
  /**
   * Keeps a new task with its first message, and puts the message into the inbox of its conversation, where it has one;
   * or finds the task that has the message already.
   * @throws HubError `idempotency_conflict` where the message's id was used for other words
   */
  begin(
    task: NewA2aTask,
    message: A2aMessage,
  ): Promise<{ readonly task: A2aTaskRecord; readonly known: boolean }>;
  /**
   * Adds a message to a task and to the inbox of its conversation; `known` where it has it already, or another task does.
   * @param shown the message as the task's history shows it
   * @throws HubError `idempotency_conflict`, `not_found`, `wrong_status` where the task is over
   */
  say(
    taskId: string,
    message: A2aMessage,
    shown: JsonObject,
  ): Promise<{ readonly task: A2aTaskRecord; readonly known: boolean }>;
  /** The task that has the message. @throws HubError `idempotency_conflict` */
  find(owner: string, agent: string, message: A2aMessage): Promise<A2aTaskRecord | null>;
  get(taskId: string): Promise<A2aTaskRecord | null>;
  /** The task where it is newer than this version, else null. @throws HubError `not_found` */
  newer(taskId: string, version: number): Promise<A2aTaskRecord | null>;
  /** Those that changed last first. */
  list(query: A2aListQuery): Promise<A2aListed>;
  /** The conversation that a caller calls so; null where it calls none so. */
  thread(owner: string, agent: string, contextId: string): Promise<string | null>;
  /**
   * The visitor that began a conversation, by the name the hub has given it; null for a customer's, and for a name that
   * a caller has made up.
   */
  visitorOf(agent: string, contextId: string): Promise<string | null>;
  /** Names a conversation. @returns the one that is called so, where another was faster */
  nameThread(owner: string, agent: string, contextId: string, threadId: string): Promise<string>;
  /**
   * Changes the task, if it and its open messages are still as they were read; the messages named are answered with it.
   * One that is over has no open messages: what nobody has begun of them leaves the inbox.
   * @param notifier the notifications of its webhooks are put into the outbox with the change: both are kept, or neither
   * @returns null where somebody else has changed it
   */
  save(
    task: A2aTaskRecord,
    change: A2aTaskChange,
    answered?: readonly string[],
    notifier?: WebhookNotifier,
  ): Promise<A2aTaskRecord | null>;
  /** Tasks that are not over, oldest first. */
  listOpen(): Promise<readonly A2aTaskRecord[]>;
  /** Tasks with open messages to which nothing has happened since: whoever worked on them may be gone. */
  left(before: Date): Promise<readonly A2aTaskRecord[]>;
  /** Tasks that wait for something on the conversation. */
  waiting(threadId: string): Promise<readonly A2aTaskRecord[]>;
  /** Replaces one of the same id; a new one is notified of what happens from now on. @throws HubError `input_invalid` where the task has too many */
  putPush(config: A2aPushConfig): Promise<void>;
  listPush(taskId: string): Promise<readonly A2aPushConfig[]>;
  deletePush(taskId: string, configId: string): Promise<void>;
  /** Forgets tasks to which nothing has happened since, and names of conversations. @returns how many tasks */
  prune(before: Date): Promise<number>;
}

/** What the agents need to work for other software, besides the conversations and the capabilities. */
export interface A2aSupport {
  readonly tasks: A2aTasks;
  readonly webhooks: Webhooks;
  readonly outbox: WebhookOutbox;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The customer of a task that is taken up again; null where there is none any more. @throws HubError `database_failed` */
  customer(customerId: string): Promise<Identity | null>;
  readonly background: Pick<BackgroundWork, 'every'>;
  /** Aborted when the App closes: nothing is begun any more. */
  readonly closing: AbortSignal;
  /** Work that a closing App waits for. Gives the same promise back. */
  track<T>(work: Promise<T>): Promise<T>;
}

/** What the conversation of a task calls a message of its caller: the same for the same message, and nobody else's. */
export function clientMessageIdOf(
  { owner, agent }: Pick<A2aTaskRecord, 'owner' | 'agent'>,
  messageId: string,
): string {
  const hash = createHash('sha256').update(JSON.stringify([owner, agent, messageId]));
  return `a2a-${hash.digest('base64url')}`;
}
