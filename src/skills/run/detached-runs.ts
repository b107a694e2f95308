import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../core/domain/json.js';
import type { SkillCache, SkillRunRecord, SkillRunStore, SkillStats } from '../../core/ports/skills.js';
import type { Clock } from '../../core/ports/system.js';
import type { Pack } from '../pack/pack.js';
import type { StudioRun } from '../tree/studio-graph.js';
import { Meter, type RunContext, type RunSetting, type SkillServices } from './run-context.js';
import { RunEngine } from './run-engine.js';

const MAX_CHARS = 16_000_000;

/**
 * Keeps values in this process for as long as they are told to, the most recently used ones first.
 * @param now milliseconds of a clock that only goes forward; never 0
 */
export function createSkillCache(now: () => number = () => performance.now()): SkillCache {
  const kept = new LRUCache<string, { readonly value: JsonValue }>({
    max: 5_000,
    perf: { now },
    ttlResolution: 0,
    maxSize: MAX_CHARS,
    sizeCalculation: ({ value }, key) => key.length + JSON.stringify(value).length,
  });
  return {
    get: (key) => kept.get(key)?.value,
    set: (key, value, ttlMs) => {
      if (ttlMs > 0) kept.set(key, { value }, { ttl: ttlMs });
    },
  };
}

const CALLER = { kind: 'operator', operatorId: 'studio' } as const;

/**
 * Contexts for trees that somebody else runs and keeps the state of, as Studio's server does: nothing of them is stored.
 * The parts such a tree runs are kept in this process.
 */
export function createDetachedRuns(
  services: Omit<SkillServices, 'cache'>,
): (pack: Pack, run: StudioRun) => RunContext {
  const whole: SkillServices = Object.create(services, { cache: { value: createSkillCache() } });
  const packOf = (): Promise<Pack> => Promise.reject(new Error('A detached run has no stored pack'));
  const store = createMemoryRunStore(services.clock);
  const engine = new RunEngine({ services: whole, store, packOf });
  return (pack, { runId, signal, answer }) => {
    const now = services.clock.now().toISOString();
    const meter = new Meter();
    const record = {
      runId,
      parentRunId: null,
      skillId: pack.id,
      skillVersion: pack.version,
      packHash: pack.hash,
      caller: 'operator:studio',
      ticketId: null,
      status: 'running',
      input: {},
      result: null,
      handoff: null,
      error: null,
      journal: {},
      usage: meter.usage(),
      durationMs: 0,
      handoffs: 0,
      correct: null,
      createdAt: now,
      updatedAt: now,
    } as const;
    const setting: RunSetting = {
      caller: CALLER,
      allowed: 'everybody',
      answer,
      gatedActions: [],
      signal,
      onEvent: undefined,
      depth: 0,
      deepest: Number.POSITIVE_INFINITY,
      meter: undefined,
    };
    return engine.contextFor(pack, record, setting, meter, { signal, stepSignal: signal });
  };
}

/** Figures of each skill and version over some runs, by id and version. */
function statsOf(runs: readonly SkillRunRecord[]): readonly SkillStats[] {
  const groups = new Map<string, SkillRunRecord[]>();
  for (const run of runs) {
    const key = JSON.stringify([run.skillId, run.skillVersion]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.keys()].sort().map((key) => figuresOf(groups.get(key) ?? []));
}

function figuresOf(runs: readonly SkillRunRecord[]): SkillStats {
  const used = runs.filter(({ caller }) => caller !== 'test');
  const done = used.filter(({ status }) => status === 'done');
  const share = (of: readonly SkillRunRecord[]): number | null => {
    const judged = of.filter(({ correct }) => correct !== null);
    return judged.length === 0 ? null : sum(judged, ({ correct }) => Number(correct)) / judged.length;
  };
  const callers = new Map<string, number>();
  for (const { caller } of used) callers.set(caller, (callers.get(caller) ?? 0) + 1);
  const again = [...callers.values()].filter((count) => count > 1).length;
  const sum = (of: readonly SkillRunRecord[], figure: (run: SkillRunRecord) => number): number =>
    of.reduce((total, run) => total + figure(run), 0);
  const mean = (figure: (run: SkillRunRecord) => number): number =>
    done.length === 0 ? 0 : sum(done, figure) / done.length;
  const lookups = sum(used, ({ usage }) => usage.cache_lookups ?? 0);
  const times = (used.length > 0 ? used : runs).map(({ updatedAt }) => updatedAt).sort();
  return {
    skillId: runs[0]?.skillId ?? '',
    skillVersion: runs[0]?.skillVersion ?? '',
    uses: used.length,
    failed: used.filter(({ status }) => status === 'failed').length,
    handoffs: sum(used, ({ handoffs }) => handoffs),
    meanDurationMs: mean(({ durationMs }) => durationMs),
    meanSteps: mean(({ usage }) => usage.steps),
    apiCalls: sum(used, ({ usage }) => usage.api_calls),
    llmCalls: sum(used, ({ usage }) => usage.llm_calls),
    tokens: sum(used, ({ usage }) => usage.prompt_tokens + usage.completion_tokens),
    costUsd: sum(used, ({ usage }) => usage.cost_usd),
    cacheHitRate: lookups === 0 ? null : sum(used, ({ usage }) => usage.cache_hits ?? 0) / lookups,
    accuracy: share(used),
    falsePositives: used.filter(({ correct }) => correct === false).length,
    repeatUse: callers.size === 0 ? null : again / callers.size,
    // Nobody rates what runs in memory.
    satisfaction: null,
    testsPassed: share(runs.filter(({ caller }) => caller === 'test')),
    lastUsedAt: times.at(-1) ?? '',
  };
}

/**
 * Runs in memory: a test case's own world, which leaves nothing behind.
 * @param clock where absent, a record keeps the time it was made at
 */
export function createMemoryRunStore(clock?: Clock): SkillRunStore {
  const runs = new Map<string, SkillRunRecord>();
  const packs = new Map<string, Readonly<Record<string, string>>>();
  const change = (runId: string, update: Partial<SkillRunRecord>): void => {
    const record = runs.get(runId);
    // Copied, as a database would: nobody changes what is stored by changing what they stored.
    if (!record) return;
    const updatedAt = clock?.now().toISOString() ?? record.updatedAt;
    runs.set(runId, structuredClone({ ...record, ...update, updatedAt }));
  };
  const top = (of: (record: SkillRunRecord) => boolean): readonly SkillRunRecord[] =>
    [...runs.values()].filter((record) => record.parentRunId === null && of(record));
  return {
    async create(record) {
      if (runs.has(record.runId)) return false;
      runs.set(record.runId, structuredClone(record));
      return true;
    },
    get: async (runId) => runs.get(runId) ?? null,
    update: async (runId, update) => change(runId, update),
    async claim(runId, of = 'waiting') {
      // No process can die and leave its runs here: what runs is run by the one who asks.
      if (runs.get(runId)?.status !== of) return false;
      change(runId, { status: 'running' });
      return true;
    },
    async writeJournal(runId, key, value: JsonValue) {
      change(runId, { journal: { ...runs.get(runId)?.journal, [key]: value } });
    },
    listWaiting: async (limit) => top(({ status }) => status === 'waiting').slice(0, limit),
    listByTicket: async (ticketId) => top((record) => record.ticketId === ticketId),
    stats: async () => statsOf([...runs.values()]),
    async savePack(hash, files) {
      if (!packs.has(hash)) packs.set(hash, { ...files });
    },
    getPack: async (hash) => packs.get(hash) ?? null,
  };
}
