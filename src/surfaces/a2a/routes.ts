import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { ServerConfig } from '../../config/config.js';
import { ownOrigin } from '../http/addresses.js';
import type { HttpDeps } from '../http/http-deps.js';
import { createRouter, type HubContext, type HubRouter } from '../http/router.js';
import { a2aCaller, knownAgent } from './a2a-auth.js';
import { cardRoutes, hubVersion } from './cards.js';
import { describeAgents } from './openapi-paths.js';
import { plainTaskRoutes } from './plain-tasks.js';
import { createA2aServer } from './rpc.js';
import { skillRoutes } from './skill-routes.js';
import { HUB_AGENT } from './tasks.js';

/** A path with a star is also the one before it. */
const PATHS = ['/a2a/*', '/agents/*', '/.well-known/agent-card.json', '/.well-known/agent.json'];
/** What a client sends that no browser lets through unasked. */
const REQUEST_HEADERS = [
  'a2a-extensions',
  'a2a-version',
  'authorization',
  'caller-secret',
  'confirmation-token',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'x-a2a-extensions',
];

/** The hub and its agents over A2A: cards, the generic way and the specific way. */
export function a2aRoutes(deps: HttpDeps): HubRouter {
  const server = createA2aServer(deps);
  const router = createRouter();
  const settings = deps.config.server;
  for (const path of ['/', ...PATHS]) router.use(path, ownOrigin(settings));
  if (settings.corsOrigins.length > 0) for (const path of PATHS) router.use(path, openToPages(settings));

  const rpc = async (c: HubContext, name: string): Promise<Response> => {
    const agent = knownAgent(deps.app, name);
    if (agent instanceof Response) return agent;
    return server.rpc(agent.name, await a2aCaller(c, deps), c);
  };
  // Some clients take the address of the server for that of its agent.
  for (const path of ['/a2a', '/a2a/', '/']) router.post(path, (c) => rpc(c, HUB_AGENT));
  for (const path of ['/agents/:agent', '/agents/:agent/'])
    router.post(path, (c) => rpc(c, c.req.param('agent') ?? ''));

  router.route('/', cardRoutes(deps, hubVersion()));
  router.route('/', skillRoutes(deps));
  router.route('/', plainTaskRoutes(deps, server.tasks));
  describeAgents(router);
  return router;
}

/** Lets the pages of other origins that the configuration names read the answers. */
function openToPages({ corsOrigins }: ServerConfig): MiddlewareHandler {
  return cors({
    origin: [...corsOrigins],
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ['etag', 'retry-after', 'www-authenticate', 'x-request-id'],
    maxAge: 600,
  });
}
