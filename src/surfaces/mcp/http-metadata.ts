import { cors } from 'hono/cors';
import { SCOPES } from '../../core/domain/access.js';
import type { HttpDeps } from '../http/http-deps.js';
import { publicUrl } from '../http/public-url.js';
import { createRouter, type HubRouter } from '../http/router.js';
import { ownHosts } from './http-address.js';
import { MCP_PATH, METADATA_PATH } from './http-auth.js';

/** Tells a client where tokens for `/mcp` come from, and which scopes there are (RFC 9728). */
export function metadataRoutes({ config: { server } }: HttpDeps): HubRouter {
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
