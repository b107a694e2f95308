import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { SkillResult } from '../../core/domain/skill.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext, SkillOutcome } from '../run/run-context.js';
import { onlyReads } from './part-packs.js';

/** How a call of a part ended: its outcome, or the fault it failed with. */
export type CallOutcome =
  | SkillOutcome
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/**
 * Shares the results of identical calls: of one run always, of later runs for `execution.cache_ttl`. Calls are identical
 * where skill, version, input and caller are; only skills that read are shared.
 */
export class CallCache {
  readonly #context: RunContext;
  readonly #ttlMs: number;
  readonly #calls = new Map<string, Promise<CallOutcome>>();

  constructor(context: RunContext, ttlSeconds: number) {
    this.#context = context;
    this.#ttlMs = ttlSeconds * 1000;
  }

  /** What names the call, null where it must not be shared. */
  keyOf(pack: Pack, input: JsonObject): string | null {
    if (!onlyReads(pack, this.#context.services.catalog)) return null;
    const { caller } = this.#context;
    const who =
      caller.kind === 'customer' ? `customer:${caller.customerId}` : `operator:${caller.operatorId}`;
    try {
      const call = JSON.stringify([pack.id, pack.version, pack.hash, who, sorted(input)]);
      return `composite:${createHash('sha256').update(call).digest('hex')}`;
    } catch {
      // Nested without end: it is not worth remembering.
      return null;
    }
  }

  /** The outcome of an identical call that was made, or is being made; undefined where there is none. */
  find(key: string): Promise<CallOutcome> | undefined {
    const known = this.#calls.get(key);
    if (known !== undefined || this.#ttlMs === 0) return known;
    const stored = this.#context.services.cache.get(key);
    this.#context.meter.lookup(stored !== undefined);
    if (stored === undefined) return undefined;
    // Only results that `keep` put there stand under such a key.
    const result = stored as unknown as SkillResult;
    return Promise.resolve({ status: 'done', result });
  }

  /** A call of this run, from the moment it begins. */
  share(key: string, call: Promise<CallOutcome>): void {
    this.#calls.set(key, call);
  }

  /** A result that later runs may use. */
  keep(key: string, result: SkillResult): void {
    if (this.#ttlMs > 0) {
      const { services, caller } = this.#context;
      const owner = caller.kind === 'customer' ? `customer:${caller.customerId}` : 'operator';
      services.cache.set(key, JSON.parse(JSON.stringify(result)) as JsonValue, this.#ttlMs, owner);
    }
  }
}

/** The same text for the same content, whatever the order of keys. */
function sorted(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => sorted(item));
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value as JsonObject).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, item]) => [key, sorted(item)]),
  );
}
