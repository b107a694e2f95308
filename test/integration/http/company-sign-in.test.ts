import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';
import { ANA, forge } from './support.js';

const ISSUER = 'https://id.example.com';
const AUDIENCE = 'support';

let keys: Server;
let at: TestServer;
let privateKey: CryptoKey;
let publicPem: string;
let broken = false;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  privateKey = pair.privateKey;
  publicPem = await exportSPKI(pair.publicKey);
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  keys = createServer((_request, response) => {
    if (broken) response.writeHead(500).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  at = await openServer({ env: env() });
});
afterAll(async () => {
  await at.close();
  keys.close();
});

const env = (): Record<string, string> => ({
  HUB_DEMO: '0',
  HUB_AUTH_JWKS_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks`,
  HUB_AUTH_ISSUER: ISSUER,
  HUB_AUTH_AUDIENCE: AUDIENCE,
});

const sign = (
  claims: Readonly<Record<string, unknown>>,
  { issuer = ISSUER, audience = AUDIENCE, key = privateKey, kid = 'k1' } = {},
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(4_000_000_000)
    .sign(key);

describe("the company's own sign-in", () => {
  it('[HTP-07] opens a customer by address, and an operator by role', async () => {
    const customer = await sign({ sub: 'auth0|17', email: ANA.toUpperCase(), email_verified: true });
    expect((await at.get('/api/session', customer)).body).toMatchObject({
      role: 'customer',
      email: ANA,
      name: 'Ana Souza',
    });
    for (const claim of ['role', 'hub_role']) {
      const operator = await sign({
        sub: 'auth0|9',
        name: 'Olga',
        email: 'olga@example.com',
        [claim]: 'operator',
      });
      expect((await at.get('/api/session', operator)).body).toMatchObject({
        role: 'operator',
        operator_id: 'auth0|9',
        name: 'Olga',
      });
      expect((await at.get('/api/desk/tickets', operator)).status).toBe(200);
    }
  });

  it('[HTP-07] opens nothing for a token made for another, by another, or of nobody known', async () => {
    const { privateKey: foreign } = await generateKeyPair('RS256');
    const tokens = {
      audience: await sign({ email: ANA }, { audience: 'payroll' }),
      issuer: await sign({ email: ANA }, { issuer: 'https://evil.example' }),
      key: await sign({ email: ANA }, { key: foreign }),
      kid: await sign({ email: ANA }, { kid: 'k2' }),
      unverified: await sign({ email: ANA, email_verified: false }),
      stranger: await sign({ email: 'nobody@example.com' }),
      role: await sign({ email: ANA, role: 'employee' }),
      none: forge({ alg: 'none', kid: 'k1' }, { email: ANA, iss: ISSUER, aud: AUDIENCE, exp: 4e9 }, null),
      // The public key is public: as a shared secret it would open everything.
      confused: forge(
        { alg: 'HS256', kid: 'k1' },
        { email: ANA, iss: ISSUER, aud: AUDIENCE, exp: 4e9 },
        publicPem,
      ),
    };
    for (const [what, token] of Object.entries(tokens))
      expect(await at.get('/api/threads', token), what).toMatchObject({ status: 401 });
  });

  it('[ATK-13] opens nothing for a token that names no issuer or no audience', async () => {
    const bare = (claims: Readonly<Record<string, unknown>>) =>
      new SignJWT({ email: ANA, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
        .setExpirationTime(4_000_000_000)
        .sign(privateKey);
    expect((await at.get('/api/session', await bare({ iss: ISSUER, aud: AUDIENCE }))).status).toBe(200);
    for (const claims of [{}, { iss: ISSUER }, { aud: AUDIENCE }])
      expect(await at.get('/api/session', await bare(claims)), JSON.stringify(claims)).toMatchObject({
        status: 401,
        body: { code: 'token_invalid' },
      });
    for (const exp of [1_773_241_200_000_000, 8.64e15, -1, '4e9', null]) {
      const token = await new SignJWT({ email: ANA, iss: ISSUER, aud: AUDIENCE, exp: exp as number })
        .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
        .sign(privateKey);
      expect((await at.get('/api/session', token)).status, String(exp)).toBe(401);
    }
  });

  it('[HTP-07] that cannot be reached is said to be so, and is no refusal', async () => {
    broken = true;
    const other = await openServer({ env: env() });
    try {
      const token = await sign({ email: ANA });
      expect(await other.get('/api/session', token)).toMatchObject({
        status: 503,
        body: { code: 'source_unavailable' },
      });
      broken = false;
      expect((await other.get('/api/session', token)).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});
