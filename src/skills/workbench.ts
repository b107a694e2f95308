import { HubError } from '../core/errors.js';
import type { DataSources, SkillModel, SkillRunStore } from '../core/ports/index.js';
import type { SkillTestReport, SkillWorkbench } from '../core/workbench.js';
import { withGoals } from './goals.js';
import { runToMermaid } from './mermaid.js';
import { createPackTools } from './pack-tools.js';
import { routeRequest } from './routing/route-request.js';
import { indexOf } from './routing/trigger-index.js';
import { NOTHING_USED } from './run/run-context.js';
import { toRun } from './run/run-engine.js';
import { runTestCases, type TestRunDeps } from './testing/run-test-cases.js';

interface WorkbenchDeps extends TestRunDeps {
  /** Absolute paths of the configured skills folders. */
  readonly dirs: readonly string[];
  readonly store: SkillRunStore;
  readonly isCustomersOwn: DataSources['isCustomersOwn'];
}

const WAITING = 200;
/** A whole tree is a long answer, and it may be asked for twice. */
const DRAFT_MS = 180_000;

/** What test cases run with, so that they come out the same everywhere and cost nothing. */
const NO_MODEL: SkillModel = {
  provider: 'offline',
  tier: () => 'large',
  complete: () => Promise.reject(new HubError('model_unavailable', 'Test cases run without a model.')),
};

/** The tools of a pack's author, over the loaded catalog. */
export function createWorkbench(deps: WorkbenchDeps): SkillWorkbench {
  const { catalog, dirs, isCustomersOwn, store } = deps;
  const tools = createPackTools(
    dirs,
    isCustomersOwn,
    () => catalog,
    () => ({
      model: deps.model,
      log: deps.log,
      signal: AbortSignal.timeout(DRAFT_MS),
    }),
  );
  return {
    validate: (path) => tools.validate(path),
    async test(skillId, { online = false } = {}) {
      const testDeps = online ? deps : { ...deps, model: NO_MODEL };
      const packs = skillId === undefined ? catalog.all() : [catalog.get(skillId)];
      const reports = [];
      for (const pack of packs) {
        for (const report of await runTestCases(pack, testDeps)) {
          reports.push(report);
          await keepVerdict(report, deps);
        }
      }
      return reports;
    },
    create: (skill) => tools.create(skill),
    migrate: (path) => tools.migrate(path),
    graph: (skillId, version) => tools.graph(skillId, version),
    async graphRun(runId) {
      const record = await store.get(runId);
      if (record === null)
        throw new HubError('run_unknown', `There is no run ${runId.slice(0, 80)}.`, { runId });
      return runToMermaid(toRun(record));
    },
    knowledge: (skillId, version) => catalog.get(skillId, version).knowledge,
    route: (request) =>
      routeRequest(request, {
        index: indexOf(catalog.list()),
        model: deps.model,
        log: deps.log,
        signal: AbortSignal.timeout(60_000),
      }),
    async stats() {
      const packs = new Map(catalog.all().map((pack) => [`${pack.id}@${pack.version}`, pack]));
      const stats = await store.stats();
      return stats.map((one) => withGoals(one, packs.get(`${one.skillId}@${one.skillVersion}`)));
    },
    waiting: async () => (await store.listWaiting(WAITING)).map(toRun),
  };
}

/** A test case counts for the accuracy of its skill and version: its latest verdict, however often it is run. */
async function keepVerdict(report: SkillTestReport, { store, clock }: WorkbenchDeps): Promise<void> {
  const { skillId, version, file, run, passed } = report;
  const now = clock.now().toISOString();
  const runId = `test:${skillId}@${version}:${file}`;
  const created = await store.create({
    runId,
    parentRunId: null,
    skillId,
    skillVersion: version,
    packHash: '',
    caller: 'test',
    ticketId: null,
    status: run === null || run.status === 'failed' ? 'failed' : 'done',
    input: {},
    result: null,
    handoff: null,
    error: run?.error ?? null,
    journal: {},
    usage: run?.usage ?? NOTHING_USED,
    durationMs: run?.durationMs ?? 0,
    handoffs: 0,
    correct: passed,
    createdAt: now,
    updatedAt: now,
  });
  if (!created) await store.update(runId, { correct: passed });
}
