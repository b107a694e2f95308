import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embeddingsBody } from './openai-embeddings.js';
import { requestFault } from './openai-rules.js';
import {
  type ChatRequest,
  completionBody,
  estimateTokens,
  type ReplyParts,
  streamEvents,
} from './openai-wire.js';

/** What a scripted answer says. `toolCalls[].args` may be a string, to send what is not JSON. */
export interface Reply extends ReplyParts {
  /** Waits before the first byte. */
  readonly delayMs?: number;
  /** Waits between streamed pieces. */
  readonly pieceDelayMs?: number;
  /** Waited for before a streamed answer says that it is complete. */
  readonly beforeEnd?: () => Promise<unknown>;
}

/** What a scripted failure does. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly code?: string;
      readonly message?: string;
    }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection; of a stream, after so many pieces. */
  | { readonly kind: 'disconnect'; readonly afterPieces?: number; readonly text?: string }
  /** Ends a stream in good order, but before the answer is complete. */
  | { readonly kind: 'cut_stream'; readonly afterPieces: number; readonly text: string }
  /** Answers 200 with something that is no JSON. */
  | { readonly kind: 'garbage' };

/** Which requests a step is for: a part of the system prompt, or any condition. Absent: the next one. */
export type Match = string | RegExp | ((request: RecordedRequest) => boolean);

export interface RecordedRequest {
  readonly path: string;
  readonly body: ChatRequest;
  readonly headers: IncomingMessage['headers'];
  /** Text of the system messages. */
  readonly system: string;
  /** Rough size of messages and tools, four characters a token. */
  readonly tokens: number;
  readonly at: number;
}

type Scripted = Reply | ((request: RecordedRequest) => Reply | Fault);
interface Step {
  readonly what: Scripted | Fault;
  readonly match: Match | undefined;
}

/** A local server that speaks Chat Completions and Embeddings, and says only what the test wrote. */
export interface OpenAiServer {
  /** Base URL, with `/v1`. */
  readonly url: string;
  /** Chat requests in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  readonly embeddingRequests: readonly RecordedRequest[];
  /** Adds an answer that is given once. */
  reply(reply: Scripted, match?: Match): OpenAiServer;
  /** Adds a failure that happens once, or `times` times. */
  fault(fault: Fault, options?: { readonly match?: Match; readonly times?: number }): OpenAiServer;
  /** Answers whatever the script leaves, as often as needed. */
  otherwise(handler: (request: RecordedRequest) => Reply | Fault): OpenAiServer;
  /** Drops what is left of the script. */
  discard(): void;
  /** @throws where steps are left, or a request came that no step was for */
  assertExhausted(): void;
  /** Stops the server, then checks like assertExhausted. */
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback. */
export async function startOpenAiServer(): Promise<OpenAiServer> {
  const script = new Script();
  const server = createServer((request, response) => {
    serve(script, request, response).catch((error: unknown) => {
      script.unexpected.push(
        `the test server failed: ${error instanceof Error ? error.stack : String(error)}`,
      );
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: OpenAiServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: script.requests,
    embeddingRequests: script.embeddingRequests,
    reply(what, match) {
      script.steps.push({ what, match });
      return api;
    },
    fault(what, { match, times = 1 } = {}) {
      for (let count = 0; count < times; count += 1) script.steps.push({ what, match });
      return api;
    },
    otherwise(handler) {
      script.otherwise = handler;
      return api;
    },
    discard: () => void script.steps.splice(0),
    assertExhausted: () => script.check(),
    async close() {
      await stop(server);
      script.check();
    },
  };
  return api;
}

class Script {
  readonly steps: Step[] = [];
  readonly requests: RecordedRequest[] = [];
  readonly embeddingRequests: RecordedRequest[] = [];
  readonly unexpected: string[] = [];
  otherwise: ((request: RecordedRequest) => Reply | Fault) | undefined;

  next(request: RecordedRequest): Reply | Fault | undefined {
    const index = this.steps.findIndex((step) => matches(step.match, request));
    const what = index === -1 ? this.otherwise : this.steps.splice(index, 1)[0]?.what;
    return typeof what === 'function' ? what(request) : what;
  }

  check(): void {
    const left = this.steps.map(
      (step) =>
        `not used: ${JSON.stringify(step.what) ?? 'a function'} for ${String(step.match ?? 'any request')}`,
    );
    const problems = [...this.unexpected.splice(0), ...left];
    this.steps.length = 0;
    if (problems.length > 0) throw new Error(`OpenAI test server:\n${problems.join('\n')}`);
  }
}

async function serve(script: Script, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  const recorded = record(path, request.headers, await bodyOf(request));
  if (path.endsWith('/embeddings')) {
    script.embeddingRequests.push(recorded);
    return sendJson(response, 200, embeddingsBody(recorded.body));
  }
  if (!path.endsWith('/chat/completions'))
    return sendError(response, { kind: 'status', status: 404, message: `no such path: ${path}` });
  script.requests.push(recorded);
  const refusal = requestFault(recorded.body);
  if (refusal !== undefined) {
    script.unexpected.push(`a request that OpenAI refuses: ${refusal}`);
    return sendError(response, { kind: 'status', status: 400, message: refusal });
  }
  const what = script.next(recorded);
  if (what === undefined) {
    const last = JSON.stringify(recorded.body.messages.at(-1)).slice(0, 200);
    script.unexpected.push(
      `the script ran dry at request ${script.requests.length} (system: ${recorded.system.slice(0, 60)}; last: ${last})`,
    );
    return sendError(response, { kind: 'status', status: 400, message: 'the script ran dry' });
  }
  return 'kind' in what ? misbehave(response, recorded, what) : answer(response, recorded, what);
}

async function answer(response: ServerResponse, request: RecordedRequest, reply: Reply): Promise<void> {
  await pause(reply.delayMs ?? 0);
  if (request.body.stream !== true)
    return sendJson(response, 200, completionBody(request.body, reply, request.tokens));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of streamEvents(request.body, reply, request.tokens)) {
    if (/"finish_reason":\s*"/.test(event)) await reply.beforeEnd?.();
    response.write(event);
    await pause(reply.pieceDelayMs ?? 0);
  }
  response.end();
}

async function misbehave(response: ServerResponse, request: RecordedRequest, fault: Fault): Promise<void> {
  switch (fault.kind) {
    case 'status':
      return sendError(response, fault);
    case 'hang':
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": [');
      return;
    default: {
      const pieces = fault.afterPieces ?? 0;
      if (request.body.stream === true && pieces > 0) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const events = streamEvents(request.body, { text: fault.text ?? '' }, request.tokens);
        for (const event of events.slice(0, pieces)) response.write(event);
        await pause(20);
      }
      if (fault.kind === 'cut_stream') response.end();
      else response.destroy();
    }
  }
}

function record(path: string, headers: IncomingMessage['headers'], text: string): RecordedRequest {
  const body = JSON.parse(text || '{}') as ChatRequest;
  const messages = body.messages ?? [];
  const system = messages
    .filter((message) => message.role === 'system' || message.role === 'developer')
    .map((message) => textOf(message.content));
  return {
    path,
    headers,
    body: { ...body, messages },
    system: system.join('\n'),
    tokens: estimateTokens(body),
    at: performance.now(),
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : '';
}

function matches(match: Match | undefined, request: RecordedRequest): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(request);
  return typeof match === 'string' ? request.system.includes(match) : match.test(request.system);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return text;
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, fault: Extract<Fault, { kind: 'status' }>): void {
  const error = {
    message: fault.message ?? `status ${fault.status}`,
    type: 'error',
    param: null,
    code: fault.code ?? null,
  };
  sendJson(response, fault.status, { error }, fault.headers);
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms).unref());
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
