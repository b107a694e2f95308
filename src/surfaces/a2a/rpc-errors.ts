import {
  A2AError,
  JsonRpcTransportError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { ErrorCode } from '../../core/errors.js';
import { toHubError } from '../../core/errors.js';
import { problemHeaders, statusOf, toProblem } from '../http/problem.js';

/** What stands in a JSON-RPC answer in the place of a result. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcId = string | number | null;

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
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
