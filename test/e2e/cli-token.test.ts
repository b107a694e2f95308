import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { MAX_TOKEN_MINUTES } from '../../src/core/ports/sign-in.js';
import { makeToken, scopeOption } from '../../src/surfaces/cli/token/token.js';
import { openServer, SECRET } from '../support/server.js';
import { makeFolder, runCli, runHere } from './cli-process.js';

const ANA = 'ana.souza@example.com';
const folder = makeFolder();
afterAll(() => folder.remove());

describe('npm run token', () => {
  test('[SCP-06] prints the token alone, which the server on the same data takes', async () => {
    const at = await openServer();
    try {
      const { dataDir } = at.hub;
      const env = { HUB_AUTH_SECRET: SECRET };
      const args = ['--as', ` ${ANA.toUpperCase()}`, '--scope', 'account:read', '--scope', 'skill:run'];
      const plain = await runCli('token', [...args, '--days', '90'], { dataDir, env });
      expect(plain).toMatchObject({ code: 0, out: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/) });
      expect(plain.err).toContain('account:read, skill:run');
      const who = await at.get('/api/session', plain.out.trim());
      expect(who.body).toMatchObject({ email: ANA, scopes: ['account:read', 'skill:run'] });
      const operator = await runHere('token', ['--operator', 'Olga Reis', '--scope', 'skill:run', '--json'], {
        dataDir,
        env,
      });
      const made = JSON.parse(operator.out) as Record<string, string>;
      expect(made).toMatchObject({ role: 'operator', scopes: ['skill:run'] });
      expect((await at.get('/api/session', made.token)).body).toMatchObject({
        operator_id: 'op_olga_reis',
        name: 'Olga Reis',
        expires_at: made.expires_at,
      });
    } finally {
      await at.close();
    }
  });

  test('[ATK-13] lists, revokes and rotates beside a running server', async () => {
    const at = await openServer({ env: { HUB_AUTH_SECRET: '' } });
    try {
      const { dataDir } = at.hub;
      const session = await at.token(ANA);
      const { token, tokenId } = await at.hub.app.sessions.issueFor(
        { email: ANA },
        // The command has the time of the machine.
        { scopes: ['account:read'], minutes: MAX_TOKEN_MINUTES },
      );
      at.hub.exec('udahub', `UPDATE program_tokens SET expires_at = '2999-01-01T00:00:00.000Z'`);
      const listed = await runHere('token', ['list', '--json'], { dataDir });
      expect(JSON.parse(listed.out)).toMatchObject([
        {
          token_id: tokenId,
          role: 'customer',
          holder: 'usr_001',
          scopes: ['account:read'],
          revoked_at: null,
        },
      ]);
      expect((await runHere('token', ['list'], { dataDir })).out).toContain(`${tokenId}  customer usr_001`);
      expect((await at.get('/api/session', token)).status).toBe(200);
      expect((await runHere('token', ['revoke', tokenId], { dataDir })).code).toBe(0);
      expect((await at.get('/api/session', token)).status).toBe(401);
      const again = await runHere('token', ['revoke', tokenId], { dataDir });
      expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/no token with this id/) });
      expect((await runHere('token', ['rotate'], { dataDir })).code).toBe(0);
      expect((await at.get('/api/session', session)).status).toBe(200);
      expect((await runHere('token', ['rotate', '--now'], { dataDir })).code).toBe(0);
      expect((await at.get('/api/session', session)).status).toBe(401);
      const named = await runHere('token', ['rotate'], { dataDir, env: { HUB_AUTH_SECRET: SECRET } });
      expect(named).toMatchObject({ code: 2, err: expect.stringContaining('HUB_AUTH_SECRET_PREVIOUS') });
    } finally {
      await at.close();
    }
  });

  test.each([
    ['nobody known', ['--as', 'nobody@example.com', '--scope', 'account:read'], /no customer/],
    ['an unknown scope', ['--as', ANA, '--scope', 'account:write'], /"account:write"; allowed: account:read/],
    ['91 days', ['--as', ANA, '--scope', 'account:read', '--days', '91'], /from 1 to 90; it is "91"/],
  ] as const)('[SCP-06] for %s is one clear sentence and code 2', async (_, args, sentence) => {
    const { code, out, err } = await runHere('token', args, { dataDir: folder.dataDir });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(sentence);
    expect(err.match(/^error: /gm)).toHaveLength(1);
  });

  test.each([
    ['nobody at all', { scope: ['account:read'] }, /--as EMAIL .* --operator NAME/],
    ['two at once', { as: ANA, operator: 'Olga', scope: ['skill:run'] }, /--as EMAIL/],
    ['a name of signs', { operator: '?!', scope: ['skill:run'] }, /--operator must be a name/],
    ['no scope', { as: ANA }, /--scope account:read/],
    ['two times', { as: ANA, scope: ['account:read'], minutes: 1, days: 1 }, /--days or --minutes/],
  ] as const)('[SCP-06] for %s makes nothing', async (_, options, sentence) => {
    const out = new PassThrough();
    const issueFor = () => Promise.reject(new Error('a token was asked for'));
    const made = makeToken(
      {
        tokens: {
          issueFor,
          programTokens: issueFor,
          revokeToken: issueFor,
          rotate: () => {
            throw new Error('a key was asked for');
          },
        },
        io: { out, err: out },
      },
      options,
    );
    await expect(made).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(sentence) });
    expect(out.readableLength).toBe(0);
  });

  test('[SCP-06] takes several scopes in one option, each once', () => {
    expect(scopeOption('account:read, skill:run', ['skill:run'])).toEqual(['skill:run', 'account:read']);
    for (const text of ['', ' ', 'account:read;skill:run'])
      expect(() => scopeOption(text)).toThrow(/--scope is ".*"; allowed: /);
  });
});
