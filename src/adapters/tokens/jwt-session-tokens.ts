import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose';
import { parseScopes } from '../../core/domain/customer.js';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { Principal, SessionTokens } from '../../core/ports/sign-in.js';
import type { Clock } from '../../core/ports/system.js';
import type { AuthSecret, AuthSecrets } from './auth-secret.js';

interface JwtOptions {
  /** The first signs the hub's own tokens, all of them verify; the company may sign with it too. Asked each time. */
  readonly secrets: () => AuthSecrets;
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
/** The end of the year 9999 in seconds. What is beyond it was meant in another unit. */
const LAST_END = 253_402_300_799;
const JWKS_TIMEOUT_MS = 3_000;

/** Session tokens as JWT: the hub's own (HS256), and those of the company's sign-in (by its public keys). */
export function createJwtSessionTokens(options: JwtOptions): SessionTokens {
  const { clock, minutes, company, secrets } = options;
  const keys = company && createRemoteJWKSet(new URL(company.jwksUrl), { timeoutDuration: JWKS_TIMEOUT_MS });
  return {
    async issue(principal, lasting = minutes) {
      const now = Math.floor(clock.now().getTime() / 1_000);
      const expires = now + lasting * 60;
      const [{ keyId, secret }] = secrets();
      const token = await new SignJWT(claimsOf(principal))
        .setProtectedHeader({ alg: OWN_ALGORITHM, typ: 'JWT', kid: keyId })
        .setIssuer(NAME)
        .setAudience(NAME)
        .setIssuedAt(now)
        .setExpirationTime(expires)
        .sign(bytesOf(secret));
      return { token, expiresAt: new Date(expires * 1_000).toISOString() };
    },
    async verify(token) {
      const { algorithm, keyId } = headerOf(token);
      const shared = { currentDate: clock.now(), clockTolerance: TOLERANCE_SECONDS, requiredClaims: ['exp'] };
      if (algorithm === OWN_ALGORITHM) {
        const options = { ...shared, algorithms: [OWN_ALGORITHM] };
        const candidates = inOrder(secrets(), keyId);
        const { payload } = await verified(() =>
          byAny(candidates, ({ secret }) => jwtVerify(token, bytesOf(secret), options)),
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
    revision: () =>
      secrets()
        .map(({ keyId }) => keyId)
        .join(' '),
  };
}

const bytesOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);

/** The secret that the header names comes first. One that names none, or a name of the company's own, may be any. */
function inOrder(secrets: AuthSecrets, keyId: unknown): readonly AuthSecret[] {
  return [...secrets].sort((one, other) => Number(other.keyId === keyId) - Number(one.keyId === keyId));
}

/** The first that the signature fits; what is wrong with a token beyond that is wrong with every secret. */
async function byAny<T>(
  [first, ...others]: readonly AuthSecret[],
  verify: (secret: AuthSecret) => Promise<T>,
): Promise<T> {
  if (first === undefined) throw invalid();
  try {
    return await verify(first);
  } catch (error) {
    if (others.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return byAny(others, verify);
  }
}

function claimsOf(principal: Principal): JWTPayload {
  const scope = {
    ...(principal.scopes && { scope: principal.scopes.join(' ') }),
    ...(principal.tokenId !== undefined && { jti: principal.tokenId }),
  };
  if (principal.role === 'operator') {
    const { operatorId, name } = principal.operator;
    return { sub: operatorId, role: 'operator', name, ...scope };
  }
  if (principal.role === 'visitor') return { sub: principal.visitorId, role: 'visitor' };
  const { email, customerId } = principal;
  if (email === null) throw new Error('A token of the hub names the address of its customer');
  return {
    sub: customerId ?? email,
    email,
    role: 'customer',
    ...(principal.name && { name: principal.name }),
    ...scope,
  };
}

function headerOf(token: string): { readonly algorithm: string; readonly keyId: unknown } {
  if (token.length > MAX_TOKEN_CHARS) throw invalid();
  try {
    const { alg = '', kid } = decodeProtectedHeader(token);
    return { algorithm: alg, keyId: kid };
  } catch (error) {
    throw invalid(error);
  }
}

/** A token names who made it and whom it is for: this hub, or what the company's own sign-in is configured to say. */
function madeForUs(
  payload: JWTPayload,
  issuer: string | undefined,
  audience: string | undefined,
): JWTPayload {
  const { iss, aud } = payload;
  const audiences = aud === undefined ? [] : [aud].flat();
  const ours = [NAME, ...(audience === undefined ? [] : [audience])];
  const issuers = [NAME, ...(issuer === undefined ? [] : [issuer])];
  if (iss === undefined || !issuers.includes(iss)) throw invalid();
  if (!audiences.some((one) => ours.includes(one))) throw invalid();
  return payload;
}

/** @throws HubError `token_invalid` where it is no second of our calendar */
function endOf({ exp }: JWTPayload): string {
  if (typeof exp !== 'number' || !(exp >= 0 && exp <= LAST_END)) throw invalid();
  return new Date(exp * 1_000).toISOString();
}

function principalOf(payload: JWTPayload): Principal {
  const role = payload.role ?? payload.hub_role ?? 'customer';
  const expiresAt = endOf(payload);
  const subject = text(payload.sub);
  const email = text(payload.email) ?? (subject?.includes('@') ? subject : null);
  const name = text(payload.name);
  const scopes = scopesIn(payload);
  if (role === 'operator') {
    const operatorId = subject ?? email;
    if (operatorId === null) throw invalid();
    return { role, operator: { operatorId, name: name ?? email ?? operatorId }, expiresAt, ...scopes };
  }
  if (role === 'visitor' && payload.iss === NAME && subject !== null)
    return { role, visitorId: subject, expiresAt };
  // An address that nobody has checked proves nothing.
  if (role !== 'customer' || payload.email_verified === false) throw invalid();
  const own = payload.iss === NAME;
  if (own && email === null) throw invalid();
  return {
    role,
    email,
    expiresAt,
    ...(own ? (subject === null ? {} : { customerId: subject }) : { claims: payload as JsonObject }),
    ...(name === null ? {} : { name }),
    ...scopes,
  };
}

/**
 * A company names scopes as a text (RFC 9068) or as a list, under either name; those of other programs are none of the
 * hub's, and a token that names only such is a person's. One of the hub's own that says nothing may do nothing.
 */
function scopesIn({ iss, scope, scp, jti }: JWTPayload): Pick<Principal, 'scopes' | 'tokenId'> {
  const names = [scope, scp].flat().filter((one) => typeof one === 'string');
  const scopes = parseScopes(names.join(' '));
  const emptied = iss === NAME && names.length > 0 && names.join('').trim() === '';
  const tokenId = iss === NAME && typeof jti === 'string' ? { tokenId: jti } : {};
  return scopes.length > 0 || emptied ? { scopes, ...tokenId } : {};
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
