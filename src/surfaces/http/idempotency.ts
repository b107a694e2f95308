import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { HubError, toHubError } from '../../core/errors.js';
import type { IdempotencyStore, StoredResponse } from '../../core/ports/idempotency-store.js';
import type { Log } from '../../core/ports/log.js';
import type { Caller } from '../../core/sessions.js';
import type { HubContext, HubEnv } from './http-env.js';
import { PROBLEM_JSON } from './problem.js';
import { UPLOADS } from './request-body.js';

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

/** The answer was given whatever happens here: a fault of the store is a matter of the log. */
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
