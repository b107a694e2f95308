import type { MiddlewareHandler } from 'hono';
import { isLoopback, type ServerConfig } from '../../config/config.js';
import type { HubEnv } from './http-env.js';
import { problemOf, sendProblem } from './problem.js';

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
