import type { ServerConfig } from '../../config/config.js';
import { isHttps } from './client-address.js';
import type { HubContext } from './http-env.js';

/**
 * The address a client reaches this server at, without a slash at the end: the configured one, else the one the request
 * was sent to.
 */
export function publicUrl(c: HubContext, { publicUrl: configured, trustProxy }: ServerConfig): string {
  if (configured !== undefined) return configured;
  const { host } = new URL(c.req.url);
  return `${isHttps(c, trustProxy) ? 'https' : 'http'}://${host}`;
}
