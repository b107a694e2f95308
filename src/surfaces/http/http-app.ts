import { createRoute, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { HubError, toHubError } from '../../core/errors.js';
import { a2aRoutes } from '../a2a/routes.js';
import { unsubscribe } from '../mail/sender.js';
import { mcpRoutes } from '../mcp/http-routes.js';
import { accepts, type HubEnv, wantsStream } from './client.js';
import { companyRoutes } from './desk/company-routes.js';
import { knowledgeRoutes } from './desk/knowledge-routes.js';
import { approvalRoutes, overviewRoutes } from './desk/overview-routes.js';
import { ticketRoutes } from './desk/ticket-routes.js';
import { customerRoutes, workRoutes } from './desk/work-routes.js';
import type { HttpDeps } from './http-deps.js';
import { authenticate, idempotency, ownHost, requestLog, securityHeaders } from './middleware.js';
import { serveDocument } from './openapi.js';
import { pageRoutes } from './pages.js';
import { problemHeaders, problemOf, sendProblem, statusOf, toProblem } from './problem.js';
import { createRouter, type HubContext, type HubRouter, problemResponses } from './router.js';
import { sessionRoutes, tokenRoutes } from './session-routes.js';
import { systemRoutes } from './system-routes.js';
import { replayAsStream } from './thread-events.js';
import { threadRoutes } from './thread-routes.js';
import { requestBody } from './uploads.js';

/** Mail programs call it themselves (RFC 8058), so the token alone says who it is; nothing is changed by reading. */
const stopNotices = createRoute({
  method: 'post',
  path: '/api/mail/unsubscribe',
  operationId: 'unsubscribeFromMail',
  tags: ['Sign-in'],
  summary: 'End the notices by e-mail',
  description:
    'The address that `List-Unsubscribe` of a notice names. A mail program calls it with one click.',
  request: { query: z.object({ token: z.string().max(60) }) },
  responses: { 204: { description: 'There are no more notices.' }, ...problemResponses('token_invalid') },
});

/** Everything under /api/desk. */
function deskRoutes(deps: HttpDeps): HubRouter {
  const router = createRouter();
  for (const part of [
    ticketRoutes,
    workRoutes,
    approvalRoutes,
    customerRoutes,
    knowledgeRoutes,
    companyRoutes,
    overviewRoutes,
  ])
    router.route('/', part(deps));
  return router;
}

/**
 * Everything the server answers: API, pages, health.
 * @param webDir where the pages were built; undefined serves none
 */
export function createHttpApp(deps: HttpDeps, webDir?: string): HubRouter {
  const { app, config } = deps;
  const router = createRouter();
  router.use(requestId({ limitLength: 100 }));
  router.use(requestLog(app.metrics, app.log));
  router.use(securityHeaders(config.server));
  router.use(ownHost(config.server));
  if (config.server.corsOrigins.length > 0) router.use('/api/*', openTo(config.server.corsOrigins));
  router.use(
    methodNotAllowed({
      app: router,
      onMethodNotAllowed: (c, methods) =>
        sendProblem(
          problemOf(405, 'method_not_allowed', `Allowed here: ${methods.join(', ')}.`, c.req.path),
          { allow: methods.join(', ') },
        ),
    }),
  );
  router.use('/api/*', acceptable);
  router.use('/api/*', authenticate(app.sessions));
  router.use('/api/*', requestBody(config.turn.maxMessageChars));
  router.use(
    '/api/*',
    idempotency(app.idempotency, app.log, (c, stored) => replayAsStream(c, deps, stored)),
  );
  router.use('/api/*', notCached);
  for (const routes of [
    sessionRoutes,
    tokenRoutes,
    threadRoutes,
    deskRoutes,
    systemRoutes,
    mailRoutes,
    mcpRoutes,
    a2aRoutes,
  ])
    router.route('/', routes(deps));
  serveDocument(router, app.company, config.server.publicUrl);
  router.route(
    '/',
    pageRoutes(webDir, {
      company: app.company,
      accounts: app.capabilities
        .agents()
        .some(({ capabilities }) => capabilities.some(({ access }) => access === 'customer')),
      answer_in_words: app.company.languages.map((one) => app.texts.for(one).say('answer_in_words')),
      tools: app.toolNames,
      arguments: app.argumentNames,
      entities: app.entityNames,
      skills: Object.fromEntries(app.skills.list().map(({ id, title, titles }) => [id, { title, titles }])),
    }),
  );
  router.notFound((c) =>
    sendProblem(problemOf(404, 'not_found', 'There is nothing at this address.', c.req.path)),
  );
  router.onError((error, c) => failed(deps, error, c));
  return router;
}

function failed({ app }: HttpDeps, error: Error, c: HubContext): Response {
  if (error instanceof HTTPException) {
    if (error.res !== undefined) return error.res;
    const code = error.status === 415 ? 'unsupported_media_type' : 'input_invalid';
    const detail = error.status === 415 ? 'Send the body as application/json.' : error.message;
    return sendProblem(problemOf(error.status, code, detail, c.req.path));
  }
  const hubError = isGone(error)
    ? new HubError('input_invalid', 'The request broke off.')
    : toHubError(error);
  const status = statusOf(hubError.code);
  app.metrics.error('http', hubError.code);
  if (status >= 500)
    app.log.error(
      {
        agent: 'http',
        action: 'request_failed',
        details: { request: c.get('requestId'), code: hubError.code },
      },
      error,
    );
  return sendProblem(toProblem(hubError, c.req.path), problemHeaders(hubError));
}

/** The client went away while it was still sending; nobody reads the answer. */
function isGone(error: Error): boolean {
  const { code } = error as { readonly code?: unknown };
  return error.name === 'AbortError' || code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

const acceptable: MiddlewareHandler<HubEnv> = async (c, next) => {
  const accept = c.req.header('accept');
  const readable = accepts(accept, 'application/json') || accepts(accept, 'application/problem+json');
  if (readable || wantsStream(accept)) return next();
  return sendProblem(problemOf(406, 'not_acceptable', 'Answers are application/json.', c.req.path));
};

const notCached: MiddlewareHandler<HubEnv> = async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
};

function openTo(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: [...origins],
    allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'last-event-id'],
    exposeHeaders: ['retry-after', 'x-request-id', 'idempotent-replayed'],
    maxAge: 600,
  });
}

/** What mail programs call. */
function mailRoutes({ app }: HttpDeps): HubRouter {
  const router = createRouter();
  router.openapi(stopNotices, async (c) => {
    const { token } = c.req.valid('query');
    if (app.mail === null || !(await unsubscribe(app.mail, token)))
      throw new HubError('token_invalid', 'This link ends no notices: it is too old, or not whole.');
    return c.body(null, 204);
  });
  return router;
}
