import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

interface Library {
  readonly size: number;
  readonly parts: Parts;
  readonly indexMs: number;
  close(): Promise<void>;
}

/** How the search holds out as articles grow: the median of a query at each size, as many sizes as there is time for. */
export async function articles(quick: boolean): Promise<readonly Measure[]> {
  const libraries: Library[] = [];
  const measures: Measure[] = [];
  let left = BUDGET_MS;
  try {
    for (const size of quick ? QUICK : SIZES) {
      const last = libraries.at(-1);
      const needs = last ? (last.indexMs / last.size) * size * GROWTH : 0;
      const minutes = Math.round(needs / 60_000);
      if (needs > left) {
        measures.push(plain(`${sized(size)}: not measured`, minutes, 'min', 'more than there is'));
        continue;
      }
      process.stderr.write(`indexing: ${sized(size)}, about ${minutes} min\n`);
      const library = await openLibrary(size);
      libraries.push(library);
      left -= library.indexMs;
    }
    return [...(await medians(libraries)), ...measures];
  } finally {
    for (const library of libraries) await library.close();
  }
}

const sized = (size: number): string => `${size.toLocaleString('en')} articles`;

async function openLibrary(size: number): Promise<Library> {
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
  const parts = await openParts(config, { indexWaitMs: 60_000 });
  const indexMs = performance.now() - started;
  return {
    ...{ size, parts, indexMs },
    async close() {
      await parts.index.close();
      await parts.skills.close();
      await parts.graph.remote.close();
      await parts.operations.close();
      await parts.stores.close();
      rmSync(room, { recursive: true, force: true });
    },
  };
}

/** Of questions in the words of one article each, at all sizes in turn, so that what else the machine does is the same for all. */
async function medians(libraries: readonly Library[]): Promise<readonly Measure[]> {
  const times = libraries.map((): number[] => []);
  for (let at = 0; at < WARM_UP + QUERIES; at += 1)
    for (const [index, library] of libraries.entries()) {
      const took = await queryTime(library, at);
      if (at >= WARM_UP) times[index]?.push(took);
    }
  const found = times.map((all) => spread(all).median);
  return libraries.flatMap(({ size, indexMs }, index) => {
    const [first = 0, own = 0] = [found[0], found[index]];
    const note = `indexed at ${Math.round((1_000 * size) / indexMs)} a second; load ${machine().load}`;
    const median = plain(`${sized(size)}: a query, median`, own, 'ms', note);
    const name = `${sized(size)}: a query beside one at ${libraries[0]?.size}`;
    return index === 0 ? [median] : [median, barred(name, own / first, 'times', { atMost: 3 })];
  });
}

/** So often a query is asked again where the vectors did not answer: a large index is read when it is first asked. */
const TRIES = 30;
const PAUSE_MS = 2_000;

/** No two are the same, so that nothing is remembered. */
async function queryTime({ parts: { knowledge }, size }: Library, at: number): Promise<number> {
  const { title } = JSON.parse(article(Math.floor((at * size) / (WARM_UP + QUERIES)))) as { title: string };
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const started = performance.now();
    const { mode } = await knowledge.retriever.search(`${title}? I need it for number ${at} ${attempt}`, {
      language: 'en',
      topK: 3,
    });
    if (mode === 'hybrid') return performance.now() - started;
    await sleep(PAUSE_MS);
  }
  throw new Error(`the vectors of ${sized(size)} did not answer`);
}
