import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createChromaArticleIndex } from '../../src/adapters/retrieval/chroma-article-index.js';
import { createChromaServer } from '../../src/adapters/retrieval/chroma-server.js';
import { MemoryArticleIndex } from '../../src/adapters/retrieval/memory-article-index.js';
import type { ArticleIndex, IndexedVector } from '../../src/core/ports/knowledge-store.js';
import { createRecordingLog } from '../support/recording-log.js';

const DIMENSIONS = 16;

/** Unit vectors that are the same in every run and differ from each other. */
function vectorOf(seed: number): number[] {
  const raw = Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233 + seed * i));
  const norm = Math.hypot(...raw);
  return raw.map((value) => value / norm);
}

function entry(n: number, contentHash = `hash-${n}`, seed = n): IndexedVector {
  return {
    articleId: `a${n}`,
    vector: vectorOf(seed),
    language: 'en',
    contentHash,
    document: `Article ${n}`,
  };
}

const entries = (count: number): IndexedVector[] => Array.from({ length: count }, (_, n) => entry(n));
const l2 = (a: readonly number[], b: readonly number[]) =>
  Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));

const dataDir = mkdtempSync(join(tmpdir(), 'hub-index-'));
const log = createRecordingLog();
const chroma = createChromaArticleIndex({ server: createChromaServer({ dataDir, log }), log });
afterAll(async () => {
  await chroma.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe.each<[string, ArticleIndex]>([
  ['memory', new MemoryArticleIndex()],
  ['chroma', chroma],
])('every article index: %s', (_, index) => {
  test('answers true L2 distances between unit vectors, nearest first', async () => {
    await index.sync('kb-distance', entries(40));
    const query = vectorOf(1000);
    const hits = await index.query('kb-distance', query, 5);
    const expected = entries(40)
      .map(({ articleId, vector }) => ({ articleId, distance: l2(vector, query) }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 5);
    expect(hits.map((hit) => hit.articleId)).toEqual(expected.map((hit) => hit.articleId));
    for (const [i, hit] of hits.entries()) expect(hit.distance).toBeCloseTo(expected[i]?.distance ?? -1, 4);
    expect((await index.query('kb-distance', vectorOf(7), 1))[0]).toMatchObject({ articleId: 'a7' });
    const opposite = vectorOf(7).map((value) => -value);
    expect((await index.query('kb-distance', opposite, 40)).at(-1)?.distance).toBeCloseTo(2, 3);
  });

  test('writes what changed, removes what is gone, leaves the rest alone', async () => {
    expect(await index.sync('kb-sync', entries(5))).toEqual({ upserted: 5, removed: 0 });
    expect(await index.sync('kb-sync', entries(5))).toEqual({ upserted: 0, removed: 0 });
    const changed = [...entries(3), entry(3, 'other', 99), entry(9)];
    expect(await index.sync('kb-sync', changed)).toEqual({ upserted: 2, removed: 1 });
    expect((await index.query('kb-sync', vectorOf(99), 1))[0]).toMatchObject({ articleId: 'a3' });
    expect((await index.query('kb-sync', vectorOf(1), 10)).map((hit) => hit.articleId).sort()).toEqual([
      'a0',
      'a1',
      'a2',
      'a3',
      'a9',
    ]);
    expect(await index.sync('kb-sync', [])).toEqual({ upserted: 0, removed: 5 });
  });

  test('keeps collections apart, and finds nothing in an unknown one', async () => {
    await index.sync('kb-one', [entry(1)]);
    await index.sync('kb-two', [entry(2)]);
    expect((await index.query('kb-one', vectorOf(2), 5)).map((hit) => hit.articleId)).toEqual(['a1']);
    expect(await index.query('kb-never-written', vectorOf(2), 5)).toEqual([]);
  });

  test('holds more than one batch', async () => {
    const told: (readonly [number, number])[] = [];
    const tell = (done: number, of: number): void => void told.push([done, of]);
    expect(await index.sync('kb-large', entries(2300), tell)).toEqual({ upserted: 2300, removed: 0 });
    expect(told.at(-1)).toEqual([2300, 2300]);
    expect(await index.sync('kb-large', entries(1150))).toEqual({ upserted: 0, removed: 1150 });
    expect((await index.query('kb-large', vectorOf(1149), 3))[0]).toMatchObject({ articleId: 'a1149' });
  });

  test('says that it is there', async () => {
    expect(await index.ping()).toBe(true);
  });
});

test('the memory index closes', async () => {
  await expect(new MemoryArticleIndex().close()).resolves.toBeUndefined();
});
