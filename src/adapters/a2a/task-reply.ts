import type { Message, Part, SendMessageResult, Task, TaskState } from '@a2a-js/sdk';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import type { RemoteReply } from '../../core/ports/remote-agents.js';
import { cleanText } from '../../core/text.js';
import { badAnswer, failed } from './faults.js';

const MAX_TEXT_CHARS = 8_000;
const MAX_DATA_BYTES = 65_536;
const MAX_ID_CHARS = 200;

/** What another agent says, as it may be shown: no control characters, no invisible ones, not without end. */
export function replyText(parts: readonly string[]): string {
  const text = parts
    .map((part) => cleanText(part.slice(0, 2 * MAX_TEXT_CHARS)))
    .filter((part) => part !== '');
  return text.join('\n\n').slice(0, MAX_TEXT_CHARS).toWellFormed().trim();
}

/** @throws HubError `remote_bad_answer` where it is too large */
export function replyData(agent: string, value: JsonValue): JsonObject {
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_DATA_BYTES)
    throw badAnswer(agent, `with more than ${MAX_DATA_BYTES / 1_024} kB of data`);
  return isObject(value) ? value : { result: value };
}

/** An id to be sent back; null where it gave none. @throws HubError `remote_bad_answer` */
export function replyId(agent: string, id: unknown): string | null {
  if (id === undefined || id === null || id === '') return null;
  if (typeof id !== 'string' || id.length > MAX_ID_CHARS) throw badAnswer(agent, 'with an id that is none');
  return id;
}

/** By the protocol's own numbers, which its package would be loaded for. */
const STATES: Record<TaskState, string> = {
  0: 'unspecified',
  1: 'submitted',
  2: 'working',
  3: 'completed',
  4: 'failed',
  5: 'canceled',
  6: 'input_required',
  7: 'rejected',
  8: 'auth_required',
  [-1]: 'unspecified',
};
const RUNNING = new Set(['submitted', 'working']);
const FAILED = new Set(['failed', 'canceled', 'rejected', 'auth_required']);
const AGENT = 2;
/** More than a reply holds anyway. */
const MAX_TEXTS = 50;
const MAX_PART_CHARS = 16_000;

function isTask(result: SendMessageResult): result is Task {
  return !('messageId' in result);
}

function stateOf(task: Task): string {
  return task.status === undefined ? 'unspecified' : STATES[task.status.state];
}

/** True where more is to come. */
export function isRunning(result: SendMessageResult): boolean {
  return isTask(result) && RUNNING.has(stateOf(result));
}

export function taskIdOf(result: SendMessageResult): string {
  return isTask(result) ? result.id : result.taskId;
}

/**
 * What an agent has answered: a message, or a task that has ended or asks something back.
 * @throws HubError `remote_failed` where the task came to nothing, `remote_bad_answer` where it says nothing
 */
export function readReply(agent: string, result: SendMessageResult): RemoteReply {
  if (!isTask(result)) return complete(agent, result.parts, [], result.taskId, result.contextId);
  const state = stateOf(result);
  const said = result.status?.message?.parts ?? [];
  if (FAILED.has(state)) throw failed(agent, state, replyText(textsOf(said)));
  if (state === 'input_required') return asks(agent, result, said);
  if (state !== 'completed') throw badAnswer(agent, 'with a task in no state of the protocol');
  const made = result.artifacts.flatMap((artifact) => artifact.parts);
  const last = said.length > 0 || made.length > 0 ? said : lastWords(result.history);
  return complete(agent, made, last, result.id, result.contextId);
}

function asks(agent: string, task: Task, said: readonly Part[]): RemoteReply {
  const parts = textsOf(said).length > 0 ? said : lastWords(task.history);
  return {
    state: 'input_required',
    text: replyText(textsOf(parts)),
    data: dataOf(agent, parts),
    taskId: replyId(agent, task.id),
    contextId: replyId(agent, task.contextId),
  };
}

/** What a task made comes first; what is said about it is added where it says something else. */
function complete(
  agent: string,
  made: readonly Part[],
  said: readonly Part[],
  taskId: string,
  contextId: string,
): RemoteReply {
  const texts = textsOf(made);
  const known = texts.join('\n');
  const more = textsOf(said).filter((text) => !known.includes(text.trim()));
  const text = replyText([...texts, ...more]);
  const data = dataOf(agent, made.some((part) => part.content?.$case === 'data') ? made : said);
  if (text === '' && data === null) throw badAnswer(agent, 'with nothing');
  return {
    state: 'completed',
    text,
    data,
    taskId: replyId(agent, taskId),
    contextId: replyId(agent, contextId),
  };
}

function lastWords(history: readonly Message[]): readonly Part[] {
  return history.findLast((message) => message.role === AGENT)?.parts ?? [];
}

function textsOf(parts: readonly Part[]): readonly string[] {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  return texts.slice(0, MAX_TEXTS).map((text) => text.slice(0, MAX_PART_CHARS));
}

/** One part is the data; several are a list of them. */
function dataOf(agent: string, parts: readonly Part[]): JsonObject | null {
  const found = parts.flatMap(({ content }) =>
    content?.$case === 'data' ? [content.value as JsonValue] : [],
  );
  const [first, ...rest] = found.filter((value) => value !== undefined && value !== null);
  if (first === undefined) return null;
  if (rest.length === 0) return replyData(agent, isObject(first) ? first : { result: first });
  return replyData(agent, { parts: [first, ...rest] });
}
