import { isGraphBubbleUp } from '@langchain/langgraph';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError, toHubError } from '../../core/errors.js';
import type { Pack } from '../pack/pack.js';
import { untilAborted } from '../sources/until-aborted.js';
import type { CallOutcome } from './call-cache.js';
import type { CompositeEnv } from './composite-env.js';
import { failureOf } from './step-output.js';

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
  const limit = new AbortController();
  const late = new HubError(
    'skill_timeout',
    `The part ${run} took longer than ${seconds} s (execution.timeout_per_skill of ${env.pack.id}).`,
    { skill: pack.id, part: run },
  );
  const timer = setTimeout(() => limit.abort(late), Math.min(seconds * 1000, 2 ** 31 - 1));
  const signal = AbortSignal.any([context.signal, limit.signal]);
  try {
    return await untilAborted(context.runPart(run, pack, input, signal), signal);
  } catch (error) {
    // An interrupt of LangGraph is no failure; it is on its way to whoever asks the person.
    if (isGraphBubbleUp(error)) throw error;
    const { code, message } = limit.signal.aborted && !context.signal.aborted ? late : toHubError(error);
    return { status: 'failed', error: { code, message } };
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
