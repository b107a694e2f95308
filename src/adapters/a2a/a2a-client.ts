import type { SendMessageRequest } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { HubError } from '../../core/errors.js';
import type { Limit } from './attempts.js';
import type { GenericInterface } from './card-endpoints.js';
import { ANSWER_DEPTH, type Connection, MAX_ANSWER_BYTES } from './connection.js';
import { badAnswer, readJson, refused, Unreachable } from './faults.js';
import { demandSuccess } from './http-status.js';

const INTERNAL_ERROR = -32_603;
const TASK_NOT_FOUND = -32_001;
const INVALID_AGENT_RESPONSE = -32_006;
/** A person reads the text; the data is for programs. */
const OUTPUT_MODES = ['text/plain', 'application/json'];
const HISTORY = 10;
const USER = 1;

/**
 * A client of the protocol for one call. It gets a card of our own making with the one interface that was chosen, so that
 * nothing else of the other side's card reaches it, and speaks through the guarded wire.
 */
export async function openClient(
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

interface OutgoingMessage {
  readonly text: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly messageId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function sendRequest({
  text,
  taskId,
  contextId,
  messageId,
  metadata,
}: OutgoingMessage): SendMessageRequest {
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
export function rpcFault(agent: string, error: unknown): unknown {
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
