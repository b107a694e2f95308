import type { HubContext } from './http-env.js';

/**
 * The address a request came from: of the connection, or what the proxy in front wrote down last. What a client itself
 * puts into `X-Forwarded-For` stands further left and is not believed.
 */
export function clientAddress(c: HubContext, trustProxy: boolean): string {
  const hop = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  if (hop !== undefined && /^[\da-fA-F:.]{2,45}$/.test(hop)) return hop;
  return c.env?.incoming?.socket.remoteAddress ?? 'unknown';
}

/** True where the client speaks https, to this server or to the proxy in front. */
export function isHttps(c: HubContext, trustProxy: boolean): boolean {
  if (trustProxy && c.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim() === 'https') return true;
  return c.req.url.startsWith('https:');
}
