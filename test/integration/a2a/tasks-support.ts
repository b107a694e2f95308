import { randomUUID } from 'node:crypto';
import type { Task } from '@a2a-js/sdk';
import { Role, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import type { TestServer } from '../../support/server.js';
import type { SseReader } from '../../support/sse.js';

export const QUESTION = 'How many visits does the basic plan include?';
export const SAMBA = 'Cancel my booking for the Samba Night';
/** Refunds more than the hub may by itself. */
export const ELIS = 'Cancel my reservation for Elis: The Musical';
/** Nothing in the help centre answers it. */
export const UNANSWERABLE = 'Can I bring my dog to a museum?';
export const OLGA = { operatorId: 'op_olga', name: 'Olga' } as const;

export const V1 = { 'a2a-version': '1.0' } as const;

/** A part of a message or an artifact; a test asks for what the part has. */
export interface WirePart {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WireMessage {
  readonly messageId: string;
  readonly role: string;
  readonly parts: readonly [WirePart, WirePart];
}

export interface WireTask {
  readonly kind?: string;
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly timestamp: string; readonly message: WireMessage };
  readonly artifacts: readonly [{ readonly name: string; readonly parts: readonly [WirePart, WirePart] }];
  readonly history: readonly WireMessage[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What a method may answer with; a test asks for what the method it calls does. */
interface WireResult extends WireTask {
  readonly task: WireTask;
  readonly tasks: readonly WireTask[];
  readonly totalSize: number;
  readonly pageSize: number;
  readonly nextPageToken: string;
  readonly configs?: readonly { readonly id: string }[];
  readonly pushNotificationConfig: { readonly id: string };
}

/** A JSON-RPC answer. */
interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly id: unknown;
  readonly result: WireResult;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface RpcOptions {
  readonly token?: string | undefined;
  readonly agent?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where an agent is reached by JSON-RPC. */
function pathOf(agent = 'hub'): string {
  return agent === 'hub' ? '/a2a' : `/agents/${agent}`;
}

/** Sends one request, of 0.3 where no header says otherwise. */
export async function rpc(
  at: TestServer,
  method: string,
  params: unknown,
  { token, agent, headers = {} }: RpcOptions = {},
): Promise<RpcAnswer> {
  return raw(at, { jsonrpc: '2.0', id: 1, method, params }, { token, agent: agent ?? 'hub', headers });
}

/** Sends a body as it is. */
export async function raw(
  at: TestServer,
  body: unknown,
  { token, agent, headers = {} }: RpcOptions = {},
): Promise<RpcAnswer> {
  const answer = await at.post(pathOf(agent), token, body, headers);
  const { status, headers: sent, body: read } = answer;
  return { ...(read as unknown as RpcAnswer), status, headers: sent };
}

/** Opens the stream of a streaming method. */
export function streamOf(
  at: TestServer,
  method: string,
  params: unknown,
  { token, agent, headers = {} }: RpcOptions = {},
): Promise<SseReader> {
  return at.stream(pathOf(agent), { token, headers, body: { jsonrpc: '2.0', id: 7, method, params } });
}

interface Spoken {
  readonly messageId?: string;
  readonly taskId?: string;
  readonly contextId?: string;
}

/** Parameters of `SendMessage`. */
export function saying(text: string, { messageId = randomUUID(), ...rest }: Spoken = {}) {
  return { message: { messageId, role: 'ROLE_USER', parts: [{ text }], ...rest } };
}

/** Parameters of `message/send`. */
export function sayingOld(text: string, { messageId = randomUUID(), ...rest }: Spoken = {}) {
  return { message: { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text }], ...rest } };
}

/** A client of the SDK, as another program has it. */
export async function sdkClient(at: TestServer, token?: string, agent?: string): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
  const card = agent === undefined ? at.url : `${at.url}/agents/${agent}/.well-known/agent-card.json`;
  return agent === undefined ? factory.createFromUrl(card) : factory.createFromUrl(card, '');
}

/** A message for a client of the SDK. */
export function sdkMessage(text: string, { messageId = randomUUID(), taskId, contextId }: Spoken = {}) {
  const part = {
    content: { $case: 'text', value: text },
    metadata: undefined,
    filename: '',
    mediaType: '',
  } as const;
  return {
    tenant: '',
    configuration: undefined,
    metadata: undefined,
    message: {
      messageId,
      taskId: taskId ?? '',
      contextId: contextId ?? '',
      role: Role.ROLE_USER,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  };
}

/** What a task says, in words. */
export function wordsOf(task: Task): string {
  const parts = task.status?.message?.parts ?? [];
  return parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n');
}

/** What a task says, for programs. */
export function dataOf(task: Task): Readonly<Record<string, unknown>> {
  const parts = [
    ...(task.status?.message?.parts ?? []),
    ...task.artifacts.flatMap((artifact) => artifact.parts),
  ];
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []));
  return (data[0] ?? {}) as Readonly<Record<string, unknown>>;
}

export { TaskState };
