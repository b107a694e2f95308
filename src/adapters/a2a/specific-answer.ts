import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { RemoteReply } from '../../core/ports/remote-agents.js';
import { isObject, own } from './bounded-json.js';
import type { SpecificEndpoint } from './card-endpoints.js';
import { badAnswer } from './faults.js';
import { replyData, replyText } from './reply.js';
import { schemaFaults } from './schema-check.js';

/** The states of a hub in which a person there is asked first, and the field that holds the words. */
const ASKING: ReadonlyMap<unknown, string> = new Map([
  ['confirmation_required', 'question'],
  ['awaiting_operator', 'message'],
  ['awaiting_choice', 'message'],
]);
/** What would let somebody agree without the customer having been asked. */
const KEPT_BACK = new Set(['confirmation_token', 'status_url', 'status']);

/**
 * What a skill answered. A plan that wants a yes is handed on as a question: nothing here agrees to it.
 * @throws HubError `remote_bad_answer` where it breaks the skill's own schema
 */
export function readSpecific(agent: string, body: JsonValue, endpoint: SpecificEndpoint): RemoteReply {
  const [fault] = schemaFaults(body, endpoint.outputSchema);
  if (fault !== undefined) {
    const where = `${fault.field} ${fault.message}`.trim();
    throw badAnswer(agent, `with what its own schema does not allow (${where})`);
  }
  return endpoint.envelope && isObject(body) ? opened(agent, body) : completed(agent, body);
}

function opened(agent: string, body: JsonObject): RemoteReply {
  const status = own(body, 'status');
  if (status === 'done') return completed(agent, own(body, 'result') ?? {});
  const words = ASKING.get(status);
  if (words === undefined) throw badAnswer(agent, 'with a status that is none of its own');
  const text = own(body, words);
  const shown = Object.entries(body).filter(([key]) => !KEPT_BACK.has(key) && key !== words);
  return {
    state: 'input_required',
    text: replyText(typeof text === 'string' ? [text] : []),
    data: replyData(agent, Object.fromEntries(shown)),
    taskId: null,
    contextId: null,
  };
}

function completed(agent: string, value: JsonValue): RemoteReply {
  return { state: 'completed', text: '', data: replyData(agent, value), taskId: null, contextId: null };
}
