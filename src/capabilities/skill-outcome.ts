import type { CapabilityOutcome, OutsideCaller } from '../core/capabilities.js';
import type { JsonValue } from '../core/domain/json.js';
import type { SkillHandoff, SkillRun } from '../core/domain/skill.js';
import { type ErrorCode, HubError } from '../core/errors.js';
import { isStorageFault } from '../runtime/audit-refusal.js';
import { refused } from './run-plain.js';

/** Where a question to the operators stands, and what the customer was told of it. */
export interface EscalatedRun {
  readonly ticketId: string;
  readonly message: string;
}

/**
 * What a run came to. A customer is given findings, and not the rows they were made from.
 * @throws HubError `cancelled`, `thread_busy` where it is under way, and faults of the storage
 */
export function skillOutcome(
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
