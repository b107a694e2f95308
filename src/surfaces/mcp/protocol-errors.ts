import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ErrorCode, toHubError } from '../../core/errors.js';
import { statusOf, toProblem } from '../http/problem.js';
import type { McpApp } from './hub-requests.js';

/** What is wrong with the hub and not with the request. */
export function isFault(code: ErrorCode): boolean {
  return statusOf(code) >= 500;
}

/** What a request failed with, as the protocol says it; what is inside the hub stays inside, and in its log. */
export function toProtocolError(error: unknown, { log }: Pick<McpApp, 'log'>): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const hubError = toHubError(error);
  const { code, detail } = toProblem(hubError);
  if (!isFault(hubError.code)) return new ProtocolError(ProtocolErrorCode.InvalidParams, detail, { code });
  log.error({ agent: 'mcp', action: 'request_failed', details: { code } }, error);
  return new ProtocolError(ProtocolErrorCode.InternalError, detail, { code });
}
