import { cors } from 'hono/cors';
import { SCOPES } from '../../core/domain/access.js';
import type { HttpDeps } from '../http/http-deps.js';
import { publicUrl } from '../http/public-url.js';
import { createRouter, type HubRouter } from '../http/router.js';
import { openToPages, ownHosts, ownOrigins } from './http-address.js';
import { MCP_PATH, METADATA_PATH } from './http-auth.js';
import { createMcpService } from './http-service.js';

/** Tells a client where tokens for `/mcp` come from, and which scopes there are (RFC 9728). */
function metadataRoutes({ config: { server } }: HttpDeps): HubRouter {
  const router = createRouter();
  for (const path of [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`]) {
    // Whoever may not call may still read how to be allowed to: nothing in it is a secret.
    router.use(path, cors({ origin: '*', allowMethods: ['GET', 'HEAD'] }));
    router.use(path, ownHosts(server));
    router.get(path, (c) => {
      const base = publicUrl(c, server);
      const issuer = server.companySignIn?.issuer;
      return c.json(
        {
          resource: `${base}${MCP_PATH}`,
          resource_name: 'UDA-Hub',
          ...(issuer === undefined ? {} : { authorization_servers: [issuer] }),
          scopes_supported: SCOPES,
          bearer_methods_supported: ['header'],
          resource_documentation: `${base}/docs`,
        },
        200,
        { 'cache-control': 'max-age=300' },
      );
    });
  }
  return router;
}

/**
 * MCP over HTTP: `/mcp` and the metadata that tells a client where tokens come from.
 * @param mostStreams how many streams one caller may hold open; 600 where absent
 */
export function mcpRoutes(deps: HttpDeps, mostStreams?: number): HubRouter {
  const { server } = deps.config;
  const router = createRouter();
  router.use(MCP_PATH, ownHosts(server), ownOrigins(server));
  if (server.corsOrigins.length > 0) router.use(MCP_PATH, openToPages(server));
  const serve = createMcpService(deps, mostStreams);
  router.get(MCP_PATH, serve);
  router.post(MCP_PATH, serve);
  router.delete(MCP_PATH, serve);
  router.route('/', metadataRoutes(deps));
  return router;
}
