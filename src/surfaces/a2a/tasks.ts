import {
  Artifact,
  Message,
  type StreamResponse,
  Task,
  type TaskPushNotificationConfig,
  TaskState,
  type TaskStatus,
} from '@a2a-js/sdk';
import type { OutsideCaller } from '../../core/capabilities.js';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { A2aTaskDocument, A2aTaskRecord, A2aTaskState } from '../../core/ports/a2a-tasks.js';
import type { WebhookRecord } from '../../core/ports/webhooks.js';

/** The agent that stands for the whole hub: its supervisor chooses who answers. */
export const HUB_AGENT = 'hub';

/** Who calls, and under which name what it leaves behind is kept. */
export interface A2aCaller {
  readonly caller: OutsideCaller;
  /**
   * `customer:<id>`, `operator:<id>`, or for a visitor `anonymous:<hash of its secret>`. Tasks of one key do not exist
   * for another.
   */
  readonly callerKey: string;
  /**
   * The secret of the key, made for a visitor that has shown none. It is returned with a task that is begun under it; such a
   * visitor reaches other visitors' tasks by what nobody can guess, their ids.
   */
  readonly newSecret?: string;
}

/** An agent, and who asks it. */
export interface Asked {
  /** `hub`, or the name of an agent of `app.capabilities.agents()`. */
  readonly agent: string;
  readonly caller: A2aCaller;
}

/** What a message says: words, or the yes or no to the question a task waits with. */
export type TaskContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'answer'; readonly pendingId: string; readonly answer: 'yes' | 'no' };

/** A message for an agent. */
export interface TaskMessage {
  /** Chosen by the client: the same id and content again is the same message, and one effect. 1 to 256 characters. */
  readonly messageId: string;
  /** True where the id is an idempotency key, which is refused for any other message. */
  readonly isKeyed?: boolean;
  readonly content: TaskContent;
  /** Continues this task. */
  readonly taskId?: string | undefined;
  /** Continues this conversation, or names a new one. */
  readonly contextId?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The message as it was sent, for the history of its task; made of the rest where absent. */
  readonly shown?: Message | undefined;
}

interface SendOptions {
  /**
   * True: resolves when the task is over or waits for somebody. False: resolves at once; the task stays `working` for a
   * moment before the agent begins, in which more may be said or all of it be taken back.
   */
  readonly wait: boolean;
  /** The webhook that is notified of the task. */
  readonly push?: PushTarget | undefined;
}

/** A webhook, and the version of the protocol of its notifications. */
export interface PushTarget {
  readonly config: Pick<TaskPushNotificationConfig, 'id' | 'url' | 'token' | 'authentication'>;
  readonly version: '0.3' | '1.0';
}

export interface TaskFilter {
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Only tasks whose state changed after this, ISO 8601. */
  readonly changedAfter?: string | undefined;
  /** 1 to 100; 50 where absent. */
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

export interface TaskPage {
  /** Those that changed last first; with their artifacts. */
  readonly tasks: readonly Task[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  /** How many there are on all pages. */
  readonly total: number;
}

/**
 * The generic way to ask an agent. All methods throw HubError: `not_found` for an agent, task or configuration that does
 * not exist and, in the same words, for somebody else's; `forbidden` for an operator; `scope_missing` where the token
 * allows less than the conversation of the task; `database_failed`, `disk_full`.
 */
export interface TaskService {
  /**
   * @throws HubError `input_invalid`, `input_too_large`, `idempotency_conflict`, `wrong_status` where the task is over
   */
  send(by: Asked, message: TaskMessage, options: SendOptions): Promise<Task>;
  /**
   * Sends, and streams what happens: first the task, last the status with which it is over or waits. Errors as of `send`,
   * thrown before the first event.
   * @param signal ends the telling, not the task
   */
  stream(
    by: Asked,
    message: TaskMessage,
    options: Pick<SendOptions, 'push'>,
    signal: AbortSignal,
  ): AsyncGenerator<StreamResponse, void, undefined>;
  get(by: Asked, taskId: string): Promise<Task>;
  /** @throws HubError `input_invalid` for a page size or token that was not given out */
  list(by: Asked, filter: TaskFilter): Promise<TaskPage>;
  /**
   * Declines an open question and ends what has had no effect yet.
   * @throws HubError `wrong_status` where it is over, or cannot be taken back any more
   */
  cancel(by: Asked, taskId: string): Promise<Task>;
  /** Tells what happens from now on, first the task as it is, until it is over. @throws HubError `wrong_status` where it is */
  subscribe(by: Asked, taskId: string, signal: AbortSignal): AsyncGenerator<StreamResponse, void, undefined>;
  /** @throws HubError `input_invalid` for an address that is not notified */
  setPush(by: Asked, taskId: string, target: PushTarget): Promise<TaskPushNotificationConfig>;
  getPush(by: Asked, taskId: string, configId: string): Promise<TaskPushNotificationConfig>;
  listPush(by: Asked, taskId: string): Promise<readonly TaskPushNotificationConfig[]>;
  /** Does nothing where there is no such configuration. */
  deletePush(by: Asked, taskId: string, configId: string): Promise<void>;
  /** The notifications of a task's webhooks, sent lately or still to be sent, the latest first. */
  listWebhooks(by: Asked, taskId: string): Promise<readonly WebhookRecord[]>;
  /**
   * Tells again what was given up, or the one that is named, and tries at once what waits.
   * @returns how many are sent again
   */
  replayWebhooks(by: Asked, taskId: string, webhookId: string | undefined): Promise<number>;
}

/** The conversation and task that something belongs to. */
interface Place {
  readonly taskId: string;
  readonly contextId: string;
}

/** What an agent says, as parts of a message or an artifact. */
export interface TaskOutput {
  /** Null where there is nothing to say in words. */
  readonly text: string | null;
  /** For programs; null where the words say everything. */
  readonly data: JsonObject | null;
  readonly language?: Language | undefined;
}

const OVER: ReadonlySet<A2aTaskState> = new Set(['completed', 'failed', 'canceled', 'rejected']);
const SETTLED: ReadonlySet<A2aTaskState> = new Set([...OVER, 'input_required']);

/** True of a task to which nothing happens any more. */
export function isOver({ state }: Pick<A2aTaskRecord, 'state'>): boolean {
  return OVER.has(state);
}

/** True of a task that is over, or waits for somebody. */
export function isSettled({ state }: Pick<A2aTaskRecord, 'state'>): boolean {
  return SETTLED.has(state);
}

/** Undefined for the state that stands for any. @throws never */
export function fromProtocolState(state: TaskState): A2aTaskState | undefined {
  const names: Partial<Record<TaskState, A2aTaskState>> = {
    [TaskState.TASK_STATE_SUBMITTED]: 'submitted',
    [TaskState.TASK_STATE_WORKING]: 'working',
    [TaskState.TASK_STATE_INPUT_REQUIRED]: 'input_required',
    [TaskState.TASK_STATE_COMPLETED]: 'completed',
    [TaskState.TASK_STATE_FAILED]: 'failed',
    [TaskState.TASK_STATE_CANCELED]: 'canceled',
    [TaskState.TASK_STATE_REJECTED]: 'rejected',
  };
  return names[state];
}

/** A message of the caller as the history shows it. @param place of a whole task nothing else is taken */
export function shownMessage(
  { messageId, content, shown, metadata }: TaskMessage,
  { taskId, contextId }: Place,
): JsonObject {
  const parts =
    content.kind === 'text'
      ? [textPart(content.text)]
      : [dataPart({ pending_id: content.pendingId, answer: content.answer })];
  const asSent = shown ? (Message.toJSON(shown) as JsonObject) : { messageId, parts };
  const sent = metadata as JsonObject | undefined;
  return { ...asSent, ...(sent && { metadata: sent }), role: 'ROLE_USER', taskId, contextId };
}

/** A message of the agent. @param messageId unique within the task */
export function agentMessage(
  messageId: string,
  { text, data, language }: TaskOutput,
  place: Place,
): JsonObject {
  const metadata = language === undefined ? {} : { metadata: { language } };
  return { messageId, role: 'ROLE_AGENT', parts: partsOf(text, data), ...metadata, ...place };
}

/** What an agent has worked out. */
export function artifactOf(artifactId: string, name: string, { text, data }: TaskOutput): JsonObject {
  return { artifactId, name, parts: partsOf(text, data) };
}

function partsOf(text: string | null, data: JsonObject | null): readonly JsonObject[] {
  return [...(text === null ? [] : [textPart(text)]), ...(data === null ? [] : [dataPart(data)])];
}

function textPart(text: string): JsonObject {
  return { text, mediaType: 'text/plain' };
}

function dataPart(data: JsonObject): JsonObject {
  return { data, mediaType: 'application/json' };
}

/** The same document with another status; what the agent says goes into the history as well. */
export function withStatus(document: A2aTaskDocument, statusMessage: JsonObject | null): A2aTaskDocument {
  const history = statusMessage === null ? document.history : [...document.history, statusMessage];
  return { ...document, statusMessage, history };
}

/** The language of the last message. */
export function languageOf({ document }: A2aTaskRecord): Language | undefined {
  const metadata = document.statusMessage?.metadata as { readonly language?: JsonValue } | undefined;
  const language = metadata?.language;
  return typeof language === 'string' ? language : undefined;
}

/** A task as its caller sees it. */
export function toTask(record: A2aTaskRecord): Task {
  const { taskId, contextId, document } = record;
  const { history, artifacts } = document;
  return Task.fromJSON({ id: taskId, contextId, status: statusJson(record), history, artifacts });
}

function statusJson({ state, document, changedAt }: A2aTaskRecord): JsonObject {
  const { statusMessage } = document;
  return {
    state: `TASK_STATE_${state.toUpperCase()}`,
    timestamp: changedAt,
    ...(statusMessage && { message: statusMessage }),
  };
}

/** What has happened to a task between two times it was read. */
export function eventsBetween(before: A2aTaskRecord, after: A2aTaskRecord): readonly StreamResponse[] {
  const { taskId, contextId } = after;
  const known = new Set(before.document.artifacts.map(({ artifactId }) => artifactId));
  const artifacts = after.document.artifacts
    .filter(({ artifactId }) => !known.has(artifactId))
    .map((artifact): StreamResponse => {
      const value = {
        taskId,
        contextId,
        artifact: Artifact.fromJSON(artifact),
        append: false,
        lastChunk: true,
      };
      return { payload: { $case: 'artifactUpdate', value: { ...value, metadata: undefined } } };
    });
  const same =
    before.state === after.state &&
    before.document.statusMessage?.messageId === after.document.statusMessage?.messageId;
  if (same) return artifacts;
  const status = toTask(after).status as TaskStatus;
  const update: StreamResponse = {
    payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata: undefined } },
  };
  return [...artifacts, update];
}

/** The event that a stream begins with. */
export function taskEvent(record: A2aTaskRecord): StreamResponse {
  return { payload: { $case: 'task', value: toTask(record) } };
}
