import { type Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SCOPES, type Scope } from '../../src/core/domain/customer.js';
import { type Era, type McpTalk, makeClient, talkOf } from './mcp.js';
import { type Answer, readAnswer, type TestServer } from './server.js';
import { readSse, type SseReader } from './sse.js';

/** What every client sends with a message. */
export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** The newest version before the protocol went without sessions. */
export const OLD_VERSION = '2025-11-25';

interface HttpTalkOptions {
  readonly era?: Era;
  readonly elicit?: (question: string) => ElicitResult | Promise<ElicitResult>;
}

/** A real client that talks to the server over HTTP. */
interface HttpTalk extends Pick<McpTalk, 'client' | 'questions' | 'call'> {
  readonly transport: StreamableHTTPClientTransport;
  close(): Promise<void>;
}

/** A program's token in the name of a customer, with all scopes where none are named. */
export async function programToken(
  { hub }: Pick<TestServer, 'hub'>,
  email: string,
  scopes: readonly Scope[] = SCOPES,
  minutes?: number,
): Promise<string> {
  const wish = { scopes, ...(minutes === undefined ? {} : { minutes }) };
  return (await hub.app.sessions.issueFor({ email }, wish)).token;
}

/** Connects a client of the SDK. */
export async function connectHttp(
  url: string,
  token: string,
  options: HttpTalkOptions = {},
): Promise<HttpTalk> {
  const questions: string[] = [];
  const client: Client = makeClient(options, questions);
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return {
    ...talkOf(client),
    questions,
    transport,
    async close() {
      await client.close();
    },
  };
}

interface RawOptions {
  readonly token?: string;
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts a message, or any other body, the way a program without an SDK would; the answer is read to its end. */
export async function post(url: string, body: unknown, options: RawOptions = {}): Promise<RpcAnswer> {
  const answer = await readAnswer(await send(url, body, options));
  return { ...answer, message: answer.text.startsWith('{') ? answer.body : lastMessage(answer.text) };
}

interface RpcAnswer extends Answer {
  /** The answer of JSON-RPC, also where it came as the last event of a stream. */
  readonly message: Readonly<Record<string, unknown>>;
}

/** The same, for an answer that is read piece by piece. */
export async function postStream(url: string, body: unknown, options: RawOptions = {}): Promise<SseReader> {
  const abort = new AbortController();
  return readSse(await send(url, body, options, abort.signal), abort);
}

/** Opens the stream of a session. */
export async function followSession(url: string, options: RawOptions): Promise<SseReader> {
  const abort = new AbortController();
  const headers = { ...headersOf(options), accept: 'text/event-stream' };
  return readSse(await fetch(`${url}/mcp`, { headers, signal: abort.signal }), abort);
}

function send(url: string, body: unknown, options: RawOptions, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...headersOf(options) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

function headersOf({ token, session, headers = {} }: RawOptions): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': OLD_VERSION }),
    ...headers,
  };
}

function lastMessage(text: string): Readonly<Record<string, unknown>> {
  const last = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .at(-1);
  return last === undefined ? {} : (JSON.parse(last.slice('data: '.length)) as Record<string, unknown>);
}

/** A request of JSON-RPC. */
export function request(id: number, method: string, params: Readonly<Record<string, unknown>> = {}) {
  return { jsonrpc: '2.0', id, method, params };
}

/** A request to call a tool. */
export function toolCall(id: number, name: string, args: Readonly<Record<string, unknown>> = {}) {
  return request(id, 'tools/call', { name, arguments: args });
}

/** The same in the newest protocol, where each request says everything itself; with the headers it needs. */
export function modernCall(id: number, name: string, args: Readonly<Record<string, unknown>> = {}) {
  const version = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: request(id, 'tools/call', { name, arguments: args, _meta: meta }),
    headers: { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name },
  };
}

/** What a client of before 2026 begins with. */
export function initialize(capabilities: Readonly<Record<string, unknown>> = {}) {
  return request(0, 'initialize', {
    protocolVersion: OLD_VERSION,
    capabilities,
    clientInfo: { name: 'by hand', version: '1' },
  });
}

/** Begins a session by hand. @returns its id */
export async function openSession(
  url: string,
  token: string,
  capabilities: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { headers, status, text } = await post(url, initialize(capabilities), { token });
  const session = headers.get('mcp-session-id');
  if (session === null) throw new Error(`no session was opened: ${status} ${text}`);
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, { token, session });
  return session;
}
