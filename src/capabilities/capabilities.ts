import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Capabilities,
  type Capability,
  type CapabilityCall,
  type CapabilityOutcome,
  callerName,
  type OutsideCaller,
} from '../core/capabilities.js';
import { HubError } from '../core/errors.js';
import type { StoredResponse } from '../core/ports/index.js';
import { hashOf } from '../runtime/envelope.js';
import {
  type CapabilityDeps,
  createCallLog,
  demandCustomer,
  demandPresent,
  languageOf,
} from './caller-session.js';
import { createCatalogue, type Entry } from './catalogue.js';
import {
  callIdOf,
  demandNotCancelled,
  demandRights,
  demandScope,
  demandWhole,
  runPlain,
} from './checked-call.js';
import { createConfirmations, proposeAction } from './confirm.js';
import { createConfirmationTokens, createQuestions } from './questions.js';
import { rehearsed } from './rehearse.js';
import { chooseFor, runSkill, skillStatus } from './run-skill.js';
import { ownInput } from './skill-input.js';
import { toolInput } from './tool-schema.js';

/** What is kept of an outcome: of a question only which one, since it continues being answered. */
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
 * Does the work of a call with a key once, however many ask at the same time, in this process or another: the others
 * wait for what it comes to.
 * @param again tells what became of a question that was asked before
 * @throws HubError `idempotency_conflict`, `thread_busy` where it takes too long, `cancelled`, and what the work throws
 */
async function once(
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
    demandNotCancelled(signal);
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

/** See `Capabilities`. Every call is checked here; what passes runs through the gates of the chat. */
export function createCapabilities(deps: CapabilityDeps): Capabilities {
  const catalogue = createCatalogue(deps.tools.skills, deps.agents, deps.triage, deps.tools.log);
  const tokens = createConfirmationTokens(deps.secrets);
  const questions = createQuestions(deps, tokens);
  const confirmations = createConfirmations(deps, questions, tokens);
  const callLog = createCallLog(deps);

  const run = async (entry: Entry, call: CapabilityCall): Promise<CapabilityOutcome> => {
    const { tool } = entry;
    // Before anything is kept under the call's key: what is wrong with it may be put right.
    const input = tool ? toolInput(tool, call.input) : call.input;
    if (tool?.access === 'customer') demandCustomer(call.caller);
    return once(
      deps,
      call,
      async () => {
        const language = await languageOf(deps, call.caller, call.language);
        const callId = callIdOf(call, deps.ids);
        if (!tool) return runSkill(deps, entry, { call, input: call.input, language, callId });
        const checked = { call, input, language, callId };
        return tool.effect === 'irreversible'
          ? proposeAction(deps, confirmations, tool, checked)
          : runPlain(deps, tool, checked);
      },
      (id) => statusOf(call.caller, id),
    );
  };
  const traced = (
    { caller, input }: CapabilityCall,
    name: string,
    work: () => Promise<CapabilityOutcome>,
  ): Promise<CapabilityOutcome> => {
    const { tracing } = deps;
    if (!tracing) return work();
    const { identity, channel } = caller;
    return tracing.call({ identity, channel, name }, () => tracing.part({ kind: 'tool', name, input }, work));
  };
  /** Calls that came to an end, as those of agents are counted. */
  const counted = async (
    { agent, name }: Capability,
    work: () => Promise<CapabilityOutcome>,
  ): Promise<CapabilityOutcome> => {
    try {
      const outcome = await work();
      const over = outcome.kind === 'done' || outcome.kind === 'refused';
      if (over) deps.metrics.toolCall(agent, name, outcome.kind === 'done');
      return outcome;
    } catch (error) {
      deps.metrics.toolCall(agent, name, false);
      throw error;
    }
  };
  const statusOf = async (caller: OutsideCaller, id: string): Promise<CapabilityOutcome> => {
    if (id.startsWith('run_')) {
      demandScope(caller, 'skill:run', 'A question of a skill');
      return skillStatus(deps, caller, id);
    }
    demandScope(caller, 'action:write', 'A question about a change');
    return confirmations.status(demandCustomer(caller), id);
  };

  return {
    list: (caller) => catalogue.entries(caller).map(({ capability }) => capability),
    agents: (caller) => catalogue.agents(caller),
    get: (name, caller) => catalogue.find(name, caller).capability,
    async call(call) {
      demandWhole(call);
      return callLog.call(call, async () => {
        const entry = catalogue.find(call.name, call.caller);
        const { capability } = entry;
        demandRights(entry, call.caller);
        await demandPresent(deps, call.caller);
        return counted(capability, () => traced(call, capability.name, () => run(entry, call)));
      });
    },
    async rehearse(call) {
      demandWhole(call);
      const entry = catalogue.find(call.name, call.caller);
      demandRights(entry, call.caller);
      const { tool } = entry;
      return tool?.effect === 'irreversible' ? rehearsed(deps, tool, call) : null;
    },
    async skillInput(caller, { skillId, version }, input) {
      const { inputSchema } = deps.tools.skills.get(skillId, version);
      if (caller.operator || caller.identity.kind !== 'customer') return input;
      const language = await languageOf(deps, caller, undefined);
      return ownInput(deps.tools, inputSchema, input, caller.identity.customerId, language);
    },
    confirm: (answer) =>
      callLog.answer(answer, async () => {
        demandCustomer(answer.caller);
        demandScope(answer.caller, 'action:write', 'A confirmation');
        await demandPresent(deps, answer.caller);
        return confirmations.answer(answer);
      }),
    async withdraw(withdrawal) {
      const { caller } = withdrawal;
      demandScope(caller, 'action:write', 'A withdrawal');
      await demandPresent(deps, caller);
      return confirmations.withdraw(withdrawal);
    },
    async choose(answer) {
      demandScope(answer.caller, 'skill:run', 'The question of a skill');
      return chooseFor(deps, answer);
    },
    async status(caller, id) {
      await demandPresent(deps, caller);
      return statusOf(caller, id);
    },
  };
}
