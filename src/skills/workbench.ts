import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HubError } from '../core/errors.js';
import type { DataSources, SkillModel, SkillRunHistory } from '../core/ports/index.js';
import type {
  SkillFault,
  SkillPacks,
  SkillSubject,
  SkillTestReport,
  SkillWorkbench,
} from '../core/workbench.js';
import { draftFrom, draftWithModel, newPack } from './authoring/new-pack.js';
import { createReaches } from './composite/composite-env.js';
import { withGoals } from './goals.js';
import { compositeToMermaid, runToMermaid, treeToMermaid } from './mermaid.js';
import { descriptorFile } from './pack/draft.js';
import {
  type LoadedSkills,
  loadSkillFolders,
  PACK_MARKS,
  packFolders,
  validateFolder,
} from './pack/load-folders.js';
import { type Catalog, isFault } from './pack/pack.js';
import { readPackFiles } from './pack/read-files.js';
import { FaultList } from './pack/schema-faults.js';
import { DESCRIPTOR_FILES, type SpelledFile } from './pack/spellings/index.js';
import { modernText } from './pack/text-file.js';
import type { Asking } from './routing/ask-model.js';
import { routeRequest } from './routing/route-request.js';
import { indexOf } from './routing/trigger-index.js';
import { NOTHING_USED, newRecord } from './run/run-context.js';
import { toRun } from './run/run-engine.js';
import { runTestCases, type TestRunDeps } from './testing/run-test-cases.js';

/** The catalog, which for a skill that was left out because of its faults says so instead of that there is none. */
export function withFaultMessages({ catalog, faults }: Pick<LoadedSkills, 'catalog' | 'faults'>): Catalog {
  return {
    list: () => catalog.list(),
    all: () => catalog.all(),
    get(id, range) {
      try {
        return catalog.get(id, range);
      } catch (error) {
        const own = catalog.all().some((pack) => pack.id === id)
          ? []
          : faults.filter((fault) => isFault(fault) && isOf(id, fault));
        throw own.length === 0 ? error : leftOut(id, own);
      }
    },
  };
}

/** A pack's folder has its id for a name. */
function isOf(id: string, { file }: SkillFault): boolean {
  return file.split(/[\\/]/).includes(id);
}

function leftOut(id: string, [first, ...others]: readonly SkillFault[]): HubError {
  const where = first === undefined ? '' : ` ${first.file}:${first.line} ${first.message}`;
  const more = others.length === 0 ? '' : ` ${others.length} more: npm run skill -- validate lists them.`;
  return new HubError('skill_unknown', `The skill ${id} is left out because of its faults.${where}${more}`, {
    skill: id,
    field: 'skill',
    faults: others.length + 1,
  });
}

/** Where new packs are written, and for whom. */
interface NewSkills {
  /** The company's own folder; the first that there is where absent. */
  readonly home?: string;
  /** What the company whose skills a folder has says of itself; null where they are nobody's. */
  readonly subjectOf?: (dir: string, skill: string) => SkillSubject | null;
}

/**
 * What an author does with the files of packs alone.
 * @param dirs absolute paths of the configured skills folders
 * @param catalog the packs; asked for when they are first needed
 * @param asking the model that drafts of packs are asked of; rules make them where absent
 */
export function createPackTools(
  dirs: readonly string[],
  isCustomersOwn: DataSources['isCustomersOwn'],
  catalog: () => Catalog,
  asking?: () => Asking,
  { home, subjectOf = () => null }: NewSkills = {},
): SkillPacks {
  return {
    list: () => catalog().list().map(createReaches(catalog(), isCustomersOwn).summary),
    async validate(path) {
      // All folders at once, since the packs of one may use prompts and skills of another.
      const { packs, faults } = path === undefined ? loadSkillFolders(dirs) : validateFolder(path);
      return { packs, faults };
    },
    async create({ id, type, dir, from }) {
      const target = dir ?? home ?? dirs.find(existsSync) ?? dirs[0] ?? 'skills';
      const wanted = { id, dir: target, subject: subjectOf(target, id) };
      if (from === undefined) return newPack({ ...wanted, type });
      if (asking !== undefined) return draftWithModel(wanted, from, asking());
      return { ...draftFrom(wanted, from), draftedBy: 'rules', reason: 'no model was asked' };
    },
    migrate: async (path) => migratePack(path),
    graph(skillId, version) {
      const pack = catalog().get(skillId, version);
      return pack.tree ? treeToMermaid(pack) : compositeToMermaid(pack, catalog());
    },
  };
}

/**
 * Rewrites what a pack, its nested ones, or all packs of a folder say in an older spelling. Comments stay; what is not
 * understood is left as it is.
 * @returns the files that were written, as paths that begin with `path`
 * @throws HubError `input_invalid` where there is no pack, `skill_invalid` where a pack cannot be read
 */
export function migratePack(path: string): { readonly files: readonly string[] } {
  const folder = existsSync(path) && statSync(path).isFile() ? dirname(path) : path;
  const isPack = PACK_MARKS.some((mark) => existsSync(join(folder, mark)));
  const packs = isPack ? [folder] : packFolders(folder, new FaultList(''));
  if (packs.length === 0)
    throw new HubError('input_invalid', `There is no pack at ${path}: no folder with a skill.yaml.`, {
      field: 'path',
    });
  return { files: packs.flatMap(migrateFolder) };
}

function migrateFolder(folder: string): readonly string[] {
  const files = readPackFiles(folder);
  return Object.entries(files).flatMap(([path, text]) => {
    const at = path.lastIndexOf('/') + 1;
    const within = Object.fromEntries(
      Object.entries(files).flatMap(([other, content]) =>
        other.startsWith(path.slice(0, at)) ? [[other.slice(at), content]] : [],
      ),
    );
    const as = fileKind(path.slice(at), within);
    if (as === null) return [];
    const modern = modernText(text, { as, files: within });
    const [today] = DESCRIPTOR_FILES;
    const target = as === 'descriptor' ? `${path.slice(0, at)}${today}` : path;
    if (modern === text && target === path) return [];
    if (modern !== text) writeFileSync(join(folder, path), modern);
    for (const query of inlined(within, text, modern)) rmSync(join(folder, path.slice(0, at), query));
    if (target !== path) renameSync(join(folder, path), join(folder, target));
    return [join(folder, target)];
  });
}

/** Files of queries that were named, and whose SQL now stands where the name stood: nothing reads them any more. */
function inlined(files: Readonly<Record<string, string>>, before: string, after: string): readonly string[] {
  return Object.keys(files).filter((path) => {
    const name = /^queries\/([^/]+)\.sql$/.exec(path)?.[1];
    return name !== undefined && before.includes(name) && !after.includes(name);
  });
}

function fileKind(name: string, files: Readonly<Record<string, string>>): SpelledFile | null {
  if (name === descriptorFile(files)) return 'descriptor';
  if (name === 'decision_tree.yaml') return 'tree';
  return name === 'api_mappings.yaml' ? 'mappings' : null;
}

interface WorkbenchDeps extends TestRunDeps {
  readonly newSkills?: NewSkills;
  /** Absolute paths of the configured skills folders. */
  readonly dirs: readonly string[];
  readonly store: SkillRunHistory;
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
    () => ({ model: deps.model, log: deps.log, signal: AbortSignal.timeout(DRAFT_MS) }),
    deps.newSkills,
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
  const now = clock.now();
  const runId = `test:${skillId}@${version}:${file}`;
  const of = { id: skillId, version, hash: '' };
  const created = await store.create({
    ...newRecord(
      of,
      { runId, parentRunId: null, caller: 'test', ticketId: null, input: {}, journal: {} },
      now,
    ),
    status: run === null || run.status === 'failed' ? 'failed' : 'done',
    error: run?.error ?? null,
    usage: run?.usage ?? NOTHING_USED,
    durationMs: run?.durationMs ?? 0,
    correct: passed,
  });
  if (!created) await store.update(runId, { correct: passed });
}
