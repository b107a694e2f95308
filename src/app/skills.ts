import type { Stores } from '../../data/index.js';
import { openCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import type { ModelCallReport } from '../adapters/models/call.js';
import type { CircuitBreaker } from '../adapters/models/circuit.js';
import { createPrices } from '../adapters/models/prices.js';
import { createSkillModel } from '../adapters/models/skill-model.js';
import { createDataSources } from '../adapters/sources/data-sources.js';
import { createFixtureSources } from '../adapters/sources/fixture-sources.js';
import { createSqliteProcesses } from '../adapters/sources/sqlite-processes.js';
import type { Config } from '../config/config.js';
import type { Clock, Ids, Log, Skills, Spend } from '../core/ports/index.js';
import type { SkillWorkbench } from '../core/workbench.js';
import { createSkillEngine } from '../skills/engine.js';
import { tellingFaults } from '../skills/left-out.js';
import { type Catalog, type LoadedSkills, loadPackFromFiles } from '../skills/pack/index.js';
import { createDetachedRuns } from '../skills/run/detached-runs.js';
import { buildSkillsGraph } from '../skills/tree/studio-graph.js';
import { createWorkbench } from '../skills/workbench.js';
import { customerScopes, type LoadedCompany, skillFolders } from './company.js';

export interface SkillParts {
  readonly company: LoadedCompany;
  readonly packs: () => LoadedSkills;
  readonly config: Config;
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
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

/** When packs are loaded that nobody has asked for yet: after the first answer of a chat, and before most second ones. */
const LOAD_AFTER_MS = 2_000;

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
  ...asked
}: SkillParts): OpenedSkills {
  const { commands, secret } = config.skills;
  const dirs = skillFolders(config, company);
  const catalog = lazyCatalog(packs, log);
  const loading = setTimeout(() => catalog.all(), LOAD_AFTER_MS).unref();
  const sources = createDataSources({
    dataDir: config.dataDir,
    secret,
    log,
    scopes: customerScopes(company.code),
  });
  const prices = createPrices({ ...config.models, log });
  const model = createSkillModel({ models: config.models, log, prices, ...asked });
  let checkpoints: ReturnType<typeof openCheckpointer> | undefined;
  const services = {
    catalog,
    sources,
    model,
    clock,
    ids,
    log,
    commands,
    timeZone: company.profile.timeZone,
    currency: company.profile.currency,
    // On disk whatever the conversations use: whoever answers a hand-off may be another process. Opened by the first tree.
    get checkpointer() {
      checkpoints ??= openCheckpointer('sqlite', config.dataDir);
      return checkpoints.saver;
    },
  };
  const store = stores.skillRuns;
  const restorePack = (files: Readonly<Record<string, string>>) => loadPackFromFiles(files).pack;
  const skills = createSkillEngine({ services, store, restorePack });
  // Starting one takes longer than a test case, so all cases share them.
  const processes = createSqliteProcesses();
  const workbench = createWorkbench({
    dirs,
    catalog,
    store,
    model,
    clock,
    ids,
    log,
    commands,
    timeZone: company.profile.timeZone,
    currency: company.profile.currency,
    isCustomersOwn: sources.isCustomersOwn,
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
      checkpoints?.close();
    },
  };
}

/** The packs, loaded when somebody first asks for one; what is wrong with them is logged then. */
function lazyCatalog(packs: () => LoadedSkills, log: Log): Catalog {
  let loaded: Catalog | undefined;
  const load = (): Catalog => {
    const { catalog, faults } = packs();
    for (const { file, line, code, message, severity } of faults) {
      const details = { file, line, code, message };
      if (severity === 'warning') log.debug({ agent: 'skills', action: 'pack_warning', details });
      else log.error({ agent: 'skills', action: 'pack_refused', details });
    }
    loaded = tellingFaults({ catalog, faults });
    return loaded;
  };
  return {
    list: () => (loaded ?? load()).list(),
    all: () => (loaded ?? load()).all(),
    get: (id, range) => (loaded ?? load()).get(id, range),
  };
}
