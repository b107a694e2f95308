import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../core/domain/json.js';
import type { SkillCache } from '../../core/ports/skill-cache.js';

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
