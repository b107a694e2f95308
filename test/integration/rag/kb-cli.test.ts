import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../e2e/cli-process.js';
import { serverPid } from './chroma-processes.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SHOP = fileURLToPath(new URL('./fixtures/shop-articles.jsonl', import.meta.url));
const QUESTIONS = fileURLToPath(new URL('./fixtures/shop-questions.jsonl', import.meta.url));

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-kb-'));
});
afterAll(() => {
  expect(serverPid(dataDir), 'a server was left behind').toBeNull();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function kb(...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [...commandLine('kb'), ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HUB_DATA_DIR: dataDir,
      HUB_MODEL_PROVIDER: 'offline',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => {
    text.stdout += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    text.stderr += part.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...text };
}

describe('npm run kb', () => {
  test('[KB-12] indexes a file, finds in it, and calibrates on it', async () => {
    const indexed = await kb('index', SHOP);
    expect(indexed, indexed.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^14 articles indexed: 14 embedded/),
    });
    const found = await kb('search', 'the vase arrived broken', '--json', '--top-k', '2');
    const rows = JSON.parse(found.stdout) as Record<string, unknown>[];
    expect(found.stdout.trim().split('\n')).toHaveLength(1);
    expect(rows).toHaveLength(2);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'article_id',
      'title',
      'confidence',
      'raw_confidence',
      'distance',
      'snippet',
    ]);
    expect(rows[0]).toMatchObject({ article_id: 'a5' });
    const calibrated = await kb('calibrate', QUESTIONS);
    expect(calibrated, calibrated.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/hit@1 .* hit@3 .* MRR .* AUC/),
    });
  });

  test('[KB-12] changes nothing for a broken file, and names the line', async () => {
    const broken = join(dataDir, 'broken.jsonl');
    writeFileSync(broken, '{"title":"One","content":"x"}\n{"title":\n');
    const failed = await kb('index', broken);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('line 2') });
    const [listed, shown] = await Promise.all([kb('list'), kb('show', 'a5')]);
    expect(listed.stdout.trim().split('\n')).toHaveLength(14);
    expect(shown.stdout).toContain('Something arrived broken');
  });

  test('tells failure from wrong usage', async () => {
    const outcomes = await Promise.all([kb('show', 'nope'), kb('search', 'x', '--top-k', '0'), kb('--help')]);
    expect(outcomes.map((outcome) => outcome.code)).toEqual([1, 2, 0]);
    for (const { stderr } of outcomes) expect(stderr).not.toMatch(/^\s+at /m);
  });
});
