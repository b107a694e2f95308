import { isObject, type JsonObject, type JsonValue, own } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type {
  RemoteAgent,
  RemoteAgents,
  RemoteAgentsConfig,
  RemoteCallOptions,
  RemoteCard,
  RemoteReply,
} from '../../core/ports/remote-agents.js';
import type { Clock, Ids, Log } from '../../core/ports/system.js';
import { createRunningWork } from '../../core/signals.js';
import { type AgentSettings, readAgentFile } from './agent-file.js';
import { Attempts, CALL_TIMINGS, type CallTimings } from './attempts.js';
import { CardCache } from './card-cache.js';
import type { SpecificEndpoint } from './card-endpoints.js';
import {
  ANSWER_DEPTH,
  type Connection,
  callHeaders,
  callKey,
  MAX_ANSWER_BYTES,
  nextHop,
} from './connection.js';
import { badAnswer, readJson } from './faults.js';
import { callGeneric, callTasks } from './generic-call.js';
import { schemaFaults } from './schema-check.js';
import { replyData, replyText } from './task-reply.js';
import { demandSuccess, Wire, type WireAnswer } from './wire.js';

/** The states of a hub in which a person there is asked first, and the field that holds the words. */
const ASKING: ReadonlyMap<unknown, string> = new Map([
  ['confirmation_required', 'question'],
  ['awaiting_operator', 'message'],
  ['awaiting_choice', 'message'],
]);
/** What would let somebody agree without the customer having been asked. */
const KEPT_BACK = new Set(['confirmation_token', 'status_url', 'status']);

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

interface RemoteAgentsOptions {
  readonly agents: readonly AgentSettings[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly timings?: Partial<CallTimings>;
}

const MAX_MESSAGE_CHARS = 20_000;

/** Other agents over HTTP and A2A. Nothing is sent before the first call. */
export function createRemoteAgents(options: RemoteAgentsOptions): RemoteAgents {
  return new HttpRemoteAgents(options);
}

class HttpRemoteAgents implements RemoteAgents {
  readonly #connections: ReadonlyMap<string, Connection>;
  readonly #ids: Ids;
  /** What nobody waits for: it must not fail aloud, and is over before the connections are closed. */
  readonly #later = createRunningWork();

  constructor({ agents, clock, ids, log, timings: given }: RemoteAgentsOptions) {
    const timings = { ...CALL_TIMINGS, ...given };
    this.#ids = ids;
    const { closing } = this.#later;
    this.#connections = new Map(
      agents.map((settings) => {
        const wire = new Wire(settings);
        const attempts = new Attempts({ settings, timings, log, closing });
        const headers = callHeaders(1, {});
        const cards = new CardCache({ settings, wire, attempts, clock, timings, headers });
        return [settings.name, { settings, wire, attempts, cards, clock, timings }];
      }),
    );
  }

  list(): readonly RemoteAgent[] {
    return [...this.#connections.values()].map(({ settings, cards }) => {
      const card = cards.last?.card ?? null;
      const { name, keywords, share } = settings;
      return { name, keywords, share, description: settings.description ?? card?.description ?? '', card };
    });
  }

  async card(agent: string, options: RemoteCallOptions = {}): Promise<RemoteCard> {
    const { card } = await this.#connection(agent).cards.get({ way: 'card', skill: null, options });
    return card;
  }

  async callSkill(
    agent: string,
    skill: string,
    input: JsonObject,
    options: RemoteCallOptions = {},
  ): Promise<RemoteReply> {
    const connection = this.#connection(agent);
    const hop = nextHop(agent, options.hops);
    const key = callKey(options, () => this.#ids.next('rcl'));
    const { endpoints } = await connection.cards.get({ way: 'card', skill: null, options });
    const endpoint = endpoints.get(skill);
    if (endpoint === undefined)
      throw new HubError(
        'not_found',
        `The agent ${agent} has no skill that takes structured input by this name.`,
        { agent, skill },
      );
    return callSpecific(connection, { skill, endpoint, input, hop, key, options });
  }

  async send(
    agent: string,
    message: { readonly text: string; readonly taskId?: string; readonly contextId?: string },
    options: RemoteCallOptions = {},
  ): Promise<RemoteReply> {
    const connection = this.#connection(agent);
    const hop = nextHop(agent, options.hops);
    const key = callKey(options, () => this.#ids.next('rcl'));
    if (message.text.trim() === '' || message.text.length > MAX_MESSAGE_CHARS) {
      const errors = [{ field: 'text', message: `must have 1 to ${MAX_MESSAGE_CHARS} characters` }];
      throw new HubError('input_invalid', `The message for the agent ${agent} ${errors[0]?.message}.`, {
        errors,
      });
    }
    const { generic } = await connection.cards.get({ way: 'card', skill: null, options });
    if (generic === null)
      throw new HubError('not_found', `The agent ${agent} takes no messages in a form that is spoken here.`, {
        agent,
      });
    const sent = { at: generic, message, hop, key, options };
    if (generic.binding === 'TASKS') return callTasks(connection, sent);
    return callGeneric(connection, sent, (work) => void this.#later.track(work.catch(() => undefined)));
  }

  async close(): Promise<void> {
    this.#later.stop();
    await Promise.all([...this.#connections.values()].map(({ cards }) => cards.settled()));
    await this.#later.settled();
    for (const { wire } of this.#connections.values()) wire.close();
  }

  #connection(agent: string): Connection {
    const connection = this.#connections.get(agent);
    if (connection !== undefined) return connection;
    throw new HubError('not_found', 'There is no other agent by this name.', { agent: agent.slice(0, 64) });
  }
}

/** What the application hands over. */
export interface OpenRemoteAgentsOptions {
  readonly config: RemoteAgentsConfig;
  /** Names of the hub's own agents and parts, which no other agent may have. */
  readonly roster: readonly string[];
  /** The address others reach this hub at, where it is configured: an agent there would be the hub itself. */
  readonly publicUrl?: string | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Waiting times other than the usual ones. */
  readonly timings?: Partial<CallTimings>;
}

/**
 * Opens the agents that the file of `HUB_REMOTE_AGENTS` names. Reads that file and nothing else: cards are fetched when
 * they are first asked for. Without a file there are none.
 * @throws HubError `config_invalid` with one line naming file, agent, field and what is wrong
 */
export function openRemoteAgents(options: OpenRemoteAgentsOptions): RemoteAgents {
  const { config, roster, publicUrl, ...rest } = options;
  const agents =
    config.file === undefined ? [] : readAgentFile(config.file, { ...config, roster, publicUrl });
  return createRemoteAgents({ agents, ...rest });
}

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

/** Calls a skill at its endpoint. @throws HubError see RemoteAgents */
async function callSpecific(connection: Connection, call: SpecificCall): Promise<RemoteReply> {
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
    { agent, skill, errors, ...(errors[0] === undefined ? {} : { field: errors[0].field }) },
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
