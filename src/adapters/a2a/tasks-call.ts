import { isObject, type JsonObject } from '../../core/domain/json.js';
import type { RemoteReply } from '../../core/ports/remote-agents.js';
import { own, readJson } from './bounded-json.js';
import { line } from './card-text.js';
import { ANSWER_DEPTH, type Connection, callHeaders, MAX_ANSWER_BYTES } from './connection.js';
import { badAnswer } from './faults.js';
import type { GenericCall } from './generic-call.js';
import { demandSuccess } from './http-status.js';
import { replyData, replyId, replyText } from './reply.js';

/** Fields that hold what is said, the surest first. */
const WORDS = ['reply', 'answer', 'response', 'text', 'message', 'output', 'result', 'content'];
const ENVELOPE = new Set([...WORDS, 'status', 'state', 'id', 'task_id', 'context_id', 'message_id']);

/**
 * Sends a message to the plain `/tasks` of an agent (`endpoints.tasks` of its card): words as JSON, answered at once.
 * @throws HubError see RemoteAgents
 */
export async function callTasks(connection: Connection, call: GenericCall): Promise<RemoteReply> {
  const { settings, attempts, wire, clock } = connection;
  const { at, message, hop, key, options } = call;
  const { text, taskId, contextId } = message;
  const sent = {
    method: 'POST',
    url: new URL(at.url),
    headers: {
      ...callHeaders(hop, options),
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      message: text,
      message_id: key,
      ...(taskId === undefined ? {} : { task_id: taskId }),
      ...(contextId === undefined ? {} : { context_id: contextId }),
    }),
  };
  return attempts.run({ way: 'generic', skill: null, options }, async ({ signal, timeoutMs }) => {
    const limits = { maxBytes: MAX_ANSWER_BYTES, timeoutMs: timeoutMs(), signal };
    const answer = await wire.exchange({ ...sent, ...limits });
    demandSuccess(settings.name, answer, clock);
    return readAnswer(settings.name, answer.text);
  });
}

/** Words, or an object with words in it; the rest of it is data. */
function readAnswer(agent: string, text: string): RemoteReply {
  const body = readJson(text, ANSWER_DEPTH) ?? text;
  const nothing = { state: 'completed', data: null, taskId: null, contextId: null } as const;
  if (typeof body === 'string') return { ...nothing, text: replyText([body]) };
  if (!isObject(body)) return { ...nothing, text: '', data: replyData(agent, body) };
  const status = line(own(body, 'status') ?? own(body, 'state'), 40).toLowerCase();
  if (/fail|error|reject|cancel/.test(status)) throw badAnswer(agent, 'that its task came to nothing');
  const found = WORDS.map((name) => own(body, name)).find((value) => typeof value === 'string');
  const others = Object.entries(body).filter(([name, value]) => !ENVELOPE.has(name) || isObject(value));
  const data: JsonObject = Object.fromEntries(others);
  return {
    state: /input|ask|clarif/.test(status) ? 'input_required' : 'completed',
    text: replyText(typeof found === 'string' ? [found] : []),
    data: others.length === 0 ? null : replyData(agent, data),
    taskId: replyId(agent, own(body, 'task_id') ?? own(body, 'id')),
    contextId: replyId(agent, own(body, 'context_id')),
  };
}
