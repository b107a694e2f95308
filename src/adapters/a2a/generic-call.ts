import type { SendMessageRequest, SendMessageResult } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { isObject, type JsonObject, own } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import {
  REMOTE_HOPS_METADATA,
  type RemoteCallOptions,
  type RemoteReply,
} from '../../core/ports/remote-agents.js';
import { pause } from '../../core/signals.js';
import type { Limit } from './attempts.js';
import type { GenericInterface } from './card-endpoints.js';
import { ANSWER_DEPTH, type Connection, callHeaders, MAX_ANSWER_BYTES } from './connection.js';
import { badAnswer, cancelled, line, readJson, refused, Unreachable } from './faults.js';
import { isRunning, readReply, replyData, replyId, replyText, taskIdOf } from './task-reply.js';
import { demandSuccess } from './wire.js';

const INTERNAL_ERROR = -32_603;
const TASK_NOT_FOUND = -32_001;
const INVALID_AGENT_RESPONSE = -32_006;
/** A person reads the text; the data is for programs. */
const OUTPUT_MODES = ['text/plain', 'application/json'];
const HISTORY = 10;
const USER = 1;

interface OutgoingMessage {
  readonly text: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly messageId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface GenericCall {
  readonly at: GenericInterface;
  readonly message: { readonly text: string; readonly taskId?: string; readonly contextId?: string };
  readonly hop: number;
  /** The message's id, the same for every try: the other side takes it once. */
  readonly key: string;
  readonly options: RemoteCallOptions;
}

const CANCEL_MS = 2_000;

/**
 * Sends a message and waits for what comes of it. A task that was begun is not begun again by a further try: it is
 * looked at until it ends or the time is over; then, or where the caller leaves, it is called off.
 * @param later told of what goes on after the answer
 * @throws HubError see RemoteAgents
 */
export async function callGeneric(
  connection: Connection,
  call: GenericCall,
  later: (work: Promise<unknown>) => void,
): Promise<RemoteReply> {
  const { settings, attempts } = connection;
  let held: SendMessageResult | undefined;
  try {
    return await attempts.run({ way: 'generic', skill: null, options: call.options }, async (limit) => {
      const client = await openClient(connection, call.at, callHeaders(call.hop, call.options), limit);
      const guarded = <T>(work: Promise<T>): Promise<T> =>
        work.catch((error: unknown) => {
          throw rpcFault(settings.name, error);
        });
      held ??= await guarded(client.sendMessage(requestOf(call)));
      held = await guarded(followed(connection, client, held, limit));
      return readReply(settings.name, held);
    });
  } catch (error) {
    if (held !== undefined && isRunning(held)) later(callOff(connection, call, taskIdOf(held)));
    throw error;
  }
}

function requestOf({ message, key, hop, options }: GenericCall) {
  const { language } = options;
  const metadata = { [REMOTE_HOPS_METADATA]: hop, ...(language === undefined ? {} : { language }) };
  return sendRequest({ ...message, messageId: key, metadata });
}

/** Looks at a task until it has ended, waits for somebody, or there is no more time. */
async function followed(
  { settings, timings }: Connection,
  client: Client,
  first: SendMessageResult,
  limit: Limit,
): Promise<SendMessageResult> {
  let seen = first;
  for (let wait = timings.pollMs; isRunning(seen); wait = Math.min(2 * wait, timings.maxPollMs)) {
    const left = limit.ends - performance.now();
    if (left <= 0) throw new Unreachable('its task did not end in time', { certain: false });
    if (!(await pause(Math.min(wait, left), limit.signal)))
      throw cancelled(settings.name, limit.signal.reason);
    const id = taskIdOf(seen);
    const next = await client.getTask({ tenant: '', id, historyLength: undefined });
    if (next.id !== id) throw badAnswer(settings.name, 'with another task than it was asked for');
    seen = next;
  }
  return seen;
}

/** Nobody waits for the task any more. Whether it can still be stopped is theirs to say. */
async function callOff(connection: Connection, call: GenericCall, id: string): Promise<void> {
  const { settings } = connection;
  const watch = new AbortController();
  const timeoutMs = Math.min(CANCEL_MS, settings.timeoutMs);
  const limit = { signal: watch.signal, timeoutMs: () => timeoutMs, ends: performance.now() + timeoutMs };
  const client = await openClient(connection, call.at, callHeaders(call.hop, call.options), limit);
  await client.cancelTask({ tenant: '', id, metadata: undefined });
}

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
    headers: { ...callHeaders(hop, options), 'idempotency-key': key, 'content-type': 'application/json' },
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

/**
 * A client of the protocol for one call. It gets a card of our own making with the one interface that was chosen, so that
 * nothing else of the other side's card reaches it, and speaks through the guarded wire.
 */
async function openClient(
  connection: Connection,
  { url, binding, version, tenant }: GenericInterface,
  headers: Readonly<Record<string, string>>,
  limit: Limit,
): Promise<Client> {
  // Loaded where it is used only: a hub that asks nobody need not know the protocol.
  const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } = await import('@a2a-js/sdk/client');
  const options = { fetchImpl: guardedFetch(connection, headers, limit), legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
  });
  return factory.createFromAgentCard({
    name: connection.settings.name,
    description: '',
    supportedInterfaces: [{ url, protocolBinding: binding, tenant, protocolVersion: version }],
    provider: undefined,
    version: '',
    capabilities: { extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    signatures: [],
  });
}

function sendRequest({ text, taskId, contextId, messageId, metadata }: OutgoingMessage): SendMessageRequest {
  const part = {
    content: { $case: 'text', value: text } as const,
    metadata: undefined,
    filename: '',
    mediaType: '',
  };
  return {
    tenant: '',
    message: {
      messageId,
      contextId: contextId ?? '',
      taskId: taskId ?? '',
      role: USER,
      parts: [part],
      metadata: { ...metadata },
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: OUTPUT_MODES,
      taskPushNotificationConfig: undefined,
      historyLength: HISTORY,
      returnImmediately: false,
    },
    metadata: undefined,
  };
}

/** What the client threw, in the words of the port. */
function rpcFault(agent: string, error: unknown): unknown {
  if (error instanceof Unreachable || error instanceof HubError) return error;
  const { envelopeCode: code, message } = error as {
    readonly envelopeCode?: unknown;
    readonly message?: unknown;
  };
  const detail = typeof message === 'string' ? message : '';
  if (typeof code !== 'number' || code === INVALID_AGENT_RESPONSE)
    return badAnswer(agent, 'with something that is not the protocol', error);
  if (code === INTERNAL_ERROR)
    return new Unreachable('it answered with an internal error', { certain: false, status: 500 }, error);
  return refused(agent, code === TASK_NOT_FOUND ? 404 : 400, detail);
}

function guardedFetch(
  { wire, settings, clock }: Connection,
  headers: Readonly<Record<string, string>>,
  { signal, timeoutMs }: Limit,
): typeof fetch {
  return async (input, init) => {
    const own: Record<string, string> = {};
    new Headers(init?.headers).forEach((value, name) => {
      own[name] = value;
    });
    const answer = await wire.exchange({
      method: init?.method ?? 'GET',
      url: new URL(typeof input === 'string' || input instanceof URL ? input : input.url),
      headers: { ...own, ...headers },
      ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: timeoutMs(),
      signal,
    });
    demandSuccess(settings.name, answer, clock);
    const json = readJson(answer.text, ANSWER_DEPTH);
    if (json === undefined) throw badAnswer(settings.name, 'with something that is no JSON');
    return Response.json(json);
  };
}
