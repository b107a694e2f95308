import type { HttpDeps } from '../http/http-deps.js';
import { createRouter, type HubRouter } from '../http/router.js';
import { openToPages, ownHosts, ownOrigins } from './http-address.js';
import { MCP_PATH } from './http-auth.js';
import { metadataRoutes } from './http-metadata.js';
import { createMcpService } from './http-service.js';

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
