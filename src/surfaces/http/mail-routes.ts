import { createRoute, z } from '@hono/zod-openapi';
import { HubError } from '../../core/errors.js';
import { unsubscribe } from '../mail/reply-address.js';
import type { HttpDeps } from './http-deps.js';
import { createRouter, type HubRouter, problemResponses } from './router.js';

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
  responses: {
    204: { description: 'There are no more notices.' },
    ...problemResponses('token_invalid'),
  },
});

/** What mail programs call. */
export function mailRoutes({ app }: HttpDeps): HubRouter {
  const router = createRouter();
  router.openapi(stopNotices, async (c) => {
    const { token } = c.req.valid('query');
    if (app.mail === null || !(await unsubscribe(app.mail, token)))
      throw new HubError('token_invalid', 'This link ends no notices: it is too old, or not whole.');
    return c.body(null, 204);
  });
  return router;
}
