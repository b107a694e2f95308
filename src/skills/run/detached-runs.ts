import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../core/domain/json.js';
import type { SkillCache, SkillRunRecord, SkillRunStore } from '../../core/ports/skills.js';
import type { Clock } from '../../core/ports/system.js';
import type { Pack } from '../pack/pack.js';
import type { StudioRun } from '../tree/studio-graph.js';
import { Meter, NO_SETTING, newRecord, type RunContext, type SkillServices } from './run-context.js';
import { RunEngine } from './run-engine.js';

const MAX_CHARS = 16_000_000;

/**
 * Keeps values in this process for as long as is asked, the most recently used ones first.
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
    const meter = new Meter();
    const caller = 'operator:studio';
    const run = { runId, parentRunId: null, caller, ticketId: null, input: {}, journal: {} };
    const record = newRecord(pack, run, services.clock.now());
    const setting = { ...NO_SETTING, caller: CALLER, allowed: 'everybody', answer, signal } as const;
    return engine.contextFor(pack, record, setting, meter, { signal, stepSignal: signal });
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
    listByTicket: async (ticketId) =>
      [...runs.values()].filter((record) => record.parentRunId === null && record.ticketId === ticketId),
    async savePack(hash, files) {
      if (!packs.has(hash)) packs.set(hash, { ...files });
    },
    getPack: async (hash) => packs.get(hash) ?? null,
  };
}
