import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { RemoteCallOptions, RemoteReply } from '../../core/ports/remote-agents.js';
import type { SpecificEndpoint } from './card-endpoints.js';
import { ANSWER_DEPTH, type Connection, callHeaders, MAX_ANSWER_BYTES } from './connection.js';
import { badAnswer, own, readJson } from './faults.js';
import { demandSuccess } from './http-status.js';
import { schemaFaults } from './schema-check.js';
import { replyData, replyText } from './task-reply.js';
import type { WireAnswer } from './wire.js';

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
function readSpecific(agent: string, body: JsonValue, endpoint: SpecificEndpoint): RemoteReply {
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

interface SpecificCall {
  readonly skill: string;
  readonly endpoint: SpecificEndpoint;
  readonly input: JsonObject;
  readonly hop: number;
  /** The same for every try: the other side does the work once. */
  readonly key: string;
  readonly options: RemoteCallOptions;
}

const MAX_INPUT_CHARS = 64 * 1_024;

/** Calls a skill at its endpoint. @throws HubError see RemoteAgents */
export async function callSpecific(connection: Connection, call: SpecificCall): Promise<RemoteReply> {
  const { settings, attempts, wire, cards, clock } = connection;
  const { skill, endpoint, input, options } = call;
  demandInput(settings.name, call);
  const { url, body } = addressed(endpoint, input);
  const headers = {
    ...callHeaders(call.hop, options),
    'idempotency-key': call.key,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = { method: endpoint.method, url, headers, ...(body === undefined ? {} : { body }) };
  return attempts.run({ way: 'specific', skill, options }, async ({ signal, timeoutMs }) => {
    const limits = { maxBytes: MAX_ANSWER_BYTES, timeoutMs: timeoutMs(), signal };
    const answer = await wire.exchange({ ...sent, ...limits });
    // The card has named a place that is not there, or no longer takes this.
    if ([404, 405, 410].includes(answer.status)) cards.expire();
    demandSuccess(settings.name, answer, clock);
    return readSpecific(settings.name, readBody(settings.name, answer), endpoint);
  });
}

function demandInput(agent: string, { skill, endpoint, input }: SpecificCall): void {
  const errors = schemaFaults(input, endpoint.inputSchema);
  const tooLarge = JSON.stringify(input).length > MAX_INPUT_CHARS;
  if (errors.length === 0 && !tooLarge) return;
  const said = errors.slice(0, 5).map(({ field, message }) => `${field} ${message}`.trim());
  const why = tooLarge ? `it has more than ${MAX_INPUT_CHARS} characters` : said.join('; ');
  throw new HubError(
    'input_invalid',
    `The input does not fit the skill ${skill} of the agent ${agent}: ${why}.`,
    {
      agent,
      skill,
      errors,
      ...(errors[0] === undefined ? {} : { field: errors[0].field }),
    },
  );
}

function addressed(
  { url, method }: SpecificEndpoint,
  input: JsonObject,
): { readonly url: URL; readonly body?: string } {
  if (method === 'POST') return { url, body: JSON.stringify(input) };
  const asked = new URL(url);
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) asked.searchParams.set(name, plain(value));
  return { url: asked };
}

function plain(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function readBody(agent: string, answer: WireAnswer): JsonValue {
  if (answer.text.trim() === '') return {};
  const json = readJson(answer.text, ANSWER_DEPTH);
  if (json === undefined) throw badAnswer(agent, 'with something that is no JSON');
  return json;
}
