import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isJsonContentType,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { accepts } from '../http/accept.js';
import type { HubContext } from '../http/http-env.js';
import { depthOf, MAX_DEPTH, readBody } from '../http/request-body.js';
import { RequestRefused, RPC } from './http-errors.js';
import { paramsFault } from './request-shapes.js';

/** The largest body that is read. */
export const MAX_BODY_BYTES = 1_024 * 1_024;
const STREAM = 'text/event-stream';
const JSON_TYPE = 'application/json';

/** Reads the one message of a POST. @throws RequestRefused */
export async function readMessage(c: HubContext): Promise<JSONRPCMessage> {
  if (!isJsonContentType(c.req.header('content-type') ?? null))
    throw refused(415, `Send the message as ${JSON_TYPE}.`);
  const accept = c.req.header('accept');
  if (!accepts(accept, JSON_TYPE) || !accepts(accept, STREAM))
    throw refused(406, `The Accept header must list both ${JSON_TYPE} and ${STREAM}.`);
  const bytes = await readBody(c, MAX_BODY_BYTES);
  if (bytes === null) throw refused(413, `The message is larger than ${MAX_BODY_BYTES / 1_024} kB.`);
  const value = parse(bytes);
  if (Array.isArray(value)) throw invalid('Batches are not served: send each message by itself.');
  if (isMessage(value)) return withGoodParams(value);
  throw invalid('This is no message of JSON-RPC 2.0 as MCP uses it.', readableId(value));
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw notJson(error);
  }
  if (depthOf(text) > MAX_DEPTH) throw invalid('The message is nested too deeply.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

function withGoodParams(message: JSONRPCMessage): JSONRPCMessage {
  // A greeting is checked where it opens a session: there HTTP itself says no.
  if (!isJSONRPCRequest(message) || message.method === 'initialize') return message;
  const fault = paramsFault(message);
  if (fault === null) return message;
  // The request was read, so HTTP has nothing to complain about: it is its answer that says no.
  throw new RequestRefused({ status: 200, code: RPC.invalidParams, message: fault, id: message.id });
}

function isMessage(value: unknown): value is JSONRPCMessage {
  const kinds = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse];
  return kinds.some((isKind) => isKind(value));
}

function refused(status: number, message: string): RequestRefused {
  return new RequestRefused({ status, code: RPC.refused, message });
}

function invalid(message: string, id: RequestId | null = null): RequestRefused {
  return new RequestRefused({ status: 400, code: RPC.invalidRequest, message, id });
}

function notJson(cause: unknown): RequestRefused {
  const text = 'The body is not JSON.';
  return new RequestRefused({ status: 400, code: RPC.parseError, message: text }, { cause });
}

/** The id of what is meant as a request, so that its sender can tell which one was refused. */
function readableId(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, method } = value as { readonly id?: unknown; readonly method?: unknown };
  return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : null;
}
