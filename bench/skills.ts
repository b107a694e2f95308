import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSkillFolders, validateFolder } from '../src/skills/pack/load-folders.js';
import { createTriggerIndex } from '../src/skills/routing/trigger-index.js';
import { startHttpServer } from '../test/support/http-server.js';
import { runCommand } from './child.js';
import { barred, type Measure, plain, spread } from './report.js';
import { type BenchEngine, fillShop, openBenchEngine } from './skill-engine.js';
import {
  writeFourRequests,
  writeLargePacks,
  writePacks,
  writeSideBySide,
  writeTenSteps,
} from './skill-packs.js';
import type { LoadResult } from './skills-load-child.js';

const PACKS = 200;
const PART_MS = 200;
const WARM_UP = 20;
const OPERATOR = { kind: 'operator', operatorId: 'bench' } as const;

/** Skills: finding one, running them, loading them. Packs, databases and a server are made for it. */
export async function skills(quick: boolean): Promise<readonly Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  try {
    writePacks(join(dir, 'many'), PACKS);
    writeLargePacks(join(dir, 'large'), PACKS);
    return [
      ...(await loading(join(dir, 'many'), join(dir, 'large'), quick ? 3 : 9)),
      ...routing(join(dir, 'many'), quick ? 2_000 : 10_000),
      ...(await tenSteps(dir, quick ? 40 : 200)),
      ...(await fourParts(dir, quick ? 5 : 20)),
      ...(await sideBySide(dir, quick ? 10 : 30)),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The first time counts: that is what a start of the hub waits for. So each is loaded in a process of its own. */
async function loading(dir: string, large: string, times: number): Promise<readonly Measure[]> {
  const many = await loadedOf(dir, times);
  const heavy = await loadedOf(large, 1);
  const validated = timed(() => void validateFolder(dir));
  const processor = 'processor time, garbage collection included';
  return [
    barred(`loading and validating ${PACKS} packs`, many.firstMs, 'ms', { atMost: 1_000 }, 'the first time'),
    plain(`loading and validating ${PACKS} packs: processor`, many.firstCpuMs, 'ms', processor),
    plain(`loading and validating ${PACKS} packs again: median`, many.againMs, 'ms'),
    plain(`loading and validating ${PACKS} packs of the largest kind`, heavy.firstMs, 'ms', 'the first time'),
    plain(`loading and validating ${PACKS} of the largest: processor`, heavy.firstCpuMs, 'ms', processor),
    plain(`skill validate over ${PACKS} packs`, validated, 'ms'),
  ];
}

async function loadedOf(dir: string, times: number): Promise<LoadResult> {
  const { code, stdout, stderr } = await runCommand(
    '../bench/skills-load-child',
    [dir, String(PACKS), String(times)],
    {},
  );
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as LoadResult;
}

function routing(dir: string, times: number): readonly Measure[] {
  const index = createTriggerIndex(loadSkillFolders([dir]).catalog.list());
  const facts = { customer: { status: 'active' } };
  const took = Array.from({ length: times }, (_, at) => {
    const wanted = at % PACKS;
    const text = `Hello, my order ${at % 12} was lost at depot ${wanted}, and nobody could tell me anything about it.`;
    const request = { text, issueCategory: `category_${wanted % 7}`, facts };
    return timed(() => {
      const { kind, ranked } = index.pick(request);
      const found = ranked[0]?.skillId;
      if (kind !== 'one' || found !== `skill_${String(wanted).padStart(3, '0')}`)
        throw new Error(`"${text}" went to ${kind} ${found}`);
    });
  });
  const { median, p95 } = spread(took.slice(PACKS));
  return [
    barred(`routing by triggers, ${PACKS} skills: p95`, p95, 'ms', { atMost: 1 }),
    plain(`routing by triggers, ${PACKS} skills: median`, 1_000 * median, 'µs'),
    plain(`routing by triggers, ${PACKS} skills: the first request`, took[0] ?? Number.NaN, 'ms'),
  ];
}

/** Whole runs, stored in SQLite as the hub stores them; what the source takes is measured apart. */
async function tenSteps(dir: string, times: number): Promise<readonly Measure[]> {
  writeTenSteps(join(dir, 'tree'));
  return withEngine(dir, 'tree', async ({ skills, sourceMs, bareQueries }) => {
    const [wall, own, cpu, bare]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let run = 0; run < WARM_UP + times; run += 1) {
      const before = sourceMs();
      const cpuBefore = process.cpuUsage();
      const all = await timedAsync(async () => {
        const input = { order: { id: `o_${run % 100}` } };
        const done = await skills.run({ skillId: 'ten_steps', input, caller: OPERATOR });
        if (done.usage.steps !== 10 || done.result?.kind !== 'investigation')
          throw new Error(JSON.stringify(done));
      });
      const inSource = sourceMs() - before;
      const { user, system } = process.cpuUsage(cpuBefore);
      const queries = await timedAsync(() => bareQueries(10));
      if (run < WARM_UP) continue;
      wall.push(all);
      own.push(all - inSource);
      cpu.push((user + system) / 1000);
      bare.push(queries);
    }
    return [
      barred("tree of ten steps: engine's own time, median", spread(own).median, 'ms', { atMost: 20 }),
      plain("tree of ten steps: engine's own time, p95", spread(own).p95, 'ms'),
      plain(
        'tree of ten steps: processor time, median',
        spread(cpu).median,
        'ms',
        'asking the source included',
      ),
      plain('tree of ten steps: all of it, median', spread(wall).median, 'ms'),
      plain('the same ten queries without the engine: median', spread(bare).median, 'ms'),
    ];
  });
}

async function fourParts(dir: string, times: number): Promise<readonly Measure[]> {
  const server = await startHttpServer((_request, response) => {
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"answer": 42}'), PART_MS);
  });
  try {
    writeFourRequests(join(dir, 'composite'), server.url);
    return await withEngine(dir, 'composite', async ({ skills }) => {
      const took: number[] = [];
      for (let run = 0; run <= times; run += 1) {
        const ms = await timedAsync(async () => {
          const done = await skills.run({ skillId: 'four_requests', input: {}, caller: OPERATOR });
          if (done.result?.kind !== 'composite' || done.result.value.success_rate !== 1)
            throw new Error(JSON.stringify(done));
        });
        if (run > 0) took.push(ms);
      }
      if (server.requests.length !== 4 * (times + 1)) throw new Error(`${server.requests.length} requests`);
      const note = 'each asks a server over HTTP';
      return [
        barred(`four parts of ${PART_MS} ms: median`, spread(took).median, 'ms', { atMost: 300 }, note),
        plain(`four parts of ${PART_MS} ms: p95`, spread(took).p95, 'ms'),
      ];
    });
  } finally {
    await server.close();
  }
}

/** Three skills of which the slowest decides; it is run alone just before, so that both have the machine as it is then. */
async function sideBySide(dir: string, times: number): Promise<readonly Measure[]> {
  const delays: Readonly<Record<string, number>> = { quick: 50, slower: 100, slowest: PART_MS };
  const server = await startHttpServer((request, response) => {
    const ms = delays[request.url?.slice(1) ?? ''] ?? 0;
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"answer": 42}'), ms);
  });
  try {
    writeSideBySide(join(dir, 'plan'), Object.keys(delays), server.url);
    return await withEngine(dir, 'plan', async ({ skills }) => {
      const run = async (skillId: string) => {
        const before = process.cpuUsage();
        const ms = await timedAsync(async () => {
          const done = await skills.run({ skillId, input: {}, caller: OPERATOR });
          if (done.status !== 'done') throw new Error(JSON.stringify(done));
        });
        const { user, system } = process.cpuUsage(before);
        return { ms, cpuMs: (user + system) / 1000 };
      };
      const more: number[] = [];
      const cpu: number[] = [];
      for (let at = 0; at < WARM_UP + times; at += 1) {
        const alone = await run('slowest');
        const together = await run('side_by_side');
        if (at < WARM_UP) continue;
        more.push(together.ms - alone.ms);
        cpu.push(together.cpuMs - alone.cpuMs);
      }
      const { median, p95 } = spread(more);
      return [
        barred('a plan of three skills side by side, beyond the slowest: median', median, 'ms', {
          atMost: 20,
        }),
        plain('a plan of three skills side by side, beyond the slowest: p95', p95, 'ms'),
        plain('a plan of three skills, beyond the slowest: processor, median', spread(cpu).median, 'ms'),
      ];
    });
  } finally {
    await server.close();
  }
}

async function withEngine<T>(
  dir: string,
  packs: string,
  work: (engine: BenchEngine) => Promise<T>,
): Promise<T> {
  const dataDir = join(dir, `${packs}-data`);
  const engine = await openBenchEngine(dataDir, join(dir, packs));
  try {
    fillShop(dataDir);
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
