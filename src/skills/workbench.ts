import { existsSync } from 'node:fs';
import type { SkillRunStore } from '../core/ports/index.js';
import type { SkillWorkbench } from '../core/workbench.js';
import { newPack } from './authoring/index.js';
import { compositeToMermaid } from './composite/mermaid.js';
import { validateFolder } from './pack/index.js';
import { routeRequest } from './routing/route-request.js';
import { createTriggerIndex } from './routing/trigger-index.js';
import { NOTHING_USED } from './run/meter.js';
import { toRun } from './run/run-engine.js';
import { runTestCases, type TestRunDeps } from './testing/run-test-cases.js';
import { treeToMermaid } from './tree/mermaid.js';

export interface WorkbenchDeps extends TestRunDeps {
  /** Absolute paths of the configured skills folders. */
  readonly dirs: readonly string[];
  readonly store: SkillRunStore;
}

const WAITING = 200;

/** The tools of a pack's author, over the loaded catalog. */
export function createWorkbench(deps: WorkbenchDeps): SkillWorkbench {
  const { catalog, dirs, store } = deps;
  return {
    async validate(path) {
      const reports = (path === undefined ? dirs : [path]).map((dir) => validateFolder(dir));
      return {
        packs: reports.reduce((sum, report) => sum + report.packs, 0),
        faults: reports.flatMap((report) => report.faults),
      };
    },
    async test(skillId) {
      const packs = skillId === undefined ? catalog.all() : [catalog.get(skillId)];
      const reports = [];
      for (const pack of packs) {
        for (const report of await runTestCases(pack, deps)) {
          reports.push(report);
          await keepVerdict(report.run, pack, report.passed, deps);
        }
      }
      return reports;
    },
    async create({ id, type, dir }) {
      const target = dir ?? dirs.find(existsSync) ?? dirs[0] ?? 'skills';
      return newPack({ id, type, dir: target });
    },
    graph(skillId, version) {
      const pack = catalog.get(skillId, version);
      return pack.tree ? treeToMermaid(pack) : compositeToMermaid(pack, catalog);
    },
    route: (request) =>
      routeRequest(request, {
        index: createTriggerIndex(catalog.list()),
        model: deps.model,
        log: deps.log,
        signal: AbortSignal.timeout(60_000),
      }),
    stats: () => store.stats(),
    waiting: async () => (await store.listWaiting(WAITING)).map(toRun),
  };
}

/** A test case counts for the accuracy of its skill and version. */
async function keepVerdict(
  run: Awaited<ReturnType<typeof runTestCases>>[number]['run'],
  pack: { readonly id: string; readonly version: string; readonly hash: string },
  passed: boolean,
  { store, clock, ids }: WorkbenchDeps,
): Promise<void> {
  const now = clock.now().toISOString();
  await store.create({
    runId: ids.next('test'),
    parentRunId: null,
    skillId: pack.id,
    skillVersion: pack.version,
    packHash: pack.hash,
    caller: 'operator:test',
    ticketId: null,
    status: run?.status === 'failed' || run === null ? 'failed' : 'done',
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
}
