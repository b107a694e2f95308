import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder, runCli } from './cli-process.js';

const folder = makeFolder();
afterAll(() => folder.remove());

const SUITE = `suite: tiny
scenarios:
  - id: greets
    category: smalltalk
    language: en
    about: Says hello.
    turns: [{ say: Hello!, expect: { escalated: false, lacks: [error] } }]
`;

describe('npm run eval', () => {
  test('[EVAL-05 EVAL-06] prints a table, ends with 1 below the baseline, and leaves the data directory alone', async () => {
    const suite = join(folder.path, 'tiny.yaml');
    writeFileSync(suite, SUITE.replace('escalated: false', 'escalated: true'));
    const baseline = join(folder.path, 'baseline.json');
    const score = { id: 'greets', category: 'smalltalk', language: 'en', agents: [], passed: 1, runs: 1 };
    writeFileSync(baseline, JSON.stringify({ provider: 'offline', k: 1, scenarios: [score] }));
    const { code, out, err } = await runCli(
      'eval',
      [suite, '--provider', 'offline', '--baseline', baseline],
      {
        dataDir: folder.dataDir,
        env: { HUB_MODEL_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-not-used' },
      },
    );
    expect({ code, err }).toEqual({ code: 1, err: '1 scenario of cultpass, offline\n' });
    expect(out).toMatch(/^by +scenarios +pass@1 +pass\^1 +baseline +change$/m);
    expect(out).toMatch(/^all +1 +0\.0 % +0\.0 % +100\.0 % +-100\.0$/m);
    expect(out).toMatch(/UNDERCUT in all, category smalltalk, language en/);
    expect(existsSync(folder.dataDir)).toBe(false);
  });

  test.each([
    [['--k', '0'], /error: --k must be a whole number from 1 to 100/],
    [['--provider', 'oracle'], /Allowed choices are offline, openai/],
    [
      ['--provider', 'openai'],
      /error: HUB_MODEL_PROVIDER is "openai", but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set/,
    ],
    [
      ['no-such-suite'],
      /error: There is no suite or file "no-such-suite"; the suites of .* are: .*simulated/,
    ],
  ])('refuses %j with exit code 2 and one line', async (args, message) => {
    const { code, out, err } = await runCli('eval', args, { dataDir: folder.dataDir });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });
});
