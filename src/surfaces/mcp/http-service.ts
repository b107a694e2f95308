import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isJsonContentType,
  isLegacyRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { HubError } from '../../core/errors.js';
import { accepts, clientAddress, type HubContext } from '../http/client.js';
import type { HttpDeps } from '../http/http-deps.js';
import { statusOf } from '../http/problem.js';
import { type BodyFault, readJson } from '../http/uploads.js';
import {
  type Authorised,
  authorise,
  callerOf,
  idOf,
  isStillGood,
  RequestRefused,
  RPC,
  refuse,
  refuseHubError,
  refuseToken,
} from './http-auth.js';
import { createMcpSessions } from './http-sessions.js';
import { createOpenStreams } from './http-streams.js';
import { paramsFault } from './hub-requests.js';
import { createMcpServerFactory } from './server.js';

const STREAM = 'text/event-stream';
const JSON_TYPE = 'application/json';

/** Reads the one message of a POST. @throws RequestRefused */
async function readMessage(c: HubContext): Promise<JSONRPCMessage> {
  if (!isJsonContentType(c.req.header('content-type') ?? null))
    throw refused(415, RPC.refused, `Send the message as ${JSON_TYPE}.`);
  const accept = c.req.header('accept');
  if (!accepts(accept, JSON_TYPE) || !accepts(accept, STREAM))
    throw refused(406, RPC.refused, `The Accept header must list both ${JSON_TYPE} and ${STREAM}.`);
  const read = await readJson(c);
  if ('fault' in read) throw unreadable(read);
  const { value } = read;
  if (Array.isArray(value)) throw invalid('Batches are not served: send each message by itself.');
  if (isMessage(value)) return withGoodParams(value);
  throw invalid('This is no message of JSON-RPC 2.0 as MCP uses it.', readableId(value));
}

function unreadable({ fault, message }: BodyFault): RequestRefused {
  if (fault === 'too_large') return refused(413, RPC.refused, message);
  return fault === 'too_deep' ? invalid(message) : refused(400, RPC.parseError, message);
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

function invalid(message: string, id: RequestId | null = null): RequestRefused {
  return new RequestRefused({ status: 400, code: RPC.invalidRequest, message, id });
}

/** The id of what is meant as a request, so that its sender can tell which one was refused. */
function readableId(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, method } = value as { readonly id?: unknown; readonly method?: unknown };
  return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : null;
}

const SESSION_HEADER = 'mcp-session-id';
/** What a call counts for that changes something, runs a skill or asks a model. */
const HEAVY = 10;

/** Serves MCP: each request by itself in the newest protocol, by sessions in the older ones. */
export function createMcpService(deps: HttpDeps, mostStreams?: number): (c: HubContext) => Promise<Response> {
  const { app, config, work } = deps;
  const onError = ({ message }: Error): void =>
    app.log.debug({ agent: 'mcp', action: 'protocol_error', details: { message } });
  const factory = createMcpServerFactory(app, { company: app.company, caller: callerOf });
  const streams = createOpenStreams((open) => app.metrics.streams('program', open), mostStreams, deps.tokens);
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror: onError });
  const sessions = createMcpSessions({ factory, streams, work, onError, tokens: deps.tokens }, (token) =>
    isStillGood(token, deps),
  );
  deps.stop.add({
    stopping: () => sessions.closeAsking(),
    async stop() {
      await Promise.all([sessions.closeAll(), modern.close()]);
    },
  });

  /** One request of the newest protocol. */
  const serveAlone = async (c: HubContext, who: Authorised, message?: JSONRPCMessage): Promise<Response> => {
    const options = { authInfo: who.authInfo, ...(message === undefined ? {} : { parsedBody: message }) };
    const answer = modern.fetch(c.req.raw, options);
    if (!isLasting(message)) void work.track(answer);
    const { response, ended } = streams.follow(c, await answer, who.owner);
    if (!isLasting(message)) void work.track(ended);
    return response;
  };

  const serveSession = async (
    c: HubContext,
    who: Authorised,
    message?: JSONRPCMessage,
  ): Promise<Response> => {
    if (isNamed(message, 'initialize')) return open(c, who, message);
    const id = c.req.header(SESSION_HEADER);
    if (id === undefined) throw refused(400, RPC.refused, NO_SESSION_ID);
    const session = sessions.find(id, who.owner);
    if (session === undefined) throw refused(404, RPC.sessionUnknown, NO_SESSION);
    return session.handle(c, who, message);
  };

  const open = async (c: HubContext, who: Authorised, message: JSONRPCMessage): Promise<Response> => {
    if (!isInitializeRequest(message)) throw refused(400, RPC.invalidParams, NOT_INITIALIZE);
    const session = await sessions.open(c, who);
    const response = await session.handle(c, who, message);
    if (response.status !== 200) await session.close();
    return response;
  };

  const serve = async (c: HubContext, who: Authorised, message?: JSONRPCMessage): Promise<Response> => {
    if (mayStream(c, message) && streams.isFull(who.owner))
      throw new HubError('rate_limited', 'Too many streams are open. Close some, or try again later.');
    await deps.limits.call(
      who.owner,
      clientAddress(c, config.server.trustProxy),
      weightOf(message, who, deps),
    );
    const isOld = await isLegacyRequest(c.req.raw, message);
    return isOld ? serveSession(c, who, message) : serveAlone(c, who, message);
  };

  return async (c) => {
    let message: JSONRPCMessage | undefined;
    try {
      const who = await authorise(c, deps);
      if (c.req.method === 'POST') message = await readMessage(c);
      return await serve(c, who, message);
    } catch (error) {
      return refusal(c, deps, error, idOf(message));
    }
  };
}

/** The answer to what was refused; everything else is a fault, and thrown on. */
function refusal(c: HubContext, deps: HttpDeps, error: unknown, id: RequestId | null): Response {
  if (error instanceof RequestRefused) return refuse({ id, ...error.refusal });
  if (!(error instanceof HubError)) throw error;
  return statusOf(error.code) === 401 ? refuseToken(c, deps, error) : refuseHubError(error, id);
}

const NO_SESSION_ID = 'The Mcp-Session-Id header is missing: it comes with the answer to initialize.';
const NO_SESSION = 'There is no such session. Begin again with initialize.';
const NOT_INITIALIZE = 'initialize needs protocolVersion, capabilities and clientInfo.';

function refused(status: number, code: number, message: string): RequestRefused {
  return new RequestRefused({ status, code, message });
}

/** True for what may be answered by a stream. Answers, cancels and the end of a session are always taken. */
function mayStream(c: HubContext, message: JSONRPCMessage | undefined): boolean {
  return message === undefined ? c.req.method !== 'DELETE' : isJSONRPCRequest(message);
}

/** True for what stays open until somebody ends it. */
function isLasting(message: JSONRPCMessage | undefined): boolean {
  return isNamed(message, 'subscriptions/listen');
}

function isNamed(message: JSONRPCMessage | undefined, method: string): message is JSONRPCMessage {
  return message !== undefined && 'method' in message && message.method === method;
}

function weightOf(message: JSONRPCMessage | undefined, { caller }: Authorised, { app }: HttpDeps): number {
  if (message === undefined || !isJSONRPCRequest(message) || message.method !== 'tools/call') return 1;
  const called = app.capabilities.list(caller).find(({ name }) => name === message.params?.name);
  if (called === undefined) return 1;
  const isLight = called.kind === 'tool' && called.effect === 'read' && called.agent !== 'triage';
  return isLight ? 1 : HEAVY;
}
