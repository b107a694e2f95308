import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { RemoteCallOptions, RemoteReply } from '../../core/ports/remote-agents.js';
import { readJson } from './bounded-json.js';
import type { SpecificEndpoint } from './card-endpoints.js';
import { ANSWER_DEPTH, type Connection, callHeaders, MAX_ANSWER_BYTES } from './connection.js';
import { badAnswer } from './faults.js';
import { demandSuccess } from './http-status.js';
import { schemaFaults } from './schema-check.js';
import { readSpecific } from './specific-answer.js';
import type { WireAnswer } from './wire.js';

export interface SpecificCall {
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
