import { request as httpRequest } from 'node:http';
import { parseConfig } from '../../src/config/config.js';
import type { Timers } from '../../src/surfaces/a2a/tasks-runner.js';
import { createHttpApp } from '../../src/surfaces/http/http-app.js';
import type { HubRouter } from '../../src/surfaces/http/router.js';
import { createHttpDeps, type HttpServer, startServer } from '../../src/surfaces/http/server.js';
import { type Hub, type HubOptions, openHub } from './hub.js';
import { readSse, type SseReader } from './sse.js';

/** What the tests sign tokens with. */
export const SECRET = 'a secret of the tests, long enough to be one';

export interface ServerTestOptions extends HubOptions {
  readonly heartbeatMs?: number;
  readonly webDir?: string;
  readonly taskTimers?: Timers;
}

/** An answer, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body where it is JSON; otherwise its text. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface RequestOptions {
  readonly token?: string | undefined;
  /** Sent as JSON; a string or bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A real server on a free port of the loopback, over a real hub. */
export interface TestServer {
  readonly hub: Hub;
  readonly server: HttpServer;
  readonly url: string;
  /** The same routes without a socket, for very many requests. */
  readonly http: HubRouter;
  /** A customer's session token. */
  token(email: string): Promise<string>;
  /** An operator's session token. */
  operator(name?: string): Promise<string>;
  call(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, token?: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(
    path: string,
    token: string | undefined,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Opens an event stream; a body makes it a POST. */
  stream(path: string, options?: RequestOptions): Promise<SseReader>;
  /** A new conversation of a customer. */
  thread(token: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens a hub and serves it. */
export async function openServer(options: ServerTestOptions = {}): Promise<TestServer> {
  const { heartbeatMs, webDir, taskTimers, ...hubOptions } = options;
  const env = { HUB_AUTH_SECRET: SECRET, PORT: '0', HUB_STOP_SECONDS: '2', ...options.env };
  const hub = await openHub({ ...hubOptions, env });
  const config = parseConfig({ HUB_DATA_DIR: hub.dataDir, HUB_MODEL_PROVIDER: 'offline', ...env });
  const serverOptions = {
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
    ...(webDir === undefined ? {} : { webDir }),
    ...(taskTimers === undefined ? {} : { taskTimers }),
  };
  const server = await startServer(hub.app, config, serverOptions);
  const { url } = server;
  let http: HubRouter | undefined;
  const call: TestServer['call'] = async (method, path, request = {}) =>
    readAnswer(await fetch(`${url}${path}`, toInit(method, request)));
  return {
    hub,
    server,
    url,
    get http() {
      http ??= createHttpApp(createHttpDeps(hub.app, config), webDir);
      return http;
    },
    token: async (email) => (await hub.app.sessions.openDemo({ email })).token,
    operator: async (name = 'Olga') => (await hub.app.sessions.openDemo({ operator: true, name })).token,
    call,
    get: (path, token, headers = {}) => call('GET', path, { token, headers }),
    post: (path, token, body, headers = {}) => call('POST', path, { token, body, headers }),
    async stream(path, request = {}) {
      const abort = new AbortController();
      const headers = { accept: 'text/event-stream', ...request.headers };
      const init = toInit(request.body === undefined ? 'GET' : 'POST', { ...request, headers });
      return readSse(await fetch(`${url}${path}`, { ...init, signal: abort.signal }), abort);
    },
    thread: async (token) => String((await call('POST', '/api/threads', { token, body: {} })).body.thread_id),
    async close() {
      await server.close();
      await hub.close();
    },
  };
}

/** Names and values of the headers, in their order. */
export function headerPairs(headers: Headers): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  headers.forEach((value, name) => void pairs.push([name, value]));
  return pairs;
}

/** Reads an answer whole. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? (JSON.parse(text) as Answer['body']) : {},
    text,
  };
}

function toInit(method: string, { token, body, headers = {} }: RequestOptions): RequestInit {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  return {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  };
}

/** A request with headers that `fetch` would not send, such as `Host`. */
export function rawRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject).end();
  });
}
