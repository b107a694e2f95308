import type { MiddlewareHandler } from 'hono';
import type { ServerConfig } from '../../config/config.js';
import type { HubContext, HubEnv } from './http-env.js';
import { problemOf, sendProblem } from './problem.js';
import { publicUrl } from './public-url.js';

/**
 * Lets a page of another site change nothing here: a browser says where a request comes from, a program says nothing.
 * Origins that may call the API may call this as well.
 */
export function ownOrigin(config: ServerConfig): MiddlewareHandler<HubEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (origin === undefined || origin === '' || isReading(c) || isOwnOrigin(c, config, origin))
      return next();
    const detail = 'Requests from pages of this origin are not taken. HUB_CORS_ORIGINS names those that are.';
    return sendProblem(problemOf(403, 'forbidden', detail, c.req.path));
  };
}

/** True for the server's own address, as asked for and as configured, and for origins that may call the API. */
export function isOwnOrigin(c: HubContext, config: ServerConfig, origin: string): boolean {
  const { host } = new URL(c.req.url);
  const own = [`http://${host}`, `https://${host}`, new URL(publicUrl(c, config)).origin];
  return [...own, ...config.corsOrigins].includes(origin.toLowerCase());
}

function isReading(c: HubContext): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method);
}
