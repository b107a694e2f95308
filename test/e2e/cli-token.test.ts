import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { makeToken, scopeOption } from '../../src/surfaces/token-cli/token.js';
import { openServer, SECRET } from '../support/server.js';
import { makeFolder, runCli } from './cli-process.js';

const ANA = 'ana.souza@example.com';
const folder = makeFolder();
afterAll(() => folder.remove());

describe('npm run token', { timeout: 60_000 }, () => {
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
      const operator = await runCli('token', ['--operator', 'Olga Reis', '--scope', 'skill:run', '--json'], {
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

  test.each([
    ['nobody known', ['--as', 'nobody@example.com', '--scope', 'account:read'], /no customer/],
    ['an unknown scope', ['--as', ANA, '--scope', 'account:write'], /"account:write"; allowed: account:read/],
    ['91 days', ['--as', ANA, '--scope', 'account:read', '--days', '91'], /from 1 to 90; it is "91"/],
  ] as const)('[SCP-06] for %s is one clear sentence and code 2', async (_, args, sentence) => {
    const { code, out, err } = await runCli('token', args, { dataDir: folder.dataDir });
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
    const made = makeToken({ sessions: { issueFor }, io: { out, err: out } }, options);
    await expect(made).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(sentence) });
    expect(out.readableLength).toBe(0);
  });

  test('[SCP-06] takes several scopes in one option, each once', () => {
    expect(scopeOption('account:read, skill:run', ['skill:run'])).toEqual(['skill:run', 'account:read']);
    for (const text of ['', ' ', 'account:read;skill:run'])
      expect(() => scopeOption(text)).toThrow(/--scope is ".*"; allowed: /);
  });
});
