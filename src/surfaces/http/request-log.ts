import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Log } from '../../core/ports/log.js';
import type { Metrics } from '../../core/ports/metrics.js';
import type { HubContext, HubEnv } from './http-env.js';

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
