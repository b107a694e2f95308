import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCompany, trainCompany } from '../src/app/company.js';
import { openParts, type Parts } from '../src/app/parts.js';
import { parseConfig } from '../src/config/config.js';
import { barred, type Measure, machine, plain, spread } from './report.js';

const SIZES = [1_000, 10_000, 100_000] as const;
const QUICK = [200, 1_000] as const;
/** What would take longer than this is not begun. */
const BUDGET_MS = 40 * 60_000;
/** Indexing takes longer than in proportion: the graph of vectors grows. */
const GROWTH = 1.6;
const QUERIES = 60;
const WARM_UP = 15;
const WORDS = 20_000;
const SYLLABLES = 'ba co di fe gu la mo ni pe ru sa to vi zo'.split(' ');
const GLUE = 'the of your and to a is in for with on it you can we'.split(' ');

/** Words as frequent as in any language: the second half as often as the first, and so on. */
const word = (rank: number): string =>
  [rank % 14, Math.floor(rank / 14) % 14, Math.floor(rank / 196) % 14, Math.floor(rank / 2_744) % 14]
    .map((at) => SYLLABLES[at])
    .join('');

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const zipf = (next: () => number): string => word(Math.floor(WORDS ** next()) - 1);

function sentence(next: () => number, length: number): string {
  return Array.from({ length }, () =>
    next() < 0.45 ? (GLUE[Math.floor(next() * GLUE.length)] ?? 'the') : zipf(next),
  ).join(' ');
}

function article(at: number): string {
  const next = numbers(at + 1);
  const title = `How to ${zipf(next)} the ${zipf(next)} ${zipf(next)}`;
  const content = Array.from({ length: 6 }, () => `${sentence(next, 14)}.`).join(' ');
  return JSON.stringify({ article_id: `kb_${at}`, title, content, tags: [zipf(next)], language: 'en' });
}

/** How the search holds out as articles grow: the median of a query at each size, as many sizes as there is time for. */
export async function articles(quick: boolean): Promise<readonly Measure[]> {
  const sizes = quick ? QUICK : SIZES;
  const measures: Measure[] = [];
  let first: number | null = null;
  let perArticle = 0;
  let left = BUDGET_MS;
  for (const [at, size] of sizes.entries()) {
    const name = `${size.toLocaleString('en')} articles`;
    const needs = perArticle * size * GROWTH;
    if (needs > left) {
      measures.push(plain(`${name}: not measured`, Math.round(needs / 60_000), 'min', 'more than there is'));
      continue;
    }
    process.stderr.write(`measuring: ${name}, about ${Math.round(needs / 60_000)} min\n`);
    const { indexMs, queryMs } = await measured(size);
    left -= indexMs;
    perArticle = indexMs / size;
    first ??= queryMs;
    const note = `indexed at ${Math.round(1_000 / perArticle)} a second; load ${machine().load}`;
    measures.push(
      plain(`${name}: a query, median`, queryMs, 'ms', note),
      ...(at === 0
        ? []
        : [barred(`${name}: a query beside one at ${sizes[0]}`, queryMs / first, 'times', { atMost: 3 })]),
    );
  }
  return measures;
}

async function measured(size: number): Promise<{ readonly indexMs: number; readonly queryMs: number }> {
  const room = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const env = {
    HUB_COMPANY: join(room, 'library'),
    HUB_DATA_DIR: join(room, 'data'),
    HUB_MODEL_PROVIDER: 'offline',
  };
  const config = parseConfig(env);
  createCompany(config, { name: 'Library', about: 'a library', languages: ['en'] });
  const lines = Array.from({ length: size }, (_, at) => article(at));
  writeFileSync(join(room, 'library', 'articles', 'knowledge.jsonl'), `${lines.join('\n')}\n`);
  await trainCompany(config, () => {});
  const started = performance.now();
  let parts: Parts | null = null;
  try {
    parts = await openParts(config, { indexWaitMs: 60_000 });
    const indexMs = performance.now() - started;
    return { indexMs, queryMs: await medianOf(parts, size) };
  } finally {
    await parts?.index.close();
    await parts?.skills.close();
    await parts?.graph.remote.close();
    await parts?.operations.close();
    await parts?.stores.close();
    rmSync(room, { recursive: true, force: true });
  }
}

/** Of questions in the words of one article each; none is asked twice, so that nothing is remembered. */
async function medianOf({ knowledge }: Parts, size: number): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < WARM_UP + QUERIES; at += 1) {
    const { title } = JSON.parse(article(Math.floor((at * size) / (WARM_UP + QUERIES)))) as { title: string };
    const started = performance.now();
    const { mode } = await knowledge.retriever.search(`${title}? I need it for number ${at}`, {
      language: 'en',
      topK: 3,
    });
    if (at < WARM_UP) continue;
    if (mode !== 'hybrid') throw new Error('the vectors did not answer');
    times.push(performance.now() - started);
  }
  return spread(times).median;
}
