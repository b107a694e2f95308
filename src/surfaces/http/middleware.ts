import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { isLoopback, type ServerConfig } from '../../config/config.js';
import { HubError, toHubError } from '../../core/errors.js';
import type { IdempotencyStore, StoredResponse } from '../../core/ports/inbox.js';
import type { Metrics } from '../../core/ports/metrics.js';
import type { Caller, Sessions } from '../../core/ports/sign-in.js';
import type { Log } from '../../core/ports/system.js';
import { bearerToken, type HubContext, type HubEnv, isHttps } from './client.js';
import { PROBLEM_JSON, problemOf, sendProblem } from './problem.js';
import { UPLOADS } from './uploads.js';

/** Open to everybody: signing in, what the pages need before it, and what a token of a mail opens. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  '/api/session': ['POST'],
  '/api/session/code': ['POST'],
  '/api/config': ['GET', 'HEAD'],
  '/api/mail/unsubscribe': ['POST'],
};
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
    const caller = await sessions.identify(bearerToken(header));
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

/** Counts and times each request by the pattern of its route; paths carry ids, and ids do not belong there. */
export function requestLog(metrics: Pick<Metrics, 'request'>, log: Log): MiddlewareHandler<HubEnv> {
  return async (c, next) => {
    const began = performance.now();
    await next();
    const { status } = c.res;
    const ms = performance.now() - began;
    const route = patternOf(c);
    const method = METHODS.has(c.req.method) ? c.req.method : 'OTHER';
    metrics.request({ method, route, status, ms });
    log.debug({
      agent: 'http',
      action: 'request',
      details: { request: c.get('requestId'), method, route, status, ms: Math.round(ms) },
    });
  };
}

/** A stranger may send any word for a method, and each would be another series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function patternOf(c: HubContext): string {
  const pattern = routePath(c, -1);
  return c.res.status === 404 && pattern.includes('*') ? 'none' : pattern;
}

/**
 * On a demo that only this machine reaches, answers to no name but this machine's: a web page elsewhere could point a
 * name of its own at the loopback address and sign in from the visitor's browser.
 */
export function ownHost({ demo, host, trustProxy }: ServerConfig): MiddlewareHandler<HubEnv> {
  const guarded = demo && isLoopback(host) && !trustProxy;
  return async (c, next) => {
    if (!guarded || isOwn(new URL(c.req.url).hostname)) return next();
    const detail = 'This demo answers to localhost alone. Behind a proxy set HUB_TRUST_PROXY=1.';
    return sendProblem(problemOf(421, 'misdirected', detail, c.req.path));
  };
}

function isOwn(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  return isLoopback(name) || name.endsWith('.localhost');
}

/** Paths of the built pages; everything else is answered with data. */
const PAGES = /^\/(?:desk|docs|chat)?(?:\/|$)|\.html$/;
/** The service worker of web push: a sandbox would keep a browser from running it, and it loads nothing. */
const WORKER = '/push.js';
const WORKER_POLICY = "default-src 'none'";
const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** What a browser may do with the answers: run nothing, load nothing from elsewhere, be framed by nobody unasked. */
export function securityHeaders(config: ServerConfig): MiddlewareHandler<HubEnv> {
  const chat = pagePolicy(config, ["'self'", ...config.embedOrigins]);
  const page = pagePolicy(config, ["'self'"]);
  // The viewer of the API has its icons in its style sheet.
  const docs = pagePolicy(config, ["'self'"], ['data:']);
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    const { path } = c.req;
    headers.set('x-request-id', c.get('requestId'));
    const isPage = !path.startsWith('/api/') && PAGES.test(path);
    headers.set(
      'content-security-policy',
      path === WORKER
        ? WORKER_POLICY
        : isPage
          ? path === '/'
            ? chat
            : path === '/docs'
              ? docs
              : page
          : API_POLICY,
    );
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', isPage ? 'same-origin' : 'no-referrer');
    headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()');
    headers.set('cross-origin-opener-policy', 'same-origin');
    // The one script that other sites load, and the chat they show in a frame.
    headers.set('cross-origin-resource-policy', isForOthers(path, config) ? 'cross-origin' : 'same-origin');
    if (isHttps(c, config.trustProxy)) headers.set('strict-transport-security', 'max-age=31536000');
  };
}

function pagePolicy(
  { linkHosts }: ServerConfig,
  ancestors: readonly string[],
  moreImages: readonly string[] = [],
): string {
  // Pictures of a conversation are fetched with the session, and shown from memory.
  const images = ["'self'", 'blob:', ...linkHosts.map((host) => `https://${host}`), ...moreImages];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    `img-src ${images.join(' ')}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    `frame-ancestors ${ancestors.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function isForOthers(path: string, { embedOrigins, corsOrigins }: ServerConfig): boolean {
  if (path === '/embed.js') return true;
  const embedded = embedOrigins.length > 0 && (path === '/' || path.startsWith('/assets/'));
  return embedded || (corsOrigins.length > 0 && path.startsWith('/api/'));
}

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Answers that are secrets, or true at their moment only: nothing of them is kept, and asking again makes another. */
const UNKEPT_ANSWERS: readonly string[] = ['/api/session/tokens', '/api/desk/presence'];
const KEY = /^[\x20-\x7e]{1,200}$/;

/**
 * `Idempotency-Key`: the same key and request once more is answered with what was answered before, and done once. A key
 * is its caller's own. Refusals that trying again may overcome (busy, too many, a fault) are not kept.
 */
export function idempotency(
  store: IdempotencyStore,
  log: Log,
  replayAsStream: (c: HubContext, stored: StoredResponse) => Response | null,
): MiddlewareHandler<HubEnv> {
  return async (c, next) => {
    const key = c.req.header('idempotency-key');
    const caller: Caller | undefined = c.get('caller');
    if (key === undefined || caller === undefined || !WRITES.includes(c.req.method)) return next();
    if (UNKEPT_ANSWERS.includes(c.req.path) || UPLOADS.test(c.req.path)) return next();
    if (!KEY.test(key) || key.trim() === '')
      throw new HubError('input_invalid', 'Idempotency-Key must have 1 to 200 printable ASCII characters.');
    const owner = ownerOf(caller);
    const claim = await store.claim(owner, key, requestHash(c));
    switch (claim.kind) {
      case 'done':
        return replay(claim.response, (stored) => replayAsStream(c, stored));
      case 'conflict':
        throw new HubError('idempotency_conflict', 'This Idempotency-Key was used for another request.');
      case 'running':
        throw new HubError(
          'thread_busy',
          'The first request with this Idempotency-Key is still being worked on.',
        );
      default:
    }
    c.set('effectKey', effectKey(owner, key));
    const keep = (response: StoredResponse | null): Promise<void> =>
      settle(store, { owner, key }, response, log);
    try {
      await next();
    } catch (error) {
      await keep(null);
      throw error;
    }
    const later: HubEnv['Variables']['laterResponse'] | undefined = c.get('laterResponse');
    if (later === undefined) return await keep(await storable(c.res));
    // The stream goes out now; what it came to is kept when it has.
    later.then(
      ({ status, body }) => keep(isKept(status, body) ? asStored(status, body) : null),
      () => keep(null),
    );
  };
}

/** A name for the effect that survives a crash: a route that keeps ids of its own uses it where the client gave none. */
function effectKey(owner: string, key: string): string {
  return `idem_${createHash('sha256').update(`${owner}\n${key}`).digest('hex').slice(0, 40)}`;
}

function ownerOf(caller: Caller): string {
  if (caller.role === 'visitor') return `visitor:${caller.identity.visitorId}`;
  return caller.role === 'customer'
    ? `customer:${caller.identity.customerId}`
    : `operator:${caller.operator.operatorId}`;
}

function requestHash(c: HubContext): string {
  const { pathname, search } = new URL(c.req.url);
  const body: Uint8Array | undefined = c.get('rawBody');
  return createHash('sha256')
    .update(`${c.req.method}\n${pathname}${search}\n`)
    .update(body ?? new Uint8Array())
    .digest('hex');
}

async function storable(response: Response): Promise<StoredResponse | null> {
  const { status } = response;
  const body = await response.clone().text();
  const contentType = response.headers.get('content-type') ?? '';
  const parsed: unknown = contentType.includes('json') && body !== '' ? JSON.parse(body) : null;
  return isKept(status, parsed) ? { status, contentType, body } : null;
}

function isKept(status: number, body: unknown): boolean {
  if (status >= 500 || status === 429 || status === 401) return false;
  const { code } = (body ?? {}) as { readonly code?: unknown };
  return code !== 'thread_busy';
}

function asStored(status: number, body: unknown): StoredResponse {
  const contentType = status < 400 ? 'application/json' : PROBLEM_JSON;
  return { status, contentType, body: JSON.stringify(body) };
}

/** The answer has been sent, so a fault of the store is only logged. */
async function settle(
  store: IdempotencyStore,
  { owner, key }: { readonly owner: string; readonly key: string },
  response: StoredResponse | null,
  log: Log,
): Promise<void> {
  try {
    await (response === null ? store.abandon(owner, key) : store.complete(owner, key, response));
  } catch (error) {
    log.error({ agent: 'http', action: 'idempotency_not_kept' }, toHubError(error));
  }
}

function replay(stored: StoredResponse, asStream: (stored: StoredResponse) => Response | null): Response {
  const response =
    asStream(stored) ??
    new Response(stored.body === '' ? null : stored.body, {
      status: stored.status,
      headers: {
        'cache-control': 'no-store',
        ...(stored.contentType === '' ? {} : { 'content-type': stored.contentType }),
      },
    });
  response.headers.set('idempotent-replayed', 'true');
  return response;
}
