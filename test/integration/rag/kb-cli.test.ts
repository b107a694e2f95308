import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, runHere } from '../../e2e/cli-process.js';
import { serverPid } from './chroma-processes.js';

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

const kb = (...args: string[]) => runHere('kb', args, { dataDir });

describe('npm run kb', () => {
  test('[KB-12] indexes a file, finds in it, and calibrates on it', async () => {
    const indexed = await runCli('kb', ['index', SHOP], { dataDir });
    expect(indexed, indexed.err).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^14 articles indexed: 14 embedded/),
    });
    const found = await kb('search', 'the vase arrived broken', '--json', '--top-k', '2');
    const rows = JSON.parse(found.out) as Record<string, unknown>[];
    expect(found.out.trim().split('\n')).toHaveLength(1);
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
    expect(calibrated, calibrated.err).toMatchObject({
      code: 0,
      out: expect.stringMatching(/hit@1 .* hit@3 .* MRR .* AUC/),
    });
  });

  test('[KB-12] tells what opening the hub had left to index, once', async () => {
    const fresh = mkdtempSync(join(tmpdir(), 'hub-kb-'));
    const index = () => runHere('kb', ['index'], { dataDir: fresh });
    expect((await index()).out).toMatch(/^\d+ articles indexed: [1-9]\d* embedded, [1-9]\d* written, /);
    expect((await index()).out).toMatch(/^\d+ articles indexed: 0 embedded, 0 written, /);
    rmSync(fresh, { recursive: true, force: true });
  });

  test('[KB-12] changes nothing for a broken file, and names the line', async () => {
    const broken = join(dataDir, 'broken.jsonl');
    writeFileSync(broken, '{"title":"One","content":"x"}\n{"title":\n');
    const failed = await kb('index', broken);
    expect(failed).toMatchObject({ code: 1, out: '', err: expect.stringContaining('line 2') });
    const [listed, shown] = await Promise.all([kb('list'), kb('show', 'a5')]);
    expect(listed.out.trim().split('\n')).toHaveLength(14);
    expect(shown.out).toContain('Something arrived broken');
  });

  test('tells failure from wrong usage', async () => {
    const outcomes = await Promise.all([kb('show', 'nope'), kb('search', 'x', '--top-k', '0'), kb('--help')]);
    expect(outcomes.map((outcome) => outcome.code)).toEqual([1, 2, 0]);
    for (const { err } of outcomes) expect(err).not.toMatch(/^\s+at /m);
  });
});
