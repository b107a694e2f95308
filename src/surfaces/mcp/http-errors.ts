import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import type { HubError } from '../../core/errors.js';
import { problemHeaders, statusOf, toProblem } from '../http/problem.js';

/** Codes of JSON-RPC 2.0, and those that MCP uses besides. */
export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internalError: -32_603,
  /** Anything that stands in the way before a method is reached. */
  refused: -32_000,
  sessionUnknown: -32_001,
} as const;

export interface Refusal {
  readonly status: number;
  readonly code: number;
  /** One sentence for whoever reads the client's log. */
  readonly message: string;
  /** Of the request that is refused; null where none was read. */
  readonly id?: RequestId | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown where a request is found to be none that can be served. */
export class RequestRefused extends Error {
  constructor(
    readonly refusal: Refusal,
    options?: ErrorOptions,
  ) {
    super(refusal.message, options);
  }
}

/** An HTTP answer whose body is an error of JSON-RPC, which is what MCP clients read. */
export function refuse({ status, code, message, id = null, data, headers = {} }: Refusal): Response {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return new Response(JSON.stringify({ jsonrpc: '2.0', error, id }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}

/** The same for an error of the hub. What is inside the hub stays inside. */
export function refuseHubError(
  error: HubError,
  id: RequestId | null = null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { detail, code } = toProblem(error);
  const status = statusOf(error.code);
  return refuse({
    status,
    code: status === 500 ? RPC.internalError : RPC.refused,
    message: detail,
    id,
    data: { code },
    headers: { ...problemHeaders(error), ...headers },
  });
}

/** The id that an answer to this message carries; null where it wants none. */
export function idOf(message: JSONRPCMessage | undefined): RequestId | null {
  return message !== undefined && 'method' in message && 'id' in message ? message.id : null;
}
