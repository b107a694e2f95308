import { z } from '@hono/zod-openapi';
import { SCOPES } from '../../core/domain/access.js';
import { HubError } from '../../core/errors.js';
import type { TokenHolder } from '../../core/ports/sign-in.js';
import { type Caller, MAX_TOKEN_MINUTES } from '../../core/sessions.js';
import { clientAddress } from './addresses.js';
import type { HttpDeps } from './http-deps.js';
import {
  body,
  callerOf,
  createRouter,
  type HubContext,
  type HubRouter,
  json,
  problemResponses,
  routesOf,
  SIGNED_IN,
} from './router.js';
import { roleSchema, timeSchema } from './schemas.js';

const route = routesOf('Sign-in', SIGNED_IN);

const issue = route('post', '/api/session/tokens', 'createProgramToken', {
  summary: 'Make a token for another program',
  description:
    'For MCP and A2A, in the name of whoever asks and within the scopes named. It is shown once and is not kept (so an `Idempotency-Key` is ignored); its id is, and revokes it. It opens nothing of this API but `GET /api/session`.',
  request: {
    body: body(
      z
        .object({
          scopes: z.array(z.enum(SCOPES)).min(1).max(10),
          minutes: z
            .int()
            .min(1)
            .max(MAX_TOKEN_MINUTES)
            .optional()
            .openapi({ description: 'How long it lasts; as long as a session where absent.' }),
        })
        .openapi('TokenRequest', { example: { scopes: ['account:read'], minutes: 60 } }),
    ),
  },
  responses: {
    201: json(
      'The token, for the program to send as `Authorization: Bearer`.',
      z
        .object({
          token: z.string(),
          token_id: z.string(),
          role: roleSchema,
          scopes: z.array(z.enum(SCOPES)),
          expires_at: timeSchema,
        })
        .openapi('ProgramToken'),
    ),
    ...problemResponses('token_invalid', 'token_not_for_api', 'rate_limited'),
  },
});

const list = route('get', '/api/session/tokens', 'listProgramTokens', {
  summary: 'My tokens for other programs',
  description: 'Those that have not ended, the newest first; never the tokens themselves.',
  responses: {
    200: json(
      'What is kept of them.',
      z
        .object({
          tokens: z.array(
            z.object({
              token_id: z.string(),
              scopes: z.array(z.enum(SCOPES)),
              created_at: timeSchema,
              expires_at: timeSchema,
              last_used_at: timeSchema.nullable(),
              revoked_at: timeSchema.nullable(),
            }),
          ),
        })
        .openapi('ProgramTokens'),
    ),
    ...problemResponses('token_invalid', 'token_not_for_api'),
  },
});

const revoke = route('delete', '/api/session/tokens/{token_id}', 'revokeProgramToken', {
  summary: 'Revoke a token of mine',
  description: 'It is refused from now on; the streams and sessions that it has opened end.',
  request: { params: z.object({ token_id: z.string().min(1).max(100) }) },
  responses: {
    204: { description: 'It is revoked.' },
    ...problemResponses('token_invalid', 'token_not_for_api', 'not_found'),
  },
});

/** Tokens for other programs, made, listed and revoked by whom they speak for. */
export function tokenRoutes({ app, config, limits }: HttpDeps): HubRouter {
  const router = createRouter();
  const { trustProxy } = config.server;

  router.openapi(issue, async (c) => {
    await limits.signIn(clientAddress(c, trustProxy));
    const { scopes, minutes } = c.req.valid('json');
    const caller = signedIn(c);
    const who = caller.role === 'customer' ? caller.identity : { operator: caller.operator };
    const wish = { scopes, ...(minutes === undefined ? {} : { minutes }) };
    const made = await app.sessions.issueFor(who, wish);
    const { token, tokenId, role, scopes: given, expiresAt } = made;
    return c.json({ token, token_id: tokenId, role, scopes: [...given], expires_at: expiresAt }, 201);
  });

  router.openapi(list, async (c) => {
    const records = await app.sessions.programTokens(holderOf(signedIn(c)));
    const tokens = records.map((record) => ({
      token_id: record.tokenId,
      scopes: [...record.scopes],
      created_at: record.createdAt,
      expires_at: record.expiresAt,
      last_used_at: record.lastUsedAt,
      revoked_at: record.revokedAt,
    }));
    return c.json({ tokens }, 200);
  });

  router.openapi(revoke, async (c) => {
    await app.sessions.revokeToken(c.req.valid('param').token_id, holderOf(signedIn(c)));
    return c.body(null, 204);
  });
  return router;
}

/** @throws HubError `not_signed_in` for a visitor */
function signedIn(c: HubContext): Exclude<Caller, { role: 'visitor' }> {
  const caller = callerOf(c);
  if (caller.role === 'visitor') throw new HubError('not_signed_in', 'Sign in first.');
  return caller;
}

function holderOf(caller: ReturnType<typeof signedIn>): TokenHolder {
  return caller.role === 'customer'
    ? { role: 'customer', id: caller.identity.customerId }
    : { role: 'operator', id: caller.operator.operatorId };
}
