import type { MiddlewareHandler } from 'hono';
import type { ServerConfig } from '../../config/config.js';
import { isHttps } from './client-address.js';
import type { HubEnv } from './http-env.js';

/** Paths of the built pages; everything else is answered with data. */
const PAGES = /^\/(?:desk|docs|chat)?(?:\/|$)|\.html$/;
const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

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
      isPage ? (path === '/' ? chat : path === '/docs' ? docs : page) : API_POLICY,
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
  const images = ["'self'", ...linkHosts.map((host) => `https://${host}`), ...moreImages];
  return [
    "default-src 'none'",
    "script-src 'self'",
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
