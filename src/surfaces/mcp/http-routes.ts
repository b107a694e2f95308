import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { isLoopback, type ServerConfig } from '../../config/config.js';
import { SCOPES } from '../../core/domain/customer.js';
import { type HubEnv, isOwnOrigin, publicUrl } from '../http/client.js';
import type { HttpDeps } from '../http/http-deps.js';
import { createRouter, type HubRouter } from '../http/router.js';
import { MCP_PATH, METADATA_PATH, RPC, refuse } from './http-auth.js';
import { createMcpService } from './http-service.js';

const EVERYWHERE = ['0.0.0.0', '::'];
/** What a client sends that no browser lets through unasked. */
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];
const RESPONSE_HEADERS = ['mcp-session-id', 'retry-after', 'www-authenticate', 'x-request-id'];

/** Answers only to names of its own: a web page elsewhere could point one of its own at this address. */
function ownHosts(config: ServerConfig): MiddlewareHandler<HubEnv> {
  return async (c, next) => {
    const { hostname } = new URL(c.req.url);
    if (isOwnHost(hostname, config)) return next();
    return forbidden(`This server does not answer to ${hostname}. HUB_PUBLIC_URL names where it is reached.`);
  };
}

/** Answers only to programs, and to pages that may call; a browser says which page it is. */
function ownOrigins(config: ServerConfig): MiddlewareHandler<HubEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (origin === undefined || origin === '' || isOwnOrigin(c, config, origin)) return next();
    return forbidden('Pages of this origin may not call. HUB_CORS_ORIGINS names those that may.');
  };
}

/** Lets the pages of other origins that the configuration names read the answers. */
function openToPages({ corsOrigins }: ServerConfig): MiddlewareHandler {
  return cors({
    origin: [...corsOrigins],
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: 600,
  });
}

/** True for the public address, the one that is listened on, and what else can only mean this machine. */
export function isOwnHost(
  hostname: string,
  { publicUrl: configured, host }: Pick<ServerConfig, 'publicUrl' | 'host'>,
): boolean {
  if (configured !== undefined && hostname === new URL(configured).hostname) return true;
  const name = bare(hostname);
  if (name === host.toLowerCase()) return true;
  const everywhere = EVERYWHERE.includes(host);
  if (everywhere || isLoopback(host)) if (isLoopback(name) || name.endsWith('.localhost')) return true;
  // A name can be pointed anywhere, an address cannot.
  return everywhere && isAddress(hostname);
}

function forbidden(message: string): Response {
  return refuse({ status: 403, code: RPC.refused, message, data: { code: 'forbidden' } });
}

/** IPv6 addresses stand in brackets in a URL only. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

/** The URL parser has already written every form of an IPv4 address as four decimal numbers. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

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
