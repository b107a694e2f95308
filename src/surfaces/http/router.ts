import { createRoute, OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi';
import type { ZodError } from 'zod';
import type { Identity, Operator } from '../../core/domain/customer.js';
import { type ErrorCode, type FieldError, HubError } from '../../core/errors.js';
import type { Caller } from '../../core/ports/sign-in.js';
import type { HubContext, HubEnv } from './client.js';
import { PROBLEM_JSON, statusOf } from './problem.js';
import { problemSchema } from './schemas.js';

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

/** The body of a write that may be empty. */
export const optionalBody = <Schema extends z.ZodType>(schema: Schema) => ({
  ...body(schema),
  required: false,
});

export type { HubContext } from './client.js';
export type HubRouter = OpenAPIHono<HubEnv>;

/**
 * A router whose routes are declared with `createRoute`; wrong input becomes a problem (422), a path parameter that
 * cannot be an id is one of something that does not exist (404).
 */
export function createRouter(): HubRouter {
  return new OpenAPIHono<HubEnv>({
    defaultHook: (result) => {
      if (!result.success) throw inputError(result.target, result.error);
    },
  });
}

/** Who is calling. @throws HubError `not_signed_in` where the path is open to everybody */
export function callerOf(c: HubContext): Caller {
  const caller: Caller | undefined = c.get('caller');
  if (caller === undefined) throw new HubError('not_signed_in', 'Sign in first.');
  return caller;
}

/** The customer who is calling. @throws HubError `forbidden` for anybody else */
export function customerOf(c: HubContext): Extract<Identity, { kind: 'customer' }> {
  const caller = callerOf(c);
  if (caller.role === 'customer') return caller.identity;
  throw new HubError('forbidden', 'This is for customers; operators work under /api/desk.');
}

/** The customer or visitor who is calling. @throws HubError `forbidden` for an operator */
export function writerOf(c: HubContext): Exclude<Caller, { role: 'operator' }>['identity'] {
  const caller = callerOf(c);
  if (caller.role !== 'operator') return caller.identity;
  throw new HubError('forbidden', 'This is for customers; operators work under /api/desk.');
}

/** The operator who is calling. @throws HubError `forbidden` for a customer */
export function operatorOf(c: HubContext): Operator {
  const caller = callerOf(c);
  if (caller.role === 'operator') return caller.operator;
  throw new HubError('forbidden', 'This is for operators.');
}

/** The `responses` of a route that may fail with these codes; what is refused for every route stands in openapi.ts. */
export function problemResponses(...codes: readonly ErrorCode[]): Record<number, ProblemResponse> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      { description: named.join(', '), content: { [PROBLEM_JSON]: { schema: problemSchema } } },
    ]),
  );
}

interface ProblemResponse {
  readonly description: string;
  readonly content: Record<string, { readonly schema: typeof problemSchema }>;
}

function inputError(target: string, error: ZodError): HubError {
  if (target === 'param') return new HubError('not_found', 'There is nothing at this address.');
  const errors: FieldError[] = error.issues.slice(0, 20).map(({ path, message }) => ({
    field: path.map(String).join('.').slice(0, 200) || target,
    message: message.slice(0, 300),
  }));
  const first = errors[0];
  const where = first === undefined ? '' : `: ${first.field}: ${first.message}`;
  return new HubError('input_invalid', `The request is not understood${where}`, { errors });
}
