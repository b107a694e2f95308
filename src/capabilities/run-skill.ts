import {
  type CapabilityOutcome,
  type ChoiceAnswer,
  callerName,
  type OutsideCaller,
} from '../core/capabilities.js';
import { issueTypeOf } from '../core/domain/company.js';
import type { JsonValue } from '../core/domain/json.js';
import type { SkillCaller, SkillHandoff, SkillRun, SkillSummary } from '../core/domain/skill.js';
import { type ErrorCode, HubError, toHubError } from '../core/errors.js';
import { withNextStep } from '../core/i18n/index.js';
import type { SkillEvent } from '../core/ports/index.js';
import { isStorageFault } from '../runtime/envelope.js';
import { asksCustomer } from '../runtime/read-run.js';
import {
  type CapabilityDeps,
  demandCustomer,
  languageOf,
  openConversation,
  sayToCustomer,
} from './caller-session.js';
import type { Entry } from './catalogue.js';
import { type CheckedCall, cancelling, demandNotCancelled, refused } from './checked-call.js';
import { skillInput } from './skill-input.js';

/** Where a question to the operators stands, and what the customer read about it. */
interface EscalatedRun {
  readonly ticketId: string;
  readonly message: string;
}

/**
 * What a run came to. A customer is given findings, and not the rows they were made from.
 * @throws HubError `cancelled`, `thread_busy` where it is under way, and faults of the storage
 */
function skillOutcome(
  run: SkillRun,
  { operator }: OutsideCaller,
  escalated: EscalatedRun | null,
): CapabilityOutcome {
  const { runId, skillId, skillVersion, status, result, handoff, error } = run;
  if (status === 'waiting' && handoff) {
    return {
      kind: 'awaiting_choice',
      runId,
      ticketId: escalated?.ticketId ?? null,
      handoff: shown(handoff, operator) as SkillHandoff,
      message: escalated?.message ?? handoff.question,
    };
  }
  if (status === 'running')
    throw new HubError('thread_busy', `The run ${runId} is still under way.`, { runId });
  if (error) {
    const code = error.code as ErrorCode;
    if (code === 'cancelled' || isStorageFault(code)) throw new HubError(code, error.message, { runId });
    return refused(code, error.message);
  }
  if (!result) return refused('skill_failed', `${skillId} gave no result.`);
  return {
    kind: 'done',
    data: {
      status: 'done',
      run_id: runId,
      skill_id: skillId,
      skill_version: skillVersion,
      result: shown(result.value, operator) as JsonValue,
    },
  };
}

/** Evidence without the rows it was found in, also where it lies deeper, in what a part of a composite has found. */
function withoutRows(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(withoutRows);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const isEvidence = 'finding' in value && 'step' in value;
  const shown = Object.entries(value).filter(([name]) => !(isEvidence && name === 'data'));
  return Object.fromEntries(shown.map(([name, item]) => [name, withoutRows(item)]));
}

/** As it goes over the wire: nothing undefined in it. */
function shown(value: unknown, operator: OutsideCaller['operator']): unknown {
  const plain = JSON.parse(JSON.stringify(value)) as JsonValue;
  return operator ? plain : withoutRows(plain);
}

const FOUND = 12;

/** Puts the question of a waiting run to the operators: with a ticket that has what was found, and the ways to continue. */
async function escalateRun(
  deps: CapabilityDeps,
  skill: SkillSummary,
  run: SkillRun,
  { call, language, callId }: Pick<CheckedCall, 'call' | 'language' | 'callId'>,
): Promise<EscalatedRun> {
  const { tickets, tools } = deps;
  const { ticketId } = await openConversation(deps, {
    caller: call.caller,
    customerId: demandCustomer(call.caller),
    language,
    callId,
    what: skill.title,
    agent: 'investigation',
    issueType: issueTypeOf(tools.company, '').id,
    route: 'investigation',
  });
  await tools.skills.assign(run.runId, ticketId);
  const handoff = run.handoff;
  const known = await tickets.listEscalations(ticketId);
  if (known.length === 0 && handoff) {
    const cause = handoff.proposal?.root_cause ?? 'no cause found';
    await tickets.escalate(ticketId, {
      reason: 'requires_human',
      summary: `${skill.title}: ${handoff.question}`,
      found: [
        `${run.skillId} ${run.skillVersion}: ${cause}`,
        ...handoff.found.slice(0, FOUND).map(({ name, finding }) => `${name}: ${finding}`),
      ],
      tried: [`${run.skillId}: ${handoff.tried.join(' > ')}; asks: ${handoff.question}`],
      options: handoff.options.map(({ id, label }) => `${id}: ${label} (run ${run.runId})`),
    });
  }
  const texts = deps.tools.texts.for(language);
  const message = withNextStep(texts, texts.sayOf('escalated', 'requires_human'), deps.nextStep(language));
  await sayToCustomer(deps, ticketId, message);
  return { ticketId, message };
}

type SkillEntry = Extract<Entry, { skill: object }>;
type SkillCheckedCall = CheckedCall<CheckedCall['call']['input']>;

/** Who a skill runs for. @throws HubError `not_signed_in` */
function skillCaller({ identity, operator }: CheckedCall['call']['caller']): SkillCaller {
  if (operator) return { kind: 'operator', operatorId: operator.operatorId };
  if (identity.kind === 'customer') return { kind: 'customer', customerId: identity.customerId };
  throw new HubError('not_signed_in', 'Skills are for a customer who is signed in, and for staff.');
}

/**
 * Runs a skill over the caller's own record. A question that only a person can answer goes to the operators with a
 * ticket; staff is asked itself.
 * @throws HubError `input_invalid`, `cancelled`, `thread_busy` (the same run is under way elsewhere)
 */
export async function runSkill(
  deps: CapabilityDeps,
  entry: SkillEntry,
  checked: SkillCheckedCall,
): Promise<CapabilityOutcome> {
  const { call, language } = checked;
  const { skills } = deps.tools;
  demandNotCancelled(call.signal);
  const caller = skillCaller(call.caller);
  const input = await skillInput(deps, entry, checked);
  if (!input.ok) return input.outcome;
  const stop = cancelling(call.signal);
  try {
    const run = await skills.run({
      skillId: entry.skill.id,
      version: entry.skill.version,
      input: input.value,
      caller,
      runId: await runIdOf(deps, checked, caller),
      gatedActions: deps.tools.roster.actions.map(({ name }) => name),
      signal: stop.signal,
      ...(call.onProgress ? { onEvent: progressOf(call.onProgress) } : {}),
    });
    if (run.status !== 'waiting' || call.caller.operator) return skillOutcome(run, call.caller, null);
    if (asksCustomer(run, language)) {
      // What the customer is asked is the finding: they call again with what was missing.
      const asked = await skills.resume(run.runId, { choice: 'A', by: 'hub:asks_customer' });
      return skillOutcome(asked, call.caller, null);
    }
    return skillOutcome(run, call.caller, await escalateRun(deps, entry.skill, run, checked));
  } catch (error) {
    throw named(error);
  } finally {
    stop.release();
  }
}

/** A run that failed is no answer to somebody who tries again. */
async function runIdOf(
  { tools, ids }: CapabilityDeps,
  { callId }: SkillCheckedCall,
  caller: SkillCaller,
): Promise<string> {
  const runId = `run_${callId}`;
  const earlier = await tools.skills.show(runId, caller);
  return earlier?.status === 'failed' ? ids.next('run') : runId;
}

/** Steps that have begun, so that each tells something new. How many there will be depends on what they find. */
function progressOf(onProgress: NonNullable<CheckedCall['call']['onProgress']>): (event: SkillEvent) => void {
  let begun = 0;
  return ({ type, step }) => {
    if (type !== 'step_started') return;
    onProgress({ done: begun, total: null, message: step.replaceAll('_', ' ') });
    begun += 1;
  };
}

/** What the engine says of an input, by field. */
function named(error: unknown): HubError {
  const known = toHubError(error);
  const { faults } = known.fields;
  if (known.code !== 'input_invalid' || !Array.isArray(faults)) return known;
  const errors = faults.map((fault) => {
    const [, pointer, message] = /^\/(\S*) (.*)$/s.exec(String(fault)) ?? [];
    return { field: (pointer ?? '').replaceAll('/', '.'), message: message ?? String(fault) };
  });
  return new HubError('input_invalid', known.message, { ...known.fields, errors });
}

/**
 * Staff answers the question of a run: on its ticket where it has one, so that the customer gets the answer, else directly.
 * @throws HubError `forbidden`, `not_found`, `run_not_waiting`, `choice_unknown`, `thread_busy`
 */
export async function chooseFor(
  deps: CapabilityDeps,
  { caller, runId, choice, input, signal }: ChoiceAnswer,
): Promise<CapabilityOutcome> {
  const { operator } = caller;
  const { skills } = deps.tools;
  if (!operator) throw new HubError('forbidden', 'A person of the support team answers this at the desk.');
  const asked = await skills.show(runId, skillCaller(caller));
  if (!asked) throw new HubError('not_found', 'There is no such run.');
  const ticketId = await skills.ticketOf(runId);
  if (ticketId !== null) {
    await deps.chooseAtDesk(ticketId, choice, operator);
    return skillStatus(deps, caller, runId);
  }
  const stop = cancelling(signal);
  try {
    const answer = { choice, by: `operator:${operator.operatorId}`, ...(input ? { input } : {}) };
    const run = await skills.resume(runId, answer, { caller: skillCaller(caller), signal: stop.signal });
    return skillOutcome(run, caller, null);
  } finally {
    stop.release();
  }
}

/** A run as its caller may see it: what a chat found beyond the customer's own rows stays in the chat. */
function showFor(
  { tools }: CapabilityDeps,
  caller: CheckedCall['call']['caller'],
  runId: string,
): Promise<SkillRun | null> {
  return tools.skills.show(runId, skillCaller(caller), caller.operator ? 'everybody' : 'customer');
}

/** What became of a run of this caller. @throws HubError `not_found` */
export async function skillStatus(
  deps: CapabilityDeps,
  caller: CheckedCall['call']['caller'],
  runId: string,
): Promise<CapabilityOutcome> {
  const { skills } = deps.tools;
  const run = callerName(caller) === null ? null : await showFor(deps, caller, runId);
  if (!run) throw new HubError('not_found', 'There is no such question of yours.');
  const ticketId = run.status === 'waiting' ? await skills.ticketOf(runId) : null;
  if (ticketId === null) return skillOutcome(run, caller, null);
  const language = await languageOf(deps, caller, undefined);
  return skillOutcome(run, caller, {
    ticketId,
    message: deps.tools.texts.for(language).sayOf('escalated', 'requires_human'),
  });
}
