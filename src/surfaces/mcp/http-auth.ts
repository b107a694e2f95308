import type { AuthInfo, JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { callerName, type OutsideCaller } from '../../core/capabilities.js';
import { SCOPES, type Scope } from '../../core/domain/customer.js';
import { HubError } from '../../core/errors.js';
import { bearerToken, type HubContext, outsideCaller, publicUrl } from '../http/client.js';
import type { HttpDeps } from '../http/http-deps.js';
import { problemHeaders, statusOf, toProblem } from '../http/problem.js';

/** Codes of JSON-RPC 2.0, and those that MCP uses besides. */
export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internalError: -32_603,
  /** Anything that is in the way before a method is reached. */
  refused: -32_000,
  sessionUnknown: -32_001,
} as const;

interface Refusal {
  readonly status: number;
  readonly code: number;
  /** One sentence for the one who reads the client's log. */
  readonly message: string;
  /** Of the request that is refused; null where none was read. */
  readonly id?: RequestId | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown where a request is found to be none that can be served. */
export class RequestRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
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

/** Where MCP is served. */
export const MCP_PATH = '/mcp';
/** Where the metadata of a resource lies (RFC 9728); that of `/mcp` has the path behind it. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';
const REALM = 'uda-hub';

/** A request whose token was checked. */
export interface Authorised {
  readonly caller: OutsideCaller;
  /** Whose sessions these are: the same for every token of one customer or operator. */
  readonly owner: string;
  readonly token: string;
  /** For the SDK, which hands it to every handler. */
  readonly authInfo: AuthInfo;
}

/**
 * Who calls, by the bearer token of this very request; a session opened before proves nothing.
 * @throws HubError `not_signed_in`, `token_invalid`, `token_expired`, `source_unavailable`
 */
export async function authorise(c: HubContext, { app, config }: HttpDeps): Promise<Authorised> {
  const header = c.req.header('authorization');
  const caller = await outsideCaller(header, app.sessions, 'mcp', { anonymous: false });
  const owner = callerName(caller);
  if (owner === null) throw new HubError('not_signed_in', 'A bearer token is needed.');
  return {
    caller,
    owner,
    token: bearerToken(header),
    authInfo: {
      // The caller is all that a handler needs, and a token that nobody has is written to no log.
      token: '',
      clientId: owner,
      scopes: [...caller.scopes],
      resourceMetadataUrl: metadataUrl(publicUrl(c, config.server)),
      extra: { caller },
    },
  };
}

/** What `authorise` found, where the SDK hands it over. @throws HubError `not_signed_in` */
export function callerOf(authInfo: AuthInfo | undefined): OutsideCaller {
  const caller = authInfo?.extra?.caller as OutsideCaller | undefined;
  if (caller === undefined) throw new HubError('not_signed_in', 'A bearer token is needed.');
  return caller;
}

/** True where the token still says who somebody is; also where nobody can be asked at the moment. */
export async function isStillGood(token: string, { app }: Pick<HttpDeps, 'app'>): Promise<boolean> {
  try {
    await app.sessions.identify(token);
    return true;
  } catch (error) {
    return !(error instanceof HubError && (error.code === 'token_invalid' || error.code === 'token_expired'));
  }
}

/** A refusal of the token, with where to get a better one (RFC 6750, RFC 9728). */
export function refuseToken(c: HubContext, { config }: HttpDeps, error: HubError): Response {
  const parts = [`Bearer realm="${REALM}"`];
  if (error.code !== 'not_signed_in')
    parts.push('error="invalid_token"', `error_description="${error.message.replaceAll('"', "'")}"`);
  parts.push(
    `scope="${SCOPES.join(' ')}"`,
    `resource_metadata="${metadataUrl(publicUrl(c, config.server))}"`,
  );
  return refuseHubError(error, null, { 'www-authenticate': parts.join(', ') });
}

/** A refusal of a request that the token is good for, but not good enough. */
export function refuseScope({ resourceMetadataUrl }: AuthInfo, scope: Scope): Response {
  const error = new HubError('scope_missing', `The token lacks the scope ${scope}.`, { scope });
  const challenge = [
    `Bearer realm="${REALM}"`,
    'error="insufficient_scope"',
    `scope="${scope}"`,
    `resource_metadata="${resourceMetadataUrl}"`,
  ];
  return refuseHubError(error, null, { 'www-authenticate': challenge.join(', ') });
}

function metadataUrl(base: string): string {
  return `${base}${METADATA_PATH}${MCP_PATH}`;
}
