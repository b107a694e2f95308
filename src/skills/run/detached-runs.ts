import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../core/domain/json.js';
import type { SkillCache } from '../../core/ports/skill-run-store.js';
import type { Pack } from '../pack/pack.js';
import { createMemoryRunStore } from '../testing/memory-run-store.js';
import type { StudioRun } from '../tree/studio-graph.js';
import type { RunContext, RunSetting, SkillServices } from './run-context.js';
import { Meter } from './run-context.js';
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
