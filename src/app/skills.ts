import type { Stores } from '../../data/index.js';
import { type OpenCheckpointer, openCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import type { ModelCallReport } from '../adapters/models/call.js';
import type { CircuitBreaker } from '../adapters/models/circuit.js';
import { createSkillModel } from '../adapters/models/skill-model.js';
import { createPrices } from '../adapters/models/usage.js';
import { createDataSources } from '../adapters/sources/data-sources.js';
import { createFixtureSources } from '../adapters/sources/fixture-sources.js';
import { createSqliteProcesses } from '../adapters/sources/sqlite-processes.js';
import type { Config } from '../config/config.js';
import type { Clock, DataSources, Ids, Log, Skills, Spend } from '../core/ports/index.js';
import type { SkillWorkbench } from '../core/workbench.js';
import { createSkillEngine } from '../skills/engine.js';
import type { LoadedSkills } from '../skills/pack/load-folders.js';
import { loadPackFromFiles } from '../skills/pack/load-pack.js';
import type { Catalog } from '../skills/pack/pack.js';
import { stampOf } from '../skills/pack/read-files.js';
import { createDetachedRuns } from '../skills/run/detached-runs.js';
import { buildSkillsGraph } from '../skills/tree/studio-graph.js';
import { createWorkbench, withFaultMessages } from '../skills/workbench.js';
import { customerScopes, type LoadedCompany, loadSkills, overFiles, skillFolders } from './company.js';
import { newSkillsOf } from './skill-packs.js';

interface SkillParts {
  readonly company: LoadedCompany;
  readonly packs: () => LoadedSkills;
  readonly config: Config;
  readonly stores: Stores;
  /** Where those of conversations are on a server; null where they are in the data directory. */
  readonly checkpoints: OpenCheckpointer | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Leads what is asked elsewhere, as an evaluation does. */
  readonly wrapSources?: ((sources: DataSources) => DataSources) | undefined;
  /** Shared with the hub's other models. */
  readonly circuit?: CircuitBreaker;
  readonly spend?: Spend;
  readonly onCall?: (report: ModelCallReport) => void;
}

/** The skill engine with all it stands on. */
export interface OpenedSkills {
  readonly skills: Skills;
  readonly workbench: SkillWorkbench;
  /** All decision trees in one graph for Studio, which brings its own checkpointer. */
  studioGraph(): ReturnType<typeof buildSkillsGraph>;
  close(): Promise<void>;
}

/** When packs are loaded that were not needed yet: after the first answer of a chat and before most second ones. */
const LOAD_AFTER_MS = 5_000;

/**
 * Puts the engine together. The packs are loaded when they are first needed, or a moment after the start, so that a plain
 * question is not kept waiting. A faulty pack is logged and left out; the hub works without it.
 */
export function openSkills({
  config,
  company,
  packs,
  stores,
  clock,
  ids,
  log,
  checkpoints: given,
  wrapSources,
  ...asked
}: SkillParts): OpenedSkills {
  const { commands, secret } = config.skills;
  const dirs = skillFolders(config, company);
  const catalog = lazyCatalog(packs, () => loadSkills(config, company), dirs, log);
  const loading = setTimeout(() => catalog.all(), LOAD_AFTER_MS).unref();
  const own = createDataSources({
    dataDir: config.dataDir,
    secret,
    log,
    scopes: customerScopes(company.code),
    servers: stores.onServer,
  });
  const sources = overFiles(wrapSources?.(own) ?? own, company.code);
  const prices = createPrices({ ...config.models, log });
  const model = createSkillModel({ models: config.models, log, prices, ...asked });
  let checkpoints: OpenCheckpointer | undefined;
  const { timeZone, currency } = company.profile;
  const shared = { catalog, model, clock, ids, log, commands, timeZone, currency };
  const services = {
    ...shared,
    sources,
    // Always on disk, because another process may resume a waiting run. Opened by the first tree.
    get checkpointer() {
      checkpoints ??= given ?? openCheckpointer('sqlite', config.dataDir);
      return checkpoints.saver;
    },
  };
  const store = stores.skillRuns;
  const restorePack = (files: Readonly<Record<string, string>>) =>
    loadPackFromFiles(files, { scope: 'to_run' }).pack;
  const skills = createSkillEngine({
    services,
    store,
    ...(stores.skillCache ? { cache: stores.skillCache } : {}),
    restorePack,
  });
  // Starting one takes longer than a test case, so all cases share them.
  const processes = createSqliteProcesses();
  const workbench = createWorkbench({
    ...shared,
    dirs,
    store,
    isCustomersOwn: sources.isCustomersOwn,
    newSkills: newSkillsOf(config),
    fixtureSources: (fixtures, pack, now) =>
      createFixtureSources(fixtures, pack, { processes, ...(now === undefined ? {} : { now }) }),
  });
  return {
    skills,
    workbench,
    studioGraph: () => buildSkillsGraph(catalog, createDetachedRuns(services)),
    async close() {
      clearTimeout(loading);
      await sources.close();
      processes.close();
      if (checkpoints !== given) await checkpoints?.close();
    },
  };
}

/** How often the folders are looked at for changes, at most; a look is some hundred `stat`s. */
const LOOK_EVERY_MS = 1_000;

/**
 * The packs, loaded on first use and again when a file of their folders has changed; what is
 * wrong with them is logged then. Runs stay with the pack they began with.
 */
function lazyCatalog(
  packs: () => LoadedSkills,
  reload: () => LoadedSkills,
  dirs: readonly string[],
  log: Log,
): Catalog {
  let loaded: { readonly catalog: Catalog; readonly stamp: string } | undefined;
  let looked = 0;
  const take = ({ catalog, faults }: LoadedSkills, stamp: string): Catalog => {
    for (const { file, line, code, message, severity } of faults) {
      const details = { file, line, code, message };
      if (severity === 'warning') log.debug({ agent: 'skills', action: 'pack_warning', details });
      else log.error({ agent: 'skills', action: 'pack_refused', details });
    }
    loaded = { catalog: withFaultMessages({ catalog, faults }), stamp };
    looked = performance.now();
    return loaded.catalog;
  };
  const current = (): Catalog => {
    if (loaded === undefined) return take(packs(), stampOf(dirs));
    if (performance.now() - looked < LOOK_EVERY_MS) return loaded.catalog;
    looked = performance.now();
    const stamp = stampOf(dirs);
    return stamp === loaded.stamp ? loaded.catalog : take(reload(), stamp);
  };
  return {
    list: () => current().list(),
    all: () => current().all(),
    get: (id, range) => current().get(id, range),
  };
}
