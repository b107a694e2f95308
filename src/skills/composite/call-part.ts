import { createHash } from 'node:crypto';
import { isGraphBubbleUp } from '@langchain/langgraph';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { callerKey, type SkillResult, sharedBy } from '../../core/domain/skill.js';
import { HubError, toHubError } from '../../core/errors.js';
import { linkWithin, pause, untilAborted } from '../../core/signals.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext, SkillOutcome } from '../run/run-context.js';
import { type CompositeEnv, onlyReads } from './composite-env.js';
import { failureOf } from './schemas.js';

/** How a call of a part ended: its outcome, or the fault it failed with. */
export type CallOutcome =
  | SkillOutcome
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/**
 * Shares the results of identical calls: of one run always, of later runs for `execution.cache_ttl`. Calls are identical
 * where skill, version, input and caller are; only skills that read are shared.
 */
export class CallCache {
  readonly #ttlMs: number;
  readonly #calls = new Map<string, Promise<CallOutcome>>();

  constructor(
    private readonly context: RunContext,
    ttlSeconds: number,
  ) {
    this.#ttlMs = ttlSeconds * 1000;
  }

  /** What names the call, null where it must not be shared. */
  keyOf(pack: Pack, input: JsonObject): string | null {
    if (!onlyReads(pack, this.context.services.catalog)) return null;
    const who = callerKey(this.context.caller);
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
    const stored = this.context.services.cache.get(key);
    this.context.meter.lookup(stored !== undefined);
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
      const { services, caller } = this.context;
      services.cache.set(key, JSON.parse(JSON.stringify(result)) as JsonValue, this.#ttlMs, sharedBy(caller));
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

export interface Called {
  readonly outcome: CallOutcome;
  readonly attempts: number;
}

/** Faults that another try may not meet. All others are in the pack, in the input, or on purpose. */
const PASSING: ReadonlySet<string> = new Set([
  'source_unavailable',
  'source_bad_answer',
  'model_unavailable',
  'model_bad_output',
  'skill_failed',
  'skill_timeout',
  'command_failed',
  'embedding_failed',
  'index_unavailable',
  'thread_busy',
  'database_failed',
  'database_busy',
  'internal',
]);

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;

/**
 * Runs a part: each try for `timeout_per_skill` at most, `retry_on_failure` more tries where the failure may pass. A skill
 * that changes something is tried once, since nobody knows how far a failed try came. What the part throws is its outcome.
 * @param run names the part's run, e.g. `draft#2`
 * @param from the try to begin with: that of a part which waited for a person
 */
export async function callPart(
  env: CompositeEnv,
  run: string,
  pack: Pack,
  input: JsonObject,
  from = 1,
): Promise<Called> {
  const { retry_on_failure } = env.pack.descriptor.execution;
  const tries = pack.summary.effect === 'read' ? retry_on_failure + 1 : 1;
  for (let attempt = from; ; attempt++) {
    // A name of its own: under the old one a result that was a failure would just be given again.
    const outcome = await tryPart(env, attempt === 1 ? run : `${run}.try${attempt}`, pack, input);
    const failure = failureIn(outcome);
    const again =
      failure !== null && attempt < tries && PASSING.has(failure.code) && !env.context.signal.aborted;
    if (!again) return { outcome, attempts: attempt };
    env.context.services.log.info({
      agent: 'skills',
      action: 'part_tried_again',
      details: { run: env.context.runId, part: run, attempt, code: failure.code },
    });
    await pause(Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)), env.context.signal);
  }
}

function failureIn(outcome: CallOutcome): { readonly code: string; readonly message: string } | null {
  if (outcome.status === 'failed') return outcome.error;
  return outcome.status === 'done' ? failureOf(outcome.result) : null;
}

async function tryPart(env: CompositeEnv, run: string, pack: Pack, input: JsonObject): Promise<CallOutcome> {
  const { context } = env;
  const seconds = env.pack.descriptor.execution.timeout_per_skill;
  const late = new HubError(
    'skill_timeout',
    `The part ${run} took longer than ${seconds} s (execution.timeout_per_skill of ${env.pack.id}).`,
    { skill: pack.id, part: run },
  );
  const { signal, release } = linkWithin(Math.min(seconds * 1_000, 2 ** 31 - 1), () => late, context.signal);
  try {
    return await untilAborted(context.runPart(run, pack, input, signal), signal);
  } catch (error) {
    // An interrupt of LangGraph is no failure; it is on its way to the one who asks the person.
    if (isGraphBubbleUp(error)) throw error;
    const { code, message } = signal.reason === late ? late : toHubError(error);
    return { status: 'failed', error: { code, message } };
  } finally {
    release();
  }
}
