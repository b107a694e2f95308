import type { CompositeStepResult } from '../../core/domain/composite-result.js';
import type { SkillResult } from '../../core/domain/skill.js';
import type { StepRecord } from './schemas.js';

/** A record of a step that says nothing yet; the rest is set by what happened. */
export function recordOf(
  part: string,
  iteration: number,
  what: Pick<StepRecord, 'status'> & Partial<StepRecord>,
): StepRecord {
  return {
    part,
    iteration,
    result: null,
    output: null,
    error: null,
    reason: null,
    by_failure: false,
    duration_ms: 0,
    attempts: 0,
    cached: false,
    key: null,
    handoff: null,
    known: {},
    guessed: {},
    trace: [],
    ...what,
  };
}

/** Whether the step has come to its end, well or not. */
export function isSettled(record: StepRecord | null): record is StepRecord {
  return record !== null && record.status !== 'waiting' && record.status !== 'asking';
}

/** Whether nothing that needs this step can do its work. */
export function hasFailed(record: StepRecord | undefined): boolean {
  return record?.status === 'failed' || (record?.status === 'skipped' && record.by_failure);
}

/**
 * A step as the composite's result shows it.
 * @param unreached why it did not run, where no record says so
 */
export function toStepResult(
  step: string,
  skillId: string,
  record: StepRecord | undefined,
  unreached: string,
): CompositeStepResult {
  const shared = { step, skill_id: skillId };
  if (record === undefined || !isSettled(record) || record.status === 'skipped') {
    return {
      ...shared,
      status: 'skipped',
      reason: record?.reason ?? unreached,
      duration_ms: 0,
      attempts: 0,
      cached: false,
    };
  }
  const written = templateOf(record.result);
  return {
    ...shared,
    status: record.status === 'done' ? 'done' : 'failed',
    ...(record.output === null ? {} : { output: record.output }),
    ...(record.error === null ? {} : { error: record.error }),
    duration_ms: record.duration_ms,
    attempts: record.attempts,
    cached: record.cached,
    ...(written === null ? {} : { provider: written.value.provider }),
  };
}

function templateOf(result: SkillResult | null) {
  return result?.kind === 'generation' || result?.kind === 'review' ? result : null;
}
