import type { MiddlewareHandler } from 'hono';
import type { ServerConfig } from '../../config/config.js';
import type { HubContext, HubEnv } from './http-env.js';
import { problemOf, sendProblem } from './problem.js';

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

/**
 * The address a client reaches this server at, without a slash at the end: the configured one, else the one the request
 * was sent to.
 */
export function publicUrl(c: HubContext, { publicUrl: configured, trustProxy }: ServerConfig): string {
  if (configured !== undefined) return configured;
  const { host } = new URL(c.req.url);
  return `${isHttps(c, trustProxy) ? 'https' : 'http'}://${host}`;
}

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

/** Weight the client gives a media type, 0 where it refuses it; the most exact range counts (RFC 9110, 12.5.1). */
function weightOf(accept: string, type: string): number {
  const [major] = type.split('/');
  let best = { exactness: -1, weight: 0 };
  for (const range of accept.split(',').slice(0, 50)) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const exactness = [`*/*`, `${major}/*`, type].indexOf(name);
    if (exactness <= best.exactness) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    best = { exactness, weight: Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 1 };
  }
  return best.weight;
}

/** True where the client can read this type; without an `Accept` header it reads everything. */
export function accepts(accept: string | undefined, type: string): boolean {
  return accept === undefined || accept.trim() === '' || weightOf(accept, type) > 0;
}

/** True where the client asked for an event stream in so many words, at least as much as for JSON. */
export function wantsStream(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/event-stream/i.test(accept)) return false;
  const stream = weightOf(accept, 'text/event-stream');
  return stream > 0 && (stream >= weightOf(accept, 'application/json') || !/json/i.test(accept));
}
