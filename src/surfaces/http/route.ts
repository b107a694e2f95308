import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';

type Rest = Omit<RouteConfig, 'method' | 'path' | 'operationId' | 'tags' | 'security'>;

/** Every route but the public ones: a session token is needed. */
export const SIGNED_IN = [{ session: [] }];

/**
 * Declares the routes of one part of the API.
 * @param tag the heading under which the documentation shows them
 * @param security {@link SIGNED_IN} mostly; absent for what is open to everybody
 */
export function routesOf(tag: string, security?: NonNullable<RouteConfig['security']>) {
  return <const Method extends RouteConfig['method'], const Path extends string, Said extends Rest>(
    method: Method,
    path: Path,
    operationId: string,
    said: Said,
  ) => createRoute({ tags: [tag], ...(security && { security }), method, path, operationId, ...said });
}

/** Headers of a write. */
export const writeHeaders = z.object({ 'idempotency-key': z.string().optional() });

/** The only content of most answers. */
export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The body of a write. */
export const body = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});
