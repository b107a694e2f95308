import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openCheckpointer } from '../src/adapters/checkpoints/checkpointers.js';
import { createDataSources } from '../src/adapters/sources/data-sources.js';
import { createRandomIds, createSystemClock } from '../src/adapters/system.js';
import type { DataSource, DataSources, Skills } from '../src/core/ports/index.js';
import { createSkillEngine } from '../src/skills/engine.js';
import { loadSkillFolders } from '../src/skills/pack/load-folders.js';
import { loadPackFromFiles } from '../src/skills/pack/load-pack.js';
import { createOfflineSkillModel } from '../test/support/scripted-skill-model.js';
import { openStores } from '../test/support/stores.js';

const QUIET = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const SPEC = { name: 'shop', kind: 'sqlite', database: 'shop' } as const;
const OPERATOR = { kind: 'operator', operatorId: 'bench' } as const;

/** The engine on real databases, with a watch on its sources. */
export interface BenchEngine {
  readonly skills: Skills;
  /** Milliseconds spent in sources so far. */
  sourceMs(): number;
  /** The query of the ten steps so many times, one after another, straight at the source. */
  bareQueries(count: number): Promise<void>;
  close(): Promise<void>;
}

/** @param packs a skills folder */
export async function openBenchEngine(dataDir: string, packs: string): Promise<BenchEngine> {
  const [clock, ids, log] = [createSystemClock(), createRandomIds(), QUIET];
  const stores = await openStores({ dataDir, clock, ids, log });
  const checkpoints = openCheckpointer('sqlite', dataDir);
  const { catalog, faults } = loadSkillFolders([packs]);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  const real = createDataSources({ dataDir, log, scopes: {}, secret: () => undefined });
  const watched = watch(real);
  const skills = createSkillEngine({
    services: {
      catalog,
      sources: watched.sources,
      model: createOfflineSkillModel(),
      checkpointer: checkpoints.saver,
      clock,
      ids,
      log,
      commands: {},
    },
    store: stores.skillRuns,
    restorePack: (files) => loadPackFromFiles(files).pack,
  });
  return {
    skills,
    sourceMs: watched.ms,
    async bareQueries(count) {
      const source = await real.open(SPEC, OPERATOR);
      if (source.answers !== 'query') throw new Error('shop is no database');
      const signal = new AbortController().signal;
      for (let at = 0; at < count; at += 1) {
        const segments = ['SELECT id, status, amount FROM orders WHERE id = ', ''];
        await source.query({ segments, values: [`o_${at}`] }, { signal, maxRows: 1_000 });
      }
    },
    async close() {
      await real.close();
      checkpoints.close();
      await stores.close();
    },
  };
}

/** The database that the steps of the tree ask. */
export function fillShop(dataDir: string): void {
  const shop = new Database(join(dataDir, 'shop.db'));
  shop.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, status TEXT, amount INTEGER)');
  const insert = shop.prepare("INSERT INTO orders VALUES (?, 'open', 10)");
  shop.transaction(() => {
    for (let at = 0; at < 100; at += 1) insert.run(`o_${at}`);
  })();
  shop.close();
}

function watch(real: DataSources): { readonly sources: DataSources; ms(): number } {
  let spent = 0;
  const during = async <T>(work: Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work;
    } finally {
      spent += performance.now() - started;
    }
  };
  const wrap = (source: DataSource): DataSource =>
    source.answers === 'query'
      ? { ...source, query: (...args) => during(source.query(...args)) }
      : { ...source, request: (...args) => during(source.request(...args)) };
  return {
    ms: () => spent,
    sources: {
      open: async (...args) => wrap(await real.open(...args)),
      isCustomersOwn: (spec) => real.isCustomersOwn(spec),
      close: () => real.close(),
    },
  };
}
