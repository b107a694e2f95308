import { setTimeout as sleep } from 'node:timers/promises';
import type { CapabilityCall, CapabilityOutcome } from '../core/capabilities.js';
import { HubError } from '../core/errors.js';
import type { StoredResponse } from '../core/ports/index.js';
import { hashOf } from '../runtime/args-hash.js';
import { callerName } from './caller-session.js';
import { demandGoingOn } from './cancelled.js';
import type { CapabilityDeps } from './capability-deps.js';

/** What is kept of an outcome: of a question only which one, since it goes on being answered. */
type Kept =
  | { readonly outcome: Extract<CapabilityOutcome, { kind: 'done' | 'refused' }> }
  | { readonly pendingId: string }
  | { readonly runId: string };

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** Trying again may overcome these, so they are no answer to keep. */
const FAULTS: ReadonlySet<string> = new Set([
  'index_unavailable',
  'embedding_failed',
  'model_unavailable',
  'model_bad_output',
  'source_unavailable',
  'source_bad_answer',
  'skill_failed',
  'skill_timeout',
  'thread_busy',
  'internal',
]);

/**
 * Does the work of a call with a key once, whoever asks at the same time and in which process: the others wait for what it
 * comes to.
 * @param again tells what became of a question that was asked before
 * @throws HubError `idempotency_conflict`, `thread_busy` where it takes too long, `cancelled`, and what the work throws
 */
export async function once(
  deps: CapabilityDeps,
  { caller, name, input, idempotencyKey, signal }: CapabilityCall,
  work: () => Promise<CapabilityOutcome>,
  again: (id: string) => Promise<CapabilityOutcome>,
): Promise<CapabilityOutcome> {
  const owner = callerName(caller);
  if (idempotencyKey === undefined || owner === null) return work();
  const key = `capability:${idempotencyKey}`;
  const deadline = performance.now() + deps.waitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)) {
    demandGoingOn(signal);
    const claim = await deps.idempotency.claim(owner, key, hashOf(name, input));
    if (claim.kind === 'new') return settle(deps, owner, key, work);
    if (claim.kind === 'done') return revive(claim.response, again);
    if (claim.kind === 'conflict') {
      const message = 'This idempotency key was used for another call. Use a new one.';
      throw new HubError('idempotency_conflict', message);
    }
    if (performance.now() > deadline)
      throw new HubError('thread_busy', 'The first call with this idempotency key is still being worked on.');
    await sleep(pause);
  }
}

async function settle(
  { idempotency, tools }: CapabilityDeps,
  owner: string,
  key: string,
  work: () => Promise<CapabilityOutcome>,
): Promise<CapabilityOutcome> {
  // What was done is done, whether or not it can be noted.
  const keep = async (kept: Kept | null): Promise<void> => {
    try {
      if (kept === null) await idempotency.abandon(owner, key);
      else {
        const body = JSON.stringify(kept);
        await idempotency.complete(owner, key, { status: 200, contentType: 'application/json', body });
      }
    } catch (error) {
      tools.log.error({ agent: 'capabilities', action: 'idempotency_not_kept' }, error);
    }
  };
  try {
    const outcome = await work();
    await keep(keptOf(outcome));
    return outcome;
  } catch (error) {
    await keep(null);
    throw error;
  }
}

function keptOf(outcome: CapabilityOutcome): Kept | null {
  switch (outcome.kind) {
    case 'confirmation':
    case 'awaiting_operator':
      return { pendingId: outcome.pendingId };
    case 'awaiting_choice':
      return { runId: outcome.runId };
    case 'refused':
      return FAULTS.has(outcome.error.code) ? null : { outcome };
    default:
      return { outcome };
  }
}

async function revive(
  { body }: StoredResponse,
  again: (id: string) => Promise<CapabilityOutcome>,
): Promise<CapabilityOutcome> {
  const kept = JSON.parse(body) as Kept;
  if ('outcome' in kept) return kept.outcome;
  return again('runId' in kept ? kept.runId : kept.pendingId);
}
