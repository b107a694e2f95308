import { loadSkillFolders } from '../src/skills/pack/load-folders.js';
import { spread } from './report.js';

/** What the child tells its parent of loading a folder: the first time in a process, and again. */
export interface LoadResult {
  readonly firstMs: number;
  readonly firstCpuMs: number;
  readonly againMs: number;
}

/** Loads a folder of so many packs so many times. */
function load(dir: string, packs: number, times: number): LoadResult {
  const took = Array.from({ length: times }, () => {
    const cpu = process.cpuUsage();
    const started = performance.now();
    const { catalog, faults } = loadSkillFolders([dir]);
    if (faults.length > 0 || catalog.all().length !== packs)
      throw new Error(`${catalog.all().length} packs, faults: ${JSON.stringify(faults.slice(0, 3))}`);
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - started, cpuMs: (user + system) / 1000 };
  });
  const [first, ...again] = took;
  return {
    firstMs: first?.ms ?? Number.NaN,
    firstCpuMs: first?.cpuMs ?? Number.NaN,
    againMs: spread(again.map(({ ms }) => ms)).median,
  };
}

const [dir = '', packs, times] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(load(dir, Number(packs), Number(times)))}\n`);
