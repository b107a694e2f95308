import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { openPrivacy } from '../../../src/app/privacy.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { parseConfig } from '../../../src/config/config.js';
import { makeTempDir } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';

const CUSTOMERS = `by_claims: true
fields:
  id: row.customer_no
  name: row.given_name + ' ' + row.family_name
  email: row.mail
  language: row.locale
  is_blocked: "'blocked' in row.groups"
facts: { tier: row.tier }
tables: { orders: "customer_id = :customer_id" }
erase: ["UPDATE orders SET customer_id = {pseudonym} WHERE customer_id = {customer_id}"]
demo:
  - { customer_no: c_02, given_name: Ben, family_name: Demo, mail: ben@example.com, groups: [] }
`;
const TIER = `name: my_tier
label: { en: My tier, pt-BR: O meu nível }
description: The customer's tier.
read: { none: { query: 'SELECT {customer_id} AS id', one: true } }
output: { tier: customer.tier }
values: { tier: tier }
says: { answer: { en: 'Your tier is {tier}.', pt-BR: 'O seu nível é {tier}.' } }
`;
const ANA = {
  customer_no: 'c_01',
  given_name: 'Ana',
  family_name: 'Claim',
  mail: 'ana@claims.example',
  locale: 'pt-BR',
  groups: [],
  tier: 'gold',
  shoe_size: 38,
};

const room = makeTempDir();
const folder = join(room, 'velo');
let keys: Server;
let privateKey: CryptoKey;
let at: TestServer;

const env = () => ({
  HUB_COMPANY: folder,
  HUB_AUTH_JWKS_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks`,
  HUB_AUTH_AUDIENCE: 'support',
});
const sign = (claims: Readonly<Record<string, unknown>>, key = privateKey): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setAudience('support')
    .setExpirationTime(4_000_000_000)
    .sign(key);
const open = () => openServer({ dataDir: join(room, 'data'), env: env() });
/** Says something as whoever the token names. */
async function say(token: string, text: string): Promise<string> {
  const caller = await at.hub.app.sessions.identify(token);
  if (caller.role !== 'customer') throw new Error('The token names no customer');
  return (await at.hub.app.handle({ identity: caller.identity, text, channel: 'chat' })).reply;
}

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  privateKey = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  keys = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] })),
  );
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  writeNewCompany(folder, { name: 'Velo', about: 'a shop for cyclists', languages: ['en', 'pt-BR'] });
  writeFileSync(join(folder, 'customers.yaml'), CUSTOMERS);
  writeFileSync(join(folder, 'reads', 'my_tier.yaml'), TIER);
  // Its database knows no customers.
  for (const room of ['tables', 'seed']) rmSync(join(folder, 'data', room, '001_customers.sql'));
  at = await open();
});
afterAll(async () => {
  await at.close();
  keys.close();
  rmSync(room, { recursive: true, force: true });
});

describe('customers that a verified token names', () => {
  it('[BYO-33] are written down in customers.yaml, and check names what is missing or too much', async () => {
    const config = parseConfig(env());
    expect(await checkCompany(config)).toEqual([]);
    const found = async (text: string, more = {}) => {
      writeFileSync(join(folder, 'customers.yaml'), text);
      const all = await checkCompany(parseConfig({ HUB_COMPANY: folder, ...more }));
      writeFileSync(join(folder, 'customers.yaml'), CUSTOMERS);
      return all.map(({ line, problem }) => `${line}: ${problem}`).join('\n');
    };
    expect(await found(CUSTOMERS)).toMatch(/^1: by_claims needs a sign-in/);
    expect(await found(CUSTOMERS.replace('by_claims: true', ''), env())).toMatch(/by_id is missing/);
    expect(await found(`${CUSTOMERS}by_email: { query: SELECT 1, public: true }\n`, env())).toMatch(
      /by_email looks up what the claims/,
    );
  });

  it('[BYO-33] are who its claims say, with name, address, language and attributes, and nothing is looked up', async () => {
    const ana = await sign(ANA);
    expect((await at.get('/api/session', ana)).body).toMatchObject({
      role: 'customer',
      email: 'ana@claims.example',
      name: 'Ana Claim',
    });
    const listed = await say(ana, 'My orders');
    expect(listed).toContain('Walking boots');
    expect(listed).toContain('Isto é o que encontro');
    expect(listed).not.toContain('Camping stove');
    expect(await say(ana, 'Qual é o meu nível?')).toContain('gold');
    // The latest token holds, also for what is asked without one.
    await at.get('/api/session', await sign({ ...ANA, tier: 'silver', family_name: 'Now' }));
    expect((await at.hub.say('ana@claims.example', 'Qual é o meu nível?')).reply).toContain('silver');
    const kept = "SELECT name, claims FROM token_customers WHERE customer_id = 'c_01'";
    // What no expression looks at is not kept.
    expect(at.hub.query('velo', kept)).toEqual([
      { name: 'Ana Now', claims: expect.not.stringContaining('shoe_size') },
    ]);
  });

  it('[BYO-33] are nobody where the token is not verified or its claims name none', async () => {
    const { privateKey: foreign } = await generateKeyPair('RS256');
    for (const token of [
      await sign(ANA, foreign),
      await sign({ ...ANA, customer_no: undefined }),
      await sign({ ...ANA, mail: undefined }),
      await sign({ ...ANA, email_verified: false }),
    ])
      expect((await at.get('/api/session', token)).status).toBe(401);
    // One whom no token has named yet is not known by an address alone.
    await expect(at.hub.say('eve@claims.example', 'Show me my orders')).rejects.toThrow(/no customer/);
  });

  it('[BYO-33] of a demo are known from the start', async () => {
    expect((await at.hub.say('ben@example.com', 'Show me my orders')).reply).toContain('Camping stove');
  });

  it('[BYO-33] are given out and erased with what tokens have said of them, and a later token opens nothing', async () => {
    await at.close();
    const privacy = await openPrivacy(parseConfig({ ...env(), HUB_DATA_DIR: join(room, 'data') }));
    expect(JSON.stringify(await privacy.export('ana@claims.example'))).toContain('silver');
    expect(await privacy.erase('ana@claims.example')).toMatchObject({
      status: 'erased',
      proof: { leftovers: [] },
    });
    await privacy.close();
    at = await open();
    expect((await at.get('/api/session', await sign(ANA))).status).toBe(401);
    expect(at.hub.query('velo', "SELECT * FROM token_customers WHERE customer_id = 'c_01'")).toEqual([]);
  });
});
