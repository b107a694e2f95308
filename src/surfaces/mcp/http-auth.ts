import type { AuthInfo } from '@modelcontextprotocol/server';
import type { OutsideCaller } from '../../core/capabilities.js';
import { SCOPES, type Scope } from '../../core/domain/access.js';
import { HubError } from '../../core/errors.js';
import type { HttpDeps } from '../http/http-deps.js';
import type { HubContext } from '../http/http-env.js';
import { bearerToken, outsideCaller } from '../http/outside-caller.js';
import { publicUrl } from '../http/public-url.js';
import { refuseHubError } from './http-errors.js';

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
  const owner = ownerOf(caller);
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

function ownerOf({ identity, operator }: OutsideCaller): string {
  if (operator !== undefined) return `operator:${operator.operatorId}`;
  if (identity.kind === 'customer') return `customer:${identity.customerId}`;
  throw new HubError('not_signed_in', 'A bearer token is needed.');
}
