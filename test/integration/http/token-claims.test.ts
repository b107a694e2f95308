import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, SECRET, type TestServer } from '../../support/server.js';
import { ANA, forge } from './support.js';

const AUDIENCE = 'support';
const ISSUER = 'https://id.example.com';
const GOOD = { iss: 'uda-hub', aud: 'uda-hub', sub: 'usr_001', email: ANA, role: 'customer', exp: 4e9 };

let at: TestServer;
let company: TestServer;
beforeAll(async () => {
  at = await openServer();
  company = await openServer({
    env: {
      HUB_AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks',
      HUB_AUTH_ISSUER: ISSUER,
      HUB_AUTH_AUDIENCE: AUDIENCE,
    },
  });
});
afterAll(async () => {
  await at.close();
  await company.close();
});

const asking = (server: TestServer, claims: Readonly<Record<string, unknown>>) =>
  server.get('/api/session', forge({ alg: 'HS256' }, claims, SECRET));

describe('the claims of a token signed with the shared secret', () => {
  it('[ATK-13] must name who made it and whom it is for', async () => {
    expect((await asking(at, GOOD)).status).toBe(200);
    const wanting = ['iss', 'aud'].flatMap((claim) =>
      [undefined, null, '', 'payroll', 7, [], {}, ['payroll'], [null]].map((value) => ({
        ...GOOD,
        [claim]: value,
      })),
    );
    for (const server of [at, company])
      for (const claims of [...wanting, { ...GOOD, iss: undefined, aud: undefined }])
        expect(await asking(server, claims), JSON.stringify(claims)).toMatchObject({
          status: 401,
          body: { code: 'token_invalid' },
        });
  });

  it("[ATK-13] may name the company's own issuer and audience where those are configured", async () => {
    const named = { ...GOOD, sub: 'anything', iss: ISSUER, aud: ['other', AUDIENCE] };
    expect((await asking(company, named)).status).toBe(200);
    expect((await asking(at, named)).status).toBe(401);
  });

  it.each([
    ['milliseconds', 1_773_241_200_000],
    ['microseconds', 1_773_241_200_000_000],
    ['nanoseconds', 1_773_241_200_000_000_000],
    ['more than a date can hold', 8.64e15],
    ['more than a number can hold', '1e999'],
    ['a text', '4000000000'],
    ['a negative number', -1],
    ['less than a date can hold', -8.64e15],
    ['nothing', null],
    ['a list', [4e9]],
    ['true', true],
  ])('[ATK-13] end in %s is a refusal', async (_, exp) => {
    const token =
      exp === '1e999'
        ? forgeText(`{"iss":"uda-hub","aud":"uda-hub","sub":"usr_001","email":"${ANA}","exp":1e999}`)
        : forge({ alg: 'HS256' }, { ...GOOD, exp }, SECRET);
    const answer = await at.get('/api/session', token);
    expect(answer).toMatchObject({ status: 401, body: { code: expect.stringMatching(/^token_/) } });
  });

  it('[ATK-13] may hold anything in any registered place: it is taken or refused, and nothing breaks', async () => {
    const absurd = fc.oneof(
      fc.jsonValue(),
      fc.double(),
      fc.maxSafeInteger(),
      fc.constantFrom(8.64e15, 8.64e12, -8.64e15, 4e9, 1e308, 0, -0, '', ' ', '\u0000', '__proto__'),
      fc.string({ unit: 'binary', maxLength: 400 }),
    );
    const claims = fc.record(
      Object.fromEntries(
        ['iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'jti', 'role', 'email', 'name', 'scope', 'scp'].map(
          (name) => [name, absurd],
        ),
      ),
      { requiredKeys: [] },
    );
    const header = fc.record({ kid: absurd, typ: absurd, crit: absurd, b64: absurd }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(claims, header, async (some, more) => {
        const token = forge({ ...more, alg: 'HS256' }, { ...GOOD, ...some }, SECRET);
        if (token.length > 12_000) return;
        const answer = await at.http.request('/api/session', {
          headers: { authorization: `Bearer ${token}` },
        });
        expect([200, 401], await answer.clone().text()).toContain(answer.status);
      }),
      { numRuns: 1_500, seed: 13 },
    );
  });
});

/** A signed token whose claims are written by hand: JSON knows numbers that JavaScript would not write. */
function forgeText(claims: string): string {
  const token = forge({ alg: 'HS256' }, {}, null).split('.')[0];
  const text = `${token}.${Buffer.from(claims).toString('base64url')}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}
