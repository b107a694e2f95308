import { Artifact, Message, type StreamResponse, Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { A2aTaskDocument, A2aTaskRecord, A2aTaskState } from '../../core/ports/a2a-tasks.js';
import type { TaskMessage } from './tasks.js';

/** The conversation and task that something belongs to. */
interface Place {
  readonly taskId: string;
  readonly contextId: string;
}

/** What an agent says, as parts of a message or an artifact. */
export interface Said {
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
export function agentMessage(messageId: string, { text, data, language }: Said, place: Place): JsonObject {
  const metadata = language === undefined ? {} : { metadata: { language } };
  return { messageId, role: 'ROLE_AGENT', parts: partsOf(text, data), ...metadata, ...place };
}

/** What an agent has worked out. */
export function artifactOf(artifactId: string, name: string, { text, data }: Said): JsonObject {
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

/** The language that was spoken last. */
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
