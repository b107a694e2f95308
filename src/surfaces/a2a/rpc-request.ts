import {
  A2AError,
  ContentTypeNotSupportedError,
  JsonRpcTransportError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import { type ErrorCode, HubError, toHubError } from '../../core/errors.js';
import type { Log } from '../../core/ports/system.js';
import type { HubContext } from '../http/client.js';
import type { EventStream } from '../http/event-streams.js';
import { problemHeaders, statusOf, toProblem } from '../http/problem.js';
import { readJson } from '../http/uploads.js';

/** What is in a JSON-RPC answer in the place of a result. */
interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcId = string | number | null;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
/** Reserved for servers, and none of those that A2A has a meaning for. */
const REFUSED = -32_000;
const INTERNAL = -32_603;
const DOMAIN = 'uda-hub';

/** Errors of the hub that are the client's to mend, or somebody's who keeps the server, by their own HTTP status. */
const WITH_STATUS: ReadonlySet<ErrorCode> = new Set([
  'scope_missing',
  'forbidden',
  'not_signed_in',
  'token_invalid',
  'token_expired',
  'rate_limited',
  'database_failed',
  'database_busy',
  'disk_full',
  'data_dir_unusable',
  'thread_busy',
]);

/** What went wrong, as the request handlers of the SDK throw it. @param cancels true where a task was to be canceled */
export function toA2aError(error: unknown, cancels = false): Error {
  if (error instanceof A2AError) return error;
  const { code, message } = toHubError(error);
  switch (code) {
    case 'not_found':
      return new TaskNotFoundError(message);
    case 'wrong_status':
      return cancels ? new TaskNotCancelableError(message) : new UnsupportedOperationError(message);
    case 'input_invalid':
    case 'input_too_large':
    case 'idempotency_conflict':
      return new RequestMalformedError(message);
    default:
      return new RefusedError(error);
  }
}

/** An error of the hub that A2A has no word for. Its sentence is for the client; what is inside the hub stays inside. */
export class RefusedError extends JsonRpcTransportError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(cause: unknown) {
    const error = toHubError(cause);
    const { code, detail } = toProblem(error);
    const known = WITH_STATUS.has(error.code);
    const { scope } = error.fields;
    const info = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: code.toUpperCase(),
      domain: DOMAIN,
      ...(typeof scope === 'string' && { metadata: { scope } }),
    };
    super({
      jsonrpc: '2.0',
      id: null,
      error: { code: known ? REFUSED : INTERNAL, message: detail, data: [info] as never },
    });
    this.status = known ? statusOf(error.code) : 200;
    this.headers = known ? problemHeaders(error) : {};
  }
}

/** A JSON-RPC answer that says what is wrong. Errors of the protocol itself come with 200, as clients expect. */
export function errorAnswer(
  id: RpcId,
  error: RpcError,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, error }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}

/** A JSON-RPC request whose form is right; whether its method and parameters are is not known yet. */
export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** What is wrong with a request, and the id it has to be answered with. */
export class MalformedRequest extends Error {
  constructor(
    readonly error: RpcError,
    readonly id: RpcId = null,
    readonly status = 200,
  ) {
    super(error.message);
  }
}

/** Which form names and values have, and what the client means where it says nothing. */
export interface RpcVersion {
  readonly wire: '0.3' | '1.0';
  /** What it has asked for: without a word, the older version. */
  readonly asked: '0.3' | '1.0';
}

const UNSUPPORTED_CONTENT = -32_005;
const UNSUPPORTED_VERSION = -32_009;
const VERSION = /^(0\.3|1\.0)(?:\.\d+)?$/;
/** Names of the older version have a stroke in them. */
const OLD_METHOD = /^[a-z]+\/|^agent\//;

/** Reads a request. @throws MalformedRequest */
export async function readRpcRequest(c: HubContext): Promise<RpcRequest> {
  const type = c.req.header('content-type');
  const media = type?.split(';', 1)[0]?.trim().toLowerCase();
  if (media !== undefined && media !== '' && media !== 'application/json') {
    const { message } = new ContentTypeNotSupportedError(
      `Incompatible content type: ${media.slice(0, 80)} is not supported; send application/json.`,
    );
    throw new MalformedRequest({ code: UNSUPPORTED_CONTENT, message });
  }
  const read = await readJson(c);
  if ('value' in read) return checked(read.value);
  const { fault, message } = read;
  if (fault === 'too_large') throw new MalformedRequest(invalid(message), null, 413);
  throw new MalformedRequest(fault === 'too_deep' ? invalid(message) : { code: PARSE_ERROR, message });
}

function checked(body: unknown): RpcRequest {
  if (Array.isArray(body))
    throw new MalformedRequest(invalid('Batches are not supported: send one request.'));
  if (typeof body !== 'object' || body === null)
    throw new MalformedRequest(invalid('A request is a JSON object.'));
  const { jsonrpc, id = null, method, params } = body as Record<string, unknown>;
  if (!isId(id)) throw new MalformedRequest(invalid('id must be a string, a whole number or null.'));
  if (jsonrpc !== '2.0') throw new MalformedRequest(invalid('jsonrpc must be "2.0".'), id);
  if (typeof method !== 'string' || method === '')
    throw new MalformedRequest(invalid('method must be a name.'), id);
  return { id, method, params };
}

function isId(id: unknown): id is RpcId {
  return id === null || typeof id === 'string' || Number.isSafeInteger(id);
}

/**
 * The version a request is to be read in. A client that names none speaks 0.3, unless the method's name is of 1.0.
 * @throws MalformedRequest for a version that the hub does not support
 */
export function versionOf(c: HubContext, { id, method }: RpcRequest): RpcVersion {
  const header = (c.req.header('a2a-version') ?? c.req.query('A2A-Version') ?? '').trim();
  if (header === '') return { wire: OLD_METHOD.test(method) ? '0.3' : '1.0', asked: '0.3' };
  const version = VERSION.exec(header)?.[1] as RpcVersion['wire'] | undefined;
  if (version !== undefined) return { wire: version, asked: version };
  const { message } = new VersionNotSupportedError(
    `A2A version ${header.slice(0, 20)} is not supported; there are 1.0 and 0.3.`,
  );
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'VERSION_NOT_SUPPORTED',
    domain: 'a2a-protocol.org',
  };
  throw new MalformedRequest({ code: UNSUPPORTED_VERSION, message, data: [info] }, id);
}

function invalid(message: string): RpcError {
  return { code: INVALID_REQUEST, message };
}

/** A JSON-RPC answer. */
export interface Envelope {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface StreamAnswer {
  /** The answer in the place of a stream, where it is refused before the first event; null: the stream says so. */
  readonly refused: (error: unknown) => Response | null;
  readonly envelopeOf: (error: unknown) => Envelope;
  /** True where the stream ends with the task waiting for its caller, and the last event has to say that it is. */
  readonly closing: boolean;
  readonly log: Log;
}

/** Answers with the envelopes, each as one event; what is refused before the first one is a plain answer. */
export async function answerWithStream(
  stream: EventStream,
  envelopes: AsyncGenerator<Envelope>,
  { refused, envelopeOf, closing, log }: StreamAnswer,
): Promise<Response> {
  let first: IteratorResult<Envelope>;
  try {
    first = await envelopes.next();
  } catch (error) {
    const answer = refused(error);
    if (answer === null) stream.send({ event: 'error', data: envelopeOf(error) });
    const response = answer ?? stream.response();
    stream.end();
    return response;
  }
  const response = stream.response();
  const send = (envelope: Envelope): void =>
    stream.send({ event: 'message', data: closing ? withEnd(envelope) : envelope });
  if (!first.done) send(first.value);
  const rest = async (): Promise<void> => {
    for await (const envelope of envelopes) send(envelope);
  };
  void rest()
    .catch((error: unknown) => {
      log.error({ agent: 'a2a', action: 'stream_failed' }, error);
      stream.send({ event: 'error', data: envelopeOf(error) });
    })
    .finally(() => stream.end());
  return response;
}

/** A task that waits for its caller is the end of what the older version calls a stream. */
function withEnd(envelope: Envelope): Envelope {
  const result = envelope.result as { readonly kind?: string; readonly status?: { readonly state?: string } };
  if (result.kind !== 'status-update' || result.status?.state !== 'input-required') return envelope;
  return { ...envelope, result: { ...result, final: true } };
}

/** What one caller may follow at the same time. */
export const MOST_STREAMS_PER_CALLER = 300;

/** Counts the streams of each caller, so that no caller takes the memory and the sockets of all. */
export interface StreamCounter {
  /** Opens one more for a caller; it counts until it is over. @throws HubError `rate_limited` */
  open(callerKey: string, open: () => EventStream): EventStream;
}

export function createStreamCounter(): StreamCounter {
  const byCaller = new Map<string, number>();
  const count = (callerKey: string, change: 1 | -1): void => {
    const own = (byCaller.get(callerKey) ?? 0) + change;
    if (own === 0) byCaller.delete(callerKey);
    else byCaller.set(callerKey, own);
  };
  return {
    open(callerKey, open) {
      if ((byCaller.get(callerKey) ?? 0) >= MOST_STREAMS_PER_CALLER)
        throw new HubError('rate_limited', 'Too many streams are open. Close some, or try again later.');
      const stream = open();
      count(callerKey, 1);
      stream.signal.addEventListener('abort', () => count(callerKey, -1), { once: true });
      return stream;
    },
  };
}
