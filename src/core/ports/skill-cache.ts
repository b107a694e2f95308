import type { JsonValue } from '../domain/json.js';

/**
 * Keeps results of identical calls, and answers of sources, for a while. Bounded. Everything of one caller is apart from
 * everything of another. It never throws: what cannot be kept or read is worked out anew.
 */
export interface SkillCache {
  /** Undefined where there is none or it is too old. */
  get(key: string): JsonValue | undefined;
  /**
   * @param ttlMs 0 keeps nothing
   * @param owner `customer:<id>`, whose data goes when the customer's does; staff's where absent
   */
  set(key: string, value: JsonValue, ttlMs: number, owner?: string): void;
}
