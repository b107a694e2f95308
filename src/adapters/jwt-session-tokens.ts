import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose';
import { parseScopes } from '../core/domain/access.js';
import { HubError } from '../core/errors.js';
import type { Clock } from '../core/ports/clock.js';
import type { Principal, SessionTokens } from '../core/ports/session-tokens.js';

export interface JwtOptions {
  /** Signs the hub's own tokens; the company may sign with it too. */
  readonly secret: string;
  readonly clock: Clock;
  /** How long a token of the hub lasts. */
  readonly minutes: number;
  /** The company's own sign-in. */
  readonly company?:
    | { readonly jwksUrl: string; readonly issuer: string | undefined; readonly audience: string }
    | undefined;
}

const NAME = 'uda-hub';
const OWN_ALGORITHM = 'HS256';
/** Signatures by a private key. A shared-secret algorithm must never be checked with a public key. */
const COMPANY_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const TOLERANCE_SECONDS = 5;
const MAX_TOKEN_CHARS = 8_000;
const JWKS_TIMEOUT_MS = 3_000;

/** Session tokens as JWT: the hub's own (HS256), and those of the company's sign-in (by its public keys). */
export function createJwtSessionTokens(options: JwtOptions): SessionTokens {
  const { clock, minutes, company } = options;
  const key = new TextEncoder().encode(options.secret);
  const keys = company && createRemoteJWKSet(new URL(company.jwksUrl), { timeoutDuration: JWKS_TIMEOUT_MS });
  return {
    async issue(principal, lasting = minutes) {
      const now = Math.floor(clock.now().getTime() / 1_000);
      const expires = now + lasting * 60;
      const token = await new SignJWT(claimsOf(principal))
        .setProtectedHeader({ alg: OWN_ALGORITHM, typ: 'JWT' })
        .setIssuer(NAME)
        .setAudience(NAME)
        .setIssuedAt(now)
        .setExpirationTime(expires)
        .sign(key);
      return { token, expiresAt: new Date(expires * 1_000).toISOString() };
    },
    async verify(token) {
      const algorithm = algorithmOf(token);
      const shared = { currentDate: clock.now(), clockTolerance: TOLERANCE_SECONDS, requiredClaims: ['exp'] };
      if (algorithm === OWN_ALGORITHM) {
        const { payload } = await verified(() =>
          jwtVerify(token, key, { ...shared, algorithms: [OWN_ALGORITHM] }),
        );
        return principalOf(madeForUs(payload, company?.issuer, company?.audience));
      }
      if (company === undefined || keys === undefined || !COMPANY_ALGORITHMS.includes(algorithm))
        throw invalid();
      const { payload } = await verified(() =>
        jwtVerify(token, keys satisfies JWTVerifyGetKey, {
          ...shared,
          algorithms: COMPANY_ALGORITHMS,
          audience: company.audience,
          ...(company.issuer === undefined ? {} : { issuer: company.issuer }),
        }),
      );
      return principalOf(payload);
    },
  };
}

function claimsOf(principal: Principal): JWTPayload {
  const scope = principal.scopes ? { scope: principal.scopes.join(' ') } : {};
  if (principal.role === 'operator') {
    const { operatorId, name } = principal.operator;
    return { sub: operatorId, role: 'operator', name, ...scope };
  }
  const { email, customerId } = principal;
  return {
    sub: customerId ?? email,
    email,
    role: 'customer',
    ...(principal.name && { name: principal.name }),
    ...scope,
  };
}

function algorithmOf(token: string): string {
  if (token.length > MAX_TOKEN_CHARS) throw invalid();
  try {
    return decodeProtectedHeader(token).alg ?? '';
  } catch (error) {
    throw invalid(error);
  }
}

/** A token that names an issuer or an audience must name this hub; one of a company that names none is for us. */
function madeForUs(
  payload: JWTPayload,
  issuer: string | undefined,
  audience: string | undefined,
): JWTPayload {
  const { iss, aud } = payload;
  const audiences = aud === undefined ? [] : [aud].flat();
  const ours = [NAME, ...(audience === undefined ? [] : [audience])];
  const issuers = [NAME, ...(issuer === undefined ? [] : [issuer])];
  if (iss !== undefined && !issuers.includes(iss)) throw invalid();
  if (aud !== undefined && !audiences.some((one) => ours.includes(one))) throw invalid();
  return payload;
}

function principalOf(payload: JWTPayload): Principal {
  const role = payload.role ?? payload.hub_role ?? 'customer';
  const expiresAt = new Date((payload.exp ?? 0) * 1_000).toISOString();
  const subject = text(payload.sub);
  const email = text(payload.email) ?? (subject?.includes('@') ? subject : null);
  const name = text(payload.name);
  const scopes = scopesIn(payload);
  if (role === 'operator') {
    const operatorId = subject ?? email;
    if (operatorId === null) throw invalid();
    return { role, operator: { operatorId, name: name ?? email ?? operatorId }, expiresAt, ...scopes };
  }
  // An address that nobody has checked proves nothing.
  if (role !== 'customer' || email === null || payload.email_verified === false) throw invalid();
  const own = payload.iss === NAME && subject !== null;
  return {
    role,
    email,
    expiresAt,
    ...(own ? { customerId: subject } : {}),
    ...(name === null ? {} : { name }),
    ...scopes,
  };
}

/**
 * A company names scopes as a text (RFC 9068) or as a list, under either name; those of other programs are none of the
 * hub's, and a token that names only such is a person's. One of the hub's own that says nothing may do nothing.
 */
function scopesIn({ iss, scope, scp }: JWTPayload): Pick<Principal, 'scopes'> {
  const names = [scope, scp].flat().filter((one) => typeof one === 'string');
  const scopes = parseScopes(names.join(' '));
  const emptied = iss === NAME && names.length > 0 && names.join('').trim() === '';
  return scopes.length > 0 || emptied ? { scopes } : {};
}

/** A claim that is a short text; null where it is anything else. */
function text(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' && claim.length <= 320 ? claim.trim() : null;
}

async function verified<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new HubError('token_expired', 'The session has ended. Sign in again.', {}, { cause: error });
    if (error instanceof errors.JWKSTimeout || isUnreachable(error)) {
      const message = "The company's sign-in cannot be reached at the moment. Please try again.";
      throw new HubError('source_unavailable', message, {}, { cause: error });
    }
    throw invalid(error);
  }
}

/** What is no word of jose's about the token itself: the keys could not be fetched. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return error instanceof TypeError || !(error instanceof Error);
  return error.code === 'ERR_JOSE_GENERIC' || error instanceof errors.JWKSInvalid;
}

function invalid(cause?: unknown): HubError {
  return new HubError('token_invalid', 'The session token is not valid. Sign in again.', {}, { cause });
}
