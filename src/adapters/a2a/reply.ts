import { cleanText } from '../../core/clean-text.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { badAnswer } from './faults.js';

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
