import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { REMOTE_HOPS_HEADER } from '../../core/ports/remote-agents.js';
import type { HubContext } from '../http/client.js';
import type { EventStream } from '../http/event-streams.js';
import type { HttpDeps } from '../http/http-deps.js';
import { type AddressedCaller, countCall, countTurn, provenBy, withoutSecret } from './a2a-auth.js';
import { listLegacy, TaskRequests } from './rpc-handler.js';
import { readParams } from './rpc-params.js';
import {
  answerWithStream,
  createStreamCounter,
  type Envelope,
  errorAnswer,
  MalformedRequest,
  METHOD_NOT_FOUND,
  RefusedError,
  type RpcId,
  type RpcRequest,
  type RpcVersion,
  readRpcRequest,
  toA2aError,
  versionOf,
} from './rpc-request.js';
import { createTaskService } from './tasks-service.js';

export { A2A_CAPABILITIES } from './rpc-handler.js';

/** Versions of the protocol that `rpc` speaks, the newest first. */
export const A2A_VERSIONS = ['1.0', '0.3'] as const;

/** Methods that cost a turn. */
const SENDING: ReadonlySet<string> = new Set([
  'SendMessage',
  'SendStreamingMessage',
  'message/send',
  'message/stream',
]);
const STREAMING: ReadonlySet<string> = new Set([
  'SendStreamingMessage',
  'SubscribeToTask',
  'message/stream',
  'tasks/resubscribe',
]);

/** The hub and its agents for A2A clients. Made once an App; resumes what an earlier process has left. */
export function createA2aServer(deps: HttpDeps) {
  const { app, config, taskTimers } = deps;
  const { locale, turn } = config;
  const tasks = createTaskService({ app, locale, messageChars: turn.maxMessageChars, timers: taskTimers });
  const open = createStreamCounter();

  const answer = async (
    agent: string,
    by: AddressedCaller,
    c: HubContext,
    request: RpcRequest,
  ): Promise<Response> => {
    const { id, method } = request;
    const version = versionOf(c, request);
    const { wire } = version;
    const read = readParams(wire, method, request.params);
    if (read === null) {
      const message = `Method not found: ${method.slice(0, 80)}`;
      return errorAnswer(id, { code: METHOD_NOT_FOUND, message });
    }
    const { rest: params, found } = withoutSecret(read);
    const caller = provenBy(by, found);
    await (SENDING.has(method) ? countTurn(deps, caller) : countCall(deps, caller, 'tool'));
    const stream = STREAMING.has(method)
      ? open.open(caller.limitKey, () => deps.streams.open(c, { kind: 'customer' }))
      : null;
    try {
      const signal = stream?.signal ?? c.req.raw.signal;
      const asked = { agent, caller, wire, signal, waits: waits(version, params), hops: hopsOf(c) };
      const handler = new TaskRequests(tasks, asked);
      return await carryOut(deps, handler, wire, { id, method, params }, stream);
    } catch (error) {
      stream?.end();
      throw error;
    }
  };

  return {
    tasks,
    /**
     * Answers one JSON-RPC request to an agent, of either version of the protocol. Reads the body itself, counts turns
     * against the limits, and never throws: what is wrong becomes a JSON-RPC error.
     * @param agent `hub`, or the name of an agent of the roster; it must exist
     */
    async rpc(agent: string, caller: AddressedCaller, c: HubContext): Promise<Response> {
      let id: RpcId = null;
      try {
        const request = await readRpcRequest(c);
        id = request.id;
        return await answer(agent, caller, c, request);
      } catch (error) {
        return refuse(deps, error, id);
      }
    },
  };
}

type Params = Readonly<Record<string, unknown>>;

/** Hands the request to the SDK's transport of its version, and its result to the client. */
async function carryOut(
  deps: HttpDeps,
  handler: TaskRequests,
  wire: RpcVersion['wire'],
  { id, method, params }: Omit<RpcRequest, 'params'> & { readonly params: Params },
  stream: EventStream | null,
): Promise<Response> {
  if (wire === '0.3' && method === 'tasks/list')
    return answered(handler, id, listLegacy(handler, params, id));
  const transport =
    wire === '0.3' ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
  const context = new ServerCallContext({ requestedVersion: wire });
  const body = { jsonrpc: '2.0', id, method, params };
  const work = transport.handle(body, context) as Promise<Envelope | AsyncGenerator<Envelope>>;
  const result = await deps.work.track(work);
  if (stream === null || !(Symbol.asyncIterator in result)) {
    stream?.end();
    return answered(handler, id, result as Envelope);
  }
  return answerWithStream(stream, result, {
    // Clients of 0.3 that come back to a task read a stream whatever it says.
    refused: (error) => {
      if (handler.refused) return refuse(deps, handler.refused, id);
      return method === 'tasks/resubscribe' ? null : failed(wire, error, id);
    },
    envelopeOf: (error) => ({ jsonrpc: '2.0', id, error: errorOf(wire, error) }),
    // The older version says with the last event of a message that it is.
    closing: method === 'message/stream',
    log: deps.app.log,
  });
}

function hopsOf(c: HubContext): number | undefined {
  const said = c.req.header(REMOTE_HOPS_HEADER);
  return said !== undefined && /^\d{1,3}$/.test(said) ? Number(said) : undefined;
}

/** A client of 1.0 waits where it says nothing; one of 0.3, or that does not say which it speaks, does not. */
function waits({ asked }: RpcVersion, params: Params): boolean {
  const { blocking, returnImmediately } = (params.configuration ?? {}) as Params;
  if (returnImmediately === true) return false;
  return asked === '1.0' || blocking === true || returnImmediately === false;
}

async function answered(
  handler: TaskRequests,
  id: RpcId,
  result: Envelope | Promise<Envelope>,
): Promise<Response> {
  const envelope = await result;
  if (handler.refused) throw handler.refused;
  return new Response(JSON.stringify({ ...envelope, id }), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

function errorOf(wire: RpcVersion['wire'], error: unknown) {
  const known = toA2aError(error);
  if (known instanceof RefusedError) return known.errorResponse.error;
  return wire === '0.3'
    ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(known)
    : JsonRpcTransportHandler.mapToJSONRPCError(known);
}

function failed(wire: RpcVersion['wire'], error: unknown, id: RpcId): Response {
  return errorAnswer(id, errorOf(wire, error));
}

function refuse({ app: { log, metrics } }: HttpDeps, error: unknown, id: RpcId): Response {
  if (error instanceof MalformedRequest) return errorAnswer(error.id ?? id, error.error, error.status);
  const known = toA2aError(error);
  if (!(known instanceof RefusedError)) return failed('1.0', known, id);
  if (known.status >= 500 || known.errorResponse.error.code === -32_603) {
    metrics.error('http', 'a2a');
    log.error({ agent: 'a2a', action: 'request_failed' }, error);
  }
  return errorAnswer(id, known.errorResponse.error, known.status, known.headers);
}
