import type { MiddlewareHandler } from 'hono';
import { HubError } from '../../core/errors.js';
import type { Sessions } from '../../core/sessions.js';
import type { HubEnv } from './http-env.js';

/** Open to everybody: signing in, what the pages need before it, and what a token of a mail opens. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  '/api/session': ['POST'],
  '/api/session/code': ['POST'],
  '/api/config': ['GET', 'HEAD'],
  '/api/mail/unsubscribe': ['POST'],
};
const BEARER = /^Bearer +([\w.~+/=-]+) *$/i;
/** What the token of another program may ask here: whom it speaks for. */
const FOR_PROGRAMS: Readonly<Record<string, readonly string[]>> = { '/api/session': ['GET', 'HEAD'] };

/**
 * Who is calling, by the session token alone. Nothing in a path, a query or a body says who somebody is.
 * Everything below /api/desk is for operators. A token with the hub's scopes was given to a program, for MCP and A2A: a
 * person's session is what this API takes, and no program may make itself one, or another token, from what it was given.
 */
export function authenticate(sessions: Sessions): MiddlewareHandler<HubEnv> {
  return async (c, next) => {
    const { method, path } = c.req;
    if (PUBLIC[path]?.includes(method) || method === 'OPTIONS') return next();
    const header = c.req.header('authorization');
    if (header === undefined) throw new HubError('not_signed_in', 'Sign in first.');
    const token = BEARER.exec(header)?.[1];
    if (token === undefined)
      throw new HubError('token_invalid', 'The Authorization header must be: Bearer <token>.');
    const caller = await sessions.identify(token);
    c.set('caller', caller);
    if (caller.scopes !== null && !FOR_PROGRAMS[path]?.includes(method))
      throw new HubError(
        'token_not_for_api',
        'This token was made for MCP and A2A alone. The API takes the session of a person.',
      );
    if (caller.role !== 'operator' && /^\/api\/desk(?:\/|$)/i.test(path))
      throw new HubError('forbidden', 'This is for operators.');
    return next();
  };
}
