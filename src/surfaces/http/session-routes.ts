import { z } from '@hono/zod-openapi';
import { SCOPES } from '../../core/domain/customer.js';
import { snaked } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import {
  type Caller,
  MAX_TOKEN_MINUTES,
  type OpenedSession,
  type TokenOwner,
} from '../../core/ports/sign-in.js';
import { clientAddress } from './client.js';
import type { HttpDeps } from './http-deps.js';
import { networkOf, visitorsOf } from './rate-limits.js';
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

const publicRoute = routesOf('Sign-in');
const signedIn = routesOf('Sign-in', SIGNED_IN);

const emailSchema = z.string().trim().min(3).max(254).openapi({ example: 'name@example.com' });
const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);
const codeSchema = z.string().trim().max(20).openapi({ example: '123456' });

const openSchema = z
  .union([
    z.object({
      email: emailSchema,
      code: codeSchema,
      challenge: z.string().max(100).optional().openapi({
        description: 'What the request for the code was answered with. Send it: others may guess.',
      }),
    }),
    z.object({ operator: z.literal(true), name: nameSchema.optional() }),
    z.object({
      visitor: z.literal(true).openapi({
        description:
          'Nobody signs in. General questions are answered, and what is begun with the token is its alone.',
      }),
    }),
    z.object({ email: emailSchema }),
  ])
  .openapi('SignIn', { example: { email: 'name@example.com' } });

const open = publicRoute('post', '/api/session', 'openSession', {
  summary: 'Open a session',
  description:
    'As a visitor; with a one-time code; in a demo with the address of a seeded customer, or as the demo operator, alone. A company with a sign-in of its own sends the tokens of that instead.',
  request: { body: body(openSchema) },
  responses: {
    200: json(
      'The token, to be sent as `Authorization: Bearer`.',
      z.object({ token: z.string(), role: roleSchema, expires_at: timeSchema }).openapi('OpenedSession'),
    ),
    ...problemResponses('code_invalid', 'forbidden', 'customer_unknown', 'rate_limited'),
  },
});

const requestCode = publicRoute('post', '/api/session/code', 'requestSignInCode', {
  summary: 'Have a one-time code sent',
  description:
    'The answer is the same whether the address is known or not. A code is six digits, or nine for an account whose codes are being guessed. Asking again soon means waiting longer each time.',
  request: { body: body(z.object({ email: emailSchema }).openapi('CodeRequest')) },
  responses: {
    202: json(
      'Where the address is a customer, a code is on its way.',
      z
        .object({
          sent: z.literal(true),
          challenge: z.string().openapi({
            description:
              'To be sent with the code: the guesses of others neither use it up nor delay it then.',
          }),
        })
        .openapi('CodeSent'),
    ),
    ...problemResponses('rate_limited'),
  },
});

const show = signedIn('get', '/api/session', 'getSession', {
  summary: 'Who am I',
  responses: {
    200: json(
      'What the token says.',
      z
        .object({
          role: roleSchema,
          email: z.string().optional(),
          operator_id: z.string().optional(),
          name: z.string(),
          scopes: z.array(z.enum(SCOPES)).optional(),
          expires_at: timeSchema.optional(),
          demo: z.boolean(),
        })
        .openapi('Session'),
    ),
  },
});

/** Signing in and out of nothing: a session is its token. */
export function sessionRoutes({ app, config, limits }: HttpDeps): HubRouter {
  const router = createRouter();
  const { trustProxy } = config.server;

  router.openapi(open, async (c) => {
    const body = c.req.valid('json');
    const address = clientAddress(c, trustProxy);
    if ('code' in body) {
      await limits.signIn(address);
      const { email, code, challenge } = body;
      const guess = { email, code, network: networkOf(address) };
      const answer = challenge === undefined ? guess : { ...guess, challenge };
      return c.json(opened(await app.sessions.useCode(answer)), 200);
    }
    if ('visitor' in body) {
      if (!config.server.visitors) throw new HubError('forbidden', 'Sign in to write to us here.');
      await limits.write(visitorsOf(address));
      return c.json(opened(await app.sessions.openVisitor()), 200);
    }
    if (!app.sessions.demo) throw new HubError('forbidden', 'Signing in without a password is off here.');
    await limits.demoSignIn(address);
    const session = await app.sessions.openDemo(
      'operator' in body
        ? { operator: true, ...(body.name === undefined ? {} : { name: body.name }) }
        : { email: body.email },
    );
    return c.json(opened(session), 200);
  });

  router.openapi(requestCode, async (c) => {
    const address = clientAddress(c, trustProxy);
    await limits.signIn(address);
    const { email } = c.req.valid('json');
    const { challenge } = await app.sessions.requestCode({ email, network: networkOf(address) });
    return c.json({ sent: true as const, challenge }, 202);
  });

  router.openapi(show, (c) => {
    const caller = callerOf(c);
    const who =
      caller.role === 'visitor'
        ? { name: '' }
        : caller.role === 'customer'
          ? { email: caller.identity.email, name: caller.name }
          : { operator_id: caller.operator.operatorId, name: caller.operator.name };
    const expiry = caller.expiresAt === null ? {} : { expires_at: caller.expiresAt };
    const scopes = caller.scopes === null ? {} : { scopes: [...caller.scopes] };
    return c.json({ role: caller.role, ...who, ...scopes, ...expiry, demo: app.sessions.demo }, 200);
  });
  return router;
}

function opened({ token, role, expiresAt }: OpenedSession) {
  return snaked({ token, role, expiresAt });
}

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
    ...problemResponses('rate_limited'),
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
  },
});

const revoke = route('delete', '/api/session/tokens/{token_id}', 'revokeProgramToken', {
  summary: 'Revoke a token of mine',
  description: 'It is refused from now on; the streams and sessions that it has opened end.',
  request: { params: z.object({ token_id: z.string().min(1).max(100) }) },
  responses: { 204: { description: 'It is revoked.' } },
});

/** Tokens for other programs, made, listed and revoked by whom they speak for. */
export function tokenRoutes({ app, config, limits }: HttpDeps): HubRouter {
  const router = createRouter();
  const { trustProxy } = config.server;

  router.openapi(issue, async (c) => {
    await limits.signIn(clientAddress(c, trustProxy));
    const { scopes, minutes } = c.req.valid('json');
    const caller = signedInCaller(c);
    const who = caller.role === 'customer' ? caller.identity : { operator: caller.operator };
    const wish = { scopes, ...(minutes === undefined ? {} : { minutes }) };
    const made = await app.sessions.issueFor(who, wish);
    const { token, tokenId, role, scopes: given, expiresAt } = made;
    return c.json({ token, token_id: tokenId, role, scopes: [...given], expires_at: expiresAt }, 201);
  });

  router.openapi(list, async (c) => {
    const records = await app.sessions.programTokens(tokenOwnerOf(signedInCaller(c)));
    const tokens = records.map(({ holder: _holder, scopes, ...record }) => ({
      ...snaked(record),
      scopes: [...scopes],
    }));
    return c.json({ tokens }, 200);
  });

  router.openapi(revoke, async (c) => {
    await app.sessions.revokeToken(c.req.valid('param').token_id, tokenOwnerOf(signedInCaller(c)));
    return c.body(null, 204);
  });
  return router;
}

/** @throws HubError `not_signed_in` for a visitor */
function signedInCaller(c: HubContext): Exclude<Caller, { role: 'visitor' }> {
  const caller = callerOf(c);
  if (caller.role === 'visitor') throw new HubError('not_signed_in', 'Sign in first.');
  return caller;
}

function tokenOwnerOf(caller: ReturnType<typeof signedInCaller>): TokenOwner {
  return caller.role === 'customer'
    ? { role: 'customer', id: caller.identity.customerId }
    : { role: 'operator', id: caller.operator.operatorId };
}
